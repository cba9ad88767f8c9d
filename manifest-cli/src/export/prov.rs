//! PROV-JSON: leaves, summaries, facts and drops are entities, compactions, gates and sweeps activities.

use super::Verified;
use crate::error::Failure;
use manifest_core::{Fate, NodeId, NodeManifest};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A document, record by record.
#[derive(Default)]
struct Document {
    parts: Map<String, Value>,
    count: usize,
}

impl Document {
    /// Something with a name of its own.
    fn put(&mut self, kind: &str, name: String, attributes: Value) {
        if let Value::Object(part) = self.parts.entry(kind).or_insert_with(|| json!({})) {
            part.insert(name, attributes);
        }
    }

    /// A relation: its two ends, by the names that PROV gives them.
    fn relate(&mut self, kind: &str, from: (&str, &str), to: (&str, &str)) {
        self.count += 1;
        let name = format!("_:r{}", self.count);
        self.put(kind, name, json!({(format!("prov:{}", from.0)): from.1, (format!("prov:{}", to.0)): to.1}));
    }
}

pub(super) fn of(tree: &Verified) -> Result<Value, Failure> {
    let mut out = Document::default();
    out.parts.insert(
        "prefix".to_owned(),
        json!({
            "manifest": "urn:manifest:", "leaf": "urn:manifest:leaf:", "node": "urn:manifest:node:", "fact": "urn:manifest:fact:",
            "drop": "urn:manifest:drop:", "compaction": "urn:manifest:compaction:", "gate": "urn:manifest:gate:",
            "sweep": "urn:manifest:sweep:", "agent": "urn:manifest:agent:",
        }),
    );
    for leaf in tree.asked.map.leaves() {
        of_leaf(&mut out, leaf, tree.is_reclaimed(leaf)?);
    }
    for node in tree.asked.map.nodes() {
        of_node(&mut out, tree, node);
    }
    Ok(Value::Object(out.parts))
}

fn of_leaf(out: &mut Document, leaf: &NodeManifest, reclaimed: bool) {
    let name = format!("leaf:{}", leaf.id());
    let mut said = json!({
        "prov:type": "manifest:Leaf",
        "manifest:text_digest": leaf.text_digest().to_string(),
        "manifest:text_bytes": leaf.text_bytes(),
    });
    if let (Some(said), Some(source)) = (said.as_object_mut(), leaf.origin().and_then(|o| o.source.clone())) {
        said.insert("prov:label".to_owned(), source.into());
    }
    out.put("entity", name.clone(), said);
    if reclaimed {
        let sweep = "sweep:logged".to_owned();
        out.put("activity", sweep.clone(), json!({"prov:type": "manifest:Sweep"}));
        out.relate("wasInvalidatedBy", ("entity", &name), ("activity", &sweep));
    }
    let mut seen = BTreeSet::new();
    for fact in leaf.facts() {
        let Some(id) = fact.id() else { continue };
        let entity = format!("fact:{}", id.digest());
        if !seen.insert(entity.clone()) {
            continue;
        }
        let mut said = json!({"prov:type": "manifest:Fact", "manifest:class": fact.class()});
        if let (Some(said), Some(value)) = (said.as_object_mut(), fact.value()) {
            said.insert("prov:value".to_owned(), value.into());
        }
        out.put("entity", entity.clone(), said);
        out.relate("wasDerivedFrom", ("generatedEntity", &entity), ("usedEntity", &name));
    }
}

