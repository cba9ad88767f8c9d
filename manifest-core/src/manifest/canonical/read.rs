//! Reads typed values out of bytes whose structure was checked.

use super::super::error::FormatError;
use super::end_of;
use crate::digest::Digest;
use minicbor::Decoder;
use minicbor::data::Type;
use std::ops::Range;

/// A place in checked bytes, and what is read from there on.
#[derive(Clone, Debug)]
pub(in super::super) struct Cursor<'a>(Decoder<'a>);

impl<'a> Cursor<'a> {
    /// From the start of some range of the bytes, so that places in errors are those of the whole.
    pub(in super::super) fn at(bytes: &'a [u8], start: usize) -> Self {
        let mut decoder = Decoder::new(bytes);
        decoder.set_position(start.min(bytes.len()));
        Cursor(decoder)
    }

    /// The place.
    pub(in super::super) fn place(&self) -> usize {
        self.0.position()
    }

    /// What belongs at a place where something else stands.
    pub(in super::super) fn expected(&self, expected: &'static str) -> FormatError {
        FormatError::Expected { expected, at: self.place() }
    }

    fn read<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&mut Decoder<'a>) -> Result<T, minicbor::decode::Error>,
    ) -> Result<T, FormatError> {
        let at = self.place();
        read(&mut self.0).map_err(|_| FormatError::Expected { expected, at })
    }

    pub(in super::super) fn uint(&mut self) -> Result<u64, FormatError> {
        self.read("a number", Decoder::u64)
    }

    /// A number that counts or places something in memory.
    pub(in super::super) fn count(&mut self) -> Result<usize, FormatError> {
        let error = self.expected("a number of at most 32 bits");
        u32::try_from(self.uint()?).map(|n| n as usize).map_err(|_| error)
    }

    pub(in super::super) fn bool(&mut self) -> Result<bool, FormatError> {
        self.read("`true` or `false`", Decoder::bool)
    }

    pub(in super::super) fn text(&mut self) -> Result<&'a str, FormatError> {
        self.read("a text", Decoder::str)
    }

    pub(in super::super) fn digest(&mut self) -> Result<Digest, FormatError> {
        let error = self.expected("32 bytes of a digest");
        let bytes = self.read("32 bytes of a digest", Decoder::bytes)?;
        Digest::try_from(bytes).map_err(|_| error)
    }

    /// The number of items of a list, which follow.
    pub(in super::super) fn list(&mut self) -> Result<usize, FormatError> {
        let error = self.expected("a list");
        match self.read("a list", Decoder::array)? {
            Some(items) => usize::try_from(items).map_err(|_| error),
            None => Err(error),
        }
    }

    /// The number of keys of a map, which follow.
    pub(in super::super) fn map(&mut self) -> Result<usize, FormatError> {
        let error = self.expected("a map");
        match self.read("a map", Decoder::map)? {
            Some(pairs) => usize::try_from(pairs).map_err(|_| error),
            None => Err(error),
        }
    }

    /// Reads a map: `field` reads the value of each key that it knows and gives `true`, or `false` for one to pass over.
    pub(in super::super) fn fields(
        &mut self,
        mut field: impl FnMut(&mut Self, &'a str) -> Result<bool, FormatError>,
    ) -> Result<(), FormatError> {
        for _ in 0..self.map()? {
            let key = self.text()?;
            if !field(self, key)? {
                self.skip();
            }
        }
        Ok(())
    }

    /// The type of the next item.
    pub(in super::super) fn is_text(&self) -> bool {
        matches!(self.0.datatype(), Ok(Type::String))
    }

    /// Whether the next item is a number.
    pub(in super::super) fn is_uint(&self) -> bool {
        matches!(self.0.datatype(), Ok(Type::U8 | Type::U16 | Type::U32 | Type::U64))
    }

    /// Passes over the next item, and gives where it stands.
    pub(in super::super) fn skip(&mut self) -> Range<usize> {
        let start = self.place();
        let end = end_of(self.0.input(), start);
        self.0.set_position(end);
        start..end
    }
}
