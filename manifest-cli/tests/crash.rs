//! Runs and sweeps that are killed at any instant, and two writers on one head: nothing that was acknowledged is lost, and
//! a reader never meets anything broken.
//!
//! `MANIFEST_CRASH_RUNS` sets how many rounds of kills there are, `MANIFEST_CRASH_SEED` repeats those of a seed.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::{Run, program};
use manifest_core::TextDigest;
use manifest_core::recover::TreeMap;
use manifest_core::store::{Event, block_on};
use manifest_core::tree::Tree;
use manifest_store::FileStore;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Rounds on one store; then a new one is begun, so that many rounds take no longer each than few.
const ROUNDS: usize = 25;
/// Small nodes, so that a short session has several levels.
const SHAPE: [&str; 6] = ["--group-bytes", "1200", "--budget-bytes", "2400", "--leaf-bytes", "600"];

/// A fixed sequence of numbers for each seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos() & u128::from(u64::MAX)).unwrap()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {} {}", run.out, run.err))
}

/// A session that grows, its store, and what was acknowledged of it.
struct Scene {
    folder: tempfile::TempDir,
    lines: usize,
    /// Roots that a run has printed.
    acknowledged: BTreeSet<String>,
    /// Texts that have ever stood in the store, by their digest.
    texts: BTreeMap<String, u64>,
    /// The leaves' texts of each root that was looked at; a root never changes.
    leaves: HashMap<String, Vec<String>>,
}

/// Line `n` of a session: what happened to a batch, with codes of its own.
fn line(n: usize) -> String {
    let (role, text) = if n.is_multiple_of(3) {
        let (code, waiting) = (4000 + n, 7 + n);
        let text = format!(
            "error: shard-{n} aborted by applier: LDG-{code} apply gap at fork segment; {waiting} entries wait."
        );
        ("tool", text)
    } else {
        let text = format!(
            "Batch {n} of the archive was written on node db-{n}. Writing batch {n} took {} s, and no entry of it was \
             written twice.",
            40 + 3 * n
        );
        ("assistant", text)
    };
    serde_json::json!({"role": role, "content": text}).to_string()
}

/// How a process ended that was to be killed after a while.
struct Ended {
    killed: bool,
    run: Run,
    took: Duration,
}

impl Scene {
    fn new() -> Scene {
        let mut scene = Scene {
            folder: tempfile::tempdir().unwrap(),
            lines: 0,
            acknowledged: BTreeSet::new(),
            texts: BTreeMap::new(),
            leaves: HashMap::new(),
        };
        scene.grow(14);
        scene
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn file(&self) -> String {
        self.folder.path().join("session.jsonl").display().to_string()
    }

    fn grow(&mut self, by: usize) {
        self.lines += by;
        let mut text = String::new();
        for n in 0..self.lines {
            writeln!(text, "{}", line(n)).unwrap();
        }
        fs::write(self.file(), text).unwrap();
    }

    fn call(&self, args: &[&str]) -> Run {
        let store = self.store().display().to_string();
        common::run(&[args, &["--store", &store]].concat(), "")
    }

    /// Starts a verb and kills it after `delay`, unless it ends before.
    fn killed(&self, args: &[&str], delay: Option<Duration>) -> Ended {
        let store = self.store().display().to_string();
        let start = Instant::now();
        let mut child = program(&[args, &["--store", &store]].concat()).spawn().unwrap();
        drop(child.stdin.take());
        if let Some(delay) = delay {
            while start.elapsed() < delay && child.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_micros(200).min(delay));
            }
            child.kill().unwrap();
        }
        let done = child.wait_with_output().unwrap();
        let killed = done.status.signal() == Some(9);
        let run = Run {
            status: done.status.code().unwrap_or(-1),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        };
        assert!(killed || run.status == 0, "{args:?}: {} {} {}", run.status, run.out, run.err);
        Ended { killed, run, took: start.elapsed() }
    }

    fn run(&mut self, delay: Option<Duration>) -> Ended {
        let file = self.file();
        let ended = self.killed(&[&["run", &file, "--json"], &SHAPE[..]].concat(), delay);
        // What was printed whole was acknowledged, killed afterwards or not.
        if let Ok(done) = serde_json::from_str::<Value>(&ended.run.out) {
            self.acknowledged.insert(done["root"].as_str().unwrap().to_owned());
        }
        if ended.killed {
            // Nobody writes any more: its lease would hold for a quarter of an hour.
            let _ = fs::remove_dir_all(self.store().join("lease"));
        }
        ended
    }

    /// Looks at all that must hold after any kill.
    fn check(&mut self, dice: &mut Dice) {
        if !self.store().join("store-version").exists() {
            assert!(self.acknowledged.is_empty());
            return;
        }
        let history = json(&self.call(&["history", "--json", "--limit", "100000"]));
        let generations = history["generations"].as_array().unwrap();
        let roots: BTreeSet<String> =
            generations.iter().map(|row| row["root"].as_str().unwrap().to_owned()).collect();
        for root in &self.acknowledged {
            assert!(roots.contains(root), "the acknowledged root {root} is not in the history");
        }
        if !roots.is_empty() {
            let verified = json(&self.call(&["verify", "--json"]));
            assert_eq!(verified["integrity"], "intact", "{verified}");
            let acknowledged: Vec<&String> = roots.iter().collect();
            let pick = usize::try_from(dice.below(acknowledged.len() as u64)).unwrap();
            let verified = json(&self.call(&["verify", "--json", "--root", acknowledged[pick]]));
            assert_eq!(verified["integrity"], "intact", "{verified}");
        }
        self.check_texts(&roots);
    }

    /// No text is gone but by a logged sweep.
    fn check_texts(&mut self, roots: &BTreeSet<String>) {
        let store = FileStore::open(self.store()).unwrap();
        let tree = Tree::open(&store, "main").unwrap();
        let reclaimed: BTreeSet<String> =
            block_on(tree.reclaimed()).unwrap().iter().map(ToString::to_string).collect();
        let there = texts(&self.store());
        for (digest, size) in &there {
            self.texts.insert(digest.clone(), *size);
        }
        for digest in self.texts.keys() {
            assert!(there.contains_key(digest) || reclaimed.contains(digest), "the text {digest} is gone");
        }
        for root in roots {
            let leaves = self.leaves.entry(root.clone()).or_insert_with(|| {
                let map = block_on(TreeMap::load(&tree, root.parse().unwrap())).unwrap();
                map.leaves().map(|leaf| leaf.text_digest().to_string()).collect()
            });
            for digest in leaves {
                assert!(
                    there.contains_key(digest) || reclaimed.contains(digest),
                    "the leaf {digest} of {root} is gone"
                );
            }
        }
        // Each sweep of the log was made from a permit: its entry stands on a root that a run had published.
        let entries = block_on(tree.history(usize::MAX)).unwrap();
        let sweeps = entries.iter().filter(|entry| entry.event == Event::Reclaim);
        for sweep in sweeps {
            let published = entries.iter().any(|e| e.event == Event::Commit && e.target == sweep.target);
            assert!(published, "generation {} reclaims below no root", sweep.generation);
        }
    }
}

