//! The frozen vectors of format 1: what was written once is read the same for ever.
//!
//! They are never written anew: a later version adds some of its own beside them.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

#[path = "../foreign/mod.rs"]
mod foreign;
mod refusals;
mod write;

use foreign::{Foreign, hex, ids, unhex};
use manifest_core::recover::{Coverage, GateState, TreeMap, Verify};
use manifest_core::store::block_on;
use manifest_core::tree::Tree;
use manifest_core::{InclusionProof, NodeId, NodeManifest};
use manifest_store::FileStore;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn vectors() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors")).to_owned()
}

fn index() -> Value {
    serde_json::from_slice(&fs::read(vectors().join("vectors.json")).unwrap()).unwrap()
}

fn rows<'v>(index: &'v Value, of: &str) -> &'v Vec<Value> {
    let rows = index[of].as_array().unwrap();
    assert!(!rows.is_empty(), "{of}");
    rows
}

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} in {row}"))
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(vectors().join(file)).unwrap()
}

#[test]
fn formulas_give_the_digests() {
    for row in rows(&index(), "hashes") {
        let parts: Vec<Vec<u8>> =
            row["parts"].as_array().unwrap().iter().map(|part| unhex(part.as_str().unwrap())).collect();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let found = match text(row, "object") {
            "text" => *blake3::hash(&parts.concat()).as_bytes(),
            object => foreign::hash(object, &parts),
        };
        assert_eq!(hex(&found), text(row, "digest"), "{row}");
    }
}

#[test]
fn manifests_have_their_ids_and_one_writing() {
    let index = index();
    let mut all: BTreeMap<NodeId, NodeManifest> = BTreeMap::new();
    for row in rows(&index, "manifests") {
        let bytes = bytes(text(row, "file"));
        let manifest = NodeManifest::parse(&bytes).unwrap_or_else(|error| panic!("{row}: {error}"));
        assert_eq!(manifest.id().to_string(), text(row, "id"), "{row}");
        assert_eq!(manifest.body_id().to_string(), text(row, "body"), "{row}");
        assert_eq!(manifest.decision_id().map(|id| id.to_string()).as_deref(), row["decision"].as_str());
        assert_eq!(manifest.kind().as_str(), text(row, "kind"), "{row}");
        assert_eq!(manifest.fact_count() as u64, row["facts"].as_u64().unwrap(), "{row}");
        let unknown: Vec<Value> = manifest.unknown_sections().map(Value::from).collect();
        assert_eq!(&unknown, row["unknown"].as_array().unwrap(), "{row}");
        let critical: Vec<Value> = manifest.unknown_critical_sections().map(Value::from).collect();
        assert_eq!(&critical, row["critical"].as_array().unwrap(), "{row}");
        // By the codec of others, and the formulas alone.
        let (body, decision, node) = ids(&bytes);
        assert_eq!((hex(&node), hex(&body)), (text(row, "id").to_owned(), text(row, "body").to_owned()));
        assert_eq!(decision.map(|id| hex(&id)).as_deref(), row["decision"].as_str());
        assert_eq!(Foreign::of(&bytes).finish(), bytes, "{row}");
        assert!(serde_json::to_string(&manifest).is_ok());
        all.insert(manifest.id(), manifest);
    }
    let mut accounted = 0;
    for manifest in all.values().filter(|manifest| manifest.level() > 0) {
        let children: Vec<&NodeManifest> = manifest
            .children()
            .map(|id| all.get(&id).unwrap_or_else(|| panic!("{id} is no vector")))
            .collect();
        assert_eq!(manifest.accounting(&children), Ok(()));
        accounted += 1;
    }
    assert!(accounted >= 4);
}

/// The name of an error's variant.
fn variant(error: &impl std::fmt::Debug) -> String {
    format!("{error:?}").chars().take_while(char::is_ascii_alphanumeric).collect()
}

#[test]
fn what_is_no_manifest_is_refused_for_its_reason() {
    for row in rows(&index(), "refused") {
        let error = NodeManifest::parse(&unhex(text(row, "hex"))).expect_err(text(row, "name"));
        assert_eq!(variant(&error), text(row, "error"), "{row}: {error}");
    }
}

#[test]
fn proofs_lead_to_their_roots_and_others_do_not() {
    let index = index();
    for row in rows(&index, "proofs") {
        let proof = InclusionProof::parse(&bytes(text(row, "file"))).unwrap();
        let proven = proof.verify(text(row, "root").parse().unwrap()).unwrap();
        assert_eq!(proven.fact().class(), text(row, "class"));
        assert_eq!(proven.fact().value(), row["value"].as_str());
        assert_eq!(proven.text_digest().to_string(), text(row, "text_digest"));
        assert_eq!(proven.nodes()[0].id.to_string(), text(row, "stated_by"));
    }
    for row in rows(&index, "proofs_refused") {
        let root = text(row, "root").parse().unwrap();
        let refused = InclusionProof::parse(&unhex(text(row, "hex"))).and_then(|p| p.verify(root).map(drop));
        assert_eq!(refused.map_err(|error| error.code()), Err(text(row, "code")), "{row}");
    }
}

#[test]
fn the_frozen_store_is_intact() {
    let index = index();
    let row = &index["store"];
    // A copy: what reads a store may make a folder for what is unfinished.
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&vectors().join("store"), copy.path());
    let store = FileStore::open(copy.path()).unwrap();
    block_on(async {
        for head in row["heads"].as_array().unwrap() {
            let tree = Tree::open(&store, text(head, "name")).unwrap();
            let entry = tree.head().await.unwrap().unwrap();
            assert_eq!(
                (entry.target.to_string().as_str(), entry.generation),
                (text(head, "root"), head["generation"].as_u64().unwrap())
            );
            let done = Verify::of(&tree).run(entry.target).await.unwrap();
            assert!(done.is_intact(), "{:?}", done.findings);
            assert_eq!((done.coverage, done.gate), (Coverage::Complete, GateState::Admitted));
            assert_eq!(done.manifests as u64, head["manifests"].as_u64().unwrap());
            assert_eq!(done.reclaimed as u64, head["reclaimed"].as_u64().unwrap());
            let map = TreeMap::load(&tree, entry.target).await.unwrap();
            assert!(!map.trace("LDG-4417").is_empty());
        }
    });
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
