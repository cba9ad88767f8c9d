//! Spans, normalisation with a map back to bytes, sentences and clauses, words.

mod span;

pub use span::Span;
