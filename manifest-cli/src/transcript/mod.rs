//! Transcripts as they lie around: read by streaming, whatever their form.

mod blocks;
mod chat;
mod claude;
mod codex;
mod detect;
mod elements;
mod error;
mod frame;
mod gather;
mod heading;
mod item;
mod json;
mod leaf;
mod markdown;
mod plain;
mod reader;
mod records;
mod session;
mod source;
mod tally;
mod terminal;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use detect::Form;
pub(crate) use error::{TranscriptError, bytes};
pub(crate) use item::{Compaction, Item, Kind, Summary, Unit};
pub(crate) use leaf::{Leaf, leaves};
pub(crate) use session::{Limits, Session, text_of};
pub(crate) use tally::{Seen, Tally};
