//! Which facts stand where, and which the root does not hold.

use super::TreeMap;
use super::path::{End, Hop};
use crate::fact::{FactId, read};
use crate::manifest::{DropReason, FactRecord, NodeId, NodeManifest, TextDigest};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Every leaf that states what `words` name: each exact value in them by value, or, where they hold none or none is
    /// found, every fact whose text or binding contains them.
    pub fn trace(&self, words: &str) -> Vec<Sighting> {
        let reading = read(words);
        let wholes = reading.facts.iter().filter(|fact| fact.whole.is_none());
        let ids: FxHashSet<FactId> = wholes.filter_map(|fact| reading.id(fact)).collect();
        let exact = self.sightings(|record| record.id().is_some_and(|id| ids.contains(&id)));
        let words = words.trim().to_lowercase();
        if !exact.is_empty() || words.is_empty() {
            return exact;
        }
        let holds = |text: Option<&str>| text.is_some_and(|text| text.to_lowercase().contains(&words));
        self.sightings(|record| holds(record.text()) || holds(record.binding()))
    }

    fn sightings(&self, wanted: impl Fn(&FactRecord<'_>) -> bool) -> Vec<Sighting> {
        let mut out = Vec::new();
        for leaf in self.leaves() {
            for (number, record) in (0..).zip(leaf.facts()) {
                if wanted(&record) {
                    out.extend(self.sighting(leaf, number, &record));
                }
            }
        }
        out
    }

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

    /// The facts that the root does not hold, each value once, in the order of the leaves; of one leaf, or of all. Secrets
    /// are none of them.
    pub fn lost(&self, leaf: Option<NodeId>) -> Vec<LostFact> {
        let mut number_of: FxHashMap<FactId, usize> = FxHashMap::default();
        let mut kept: FxHashSet<FactId> = FxHashSet::default();
        let mut out: Vec<LostFact> = Vec::new();
        for manifest in self.leaves().filter(|manifest| leaf.is_none_or(|leaf| leaf == manifest.id())) {
            for (number, record) in (0..).zip(manifest.facts()) {
                let Some(id) = record.id() else { continue };
                if record.is_marker() || kept.contains(&id) {
                    continue;
                }
                if let Some(known) = number_of.get(&id).and_then(|known| out.get_mut(*known)) {
                    known.leaves += 1;
                    if self.path(manifest.id(), number).1.is_at_root() {
                        kept.insert(id);
                    }
                    continue;
                }
                let Some(sighting) = self.sighting(manifest, number, &record) else { continue };
                if matches!(sighting.end, End::AtRoot | End::Dropped { reason: DropReason::Secret, .. }) {
                    kept.insert(id);
                    continue;
                }
                number_of.insert(id, out.len());
                out.push(LostFact { sighting, leaves: 1 });
            }
        }
        // A value that one leaf lost and another brought to the root is not lost.
        let at_root: FxHashSet<usize> = kept.iter().filter_map(|id| number_of.get(id).copied()).collect();
        let numbered = out.into_iter().enumerate();
        numbered.filter(|(number, _)| !at_root.contains(number)).map(|(_, lost)| lost).collect()
    }
}
