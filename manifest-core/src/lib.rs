//! Facts, provenance and gates for hierarchical summarization.
//!
//! A pipeline compacts long context by summarizing: leaves into summaries, summaries into a root. This crate reads
//! the facts out of every child, traces them into the parent, measures what the parent keeps, and judges the
//! parent before it replaces its children.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod child;
mod code;
mod fact;
mod report;
mod text;
mod trace;

pub use child::{Child, Role};
pub use code::{Code, Reason};
pub use fact::{Class, Fact, Reading, read};
pub use report::{
    ClaimRow, ConflictCounts, ConflictRow, ConflictState, FactCounts, LedgerEntry, LedgerRow, LostRow,
    OrphanRow, Recall, RecallFigures, Report, Side, Signals, SourceRow, Verdict, VerdictKind,
};
pub use text::Span;
