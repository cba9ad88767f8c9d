//! The root's probe: whether it answers for its leaves, before any of them is reclaimed.

use super::compact::unanswered;
use super::{Stored, Tree, TreeError};
use crate::manifest::{NodeId, TextDigest};
use crate::store::{RefEntry, RefName, Store};
use rustc_hash::FxHashSet;
use std::fmt;

/// Nodes of a tree that are looked at, at most.
const MOST: usize = 1 << 22;

/// What a root answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RootProbe {
    /// The root.
    pub root: NodeId,
    /// The head that names it.
    pub head: RefEntry,
    /// Required facts that were asked.
    pub asked: usize,
    /// Those that neither the text nor the ledger answers.
    pub unanswered: Vec<Unanswered>,
    /// Those that the ledger alone answers: without it the text would have lost them.
    pub by_ledger: Vec<String>,
    /// What forbids reclaiming whatever the root answers.
    pub blockers: Vec<Blocker>,
    /// The leaves below, each once.
    pub(crate) leaves: Vec<Leaf>,
}

/// A leaf below a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Leaf {
    pub(crate) id: NodeId,
    pub(crate) text: TextDigest,
    pub(crate) bytes: u64,
}

/// A required fact that a root does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unanswered {
    /// As it was required.
    pub text: String,
}

/// What forbids reclaiming.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocker {
    /// A gate only observed: the node stands, and earns no permit.
    Observed(NodeId),
    /// No gate has judged the node.
    Unattested(NodeId),
    /// A critical section that this version does not understand.
    UnknownSection(NodeId, String),
    /// The tree has no required fact: a probe that asks nothing shows nothing.
    NothingAsked,
}

impl fmt::Display for Blocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blocker::Observed(id) => write!(f, "the gate of {id} only observed"),
            Blocker::Unattested(id) => write!(f, "no gate has judged {id}"),
            Blocker::UnknownSection(id, name) => {
                write!(f, "section `{name}` of {id} is critical and unknown")
            }
            Blocker::NothingAsked => f.write_str("no fact is required of the root: there is nothing to ask"),
        }
    }
}

impl RootProbe {
    /// Whether it passed whole.
    pub fn passed(&self) -> bool {
        self.unanswered.is_empty() && self.blockers.is_empty()
    }

    /// The permit, if the root answered for everything.
    ///
    /// # Errors
    /// [`NoPermit`], with what is missing.
    pub fn permit(self) -> Result<Permit, NoPermit> {
        if !self.passed() {
            return Err(NoPermit { root: self.root, unanswered: self.unanswered, blockers: self.blockers });
        }
        let RootProbe { root, head, leaves, .. } = self;
        Ok(Permit { root, name: head.name.clone(), generation: head.generation, leaves })
    }
}

/// Leave to reclaim the leaves of one root while its head stands where it stood when the root was probed. Given by
/// [`RootProbe::permit`] and by nothing else, used once.
#[derive(Debug)]
#[must_use = "a permit does nothing until it is swept with"]
pub struct Permit {
    pub(crate) root: NodeId,
    pub(crate) name: RefName,
    pub(crate) generation: u64,
    pub(crate) leaves: Vec<Leaf>,
}

impl Permit {
    /// The root that answered.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The generation of the head that it is bound to.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How many leaves it covers.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }
}

/// Why there is no permit: every leaf stays.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoPermit {
    /// The root.
    pub root: NodeId,
    /// Required facts that it does not answer.
    pub unanswered: Vec<Unanswered>,
    /// What else forbids it.
    pub blockers: Vec<Blocker>,
}

impl fmt::Display for NoPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no permit, every leaf stays: ")?;
        match (self.unanswered.first(), self.blockers.first()) {
            (Some(first), _) => write!(
                f,
                "the root does not answer {} required facts, the first is `{}`",
                self.unanswered.len(),
                first.text
            ),
            (None, Some(first)) => write!(f, "{first}"),
            (None, None) => f.write_str("the probe did not pass"),
        }
    }
}

impl std::error::Error for NoPermit {}

impl<B: Store + ?Sized> Tree<'_, B> {
    /// Asks the root that the head names for every fact that is required of it: of its text and ledger as they stand in the
    /// store, by the measure by which the gate finds a fact stated or carried.
    ///
    /// # Errors
    /// [`TreeError::NotTheHead`] for a root that the head does not name, and what stops the reading of the tree.
    pub async fn probe(&self, root: &Stored) -> Result<RootProbe, TreeError> {
        let head = self.head().await?;
        let Some(head) = head.filter(|head| head.target == root.id()) else {
            return Err(TreeError::NotTheHead {
                root: root.id(),
                head: self.head().await?.map(|head| head.target),
            });
        };
        // What was handed in is not taken at its word.
        let root = self.stored(root.id()).await?;
        let mut probe = RootProbe {
            root: root.id(),
            head,
            asked: 0,
            unanswered: Vec::new(),
            by_ledger: Vec::new(),
            blockers: Vec::new(),
            leaves: Vec::new(),
        };
        let mut open = vec![root.id()];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST {
                return Err(TreeError::TooLarge { nodes: MOST });
            }
            let manifest = self.manifest(id).await?;
            for name in manifest.unknown_critical_sections() {
                probe.blockers.push(Blocker::UnknownSection(id, name.to_owned()));
            }
            if manifest.level() == 0 {
                let (text, bytes) = (manifest.text_digest(), manifest.text_bytes());
                probe.leaves.push(Leaf { id, text, bytes });
                continue;
            }
            match manifest.decision() {
                None => probe.blockers.push(Blocker::Unattested(id)),
                Some(decision) if decision.observed => probe.blockers.push(Blocker::Observed(id)),
                Some(_) => {}
            }
            // The leaves in their order.
            let first = open.len();
            open.extend(manifest.children());
            if let Some(children) = open.get_mut(first..) {
                children.reverse();
            }
        }
        let required: Vec<&str> = root.required_facts().collect();
        probe.asked = required.len();
        let missing = unanswered(&required, root.text(), root.ledger());
        let unstated = unanswered(&required, root.text(), "");
        probe.unanswered = missing.iter().map(|fact| Unanswered { text: (*fact).to_owned() }).collect();
        probe.by_ledger =
            unstated.into_iter().filter(|fact| !missing.contains(fact)).map(str::to_owned).collect();
        if probe.asked == 0 {
            probe.blockers.push(Blocker::NothingAsked);
        }
        Ok(probe)
    }
}
