//! Canonical bytes as any serde format shows them: for reading, never hashed.

use super::check::{BYTES, LIST, MAP, NEGATIVE, TEXT, UINT, head};
use super::end_of;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt::Write;

/// One checked item.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct View<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> View<'a> {
    /// The item at a place of checked bytes, which lies at most [`DEPTH`](super::DEPTH) deep.
    pub(in super::super) fn at(bytes: &'a [u8], at: usize) -> Self {
        View { bytes, at }
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (major, value, next) = head(self.bytes, self.at).map_err(serde::ser::Error::custom)?;
        let string = || {
            let end = next.saturating_add(usize::try_from(value).unwrap_or(usize::MAX));
            self.bytes.get(next..end).unwrap_or_default()
        };
        match major {
            UINT => s.serialize_u64(value),
            NEGATIVE => s.serialize_i128(-1 - i128::from(value)),
            BYTES => {
                let mut hex = String::with_capacity(2 * string().len());
                for byte in string() {
                    // Writing into a string cannot fail.
                    let _ = write!(hex, "{byte:02x}");
                }
                s.serialize_str(&hex)
            }
            TEXT => s.serialize_str(std::str::from_utf8(string()).unwrap_or_default()),
            LIST => {
                let mut list = s.serialize_seq(usize::try_from(value).ok())?;
                let mut at = next;
                for _ in 0..value {
                    list.serialize_element(&View::at(self.bytes, at))?;
                    at = end_of(self.bytes, at);
                }
                list.end()
            }
            MAP => {
                let mut map = s.serialize_map(usize::try_from(value).ok())?;
                let mut at = next;
                for _ in 0..value {
                    let after = end_of(self.bytes, at);
                    map.serialize_entry(&View::at(self.bytes, at), &View::at(self.bytes, after))?;
                    at = end_of(self.bytes, after);
                }
                map.end()
            }
            _ => s.serialize_bool(value == 21),
        }
    }
}
