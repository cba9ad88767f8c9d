//! A summarizer that loses facts at a known rate, over trees of the recorded sessions: what the gate requires is never lost in silence,
//! the measured recall is near the rate and not above, every end is typed, and each verdict is that of an independent reading of the rules.
//!
//! 8 trees and 60 measured levels by default; `MANIFEST_TREES=200` for as many.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod executor;
mod oracle;

use executor::Random;
use manifest_core::recover::{End, TreeMap, Verify};
use manifest_core::store::{Memory, block_on};
use manifest_core::tree::{Compactor, Outcome, Plan, Stored, Summarizer, Task, Tree};
use manifest_core::{
    Child, Class, Code, Draft, DropReason, FormFault, Policy, Preset, ProbeKey, ProbeSet, Reader, Report,
    StatedRecall, VerdictKind, read,
};
use oracle::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::path::Path;

/// The share of the facts that is lost.
const RATE: f64 = 0.2;
const LEAVES: usize = 8;
const LEAF: usize = 3000;

/// Copies its children, without the lines that chance takes. No value stands in two lines of a tree, so that each is lost at the rate.
struct Lossy {
    seed: u64,
}

impl Lossy {
    fn text(&self, children: &[Child<'_>], salt: u64) -> String {
        let mut random = Random(self.seed ^ salt.wrapping_mul(0xA076_1D64_78BD_642F));
        let lines = children.iter().flat_map(|child| child.text.lines());
        lines.filter(|_| !random.chance(RATE)).collect::<Vec<_>>().join("\n")
    }
}

fn salt(level: u32, position: usize, attempt: u32) -> u64 {
    u64::from(level) << 40 | (position as u64) << 8 | u64::from(attempt)
}

impl Summarizer<String> for Lossy {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        ready(Ok(self.text(task.children, salt(task.level, task.position, task.attempt))))
    }
}

/// All lines of the recorded sessions' texts.
fn lines() -> Vec<String> {
    fn strings(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) if text.len() > 60 => out.push(text.clone()),
            serde_json::Value::Array(all) => all.iter().for_each(|value| strings(value, out)),
            serde_json::Value::Object(all) => all.values().for_each(|value| strings(value, out)),
            _ => {}
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| file.is_file() && !file.ends_with("README.md")) {
        let content = std::fs::read_to_string(file).unwrap();
        for line in content.lines() {
            match serde_json::from_str(line) {
                Ok(value) => strings(&value, &mut texts),
                Err(_) => texts.push(line.to_owned()),
            }
        }
    }
    let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
    lines.filter(|line| (40..400).contains(&line.len())).map(str::to_owned).collect()
}

/// Leaves of lines from some place on, of which no two share a value, each with so many values at most.
fn leaves_from(lines: &[String], start: usize, most: usize) -> Vec<String> {
    let mut leaves = vec![String::new()];
    let mut seen = BTreeSet::new();
    for line in lines.iter().cycle().skip(start).take(lines.len()) {
        let facts = read(line).facts;
        let secret = facts.iter().any(|fact| fact.class == Class::Secret);
        let keys: BTreeSet<u64> =
            facts.iter().flat_map(|fact| [Some(fact.key), fact.also]).flatten().collect();
        let values = facts.iter().filter(|fact| fact.whole.is_none()).count();
        if keys.is_empty() || secret || values > most || !seen.is_disjoint(&keys) {
            continue;
        }
        seen.extend(keys);
        if leaves.last().is_none_or(|leaf| leaf.len() >= LEAF) {
            if leaves.len() == LEAVES {
                break;
            }
            leaves.push(String::new());
        }
        let leaf = leaves.last_mut().unwrap();
        leaf.push_str(line);
        leaf.push('\n');
    }
    leaves
}

/// Some exact facts of the leaves, by chance: each is the same value by itself.
fn pins(leaves: &[Stored], random: &mut Random) -> Vec<(String, u64)> {
    let mut all = BTreeSet::new();
    for leaf in leaves {
        for fact in read(leaf.text()).facts {
            let text = fact.span.of(leaf.text());
            let exact = matches!(
                fact.class,
                Class::ErrorCode | Class::Ticket | Class::Path | Class::Identifier | Class::Digest
            );
            if exact && read(text).facts.iter().any(|alone| alone.key == fact.key) {
                all.insert((text.to_owned(), fact.key));
            }
        }
    }
    let all: Vec<_> = all.into_iter().collect();
    (0..4)
        .filter_map(|_| all.get(usize::try_from(random.below(all.len().max(1) as u64)).unwrap()).cloned())
        .collect()
}