/// The texts that stand in a store with their sizes, read as files; each must be what its name says.
fn texts(store: &Path) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    let Ok(shards) = fs::read_dir(store.join("text")) else { return out };
    for shard in shards {
        let shard = shard.unwrap();
        for file in fs::read_dir(shard.path()).unwrap() {
            let file = file.unwrap();
            let name = format!("{}{}", shard.file_name().display(), file.file_name().display());
            let text = fs::read_to_string(file.path()).unwrap();
            assert_eq!(TextDigest::of(&text).to_string(), name);
            out.insert(name, text.len() as u64);
        }
    }
    out
}

#[test]
fn kills_at_any_instant_lose_nothing() {
    let rounds = usize::try_from(number("MANIFEST_CRASH_RUNS").unwrap_or(25)).unwrap();
    let seed = number("MANIFEST_CRASH_SEED").unwrap_or_else(clock);
    println!("MANIFEST_CRASH_SEED={seed} MANIFEST_CRASH_RUNS={rounds}");
    let mut dice = Dice(seed);
    let mut told = [0_usize; 5];
    let mut left = rounds;
    while left > 0 {
        let mut scene = Scene::new();
        // About how long each takes, so that the kills fall all over it.
        let (mut run, mut sweep) = (Duration::from_millis(60), Duration::from_millis(20));
        for _ in 0..left.min(ROUNDS) {
            left -= 1;
            let by = usize::try_from(dice.below(4)).unwrap();
            scene.grow(by);
            let ended = scene.run(Some(part(run, &mut dice)));
            told[0] += usize::from(ended.killed);
            scene.check(&mut dice);
            // Sometimes one kill follows another, and the next run begins on what both left.
            if dice.below(3) > 0 {
                let ended = scene.run(None);
                run = ended.took;
                let done = json(&ended.run);
                assert_eq!(done["probe"]["passed"], true, "{done}");
                told[1] += 1;
                scene.check(&mut dice);
            }
            let gc = ["gc", "--grace", "0", "--json"];
            if scene.acknowledged.is_empty() {
                continue;
            }
            if dice.below(3) > 0 {
                let ended = scene.killed(&gc, Some(part(sweep, &mut dice)));
                told[2] += usize::from(ended.killed);
                scene.check(&mut dice);
            }
            if dice.below(3) == 0 {
                let ended = scene.killed(&gc, None);
                sweep = ended.took;
                told[3] += 1;
                told[4] += usize::try_from(json(&ended.run)["leaves_gone"].as_u64().unwrap()).unwrap();
                scene.check(&mut dice);
            }
        }
        // The last run finishes on whatever was left.
        let done = json(&scene.run(None).run);
        assert!(matches!(done["outcome"].as_str(), Some("committed" | "unchanged")), "{done}");
        scene.check(&mut dice);
        for root in &scene.acknowledged {
            let verified = json(&scene.call(&["verify", "--json", "--root", root]));
            assert_eq!(verified["integrity"], "intact", "{verified}");
        }
    }
    let [killed, whole, sweeps, swept, gone] = told;
    println!(
        "{killed} runs killed, {whole} finished; {sweeps} sweeps killed, {swept} finished, {gone} texts reclaimed by those"
    );
    // Else nothing was tried.
    assert!(killed > rounds / 4 && swept > 0 && gone > 0 || rounds < 10, "{told:?}");
}

