//! What writes a parent's text: a model, a program, an algorithm.

use crate::child::Child;
use std::future::Future;

/// One parent that is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Task<'a> {
    /// The children, in their order: prose only, without the ledgers that stand beside it.
    pub children: &'a [Child<'a>],
    /// Summaries on the longest path from a leaf to this parent, from 1.
    pub level: u32,
    /// Where in its level the parent stands, from 0.
    pub position: usize,
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// Bytes that the text may have.
    pub budget_bytes: usize,
    /// What the gate said of the last attempt; empty at the first.
    pub feedback: &'a str,
    /// The last attempt's text; empty at the first.
    pub refused: &'a str,
}

impl<'a> Task<'a> {
    /// The first attempt at a parent.
    pub fn new(children: &'a [Child<'a>], level: u32, position: usize, budget_bytes: usize) -> Self {
        Task { children, level, position, attempt: 1, budget_bytes, feedback: "", refused: "" }
    }

    /// The next attempt, after `refused` came back with `feedback`.
    pub fn again(self, refused: &'a str, feedback: &'a str) -> Self {
        Task { attempt: self.attempt.saturating_add(1), feedback, refused, ..self }
    }
}

/// Something that writes the summary of a [`Task`].
///
/// The future is the caller's runtime's: a summarizer that waits uses what that runtime offers. Cancelling it (dropping the
/// future) must be safe; nothing is written before a gate has passed.
pub trait Summarizer<S> {
    /// What can go wrong.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Writes one summary.
    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<S, Self::Error>> + Send;
}