/// The Wilson interval of 95 %, both sides.
fn interval(recall: StatedRecall) -> (f64, f64) {
    let (hits, asked, z) = (recall.hits() as f64, recall.asked() as f64, 1.959_963_984_540_054_f64);
    let share = hits / asked;
    let middle = share + z * z / (2.0 * asked);
    let reach = z * (share * (1.0 - share) / asked + z * z / (4.0 * asked * asked)).sqrt();
    let whole = 1.0 + z * z / asked;
    ((middle - reach) / whole, (middle + reach) / whole)
}

/// What the rules say of a report's findings, counted.
fn case(report: &Report) -> Case {
    let signals = &report.signals;
    let of = |code: Code| report.orphans.iter().filter(|row| row.code == code).count();
    let orphaned = (signals.orphan_density * signals.referents as f64).round();
    let form = report.reasons.iter().find_map(|reason| match reason.code {
        Code::ParentEmpty => Some(FormFault::Empty),
        Code::ParentNotASummary => Some(FormFault::NotASummary),
        Code::ParentNoProgress => Some(FormFault::NoProgress),
        Code::ParentRenested => Some(FormFault::Renested),
        Code::ParentTruncated => Some(FormFault::Truncated),
        _ => None,
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let orphaned = orphaned as usize;
    Case {
        preset: Preset::Remediation,
        claims: (report.claims.iter().filter(|claim| claim.traceable).count(), report.claims.len()),
        referents: (orphaned, signals.referents),
        required: signals.facts.required,
        carried: 0,
        lost: report.lost.len(),
        invented: of(Code::ReferentInvented),
        altered: of(Code::StatementAltered),
        collapsed: signals.conflicts.collapsed,
        stale: signals.conflicts.stale,
        secrets: report.reasons.iter().filter(|reason| reason.code == Code::SecretInText).count(),
        drops: 0,
        form,
        unchanged: false,
        unknown: false,
        budget: None,
        rendered: 0,
        pinned: 0,
        recall: None,
        depth: 1,
        flatten: false,
        defer: false,
        lower: false,
        letter: false,
    }
}

fn told(report: &Report) -> &'static str {
    match (report.verdict.kind, report.verdict.retry) {
        (VerdictKind::Commit, _) => "commit",
        (VerdictKind::Halt, _) => "halt",
        (VerdictKind::Flatten, _) => "flatten",
        (VerdictKind::Reject, true) => "reject",
        (VerdictKind::Reject, false) => "final",
    }
}

#[derive(Default)]
struct Tally {
    committed: usize,
    verdicts: BTreeMap<&'static str, usize>,
    pinned: usize,
    asked: usize,
    unread: usize,
    /// Facts that were not required and ended below the root, each logged.
    dropped: usize,
}

fn one(number: u64, lines: &[String], tally: &mut Tally) {
    let mut random = Random(number);
    let store = Memory::new();
    let tree = Tree::open(&store, "main").unwrap();
    let texts = leaves_from(lines, usize::try_from(random.below(lines.len() as u64)).unwrap(), usize::MAX);
    let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
    let leaves = block_on(tree.ingest(&children)).unwrap();
    let pins = pins(&leaves, &mut random);
    let plan = Plan::by_fan_in(leaves.len(), 4).unwrap();
    let lossy = Lossy { seed: number };
    let policy = Policy::remediation().with_ledger(0.1, 600, 8192).unwrap();
    let key = ProbeKey::new([u8::try_from(number % 251).unwrap(); 32]);
    let compactor = Compactor::new(&tree, &lossy, "lossy", policy.clone())
        .budget_bytes(24_000)
        .probes(key)
        .pinned(pins.iter().map(|(text, _)| text.as_str()))
        .concurrency(3);
    let done = compactor.run_blocking(&leaves, &plan).unwrap();

    // The verdict of each first draft over leaves, by the rules as another reads them.
    for (position, range) in plan.levels()[0].iter().enumerate() {
        let below = &leaves[range.clone()];
        let prose: Vec<Child<'_>> = below.iter().map(Stored::prose).collect();
        let text = lossy.text(&prose, salt(1, position, 1));
        let draft = Draft::trace(below, text);
        let draft = draft.pinned(pins.iter().map(|(text, _)| text.clone())).mend(number.is_multiple_of(2));
        let report = draft.check(&policy);
        let verdict = told(&report);
        assert_eq!(verdict, case(&report).verdict(), "tree {number}: {:?}", report.reasons);
        *tally.verdicts.entry(verdict).or_default() += 1;
    }
    let root = match &done.outcome {
        Outcome::Committed { root, .. } => root,
        // A typed end: it says where and why, and nothing is named by a head.
        Outcome::Halted { report, frontier, .. } | Outcome::Refused { report, frontier, .. } => {
            assert!(!report.reasons.is_empty() && !frontier.is_empty());
            assert!(block_on(tree.head()).unwrap().is_none());
            return;
        }
        other => panic!("tree {number}: {other:?}"),
    };
    tally.committed += 1;
    block_on(async {
        let probe = tree.probe(root).await.unwrap();
        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        // The gate takes a name of code or a path for the same with another head (`f.at.start`, `window.at.start`; `report.rs`,
        // `src/report.rs`). The probe of the root does not always, and then the tree earns no permit. Nothing else may be missed.
        for missed in &probe.unanswered {
            let found = map.trace(&missed.text);
            let named =
                found.iter().all(|found| matches!(found.class.as_str(), "symbol" | "path" | "location"));
            let with_head = missed.text.contains(['.', '/']);
            assert!(
                !found.is_empty() && named && with_head,
                "tree {number}: `{}` is lost: {found:?}",
                missed.text
            );
        }
        tally.asked += probe.asked;
        tally.unread += probe.unanswered.len();
        let passes = probe.unanswered.is_empty();
        assert_eq!(probe.permit().is_ok(), passes, "tree {number}");
        // The same by another way: the values that stand in the root.
        let held: BTreeSet<u64> =
            read(root.body()).facts.iter().flat_map(|fact| [Some(fact.key), fact.also]).flatten().collect();
        for (text, key) in &pins {
            assert!(
                held.contains(key) || root.body().contains(text.as_str()),
                "tree {number}: `{text}` is lost"
            );
            tally.pinned += 1;
        }
        // Whatever is not at the root was dropped for a logged reason, or is said there in words.
        for fact in map.lost(None) {
            match fact.sighting.end {
                End::Dropped { reason: DropReason::Observed, .. } | End::Unaccounted { .. } | End::AtRoot => {
                    panic!("tree {number}: {fact:?}")
                }
                End::Dropped { .. } => tally.dropped += 1,
                _ => {}
            }
        }
        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(verified.is_intact(), "tree {number}: {verified:?}");
    });
}

#[test]
fn no_required_fact_is_lost_in_silence() {
    let trees = std::env::var("MANIFEST_TREES").ok().and_then(|trees| trees.parse().ok()).unwrap_or(8);
    let lines = lines();
    let mut tally = Tally::default();
    for number in 0..trees {
        one(number, &lines, &mut tally);
    }
    let Tally { committed, verdicts, pinned, asked, unread, dropped } = tally;
    let said = format!(
        "{trees} trees, {committed} committed, {pinned} pins and {asked} required facts kept ({unread} under another head), {dropped} drops logged; {verdicts:?}"
    );
    println!("{said}");
    let trees = usize::try_from(trees).unwrap();
    assert!(unread * 100 < asked.max(1), "{said}");
    assert!(committed * 2 > trees && pinned >= committed && dropped > committed, "{said}");
}

/// A line has two values at most here: what is lost together is little, so that an interval over values is nearly one over lines.
#[test]
fn the_stated_recall_of_first_drafts_is_near_the_rate_and_not_above() {
    let (lines, policy) = (lines(), Policy::remediation().with_ledger(0.1, 600, 8192).unwrap());
    let (mut measured, mut within, mut pool) = (0, 0, StatedRecall::default());
    for number in 0..levels() {
        let mut random = Random(number);
        let texts = leaves_from(&lines, usize::try_from(random.below(lines.len() as u64)).unwrap(), 2);
        let key = ProbeKey::new([u8::try_from(number % 251).unwrap(); 32]);
        let mut level = StatedRecall::default();
        for (position, texts) in texts.chunks(4).enumerate() {
            let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
            let text = Lossy { seed: number }.text(&children, salt(1, position, 1));
            level = level.pooled(ProbeSet::draw(&children, &policy, &key, &[]).ask(&text, &Reader));
        }
        if level.asked() >= 10 {
            let (low, high) = interval(level);
            measured += 1;
            within += usize::from(low <= 1.0 - RATE && 1.0 - RATE <= high);
            pool = pool.pooled(level);
        }
    }
    let said = format!("recall {} of {}, the rate within {within} of {measured}", pool.hits(), pool.asked());
    println!("{said}");
    assert!(measured >= 10, "{said}");
    // The built-in reader understates: it answers nothing where two clauses fit alike. So 83 to 89 intervals of a hundred hold the rate,
    // where 95 would with a reader that finds all that stands there, and what is measured lies below the rate by up to five points.
    assert!(within * 10 >= measured * 8, "{said}");
    let share = pool.hits() as f64 / pool.asked() as f64;
    assert!((1.0 - RATE - 0.06..1.0 - RATE + 0.02).contains(&share), "{said}");
}

fn levels() -> u64 {
    std::env::var("MANIFEST_TREES").ok().and_then(|trees| trees.parse().ok()).unwrap_or(60)
}
