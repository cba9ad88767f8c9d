//! The bytes that are hashed: a strict subset of DAG-CBOR.
//!
//! Text keys, sorted (shorter ones first, equal lengths by their bytes) and unique; definite lengths; the shortest heads; no
//! floats, no tags, no `null`: absence is the only "none". So one meaning has one writing, and one id.

mod check;
mod map;
mod read;
mod view;
mod write;

pub(super) use check::{DEPTH, check, end_of};
pub(super) use map::Map;
pub(super) use read::Cursor;
pub(super) use view::View;
pub(super) use write::Writer;

#[cfg(test)]
mod tests;
