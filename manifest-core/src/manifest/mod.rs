//! Manifests: the content-hashed record of one leaf or node, as canonical bytes.

mod accounting;
mod body;
mod build;
mod canonical;
mod collect;
mod contents;
mod decision;
mod document;
mod embedded;
mod error;
mod fate;
mod finding;
mod id;
mod list;
mod proof;
mod record;
mod seal;
mod section;
mod shown;
mod unknown;

pub use accounting::AccountingError;
pub(crate) use body::VERSION;
pub use body::{ManifestKind, Origin};
pub use build::{BuildError, NodeBuilder};
pub use decision::DecisionRecord;
pub use document::NodeManifest;
pub(crate) use embedded::embedded;
pub use embedded::{Embedded, EmbeddedError};
pub use error::FormatError;
pub use fate::{ChildFates, DropReason, Fate};
pub use finding::{ClaimRecord, ConflictRecord, SideRecord, SignalsRecord, SourceRecord};
pub use id::{BodyId, DecisionId, NodeId, SectionDigest, TextDigest};
pub use proof::{InclusionProof, ProofError, ProveError, ProvenFact, ProvenNode};
pub use record::FactRecord;
pub use seal::{Making, SealError, seal};
pub use unknown::UnknownSection;

#[cfg(test)]
mod tests;
