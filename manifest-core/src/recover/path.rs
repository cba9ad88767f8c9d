//! The way of one fact upwards: at which nodes it lives on, and where it ends.

use super::{Outline, TreeMap};
use crate::manifest::{DropReason, Fate, NodeId};
use rustc_hash::FxHashSet;

/// What became of a fact at one node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hop {
    /// The node.
    pub node: NodeId,
    /// Its level.
    pub level: u32,
    /// What became of the fact there.
    pub passage: Passage,
}

/// What became of a fact at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Passage {
    /// The text states it.
    Stated,
    /// The ledger carries it.
    Carried,
    /// It ended here.
    Dropped(DropReason),
    /// The node does not account for it: the manifest is broken.
    Unaccounted,
}

/// Where a fact's way ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The root holds it.
    AtRoot,
    /// A node dropped it.
    Dropped {
        /// Which.
        node: NodeId,
        /// Its level.
        level: u32,
        /// Why.
        reason: DropReason,
    },
    /// A node states it in words that no reader takes for this fact, and nothing above names it.
    Reworded {
        /// Which.
        node: NodeId,
    },
    /// A node does not account for it: the tree is broken there.
    Unaccounted {
        /// Which.
        node: NodeId,
    },
}

impl End {
    /// Whether the root still holds the fact.
    pub fn is_at_root(&self) -> bool {
        *self == End::AtRoot
    }
}

impl TreeMap {
    /// The way of fact number `fact` of `of` upwards: see [`Outline::path`].
    pub fn path(&self, of: NodeId, fact: u32) -> (Vec<Hop>, End) {
        self.outline().path(of, fact)
    }
}

impl Outline {
    /// The way of fact number `fact` of `of` upwards. Where a leaf has several parents, the way that leads farthest.
    pub fn path(&self, of: NodeId, fact: u32) -> (Vec<Hop>, End) {
        let mut best: Option<(Vec<Hop>, End)> = None;
        // The ways still open: where each stands, and its hops so far.
        let mut open: Vec<(NodeId, u32, Vec<Hop>)> = vec![(of, fact, Vec::new())];
        let mut seen: FxHashSet<(NodeId, u32)> = FxHashSet::default();
        while let Some((id, fact, hops)) = open.pop() {
            if !seen.insert((id, fact)) {
                continue;
            }
            if id == self.root() {
                return (hops, End::AtRoot);
            }
            for (parent, place) in self.parents(id) {
                let Some((hop, next)) = self.hop(*parent, *place, fact) else { continue };
                let mut hops = hops.clone();
                let end = match (&hop.passage, next) {
                    (Passage::Dropped(reason), _) => {
                        Some(End::Dropped { node: *parent, level: hop.level, reason: reason.clone() })
                    }
                    (Passage::Unaccounted, _) => Some(End::Unaccounted { node: *parent }),
                    (_, None) if *parent == self.root() => Some(End::AtRoot),
                    (_, None) => Some(End::Reworded { node: *parent }),
                    (_, Some(_)) => None,
                };
                hops.push(hop);
                match (end, next) {
                    (Some(End::AtRoot), _) => return (hops, End::AtRoot),
                    (Some(end), _) => {
                        if best.as_ref().is_none_or(|(known, _)| known.len() < hops.len()) {
                            best = Some((hops, end));
                        }
                    }
                    (None, Some(next)) => open.push((*parent, next, hops)),
                    (None, None) => {}
                }
            }
        }
        best.unwrap_or((Vec::new(), End::Unaccounted { node: self.root() }))
    }

    /// What became of a child's fact at a node, and the number of the node's own fact that it lives on in.
    fn hop(&self, node: NodeId, child: usize, fact: u32) -> Option<(Hop, Option<u32>)> {
        let account = self.account(node)?;
        let hop = |passage| Hop { node, level: account.level, passage };
        let (mut child, mut fact) = (child, fact);
        // What it was merged into is accounted before it, and was not merged itself: one step.
        for _ in 0..2 {
            match account.fates.get(child).and_then(|fates| fates.get(fact)) {
                Some(Fate::Stated { own }) => return Some((hop(Passage::Stated), own)),
                Some(Fate::Carried { own }) => return Some((hop(Passage::Carried), own)),
                Some(Fate::Dropped { reason }) => {
                    // A reason that is not there is for the verification to name.
                    let passage = account
                        .drops
                        .get(reason as usize)
                        .cloned()
                        .map_or(Passage::Unaccounted, Passage::Dropped);
                    return Some((hop(passage), None));
                }
                Some(Fate::Merged { child: earlier, fact: of }) => (child, fact) = (earlier as usize, of),
                None => break,
            }
        }
        Some((hop(Passage::Unaccounted), None))
    }
}
