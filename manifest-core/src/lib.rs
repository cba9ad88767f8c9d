//! Facts, provenance and gates for hierarchical summarization.
//!
//! A pipeline compacts long context by summarizing: leaves into summaries, summaries into a root. This crate reads
//! the facts out of every child, traces them into the parent, measures what the parent keeps, and judges the
//! parent before it replaces its children.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod account;
mod check;
mod child;
mod code;
mod declare;
mod digest;
mod fact;
mod feedback;
mod gate;
mod ledger;
mod manifest;
mod node;
mod policy;
mod probe;
pub mod recover;
mod report;
mod signal;
pub mod store;
mod text;
mod trace;
pub mod tree;

pub use check::ledger;
pub use check::{Check, Previous, RankedFact, check, ledger_of, ranked_facts};
pub use child::{Child, Role};
pub use code::{Code, Reason};
pub use declare::{
    ChildrenField, Cited, Claim, ClaimsField, Conflict, ConflictsField, Declaration, DeclaredClaim,
    DeclaredFact, Drop, DropsField, FactField, Facts, Kinds, Manifest, ManifestField, NamedChild,
    NestedField, Rendered, TextField,
};
pub use digest::{Digest, DigestError};
pub use fact::{Class, Fact, FactId, Reading, read};
pub use gate::{Cause, Evidence, Findings, FormFault, Judgement, Reclaim, judge};
pub use ledger::split_ledger;
pub use manifest::{
    AccountingError, BodyId, BuildError, ChildFates, ClaimRecord, ConflictRecord, DecisionId, DecisionRecord,
    DropReason, Embedded, EmbeddedError, FactRecord, Fate, FormatError, InclusionProof, Making, ManifestKind,
    NodeBuilder, NodeId, NodeManifest, Origin, ProofError, ProveError, ProvenFact, ProvenNode, SealError,
    SectionDigest, SideRecord, SignalsRecord, SourceRecord, TextDigest, UnknownSection, seal,
};
pub use node::{AsChild, Audit, Draft, Gated, Node, NodeState, NotCommitted, Passed, Ungated};
pub use policy::{
    Band, Bound, Bounds, ConflictRule, FloorOn, Growth, LedgerBudget, Order, Policy, PolicyError, Ppm,
    Preset, ProbeRules, Required, Single, SmallCounts, TrendRules, deepest, power,
};
pub use probe::{
    Answerer, Measured, Probe, ProbeKey, ProbeSet, Question, Reader, RecallError, Retention, StatedRecall,
};
pub use report::{
    ClaimRow, ConflictCounts, ConflictRow, ConflictState, FactCounts, LedgerEntry, LedgerRow, LostRow,
    OrphanRow, Recall, RecallFigures, Report, Side, Signals, SourceRow, Verdict, VerdictKind,
};
pub use signal::{Cycle, Level, Pipeline, Scope, ScopeFault, SignalBands, Trend, bands, trend};
pub use text::Span;
pub use trace::{Trace, TracedFact, TracedMandate, Tracer};

#[cfg(feature = "derive")]
#[cfg_attr(docsrs, doc(cfg(feature = "derive")))]
pub use manifest_derive::Manifest;

/// What the expansion of the derive calls; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::declare::{
        Nested, NoManifest, NoSummary, Opaque, Plan, attempts, children, claims, class, conflicts, displayed,
        drops, facts, manifest, nested, texts,
    };
}
