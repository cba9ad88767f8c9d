//! Spans, normalisation with a map back to bytes, sentences and clauses, words.

mod clause;
mod ending;
mod escape;
mod line;
mod noise;
mod normal;
mod sentence;
mod span;
mod spans;
mod stem;
mod stop;
mod word;

pub(crate) use normal::Normal;
pub(crate) use sentence::{Clause, Sentence, SentenceKind, split};
pub use span::Span;
pub(crate) use spans::Spans;
pub(crate) use stop::reports;
pub(crate) use word::{Word, words};
