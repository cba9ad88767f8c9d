//! What comes between a run and its store: a damaged memory, a head that is gone, another sweep, a place that cannot be written,
//! a summarizer that makes no progress. One plain outcome each.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::Run;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

struct Scene {
    folder: TempDir,
    file: String,
    store: PathBuf,
}

impl Scene {
    /// Eight shards, each with a code of its own.
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let file = common::file(folder.path(), "session.jsonl", common::eight_shards());
        let store = folder.path().join("store");
        Scene { folder, file, store }
    }

    fn ask(&self, verb: &[&str]) -> Run {
        Scene::at(&self.store, verb)
    }

    fn at(store: &Path, verb: &[&str]) -> Run {
        let run = common::run(&[verb, &["--store", &store.display().to_string()]].concat(), "");
        for word in ["panicked", "os error", "StoreError", "Some("] {
            assert!(!run.out.contains(word) && !run.err.contains(word), "{verb:?}: {} {}", run.out, run.err);
        }
        run
    }

    fn run(&self, more: &[&str]) -> Run {
        self.ask(&[&["run", &self.file, "--group-bytes", "300"], more].concat())
    }

    fn built(&self) -> Value {
        let run = self.run(&["--json"]);
        assert_eq!(run.status, 0, "{} {}", run.out, run.err);
        json(&run)
    }
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {} {}", run.out, run.err))
}

