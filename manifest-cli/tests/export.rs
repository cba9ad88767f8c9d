//! A tree in forms that other tools read, and one that no form is made of.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::Run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The frozen store: two heads, one of them swept.
fn store() -> (TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    copy(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/store")),
        &dir.path().join("store"),
    );
    let store = dir.path().join("store").display().to_string();
    (dir, store)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn export(store: &str, form: &str, head: &str) -> Run {
    common::run(&["export", "--as", form, "--store", store, "--head", head], "")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {} {}", run.out, run.err))
}

#[test]
fn a_statement_is_about_the_text_of_the_root_and_says_what_was_verified() {
    let (_dir, store) = store();
    let statement = json(&export(&store, "in-toto", "main"));
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    let subject = &statement["subject"][0];
    assert_eq!(subject["digest"]["sha256"].as_str().unwrap().len(), 64);
    let text = subject["digest"]["blake3"].as_str().unwrap();
    assert!(PathBuf::from(&store).join("text").join(&text[..2]).join(&text[2..]).exists());
    let predicate = &statement["predicate"];
    assert_eq!(predicate["leaves"].as_array().unwrap().len(), 4);
    assert_eq!(
        (&predicate["verification"]["integrity"], &predicate["verification"]["reclaimed"]),
        (&"intact".into(), &2.into())
    );
    assert_eq!(predicate["decision"]["verdict"], "commit");
    let facts = &predicate["facts"];
    assert!(facts["facts"].as_u64().unwrap() >= facts["at_root"].as_u64().unwrap(), "{facts}");
    let envelope = json(&export(&store, "dsse", "main"));
    assert_eq!(envelope["signatures"], Value::Array(Vec::new()));
    let pae = export(&store, "dsse-pae", "main").out;
    assert!(pae.starts_with("DSSEv1 28 application/vnd.in-toto+json "), "{pae}");
    assert!(pae.ends_with(&serde_json::to_string(&statement).unwrap()));
}

#[test]
fn only_reclaimed_leaves_are_invalidated() {
    let (_dir, store) = store();
    for (head, reclaimed) in [("main", 2), ("team/other", 0)] {
        let prov = json(&export(&store, "prov", head));
        let invalidated = prov["wasInvalidatedBy"].as_object().map_or(0, serde_json::Map::len);
        assert_eq!(invalidated, reclaimed, "{head}");
        let kinds = |kind: &str| {
            prov["entity"].as_object().unwrap().values().filter(|entity| entity["prov:type"] == kind).count()
        };
        assert!(kinds("manifest:Leaf") > 0 && kinds("manifest:Summary") > 0 && kinds("manifest:Fact") > 4);
        assert_eq!(
            prov["activity"].as_object().unwrap().keys().any(|name| name.starts_with("sweep:")),
            reclaimed > 0
        );
    }
    let drops = json(&export(&store, "prov", "main"));
    assert!(
        drops["entity"].as_object().unwrap().values().any(|entity| entity["prov:type"] == "manifest:Drop")
    );
}

#[test]
fn a_context_summary_names_its_sources_and_what_it_lost() {
    let (_dir, store) = store();
    let summary = json(&export(&store, "agentcontext", "main"));
    let sources = summary["source_item_refs"].as_array().unwrap();
    assert_eq!(sources.len(), 4);
    assert_eq!(sources.iter().filter(|source| source["metadata"]["reclaimed"] == true).count(), 2);
    assert!(summary["content"].as_str().unwrap().contains("LDG-4417"));
    assert!(!summary["loss_notes"].as_array().unwrap().is_empty());
    assert_eq!(summary["validation"]["integrity"], "intact");
}

#[test]
fn nothing_is_exported_of_a_tree_that_is_not_intact() {
    let (_dir, store) = store();
    let root =
        json(&export(&store, "in-toto", "main"))["predicate"]["leaves"][0]["id"].as_str().unwrap().to_owned();
    let leaf = PathBuf::from(&store).join("node").join(&root[..2]).join(&root[2..]);
    let mut bytes = fs::read(&leaf).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&leaf, bytes).unwrap();
    for form in ["in-toto", "dsse", "dsse-pae", "prov", "agentcontext"] {
        let run = export(&store, form, "main");
        assert!(run.status != 0 && run.out.is_empty(), "{form}: {} {}", run.status, run.out);
        assert!(!run.err.is_empty());
    }
}
