//! Writes canonical items: shortest heads, definite lengths.

use minicbor::Encoder;
use minicbor::encode::Error;
use std::convert::Infallible;

/// Bytes that grow by one item after another.
#[derive(Debug)]
pub(in super::super) struct Writer(Encoder<Vec<u8>>);

impl Default for Writer {
    fn default() -> Self {
        Writer(Encoder::new(Vec::new()))
    }
}

/// Writing into memory cannot fail.
fn written<T>(result: Result<T, Error<Infallible>>) {
    drop(result);
}

impl Writer {
    pub(in super::super) fn uint(&mut self, value: u64) {
        written(self.0.u64(value).map(drop));
    }

    /// A count, a place, a length.
    pub(in super::super) fn count(&mut self, value: usize) {
        self.uint(value as u64);
    }

    pub(in super::super) fn text(&mut self, text: &str) {
        written(self.0.str(text).map(drop));
    }

    pub(in super::super) fn bytes(&mut self, bytes: &[u8]) {
        written(self.0.bytes(bytes).map(drop));
    }

    pub(in super::super) fn bool(&mut self, value: bool) {
        written(self.0.bool(value).map(drop));
    }

    /// The head of a list of so many items, which follow.
    pub(in super::super) fn list(&mut self, items: usize) {
        written(self.0.array(items as u64).map(drop));
    }

    /// The head of a map of so many keys and values, which follow in the order of the keys.
    pub(in super::super) fn map(&mut self, pairs: usize) {
        written(self.0.map(pairs as u64).map(drop));
    }

    /// An item that is canonical already.
    pub(in super::super) fn item(&mut self, bytes: &[u8]) {
        self.0.writer_mut().extend_from_slice(bytes);
    }

    /// Bytes written so far.
    pub(in super::super) fn len(&self) -> usize {
        self.0.writer().len()
    }

    pub(in super::super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_writer()
    }
}
