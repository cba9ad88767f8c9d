//! A `context_summary` of Agent Context: what a summary stands for, what it lost, and who checked that.

use super::Verified;
use crate::audit::Mask;
use crate::error::Failure;
use crate::query::end_kind;
use manifest_core::recover::LostFact;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The draft whose words are used.
const DRAFT: &str = "0.1.1";

pub(super) fn of(tree: &Verified) -> Result<Value, Failure> {
    let root = tree.root()?;
    let mut sources = Vec::new();
    for leaf in tree.asked.map.leaves() {
        let origin = leaf.origin();
        let mut source = json!({
            "schema_version": DRAFT,
            "source_id": leaf.id().to_string(),
            "uri": format!("urn:manifest:leaf:{}", leaf.id()),
            "source_kind": origin.map_or("message", |origin| if origin.call { "tool_call" } else { "message" }),
            "digest": format!("blake3:{}", leaf.text_digest()),
            "metadata": {
                "bytes": leaf.text_bytes(),
                "role": origin.map(|origin| origin.role),
                "name": origin.and_then(|origin| origin.source.clone()),
                "reclaimed": tree.is_reclaimed(leaf)?,
            },
        });
        if let (Some(source), Some(at)) = (source.as_object_mut(), origin.and_then(|o| o.at.clone())) {
            source.insert("modified_at".to_owned(), at.into());
        }
        sources.push(source);
    }
    let lost = tree.asked.map.lost(None);
    // Whoever reads a summary does not need its credentials.
    let content = root.rendered(&tree.text);
    let mut mask = Mask::default();
    mask.learn(&content);
    let content = mask.apply_lines(&content);
    Ok(json!({
        "schema_version": DRAFT,
        "summary_id": root.id().to_string(),
        "summary_kind": "hierarchical",
        "content": content,
        "source_item_refs": sources,
        "coverage": {
            "state": tree.coverage(),
            "facts": tree.account,
            "leaves": sources.len(),
            "provenance_ppm": root.signals().map(|signals| signals.provenance),
        },
        "loss_notes": notes(&lost),
        "open_questions": root.conflicts().filter(|conflict| conflict.state == manifest_core::ConflictState::Kept).map(|conflict| conflict.subject).collect::<Vec<_>>(),
        "freshness": {"created_at": root.made_at(), "supersedes": root.supersedes().map(|id| id.to_string())},
        "validation": {
            "integrity": tree.integrity(),
            "gate": tree.gate(),
            "verdict": root.decision().map(|decision| decision.verdict.clone()),
            "codes": root.decision().map(|decision| decision.codes.clone()),
        },
        "refresh_policy": "when a source changes: the same sources give the same summary",
    }))
}

/// How many facts ended where and why, and the first of each.
fn notes(lost: &[LostFact]) -> Vec<String> {
    let mut kinds: BTreeMap<String, Vec<&LostFact>> = BTreeMap::new();
    for fact in lost {
        kinds.entry(end_kind(&fact.sighting.end)).or_default().push(fact);
    }
    let shown = |facts: &[&LostFact]| {
        let texts = facts.iter().filter_map(|fact| fact.sighting.text.as_deref());
        texts.take(5).collect::<Vec<_>>().join(", ")
    };
    kinds
        .iter()
        .map(|(kind, facts)| format!("{} facts {kind}, such as {}", facts.len(), shown(facts)))
        .collect()
}
