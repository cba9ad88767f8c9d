//! Which facts stand where, and which the root does not hold.

use super::path::{End, Hop};
use super::{Outline, TreeMap};
use crate::fact::{FactId, read};
use crate::manifest::{DropReason, FactRecord, NodeId, NodeManifest, TextDigest};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// A fact of a leaf, and its way to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sighting {
    /// The class, as reports write it.
    pub class: String,
    /// The exact text as it stands there, or its value; none for what is too long to be kept beside its leaf.
    pub text: Option<String>,
    /// What it is bound to there (`timeout` in `timeout=30s`).
    pub binding: Option<String>,
    /// The leaf.
    pub leaf: NodeId,
    /// Its number among the facts of the leaf.
    pub number: u32,
    /// The caller's name for the leaf.
    pub source: Option<String>,
    /// Where it stands first, in bytes of the leaf's text.
    pub span: Span,
    /// The digest of the leaf's text.
    pub text_digest: TextDigest,
    /// What became of it, node by node upwards.
    pub hops: Vec<Hop>,
    /// Where its way ends.
    pub end: End,
}

/// A fact that the root does not hold, at the leaf that states it first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostFact {
    /// The fact and its way.
    pub sighting: Sighting,
    /// In how many leaves it stands.
    pub leaves: usize,
}

impl TreeMap {
    /// Every leaf that states what `words` name: see [`Outline::trace`].
    pub fn trace(&self, words: &str) -> Vec<Sighting> {
        let mut wanted = Wanted::of(words);
        self.leaves().for_each(|leaf| wanted.look(self.outline(), leaf));
        wanted.found()
    }

    /// The facts that the root does not hold, each value once, in the order of the leaves; of one leaf, or of all. Secrets
    /// are none of them.
    pub fn lost(&self, leaf: Option<NodeId>) -> Vec<LostFact> {
        let mut out = Vec::new();
        self.each_lost(leaf, |fact| {
            out.push(fact);
            ControlFlow::Continue(())
        });
        out
    }

    pub(super) fn each_lost(&self, leaf: Option<NodeId>, mut tell: impl FnMut(LostFact) -> ControlFlow<()>) {
        let mut tally = Tally::default();
        let asked = || self.leaves().filter(|manifest| leaf.is_none_or(|leaf| leaf == manifest.id()));
        asked().for_each(|leaf| tally.count(self.outline(), leaf));
        // What is left when `tell` has enough is nothing.
        let _ = asked().try_for_each(|leaf| tally.tell(self.outline(), leaf, &mut tell));
    }
}

/// What is asked for, and what was found of it in the leaves so far.
pub(super) struct Wanted {
    ids: FxHashSet<FactId>,
    words: String,
    exact: Vec<Sighting>,
    /// Those that contain the words: what counts where none is exact.
    containing: Vec<Sighting>,
}

impl Wanted {
    pub(super) fn of(words: &str) -> Wanted {
        let reading = read(words);
        let wholes = reading.facts.iter().filter(|fact| fact.whole.is_none());
        Wanted {
            ids: wholes.filter_map(|fact| reading.id(fact)).collect(),
            words: words.trim().to_lowercase(),
            exact: Vec::new(),
            containing: Vec::new(),
        }
    }

    /// Looks for it in the next leaf.
    pub(super) fn look(&mut self, outline: &Outline, leaf: &NodeManifest) {
        let holds = |text: Option<&str>| text.is_some_and(|text| text.to_lowercase().contains(&self.words));
        for (number, record) in (0..).zip(leaf.facts()) {
            if !self.ids.is_empty() && record.id().is_some_and(|id| self.ids.contains(&id)) {
                self.exact.extend(outline.sighting(leaf, number, &record));
                self.containing = Vec::new();
            } else if self.exact.is_empty()
                && !self.words.is_empty()
                && (holds(record.text()) || holds(record.binding()))
            {
                self.containing.extend(outline.sighting(leaf, number, &record));
            }
        }
    }

    pub(super) fn found(self) -> Vec<Sighting> {
        if self.exact.is_empty() { self.containing } else { self.exact }
    }
}

/// Which values are lost, and in how many leaves each stands.
#[derive(Default)]
pub(super) struct Tally {
    of: FxHashMap<Short, Count>,
    /// Leaves that were counted.
    leaves: u32,
}

/// Half a [`FactId`]: there are as many of them as a tree has values, and nobody finds two facts with one half.
type Short = [u8; 16];

/// What is known of one value.
#[derive(Clone, Copy, Default)]
struct Count {
    leaves: u32,
    /// The last leaf that it was counted in.
    last: u32,
    /// The root holds it, or it is a secret.
    kept: bool,
    told: bool,
}

/// The facts of a leaf that count, with what each is counted under.
fn counted(leaf: &NodeManifest) -> impl Iterator<Item = (u32, FactRecord<'_>, Short)> {
    let facts = (0..).zip(leaf.facts()).filter(|(_, record)| !record.is_marker());
    facts.filter_map(|(number, record)| {
        let short = *record.id()?.as_bytes().first_chunk()?;
        Some((number, record, short))
    })
}

impl Tally {
    /// Counts the facts of the next leaf.
    pub(super) fn count(&mut self, outline: &Outline, leaf: &NodeManifest) {
        self.leaves += 1;
        for (number, _, short) in counted(leaf) {
            let count = self.of.entry(short).or_default();
            if count.kept {
                continue;
            }
            if count.last != self.leaves {
                count.last = self.leaves;
                count.leaves += 1;
            }
            // A value that one leaf lost and another brought to the root is not lost.
            let end = outline.path(leaf.id(), number).1;
            count.kept = matches!(end, End::AtRoot | End::Dropped { reason: DropReason::Secret, .. });
        }
    }

    /// Tells of what this leaf is the first to state, after all were counted.
    pub(super) fn tell(
        &mut self,
        outline: &Outline,
        leaf: &NodeManifest,
        tell: &mut impl FnMut(LostFact) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (number, record, short) in counted(leaf) {
            let Some(count) = self.of.get_mut(&short).filter(|count| !count.kept && !count.told) else {
                continue;
            };
            let Some(sighting) = outline.sighting(leaf, number, &record) else { continue };
            count.told = true;
            tell(LostFact { sighting, leaves: count.leaves as usize })?;
        }
        ControlFlow::Continue(())
    }
}

impl Outline {
    fn sighting(&self, leaf: &NodeManifest, number: u32, record: &FactRecord<'_>) -> Option<Sighting> {
        let (hops, end) = self.path(leaf.id(), number);
        Some(Sighting {
            class: record.class().to_owned(),
            text: record.text().map(str::to_owned),
            binding: record.binding().map(str::to_owned),
            leaf: leaf.id(),
            number,
            source: leaf.origin().and_then(|origin| origin.source.clone()),
            span: record.spans().next()?,
            text_digest: leaf.text_digest(),
            hops,
            end,
        })
    }
}