fn of_node(out: &mut Document, tree: &Verified, node: &NodeManifest) {
    let id = node.id();
    let (name, compaction) = (format!("node:{id}"), format!("compaction:{id}"));
    out.put(
        "entity",
        name.clone(),
        json!({
            "prov:type": "manifest:Summary",
            "manifest:level": node.level(),
            "manifest:text_digest": node.text_digest().to_string(),
            "manifest:text_bytes": node.text_bytes(),
        }),
    );
    let at = node.made_at().map(|at| json!({"manifest:at": at}));
    let mut said = at.unwrap_or_else(|| json!({}));
    if let Some(said) = said.as_object_mut() {
        said.insert("prov:type".to_owned(), "manifest:Compaction".into());
    }
    out.put("activity", compaction.clone(), said);
    out.relate("wasGeneratedBy", ("entity", &name), ("activity", &compaction));
    if let Some(by) = node.summarizer() {
        associate(out, &compaction, by, "prov:SoftwareAgent");
    }
    for child in node.children() {
        let child = named(tree, child);
        out.relate("used", ("activity", &compaction), ("entity", &child));
        out.relate("wasDerivedFrom", ("generatedEntity", &name), ("usedEntity", &child));
    }
    let judged = node.decision().zip(node.decision_id()).map(|(decision, id)| {
        let gate = format!("gate:{id}");
        let said = json!({
            "prov:type": "manifest:Gate",
            "manifest:verdict": decision.verdict,
            "manifest:observed": decision.observed,
        });
        out.put("activity", gate.clone(), said);
        out.relate("used", ("activity", &gate), ("entity", &name));
        out.relate("wasInformedBy", ("informed", &gate), ("informant", &compaction));
        associate(out, &gate, &decision.gate, "prov:SoftwareAgent");
        gate
    });
    let logged_by = judged.unwrap_or(compaction);
    for (number, reason) in node.drops().enumerate() {
        let drop = format!("drop:{id}.{number}");
        let said = serde_json::to_value(&reason).unwrap_or_default();
        let mut attributes = json!({"prov:type": "manifest:Drop"});
        if let (Some(attributes), Some(said)) = (attributes.as_object_mut(), said.as_object()) {
            attributes.extend(said.iter().map(|(key, value)| (format!("manifest:{key}"), value.clone())));
        }
        out.put("entity", drop.clone(), attributes);
        out.relate("wasGeneratedBy", ("entity", &drop), ("activity", &logged_by));
    }
    dropped(out, tree, node);
}

/// Which facts each drop ended. Facts of a summary are those of its leaves; one that stands in no leaf is named all the same.
fn dropped(out: &mut Document, tree: &Verified, node: &NodeManifest) {
    let mut seen = BTreeSet::new();
    for (place, child) in node.children().enumerate() {
        let (Some(fates), Some(child)) = (node.fates(place), tree.asked.map.get(child)) else { continue };
        for (number, fact) in (0..).zip(child.facts()) {
            let (Some(Fate::Dropped { reason }), Some(id)) = (fates.get(number), fact.id()) else { continue };
            let (drop, entity) = (format!("drop:{}.{reason}", node.id()), format!("fact:{}", id.digest()));
            if seen.insert((reason, entity.clone())) {
                if child.level() > 0 {
                    let known = out.parts.get("entity").is_some_and(|all| all.get(&entity).is_some());
                    if !known {
                        out.put(
                            "entity",
                            entity.clone(),
                            json!({"prov:type": "manifest:Fact", "manifest:class": fact.class()}),
                        );
                    }
                }
                out.relate("wasDerivedFrom", ("generatedEntity", &drop), ("usedEntity", &entity));
            }
        }
    }
}

fn named(tree: &Verified, id: NodeId) -> String {
    let kind = if tree.asked.map.get(id).is_some_and(|m| m.level() == 0) { "leaf" } else { "node" };
    format!("{kind}:{id}")
}

/// An agent by its own name; the identifier is the digest of it, as a name may hold anything.
fn associate(out: &mut Document, activity: &str, name: &str, kind: &str) {
    let agent = format!("agent:{}", manifest_core::TextDigest::of(name));
    out.put("agent", agent.clone(), json!({"prov:type": kind, "prov:label": name}));
    out.relate("wasAssociatedWith", ("activity", activity), ("agent", &agent));
}
