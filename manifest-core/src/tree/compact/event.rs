//! What a compaction tells while it runs, and what it did.

use crate::code::Code;
use crate::manifest::NodeId;
use crate::report::Verdict;

/// Where in a tree a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// Summaries on the longest path from a leaf, from 1.
    pub level: u32,
    /// From 0, in the order of the leaves.
    pub position: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "level {} node {}", self.level, self.position + 1)
    }
}

/// One attempt at a node's text, and what the gate said of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attempt {
    /// The verdict.
    pub verdict: Verdict,
    /// The codes of its reasons, the strongest first.
    pub codes: Vec<Code>,
    /// Required facts that were neither stated nor carried.
    pub lost: usize,
    /// Whether the ledger that the gate had offered stood beside the text.
    pub mended: bool,
}

/// How a node came to be committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum How {
    /// It stood in the store already: the same children under the same rules.
    Known,
    /// The first draft passed.
    FirstDraft,
    /// A later draft passed, with the gate's feedback.
    Retried,
    /// With the ledger beside the text.
    Mended,
    /// The gate only observed, and would not have committed it.
    Observed,
}

/// Why no further attempt at a node's text was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// None was needed: it stood in the store, or a draft passed.
    Passed,
    /// All attempts were made.
    Spent,
    /// The gate said that other words cannot pass.
    Final,
    /// The summarizer gave the same text again: it makes no progress.
    Repeated,
    /// The summarizer failed at a later attempt: what it said.
    Failed(String),
}

/// One step of a running compaction.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// A node is begun; so many nodes are planned, and so many were done before.
    Begun {
        /// Which.
        place: Place,
        /// Nodes done so far.
        done: usize,
        /// Nodes of the plan.
        planned: usize,
    },
    /// What was remembered for the node's children cannot be used: it is made again.
    Forgotten {
        /// Which node.
        place: Place,
        /// What is wrong with it.
        why: String,
    },
    /// The gate judged a text.
    Judged {
        /// Which node.
        place: Place,
        /// What was said.
        attempt: Attempt,
    },
    /// A node stands in the store.
    Committed {
        /// Which.
        place: Place,
        /// Its id.
        id: NodeId,
        /// How.
        how: How,
    },
}

/// What became of one node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// Which.
    pub place: Place,
    /// Its id and how it was committed; none if it was not.
    pub committed: Option<(NodeId, How)>,
    /// All attempts, in order.
    pub attempts: Vec<Attempt>,
    /// Why there were no more of them.
    pub ended: Ended,
    /// What was wrong with what the store remembered for the node's children, if it was passed over for that.
    pub forgotten: Option<String>,
}
