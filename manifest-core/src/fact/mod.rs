//! What a text states: exact tokens at byte spans.

mod class;
mod decimal;
pub(crate) mod salience;
pub(crate) mod statement;
mod value;

pub use class::Class;
pub(crate) use decimal::Decimal;
pub(crate) use value::{Measure, Value};

use crate::text::{Clause, Normal, Sentence, Span, split};

/// One exact thing that a text states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fact {
    /// The kind of value.
    pub class: Class,
    /// Where it stands, in bytes of the text as given.
    pub span: Span,
    /// Equal for equal values (30s and 30000ms), unequal for others; for matching only, never committed.
    pub key: u64,
    /// The composite that this is a part of (a command for its flags, an instant for its date), as an index into
    /// the reading's facts. A composite precedes its parts.
    pub whole: Option<usize>,
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Its value.
    pub(crate) value: Value,
}

/// A text, read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading<'t> {
    /// The text as given.
    pub text: &'t str,
    /// Its facts, by start, a composite before its parts.
    pub facts: Vec<Fact>,
    /// The folded text with its map back.
    pub(crate) normal: Normal<'t>,
    /// Its sentences, in order.
    pub(crate) sentences: Vec<Sentence>,
    /// Their clauses, in order.
    pub(crate) clauses: Vec<Clause>,
}

/// Reads the facts of a text.
pub fn read(text: &str) -> Reading<'_> {
    let normal = Normal::of(text);
    let facts: Vec<Fact> = Vec::new();
    let (sentences, clauses) = split(&normal.text, |_| false);
    Reading { text, facts, normal, sentences, clauses }
}
