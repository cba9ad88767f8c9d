//! Several processes on one store, and processes that are killed.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use manifest_core::store::{
    BlobKey, Blobs, Event, RefName, RefUpdate, Refs, Space, StoreError, block_on, verify,
};
use manifest_core::{Digest, NodeId};
use manifest_store::FileStore;

/// Says to a process of this executable which store to work on, and as whom.
const STORE: &str = "MANIFEST_TEST_STORE";
const WRITER: &str = "MANIFEST_TEST_WRITER";

/// This executable again, as a process that runs one test only.
fn process(test: &str, store: &Path, writer: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .env(STORE, store)
        .env(WRITER, writer.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// What such a process works on; none if this is no such process.
fn task() -> Option<(FileStore, u64)> {
    let store = FileStore::open(std::env::var_os(STORE)?).unwrap();
    Some((store, std::env::var(WRITER).unwrap().parse().unwrap()))
}

fn main_ref() -> RefName {
    RefName::new("main").unwrap()
}

/// Text `n` of a writer. One in eight is long, so that some kills fall into the midst of its writing.
fn text(writer: u64, n: u64) -> Vec<u8> {
    let lines = if n.is_multiple_of(8) { 20_000 } else { 1 + n * 37 % 500 };
    format!("writer {writer} text {n}\n").repeat(usize::try_from(lines).unwrap()).into_bytes()
}

/// Says to the parent that something was acknowledged, in one write.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

#[test]
#[ignore = "a process of the test below"]
fn race() {
    let Some((store, writer)) = task() else { return };
    for round in 0..25u8 {
        let target = NodeId::from_digest(Digest::from_bytes([round; 32]));
        let update = RefUpdate::new(target, Event::Commit).message(format!("{writer}.{round}"));
        let mut expected = None;
        loop {
            match block_on(store.swap(&main_ref(), expected, update.clone())) {
                Ok(made) => break say(&format!("won {} {writer}.{round}", made.generation)),
                Err(StoreError::Stale { found, .. }) => expected = found,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn processes_share_one_ref() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::create(folder.path()).unwrap();
    let processes: Vec<_> = (0..4).map(|writer| process("race", folder.path(), writer)).collect();
    let mut won = BTreeMap::new();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            // The harness writes its own words before the first.
            if let Some((_, win)) = line.split_once("won ") {
                let (generation, message) = win.split_once(' ').unwrap();
                let before = won.insert(generation.parse::<u64>().unwrap(), message.to_owned());
                assert_eq!(before, None, "generation {generation} was won twice");
            }
        }
    }
    let history = block_on(store.history(&main_ref(), None, 1000)).unwrap();
    let found: BTreeMap<_, _> = history.into_iter().map(|e| (e.generation, e.message.unwrap())).collect();
    assert_eq!(found, won);
    assert_eq!(won.keys().copied().collect::<Vec<_>>(), (1..=100).collect::<Vec<_>>());
}

#[test]
#[ignore = "a process of the test below"]
fn write_until_killed() {
    let Some((store, writer)) = task() else { return };
    let mut generation = block_on(store.read(&main_ref())).unwrap().map(|head| head.generation);
    for n in (0..).step_by(8) {
        let texts: Vec<_> = (n..n + 8).map(|n| text(writer, n)).collect();
        let batch: Vec<_> = texts.iter().map(|text| (BlobKey::of_text(text), &text[..])).collect();
        let (single, rest) = batch.split_first().unwrap();
        block_on(store.put(single.0, single.1)).unwrap();
        say(&format!("put {n} 1"));
        block_on(store.put_many(rest)).unwrap();
        say(&format!("put {} 7", n + 1));
        let target = NodeId::from_digest(single.0.digest);
        let made =
            block_on(store.swap(&main_ref(), generation, RefUpdate::new(target, Event::Commit))).unwrap();
        generation = Some(made.generation);
        say(&format!("head {} {}", made.generation, single.0.digest));
    }
}

/// Kills a writer after `millis`: what it had acknowledged by then.
fn killed(store: &Path, writer: u64, millis: u64) -> Vec<String> {
    let mut child = process("write_until_killed", store, writer);
    let out = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut said = BufReader::new(out);
        let mut lines = Vec::new();
        let mut line = String::new();
        while said.read_line(&mut line).unwrap() > 0 {
            // A line without its end was not said.
            if line.ends_with('\n') {
                lines.push(line.trim_end().to_owned());
            }
            line.clear();
        }
        lines
    });
    thread::sleep(Duration::from_millis(millis));
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

#[test]
fn a_writer_that_is_killed_loses_nothing_that_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    FileStore::create(folder.path()).unwrap();
    let (mut acknowledged, mut head) = (0, 0);
    for run in 0..30 {
        // Instants all over the first half second, another one in each run.
        let said = killed(folder.path(), run, 20 + run * 7919 % 400);
        let store = FileStore::open(folder.path()).unwrap();
        let entry = block_on(store.read(&main_ref())).unwrap();
        let newest = entry.as_ref().map_or(0, |entry| entry.generation);
        for line in &said {
            let words: Vec<_> = line.split(' ').rev().take(3).collect();
            match words[..] {
                [count, first, "put"] => {
                    let first: u64 = first.parse().unwrap();
                    for n in first..first + count.parse::<u64>().unwrap() {
                        let text = text(run, n);
                        let got = block_on(store.get(BlobKey::of_text(&text))).unwrap();
                        assert!(got.as_ref() == Some(&text), "run {run}: text {n} is lost");
                        acknowledged += 1;
                    }
                }
                [digest, generation, "head"] => {
                    head = generation.parse().unwrap();
                    let entry = &block_on(store.history(&main_ref(), Some(head + 1), 1)).unwrap()[0];
                    assert_eq!(entry.target.to_string(), digest, "run {run}");
                    acknowledged += 1;
                }
                _ => {}
            }
        }
        assert!(newest >= head, "run {run}: head {head} was acknowledged, and {newest} is the newest");
    }
    assert!(acknowledged > 100, "only {acknowledged} acknowledged writes: the runs were too short to tell");
    let store = FileStore::open(folder.path()).unwrap();
    assert_whole(&store);
    let unfinished = std::fs::read_dir(folder.path().join("tmp")).unwrap().count();
    assert_eq!(store.clear_unfinished(Duration::from_hours(1)).unwrap(), 0, "young files are left alone");
    assert_eq!(store.clear_unfinished(Duration::ZERO).unwrap(), unfinished);
    assert_whole(&store);
}

/// Every object that can be seen is whole.
fn assert_whole(store: &FileStore) {
    let mut after = None;
    loop {
        let page = block_on(store.scan(Space::Text, after, 500)).unwrap();
        assert!(page.foreign.is_empty(), "{:?}", page.foreign);
        for (key, stat) in &page.blobs {
            let bytes = block_on(store.get(*key)).unwrap().unwrap();
            assert_eq!(bytes.len() as u64, stat.size);
            verify(*key, &bytes).unwrap();
        }
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    let history = block_on(store.history(&main_ref(), None, usize::MAX)).unwrap();
    assert_eq!(history.len() as u64, history.first().map_or(0, |newest| newest.generation));
}