fn folders(at: &Path) -> Vec<PathBuf> {
    fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_memory_that_is_damaged_stops_no_run() {
    let scene = Scene::new();
    scene.built();
    let memos = folders(&scene.store.join("refs/memo"));
    assert!(memos.len() > 3, "{memos:?}");
    for (number, memo) in memos.iter().enumerate() {
        let entry = memo.join("00000000000000000001");
        match number % 2 {
            0 => fs::write(&entry, b"\xff\x00 no entry").unwrap(),
            _ => fs::write(&entry, "").unwrap(),
        }
    }
    let run = scene.run(&[]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    let told: Vec<&str> =
        run.out.lines().filter(|line| line.contains("passed over, a memory only")).collect();
    assert_eq!(told.len(), 1, "{}", run.out);
    assert!(told[0].contains("refs/memo/"), "{}", told[0]);
    // What else stands there stops no run either, and is remembered by nobody.
    let other = Scene::new();
    other.built();
    for (number, memo) in folders(&other.store.join("refs/memo")).iter().enumerate() {
        let entry = memo.join("00000000000000000001");
        if number % 2 == 0 {
            fs::remove_dir_all(memo).unwrap();
            fs::write(memo, "a file where a folder is expected").unwrap();
        } else {
            fs::remove_file(&entry).unwrap();
            fs::create_dir(&entry).unwrap();
        }
    }
    let run = other.run(&[]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    // The key of the probes was damaged too, so that the root may be another one; from here on it is one and the same.
    let again = scene.built();
    assert_eq!(again["outcome"], "unchanged", "{again}");
    assert!(
        again["nodes"].as_array().unwrap().iter().all(|node| node["how"] == "stood in the store already")
    );
}

#[test]
fn an_observed_run_again_is_nothing_to_do() {
    let scene = Scene::new();
    let line = "echo 'The shards stopped with a related error.'";
    let observe = ["--observe", "--summarizer", "cmd", line, "--json"];
    let first = json(&scene.run(&observe));
    assert_eq!(first["outcome"], "committed", "{first}");
    let again = json(&scene.run(&observe));
    assert_eq!((&again["outcome"], &again["root"]), (&"unchanged".into(), &first["root"]));
    // Made again without what was remembered, the nodes are the same nodes.
    for memo in folders(&scene.store.join("refs/memo")).iter().filter(|memo| !memo.ends_with("probes")) {
        fs::remove_dir_all(memo).unwrap();
    }
    let anew = json(&scene.run(&observe));
    assert_eq!((&anew["outcome"], &anew["root"]), (&"unchanged".into(), &first["root"]));
}

#[test]
fn a_head_whose_entries_are_gone_is_told_with_the_way_back() {
    let scene = Scene::new();
    let root = scene.built()["root"].as_str().unwrap().to_owned();
    let entry = scene.store.join("refs/main/00000000000000000001");
    fs::remove_file(&entry).unwrap();
    for verb in [&["show"][..], &["lost"], &["probe"], &["gc"], &["verify"]] {
        let run = scene.ask(verb);
        assert_eq!(run.status, 2, "{verb:?} {}", run.out);
        let told = run.err.contains("entries are gone") && run.err.contains(&root);
        assert!(told && run.err.contains("manifest verify --root"), "{verb:?} {}", run.err);
    }
    let history = scene.ask(&["history"]);
    assert!(history.out.contains("entries are gone") && history.out.contains(&root), "{}", history.out);
    // Both ways back.
    let verified = json(&scene.ask(&["verify", "--root", &root, "--json"]));
    assert_eq!(verified["integrity"], "intact", "{verified}");
    let again = scene.built();
    assert_eq!((&again["outcome"], again["root"].as_str()), (&"committed".into(), Some(&*root)), "{again}");
    assert_eq!(scene.ask(&["show"]).status, 0);
    // A head that never was is no loss.
    let other = scene.ask(&["show", "--head", "other"]);
    let told = other.err.contains("names no root yet") && other.err.contains("other heads: main");
    assert!(other.status == 2 && told && !other.err.contains(&root), "{}", other.err);
}

#[test]
fn sweeps_at_once_reclaim_once_and_none_of_them_fails() {
    for _ in 0..3 {
        let scene = Scene::new();
        scene.built();
        let at = scene.store.display().to_string();
        let sweeps: Vec<_> = (0..6)
            .map(|_| common::program(&["gc", "--grace", "0", "--json", "--store", &at]).spawn().unwrap())
            .collect();
        let done: Vec<_> = sweeps.into_iter().map(|sweep| sweep.wait_with_output().unwrap()).collect();
        let mut gone = 0;
        for output in &done {
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{err}");
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(answer["swept"] == true || answer["moved"]["by"] == "sweep", "{answer}");
            gone += answer["leaves_gone"].as_u64().unwrap_or(0);
        }
        assert_eq!(gone, 8);
        let verified = json(&scene.ask(&["verify", "--json"]));
        assert_eq!((&verified["integrity"], &verified["reclaimed"]), (&"intact".into(), &8.into()));
    }
}

#[test]
fn a_folder_without_a_recording_is_told_with_what_was_expected() {
    let scene = Scene::new();
    let folder = scene.folder.path().display().to_string();
    for folder in [&folder, "/no/such/folder"] {
        let run = scene.run(&["--summarizer", "replay", folder]);
        let told =
            run.err.contains("nodes.json") && run.err.contains("expected a list of nodes with id, level");
        assert!(run.status == 2 && told, "{}", run.err);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_and_nothing_stands_there() {
    let scene = Scene::new();
    let run = |store: &Path| Scene::at(store, &["run", &scene.file]);
    let file = PathBuf::from(common::file(scene.folder.path(), "a-file", "x"));
    let refused = run(&file);
    assert!(
        refused.status == 2 && refused.err.contains("is not a store: it is no folder"),
        "{}",
        refused.err
    );
    let below = run(&file.join("store"));
    assert!(below.status == 2 && below.err.contains("no store can stand there"), "{}", below.err);
    assert_eq!(fs::read(&file).unwrap(), b"x");
    // Something else where a folder of the store should be.
    scene.built();
    fs::rename(scene.store.join("text"), scene.folder.path().join("kept")).unwrap();
    fs::write(scene.store.join("text"), "").unwrap();
    let blocked = scene.run(&[]);
    assert!(blocked.status == 2 && blocked.err.contains("in the way"), "{}", blocked.err);
    fs::remove_file(scene.store.join("text")).unwrap();
    fs::rename(scene.folder.path().join("kept"), scene.store.join("text")).unwrap();
    assert_eq!(scene.built()["outcome"], "unchanged");
}

#[test]
fn a_store_that_may_not_be_written_is_told() {
    let scene = Scene::new();
    let closed = scene.folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    let mode = |mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o555);
    if fs::write(closed.join("probe"), "").is_ok() {
        eprintln!("note: this user writes where nobody may (root): only a read-only file system is tried");
    } else {
        let run = Scene::at(&closed.join("store"), &["run", &scene.file]);
        assert!(
            run.status == 2 && run.err.contains("permission denied: give this user access"),
            "{}",
            run.err
        );
    }
    mode(0o755);
    let _ = fs::remove_file(closed.join("probe"));
    let mount = |args: &[&str]| {
        let status =
            Command::new("mount").args(args).arg(&closed).stderr(std::process::Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !mount(&["-t", "tmpfs", "-o", "ro", "tmpfs"]) {
        eprintln!("note: this user mounts nothing: no read-only file system is tried");
        return;
    }
    let run = Scene::at(&closed, &["run", &scene.file]);
    let unmounted = Command::new("umount").arg(&closed).status().unwrap();
    assert!(unmounted.success());
    assert!(
        run.status == 2 && run.err.contains("the store cannot be written: mount it writable"),
        "{}",
        run.err
    );
}

#[test]
fn the_same_text_again_is_told_as_no_progress() {
    let scene = Scene::new();
    let line = "echo 'The shards stopped with OPS-99017 and were held by Nadja Quell at 04:17.'";
    let args = ["--summarizer", "cmd", line, "--attempts", "9"];
    let run = scene.run(&args);
    assert_eq!(run.status, 1, "{} {}", run.out, run.err);
    assert!(run.out.contains("the same text again: no progress"), "{}", run.out);
    let done = json(&scene.run(&[&args[..], &["--json"]].concat()));
    let node = done["nodes"].as_array().unwrap().last().unwrap();
    let drafts = node["attempts"].as_array().unwrap().iter().filter(|attempt| attempt["mended"] == false);
    assert_eq!((&node["ended"], drafts.count()), (&"repeated".into(), 2), "{node}");
}
