//! Where a compaction ended.

use super::event::{Place, Record};
use crate::gate::Cause;
use crate::manifest::NodeId;
use crate::report::{Report, Verdict};
use crate::store::RefEntry;
use crate::tree::{Stored, TreeError};

/// What a compaction came to, with every node that it went through.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compaction {
    /// How it ended.
    pub outcome: Outcome,
    /// The nodes in the order in which they were begun.
    pub nodes: Vec<Record>,
}

/// How a compaction ended. Each end leaves the store whole: what was committed stands, what was not left no trace.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The head was that of these leaves already: nothing was done.
    Unchanged {
        /// The root.
        root: Stored,
    },
    /// The root is committed, and the head names it.
    Committed {
        /// The root.
        root: Stored,
        /// The head's new generation.
        head: RefEntry,
    },
    /// Another level would fall below the floor, and what is there fits the context: it is attached to a root as it is.
    Flattened {
        /// The root that holds the children's own texts.
        root: Stored,
        /// The head's new generation.
        head: RefEntry,
        /// The node that was not made.
        at: Place,
        /// What the gate said of it.
        report: Box<Report>,
    },
    /// A signal is in its warning band: nothing is summarized further, the children stay as working context. The head has
    /// not moved.
    Halted {
        /// The node that was not made.
        at: Place,
        /// What the gate said of it.
        report: Box<Report>,
        /// What stands: the nodes and leaves that no committed node covers, in order.
        frontier: Vec<NodeId>,
    },
    /// No text passed, and no ledger can mend it. The head has not moved.
    Refused {
        /// The node that was not made.
        at: Place,
        /// The verdict.
        verdict: Verdict,
        /// The strongest reason.
        cause: Cause,
        /// What the gate said of the last attempt.
        report: Box<Report>,
        /// What stands: the nodes and leaves that no committed node covers, in order.
        frontier: Vec<NodeId>,
    },
}

impl Outcome {
    /// The root, if there is one.
    pub fn root(&self) -> Option<&Stored> {
        match self {
            Outcome::Unchanged { root }
            | Outcome::Committed { root, .. }
            | Outcome::Flattened { root, .. } => Some(root),
            Outcome::Halted { .. } | Outcome::Refused { .. } => None,
        }
    }
}

/// Why a compaction could not go on. What was committed before stands, and the next run goes on from there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompactError<Z: std::error::Error + 'static> {
    /// The plan is of other leaves.
    #[error("the plan is of {planned} leaves, and {given} are given")]
    Plan {
        /// Leaves that the plan is of.
        planned: usize,
        /// Leaves that were given.
        given: usize,
    },
    /// A fact that must be kept stands in no leaf, as it is written or with an equal value. Nothing was summarized.
    #[error(
        "the pinned fact `{0}` stands in no leaf, so that nothing could keep it: write it as a leaf does"
    )]
    Pin(String),
    /// The summarizer gave no text, after all attempts.
    #[error("{at}: no summary: {source}")]
    Summarizer {
        /// The node that it was asked for.
        at: Place,
        /// What it said.
        source: Z,
    },
    /// The store failed, or does not hold what it should.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Another writer moved the head meanwhile. The nodes stand, the head is the other's.
    #[error("another writer moved the head (generation {}) while the tree was built; the root built here is {}", .found.unwrap_or(0), .root.id())]
    HeadMoved {
        /// The root that was built.
        root: Box<Stored>,
        /// The generation that stands there.
        found: Option<u64>,
    },
}
