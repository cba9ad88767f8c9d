//! A store that is damaged, full, of another version or none: one plain message each, and nothing half-written.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::Run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Words that only those know who wrote the program.
const INTERNAL: [&str; 9] = [
    "panicked",
    "RUST_BACKTRACE",
    "os error",
    "StoreError",
    "TreeError",
    "Some(",
    "Err(",
    "Option<",
    "usize",
];

fn call(args: &[&str]) -> Run {
    let run = common::run(args, "");
    for word in INTERNAL {
        assert!(!run.out.contains(word) && !run.err.contains(word), "{args:?}: {} {}", run.out, run.err);
    }
    assert!(
        run.status != 2 || run.err.starts_with("manifest: ") || run.err.starts_with("error: "),
        "{}",
        run.err
    );
    run
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {} {}", run.out, run.err))
}

struct Scene {
    folder: TempDir,
    file: String,
    store: PathBuf,
    root: String,
}

/// A store with one root over eight leaves, two of them with a code.
fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let file = common::file(folder.path(), "session.jsonl", common::eight_shards());
    let store = folder.path().join("store");
    let mut scene = Scene { folder, file, store, root: String::new() };
    let run = scene.run();
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    json(&run)["root"].as_str().unwrap().clone_into(&mut scene.root);
    scene
}

impl Scene {
    fn run(&self) -> Run {
        self.ask(&["run", &self.file, "--json", "--group-bytes", "300"])
    }

    fn ask(&self, verb: &[&str]) -> Run {
        call(&[verb, &["--store", &self.store.display().to_string()]].concat())
    }

    fn object(&self, space: &str, digest: &str) -> PathBuf {
        self.store.join(space).join(&digest[..2]).join(&digest[2..])
    }

    fn text_of(&self, code: &str) -> PathBuf {
        let found = json(&self.ask(&["recover", code, "--json"]));
        self.object("text", found["answers"][0]["found"][0]["text_digest"].as_str().unwrap())
    }
}

const VERBS: [&[&str]; 9] = [
    &["show"],
    &["trace", "LDG-4403"],
    &["lost"],
    &["why"],
    &["recover", "LDG-4403"],
    &["origin", "shard-3"],
    &["trend"],
    &["probe"],
    &["gc", "--grace", "0"],
];

fn append(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes.push(b'x');
    fs::write(path, bytes).unwrap();
}

#[test]
fn an_altered_or_missing_manifest_is_named_by_every_verb() {
    for altered in [true, false] {
        let scene = scene();
        let node = scene.object("node", &scene.root);
        let bytes = fs::read(&node).unwrap();
        if altered {
            append(&node);
        } else {
            fs::remove_file(&node).unwrap();
        }
        for verb in VERBS {
            let run = scene.ask(verb);
            assert!(run.status == 2 && run.err.contains(&scene.root), "{verb:?}: {} {}", run.out, run.err);
        }
        let verified = json(&scene.ask(&["verify", "--json"]));
        let code = if altered { "object.corrupt" } else { "node.missing" };
        assert_eq!(
            (&verified["integrity"], &verified["findings"][0]["code"]),
            (&"broken".into(), &code.into())
        );
        // What is missing the next run makes again; what is altered it leaves for a person to look at.
        let run = scene.run();
        assert_eq!(run.status, if altered { 2 } else { 0 }, "{} {}", run.out, run.err);
        assert_eq!(fs::read(&node).unwrap() == bytes, !altered);
    }
}

#[test]
fn a_fact_is_found_beside_a_damaged_text() {
    for altered in [true, false] {
        let scene = scene();
        let text = scene.text_of("LDG-4403");
        if altered {
            append(&text);
        } else {
            fs::remove_file(&text).unwrap();
        }
        let run = scene.ask(&["recover", "LDG-4403", "--json"]);
        let found = &json(&run)["answers"][0]["found"][0];
        assert_eq!((run.status, &found["text"]), (0, &"LDG-4403".into()), "{found}");
        assert!(found["around"].is_null() && found["span"].is_array(), "{found}");
        let verified = json(&scene.ask(&["verify", "--json"]));
        let code = if altered { "object.corrupt" } else { "text.missing" };
        assert_eq!(
            (&verified["integrity"], &verified["findings"][0]["code"]),
            (&"broken".into(), &code.into())
        );
    }
}

#[test]
fn a_damaged_head_another_version_and_no_store_are_told() {
    let scene = scene();
    append(&scene.store.join("refs/main/00000000000000000001"));
    for verb in VERBS.iter().chain([&["verify"][..], &["history"]].iter()) {
        let run = scene.ask(verb);
        assert!(
            run.status == 2 && run.err.contains("refs/main/00000000000000000001 is corrupt"),
            "{}",
            run.err
        );
    }
    assert_eq!(scene.run().status, 2);
    let version = scene.store.join("store-version");
    let known = fs::read_to_string(&version).unwrap();
    fs::write(&version, known.replace('1', "7")).unwrap();
    for run in [scene.ask(&["show"]), scene.run()] {
        assert!(run.status == 2 && run.err.contains("has format version 7"), "{}", run.err);
    }
    let none = scene.folder.path().display().to_string();
    for run in [call(&["run", &scene.file, "--store", &none]), call(&["show", "--store", &none])] {
        assert!(run.status == 2 && run.err.contains("not a store"), "{}", run.err);
    }
    let run = call(&["run", &scene.file, "--store", "/dev/null/store"]);
    assert!(run.status == 2 && run.err.contains("/dev/null"), "{}", run.err);
}

#[test]
fn odd_arguments_are_told_in_one_line() {
    let scene = scene();
    for root in ["zz", "", "ffffffffffff", "é", &format!("{}0", scene.root)] {
        for verb in VERBS.iter().filter(|verb| !matches!(verb[0], "trend" | "probe" | "gc")) {
            let run = scene.ask(&[verb, &["--root", root][..]].concat());
            assert!(run.status == 2 && run.err.contains("names no leaf or node"), "{root}: {}", run.err);
        }
    }
    let shortened = scene.ask(&["verify", "--json", "--root", &scene.root[..6]]);
    assert_eq!(json(&shortened)["root"], scene.root, "{}", shortened.err);
    // The system takes no argument of more than 128 KB.
    let long = "w".repeat(100_000);
    let run = scene.ask(&[&["recover"], &[long.as_str(); 10][..]].concat());
    assert!(run.status == 1 && run.out.len() < 4_000, "{}", run.out.len());
    let run = scene.ask(&["why", &long]);
    assert!(run.status == 2 && run.err.len() < 400, "{}", run.err.len());
    let run = scene.ask(&["history", "--limit", "0"]);
    assert_eq!(run.status, 2, "{}", run.out);
}
