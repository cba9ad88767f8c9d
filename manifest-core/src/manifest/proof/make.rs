//! Makes a proof from the manifests on the way.

use super::super::canonical::{Map, Writer};
use super::super::{NodeId, NodeManifest, list, section};
use super::{DEEPEST, InclusionProof, ProveError, VERSION};
use crate::digest::Digest;

impl InclusionProof {
    /// The proof of a fact: by its index in the first of these manifests, of which each is a child of the next one, up to
    /// the root.
    ///
    /// # Errors
    /// [`ProveError`]: no such fact, or no such way.
    pub fn of(fact: usize, way: &[&NodeManifest]) -> Result<Self, ProveError> {
        let first = way.first().filter(|_| way.len() <= DEEPEST);
        let first = first.ok_or(ProveError::Steps { found: way.len() })?;
        let none = ProveError::NoFact { of: first.id(), fact, count: first.fact_count() };
        let of_text = first.text_fact_count();
        let (name, index) = match fact.checked_sub(of_text) {
            None => (section::FACTS, fact),
            Some(index) => (section::CARRIED, index),
        };
        let item = first.section(name).and_then(|section| section.range(index)).ok_or(none)?;
        let mut steps = Writer::default();
        steps.list(way.len());
        let mut below: Option<NodeId> = None;
        for manifest in way {
            let found = match below {
                None => place(manifest, name, index),
                Some(child) => {
                    let index = manifest.children().position(|known| known == child);
                    index.and_then(|index| place(manifest, section::CHILDREN, index))
                }
            };
            let child = below.unwrap_or(first.id());
            let (index, count, siblings) =
                found.ok_or(ProveError::NotAChild { child, parent: manifest.id() })?;
            let decision = manifest.decision_id();
            steps.list(2 + usize::from(decision.is_some()));
            steps.list(2 + siblings.len());
            steps.count(index);
            steps.count(count);
            for sibling in &siblings {
                steps.bytes(sibling.as_bytes());
            }
            steps.item(manifest.body_bytes());
            if let Some(decision) = decision {
                steps.bytes(decision.as_bytes());
            }
            below = Some(manifest.id());
        }
        let mut proof = Map::default();
        proof.put("in", |w| w.text(name));
        proof.put("item", |w| w.item(first.bytes().get(item).unwrap_or_default()));
        proof.put("proof", |w| w.uint(VERSION));
        proof.put("steps", |w| w.item(&steps.into_bytes()));
        let mut to = Writer::default();
        proof.write(&mut to);
        Ok(InclusionProof::parse(&to.into_bytes())?)
    }
}

/// Where an item stands in a section, with the hashes beside its way.
fn place(manifest: &NodeManifest, name: &str, index: usize) -> Option<(usize, usize, Vec<Digest>)> {
    let section = manifest.section(name)?;
    let items: Vec<Digest> = section
        .ranges()
        .map(|range| list::item(name, manifest.bytes().get(range).unwrap_or_default()))
        .collect();
    Some((index, items.len(), list::siblings(&items, index)?))
}
