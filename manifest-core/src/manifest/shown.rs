//! A manifest as any serde format shows it: for reading, never hashed, and read back by nobody.

use super::canonical::View;
use super::fate::ChildFates;
use super::record::FactRecord;
use super::{NodeManifest, section};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

impl Serialize for NodeManifest {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("id", &self.id())?;
        map.serialize_entry("kind", &self.kind())?;
        map.serialize_entry("level", &self.level())?;
        map.serialize_entry("body_id", &self.body_id())?;
        some(&mut map, "decision_id", self.decision_id())?;
        map.serialize_entry("text_digest", &self.text_digest())?;
        map.serialize_entry("text_bytes", &self.text_bytes())?;
        some(&mut map, "origin", self.origin())?;
        some(&mut map, "summarizer", self.summarizer())?;
        some(&mut map, "params", self.summarizer_params())?;
        some(&mut map, "supersedes", self.supersedes())?;
        some(&mut map, "at", self.made_at())?;
        list(&mut map, "children", self.children().collect())?;
        let (text, ledger): (Vec<_>, Vec<_>) =
            self.facts().enumerate().partition(|(index, _)| *index < self.text_fact_count());
        let facts = |facts: Vec<(usize, _)>| facts.into_iter().map(|(_, fact)| fact).collect::<Vec<_>>();
        list(&mut map, "facts", facts(text))?;
        list(&mut map, "ledger", self.ledger().collect())?;
        list(&mut map, "carried", facts(ledger))?;
        list(
            &mut map,
            "fates",
            (0..self.children().count()).filter_map(|child| self.fates(child)).collect(),
        )?;
        list(&mut map, "drops", self.drops().collect())?;
        list(&mut map, "conflicts", self.conflicts().collect())?;
        list(&mut map, "claims", self.claims().collect())?;
        some(&mut map, "signals", self.signals())?;
        if let Some(decision) = self.decision() {
            map.serialize_entry("decision", decision)?;
            map.serialize_entry("policy", &View::at(self.bytes(), decision.policy.start))?;
        }
        if let Some(evidence) = self.evidence() {
            map.serialize_entry("evidence", &self.views(evidence))?;
        }
        for unknown in self.sections().iter().filter(|section| !section::is_known(&section.name)) {
            map.serialize_entry(&format!("section.{}", unknown.name), &self.views(unknown))?;
        }
        map.end()
    }
}

impl NodeManifest {
    fn views(&self, section: &section::Section) -> Vec<View<'_>> {
        section.ranges().map(|range| View::at(self.bytes(), range.start)).collect()
    }
}

/// An entry, if there is a value.
fn some<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    value: Option<T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// An entry, if the list is not empty.
fn list<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    items: Vec<T>,
) -> Result<(), M::Error> {
    some(map, key, Some(items).filter(|items| !items.is_empty()))
}

impl Serialize for FactRecord<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("class", self.class())?;
        some(&mut map, "value", self.value())?;
        some(&mut map, "text", self.text().filter(|text| self.value() != Some(text)))?;
        some(&mut map, "binding", self.binding())?;
        if self.is_marker() {
            map.serialize_entry("marker", &true)?;
        }
        map.serialize_entry("spans", &self.spans().collect::<Vec<_>>())?;
        some(&mut map, "id", self.id())?;
        map.end()
    }
}

/// Facts with the node's own facts that they live on in, or the earlier ones that they equal; dropped ones as
/// `[reason, [first, last]…]`.
impl Serialize for ChildFates {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let dropped: Vec<_> = self
            .dropped
            .iter()
            .map(|(reason, runs)| {
                (reason, runs.iter().map(|run| (run.start, run.end.saturating_sub(1))).collect::<Vec<_>>())
            })
            .collect();
        let mut fates = s.serialize_struct("ChildFates", 4)?;
        fates.serialize_field("stated", &self.stated)?;
        fates.serialize_field("carried", &self.carried)?;
        fates.serialize_field("merged", &self.merged)?;
        fates.serialize_field("dropped", &dropped)?;
        fates.end()
    }
}