/// A part of a duration, and at times a little more than all of it.
fn part(of: Duration, dice: &mut Dice) -> Duration {
    let micros = u64::try_from(of.as_micros()).unwrap();
    Duration::from_micros(dice.below(micros + micros / 10))
}

/// A program that says that it was asked, waits until another one was too, and prints a file.
fn waiting(folder: &Path, me: &str, other: &str, text: &str) -> String {
    let file = common::file(folder, &format!("{me}.txt"), text);
    let dir = folder.display();
    format!(
        "cat > /dev/null; touch {dir}/{me}.asked; until [ -e {dir}/{other}.asked ]; do sleep 0.005; done; cat {file}"
    )
}

#[test]
fn of_two_writers_on_one_head_one_wins_and_the_other_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store").display().to_string();
    let code = |round: usize, me: &str| format!("LDG-{}", 5000 + 10 * round + usize::from(me == "b"));
    let text = |round: usize, me: &str| {
        format!(
            "The applier of shard {me}{round} stopped with {} and {} entries wait.",
            code(round, me),
            7 + round
        )
    };
    let first = common::file(folder.path(), "first.txt", text(99, "a"));
    let line = format!("cat {first}");
    let run = common::run(&["run", &first, "--store", &store, "--summarizer", "cmd", &line], "");
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    let (over, looked) = (AtomicBool::new(false), AtomicU64::new(0));
    let read = || {
        while !over.load(Ordering::Relaxed) {
            let verified = json(&common::run(&["verify", "--json", "--store", &store], ""));
            assert_eq!(verified["integrity"], "intact", "{verified}");
            let found = common::run(&["recover", "LDG", "--json", "--store", &store], "");
            assert_eq!(found.status, 0, "{} {}", found.out, found.err);
            looked.fetch_add(1, Ordering::Relaxed);
        }
    };
    let write = || {
        let mut generation = 1;
        for round in 0..20 {
            let writers: Vec<_> = [("a", "b"), ("b", "a")]
                .map(|(me, other)| {
                    let file = common::file(folder.path(), &format!("{me}.session"), text(round, me));
                    let line = waiting(folder.path(), me, other, &text(round, me));
                    let args = ["run", &file, "--json", "--store", &store, "--summarizer", "cmd", &line];
                    (me, program(&args).spawn().unwrap())
                })
                .into_iter()
                .map(|(me, child)| (me, child.wait_with_output().unwrap()))
                .collect();
            let won: Vec<_> = writers.iter().filter(|(_, done)| done.status.code() == Some(0)).collect();
            let told: Vec<_> = writers.iter().filter(|(_, done)| done.status.code() == Some(2)).collect();
            assert_eq!((won.len(), told.len()), (1, 1), "round {round}: {writers:?}");
            let message = String::from_utf8_lossy(&told[0].1.stderr).into_owned();
            generation += 1;
            assert!(
                message.contains(&format!("another writer moved the head (generation {generation})")),
                "{message}"
            );
            // Both roots stand whole, the winner's under the head.
            let winner: Value = serde_json::from_slice(&won[0].1.stdout).unwrap();
            let winner = winner["root"].as_str().unwrap().to_owned();
            let loser = message.split(|c: char| !c.is_ascii_hexdigit()).find(|w| w.len() == 64).unwrap();
            for (root, me) in [(winner.as_str(), won[0].0), (loser, told[0].0)] {
                let verified =
                    json(&common::run(&["verify", "--json", "--store", &store, "--root", root], ""));
                assert_eq!(verified["integrity"], "intact", "{verified}");
                let code = code(round, me);
                let found = common::run(&["recover", &code, "--json", "--store", &store, "--root", root], "");
                assert_eq!(json(&found)["answers"][0]["found"][0]["text"], code, "{}", found.out);
            }
            let history = json(&common::run(&["history", "--json", "--store", &store], ""));
            let newest = &history["generations"][0];
            assert_eq!(
                (&newest["generation"], &newest["root"]),
                (&generation.into(), &winner.into()),
                "{history}"
            );
            for me in ["a", "b"] {
                fs::remove_file(folder.path().join(format!("{me}.asked"))).unwrap();
            }
            // What a sweep of the winner's tree takes, a reader sees as taken.
            let gc = common::run(&["gc", "--grace", "0", "--json", "--store", &store], "");
            if gc.status == 0 && json(&gc)["leaves_gone"] != 0 {
                generation += 1;
            }
        }
    };
    thread::scope(|scope| {
        let reader = scope.spawn(read);
        let writer = scope.spawn(write);
        let outcome = writer.join();
        over.store(true, Ordering::Relaxed);
        reader.join().unwrap();
        outcome.unwrap();
    });
    println!("a reader looked {} times", looked.load(Ordering::Relaxed));
    assert!(looked.load(Ordering::Relaxed) > 5);
}
