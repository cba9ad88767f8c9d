//! An in-toto statement about the root's text, signed or not by whoever asks for it.

use super::{Verified, digests};
use crate::error::Failure;
use data_encoding::BASE64;
use manifest_core::NodeManifest;
use serde_json::{Value, json};

/// What the predicate says; its schema is `docs/summary-tree-1.schema.json`.
const PREDICATE: &str = "urn:manifest:summary-tree:1";
/// The type of a DSSE payload that is a statement.
const PAYLOAD: &str = "application/vnd.in-toto+json";

/// The statement: the subject is the root's text, the predicate says which tree it stands for, and what a verification of
/// that came to.
pub(super) fn of(tree: &Verified) -> Result<Value, Failure> {
    let root = tree.root()?;
    let name = format!("text of {}", root.id());
    let leaves = tree.asked.map.leaves().map(leaf).collect::<Vec<_>>();
    let mut predicate = json!({
        "format": 1,
        "root": root.id().to_string(),
        "level": root.level(),
        "nodes": tree.asked.map.nodes().count(),
        "leaves": leaves,
        "facts": tree.account,
        "verification": {"integrity": tree.integrity(), "coverage": tree.coverage(), "gate": tree.gate(), "reclaimed": tree.done.reclaimed},
    });
    if let Some(said) = predicate.as_object_mut() {
        if let (Some(id), Some(decision)) = (root.decision_id(), root.decision()) {
            said.insert(
                "decision".to_owned(),
                json!({
                    "id": id.to_string(),
                    "verdict": decision.verdict,
                    "codes": decision.codes,
                    "gate": decision.gate,
                    "observed": decision.observed,
                    "deferred": decision.deferred,
                }),
            );
        }
        let texts = [("summarizer", root.summarizer()), ("at", root.made_at())];
        said.extend(texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text?.into()))));
    }
    Ok(json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": digests(&tree.text)}],
        "predicateType": PREDICATE,
        "predicate": predicate,
    }))
}

fn leaf(leaf: &NodeManifest) -> Value {
    json!({"id": leaf.id().to_string(), "text": leaf.text_digest().to_string(), "bytes": leaf.text_bytes()})
}

fn payload(tree: &Verified) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(&of(tree)?).map_err(Failure::Json)
}

/// The DSSE envelope, without a signature: signing stays with the caller.
pub(super) fn envelope(tree: &Verified) -> Result<Value, Failure> {
    Ok(json!({"payloadType": PAYLOAD, "payload": BASE64.encode(&payload(tree)?), "signatures": []}))
}

/// What a DSSE signature is over.
pub(super) fn pae(tree: &Verified) -> Result<Vec<u8>, Failure> {
    let payload = payload(tree)?;
    let mut out = format!("DSSEv1 {} {PAYLOAD} {} ", PAYLOAD.len(), payload.len()).into_bytes();
    out.extend(payload);
    Ok(out)
}
