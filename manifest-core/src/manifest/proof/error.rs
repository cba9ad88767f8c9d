//! Why something is no proof, or none could be made.

use super::super::{FormatError, NodeId, TextDigest};
use crate::text::Span;
use thiserror::Error;

/// Why a proof does not hold. Steps count from the leaf or node that states the fact, which is step 0, up to the root.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The bytes are no proof, or a part of it is not what stands there in a manifest.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A version of proofs that this reader does not know.
    #[error("version {found} of proofs is unknown to this reader")]
    Version {
        /// What the proof says.
        found: u64,
    },
    /// A proof without steps, or with more than a tree has levels.
    #[error("the proof has {found} steps; 1 to {limit} are expected", limit = super::DEEPEST)]
    Steps {
        /// Steps found.
        found: usize,
    },
    /// A place beyond its list, or with more or fewer siblings than that place has.
    #[error("step {step} names a place that its list does not have")]
    Place {
        /// The step.
        step: usize,
    },
    /// The body has no such list.
    #[error("the body of step {step} lists no section `{section}`")]
    NotListed {
        /// The step.
        step: usize,
        /// The section.
        section: &'static str,
    },
    /// The item does not stand in the list that the body commits to.
    #[error("step {step}: what is to be proved does not stand in the section `{section}` of this body")]
    NotIncluded {
        /// The step.
        step: usize,
        /// The section.
        section: &'static str,
    },
    /// A step that is no parent of the one before it: a leaf, or of no higher level.
    #[error("step {step} is on level {level}, which is not above step {below}", below = step.saturating_sub(1))]
    Level {
        /// The step.
        step: usize,
        /// Its level.
        level: u32,
    },
    /// It leads to another root than the pinned one.
    #[error("the proof leads to {found}, and not to the pinned root {pinned}")]
    Root {
        /// The root that was pinned.
        pinned: NodeId,
        /// Where the proof leads.
        found: NodeId,
    },
    /// The text is not the one that states the fact.
    #[error("the text has the digest {found}; the fact stands in {expected}")]
    Text {
        /// The digest that the proof shows.
        expected: TextDigest,
        /// That of the text.
        found: TextDigest,
    },
    /// The text does not say there what the proof says that it does.
    #[error("bytes {}..{} of the text are not the fact", span.start, span.end)]
    Span {
        /// Where.
        span: Span,
    },
    /// The fact stands in a ledger, which is no part of a text.
    #[error("the fact stands in a ledger, and in no text")]
    OfLedger,
}

impl ProofError {
    /// A stable code: `proof.format`, `proof.version`, `proof.step`, `proof.root`, `proof.text`.
    pub const fn code(&self) -> &'static str {
        match self {
            ProofError::Format(_) | ProofError::Steps { .. } => "proof.format",
            ProofError::Version { .. } => "proof.version",
            ProofError::Place { .. }
            | ProofError::NotListed { .. }
            | ProofError::NotIncluded { .. }
            | ProofError::Level { .. } => "proof.step",
            ProofError::Root { .. } => "proof.root",
            ProofError::Text { .. } | ProofError::Span { .. } | ProofError::OfLedger => "proof.text",
        }
    }
}

/// Why no proof was made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// There is no such fact.
    #[error("{of} has {count} facts, and none of number {fact}")]
    NoFact {
        /// The leaf or node.
        of: NodeId,
        /// The number, from 0.
        fact: usize,
        /// How many it has.
        count: usize,
    },
    /// A leaf or node that is no child of the next one.
    #[error("{child} is no child of {parent}")]
    NotAChild {
        /// The one.
        child: NodeId,
        /// The next one.
        parent: NodeId,
    },
    /// A leaf or node that is none of the tree.
    #[error("{0} is no leaf or node of this tree")]
    NotInTree(NodeId),
    /// A way of no manifest, or of more than a proof may have.
    #[error("a way of {found} manifests; a proof has 1 to {limit}", limit = super::DEEPEST)]
    Steps {
        /// Manifests of the way.
        found: usize,
    },
    /// What was made is no proof.
    #[error(transparent)]
    Proof(#[from] ProofError),
}
