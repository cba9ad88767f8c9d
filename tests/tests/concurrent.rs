//! Nodes of a level made at a time, and runs that are dropped: the tree is the same, and nothing is lost.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod executor;

use executor::{Random, drive, polled};
use manifest_core::recover::{Coverage, TreeMap, Verify};
use manifest_core::store::{BlobKey, Blobs, Memory, block_on};
use manifest_core::tree::{
    CompactError, Compaction, Compactor, How, Outcome, Place, Plan, Step, Stored, Summarizer, Task, Tree,
};
use manifest_core::{Child, Manifest, NodeId, Policy, ProbeKey};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::future::Future;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const LEAVES: usize = 27;

fn text(leaf: usize) -> String {
    let mut text = format!("shard-{leaf:02} aborted by applier with LDG-44{leaf:02}, an apply gap.\n");
    for line in 0..4 {
        let _ = writeln!(
            text,
            "Batch {line} of shard-{leaf:02} was written to /srv/out/{leaf}-{line}.csv in {line}7 ms."
        );
    }
    text
}

async fn ingested(tree: &Tree<'_, Memory>, leaves: usize) -> Vec<Stored> {
    let texts: Vec<String> = (0..leaves).map(text).collect();
    let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
    tree.ingest(&children).await.unwrap()
}

/// It went wrong, as it does.
#[derive(Debug)]
struct Fault;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line was cut")
    }
}

impl std::error::Error for Fault {}

/// The first line of each child, after as many polls as chance has it.
struct Slow {
    random: Mutex<Random>,
    /// Polls that a summary takes, at most.
    polls: u64,
    /// Summaries of a thousand that fail.
    fails: u64,
    /// The level and place of the node that gets no summary.
    wrong: Option<(u32, usize)>,
    asked: AtomicUsize,
    flying: AtomicUsize,
    most: AtomicUsize,
}

impl Slow {
    fn of(seed: u64, polls: u64) -> Self {
        Slow {
            random: Mutex::new(Random(seed)),
            polls,
            fails: 0,
            wrong: None,
            asked: AtomicUsize::new(0),
            flying: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }
}

/// Counts what is in the air, however it ends.
struct InTheAir<'s>(&'s Slow);

impl<'s> InTheAir<'s> {
    fn of(slow: &'s Slow) -> Self {
        let now = slow.flying.fetch_add(1, Ordering::SeqCst) + 1;
        slow.most.fetch_max(now, Ordering::SeqCst);
        InTheAir(slow)
    }
}

impl std::ops::Drop for InTheAir<'_> {
    fn drop(&mut self) {
        self.0.flying.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Summarizer<String> for Slow {
    type Error = Fault;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Fault>> + Send {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let lines = task.children.iter().filter_map(|child| child.text.lines().next());
        let wrong = self.wrong == Some((task.level, task.position));
        let text = if wrong {
            "Error: the model is overloaded, try again later.".to_owned()
        } else {
            lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
        };
        let (polls, fails) = {
            let mut random = self.random.lock().unwrap();
            (if self.polls == 0 { 0 } else { 1 + random.below(self.polls) }, random.below(1000) < self.fails)
        };
        async move {
            let _guard = InTheAir::of(self);
            polled(polls).await;
            if fails { Err(Fault) } else { Ok(text) }
        }
    }
}

fn policy() -> Policy {
    Policy::remediation()
}

/// A runtime with threads may take it.
fn sent<T: Send>(future: T) -> T {
    future
}

async fn compacted(
    tree: &Tree<'_, Memory>,
    leaves: &[Stored],
    slow: &Slow,
    concurrency: usize,
    tell: Option<&(dyn Fn(&Step) + Sync)>,
) -> Result<Compaction, CompactError<Fault>> {
    let compactor = Compactor::new(tree, slow, "first lines", policy())
        .probes(ProbeKey::new([7; 32]))
        .concurrency(concurrency);
    let compactor = match tell {
        Some(tell) => compactor.on_step(tell),
        None => compactor,
    };
    let plan = Plan::by_fan_in(leaves.len(), 3).unwrap();
    let run = compactor.run(leaves, &plan);
    sent(run).await
}

#[test]
fn the_tree_is_the_same_whatever_ends_first() {
    let made = |seed: u64, polls: u64, concurrency: usize| {
        block_on(async {
            let store = Memory::new();
            let tree = Tree::open(&store, "main").unwrap();
            let leaves = ingested(&tree, LEAVES).await;
            let slow = Slow::of(seed, polls);
            let told = Mutex::new(Vec::new());
            let tell = |step: &Step| told.lock().unwrap().push(step.clone());
            let done = compacted(&tree, &leaves, &slow, concurrency, Some(&tell)).await.unwrap();
            let Outcome::Committed { root, .. } = &done.outcome else { panic!("{:?}", done.outcome) };
            in_order(&told.into_inner().unwrap());
            assert_eq!(slow.flying.load(Ordering::SeqCst), 0);
            let most = slow.most.load(Ordering::SeqCst);
            assert!(most <= concurrency, "{most} at a time, of {concurrency}");
            if polls > 0 {
                assert_eq!(most, concurrency.min(9), "it used what it was given");
            }
            (root.id(), done.nodes.clone())
        })
    };
    let expected = made(1, 0, 1);
    assert_eq!(expected.1.len(), 13);
    for concurrency in [1, 2, 5, 100] {
        for seed in 0..3 {
            assert_eq!(made(seed, 20, concurrency), expected, "seed {seed}, {concurrency} at a time");
        }
    }
}

/// Nodes begin in the order of their places, and the steps of each come in theirs.
fn in_order(steps: &[Step]) {
    let mut begun: Vec<Place> = Vec::new();
    let mut stage: BTreeMap<Place, u8> = BTreeMap::new();
    for step in steps {
        let (place, now) = match step {
            Step::Begun { place, done, planned } => {
                assert!(done < planned);
                begun.push(*place);
                (*place, 0)
            }
            Step::Judged { place, .. } => (*place, 1),
            Step::Committed { place, .. } => (*place, 2),
            _ => continue,
        };
        let before = stage.insert(place, now);
        assert!(before.is_none_or(|before| before <= now && before < 2), "{place}: {now} after {before:?}");
        assert_eq!(before.is_none(), now == 0, "{place}");
    }
    assert!(begun.is_sorted(), "{begun:?}");
}

#[test]
fn the_first_node_that_fails_ends_it_wherever_it_ends_first() {
    let wrong = (1, 4);
    let mut ends = Vec::new();
    for (concurrency, seed) in [(1, 0), (2, 1), (4, 2), (4, 3), (9, 4), (9, 5), (9, 6)] {
        block_on(async {
            let store = Memory::new();
            let tree = Tree::open(&store, "main").unwrap();
            let leaves = ingested(&tree, LEAVES).await;
            let slow = Slow { wrong: Some(wrong), ..Slow::of(seed, 15) };
            let done = compacted(&tree, &leaves, &slow, concurrency, None).await.unwrap();
            let Outcome::Refused { at, frontier, .. } = &done.outcome else { panic!("{:?}", done.outcome) };
            assert_eq!(((at.level, at.position), slow.flying.load(Ordering::SeqCst)), (wrong, 0));
            assert!(tree.head().await.unwrap().is_none());
            // What stands before it is in the store.
            for id in frontier {
                assert!(tree.stored(*id).await.is_ok(), "{id}");
            }
            assert_eq!(frontier.len(), 4 + (LEAVES - 4 * 3));
            ends.push((frontier.clone(), done.nodes.clone()));
            // Another summarizer under the same name goes on from there.
            let other = Slow::of(seed, 3);
            let done = compacted(&tree, &leaves, &other, concurrency, None).await.unwrap();
            assert!(matches!(done.outcome, Outcome::Committed { .. }));
            let known =
                done.nodes.iter().filter(|node| node.committed.is_some_and(|(_, how)| how == How::Known));
            assert!(known.count() >= 4);
        });
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:#?}");
}

#[derive(Manifest)]
#[manifest(attempts = 2)]
struct Twice(#[manifest(text)] String);

/// Says little, and counts how often it is asked.
struct Short(AtomicUsize);

impl Summarizer<Twice> for Short {
    type Error = Fault;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<Twice, Fault>> + Send {
        self.0.fetch_add(1, Ordering::SeqCst);
        let text = format!("Attempt {} says nothing of it.", task.attempt);
        std::future::ready(Ok(Twice(text)))
    }
}

#[test]
fn a_summary_says_how_many_drafts_are_asked_for() {
    let asked = |own: Option<u32>| {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = block_on(ingested(&tree, 1));
        let short = Short(AtomicUsize::new(0));
        let compactor = Compactor::new(&tree, &short, "short", Policy::exact());
        let compactor = match own {
            Some(attempts) => compactor.attempts(attempts),
            None => compactor,
        };
        let done = compactor.run_blocking(&leaves, &Plan::by_fan_in(1, 2).unwrap()).unwrap();
        assert!(matches!(done.outcome, Outcome::Refused { .. }), "{:?}", done.outcome);
        short.0.load(Ordering::SeqCst)
    };
    assert_eq!((asked(None), asked(Some(4)), asked(Some(0))), (2, 4, 1));
}

/// What a tree must be once a run over it has ended well.
async fn whole(tree: &Tree<'_, Memory>, leaves: &[Stored], root: NodeId) {
    for leaf in leaves {
        assert!(tree.stored(leaf.id()).await.is_ok(), "a leaf is lost");
    }
    let map = TreeMap::load(tree, root).await.unwrap();
    assert_eq!(map.leaves().count(), leaves.len());
    let verified = Verify::of(tree).run(root).await.unwrap();
    assert!(verified.is_intact() && verified.coverage == Coverage::Complete, "{verified:?}");
}

#[test]
fn a_run_may_be_dropped_at_any_poll() {
    let expected = block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = ingested(&tree, 9).await;
        let done = compacted(&tree, &leaves, &Slow::of(0, 0), 1, None).await.unwrap();
        done.outcome.root().unwrap().id()
    });
    let mut polls = 0;
    loop {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = block_on(ingested(&tree, 9));
        let slow = Slow::of(polls, 6);
        let ended = executor::poll_at_most(polls, compacted(&tree, &leaves, &slow, 2, None));
        assert_eq!(slow.flying.load(Ordering::SeqCst), 0, "something outlived the run");
        let head = block_on(tree.head()).unwrap();
        assert_eq!(head.is_some(), ended.is_some(), "a head after {polls} polls");
        // Whatever is named by then is whole, and the next run makes the same tree of it.
        let other = Slow::of(0, 0);
        let done = block_on(compacted(&tree, &leaves, &other, 2, None)).unwrap();
        let root = done.outcome.root().unwrap().id();
        assert_eq!(root, expected);
        block_on(whole(&tree, &leaves, root));
        if ended.is_some() {
            assert_eq!(other.asked.load(Ordering::SeqCst), 0);
            break;
        }
        polls += 1;
    }
    assert!(polls > 10, "{polls}");
}

/// Many trees at once in one store, a summarizer that fails, runs that are dropped and begun again.
#[test]
fn two_hundred_trees_at_once_with_failures_and_dropped_runs() {
    const TREES: u64 = 200;
    const LIMIT: usize = 4;
    let store = Memory::new();
    let slow = Slow { fails: 40, ..Slow::of(11, 8) };
    let dropped = AtomicUsize::new(0);
    let failed = AtomicUsize::new(0);
    let one = |number: u64| {
        let (store, slow, dropped, failed) = (&store, &slow, &dropped, &failed);
        async move {
            let mut random = Random(number + 1);
            let tree = Tree::open(store, &format!("tree-{number}")).unwrap();
            let texts: Vec<String> = (0..9).map(|leaf| format!("Of tree {number}: {}", text(leaf))).collect();
            let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
            let leaves = tree.ingest(&children).await.unwrap();
            for run in 0..100 {
                // Every other run is dropped somewhere, and a run that fails is begun again.
                let polls = if run % 2 == 0 { random.below(30) } else { u64::MAX };
                match executor::at_most(polls, compacted(&tree, &leaves, slow, LIMIT, None)).await {
                    None => _ = dropped.fetch_add(1, Ordering::SeqCst),
                    Some(Err(CompactError::Summarizer { .. })) => _ = failed.fetch_add(1, Ordering::SeqCst),
                    Some(Err(error)) => panic!("tree {number}: {error}"),
                    Some(Ok(done)) => {
                        let root = done.outcome.root().unwrap_or_else(|| panic!("{:?}", done.outcome)).id();
                        assert_eq!(tree.head().await.unwrap().unwrap().target, root);
                        for (leaf, text) in leaves.iter().zip(&texts) {
                            let key = BlobKey::of_text(text.as_bytes());
                            assert_eq!(store.get(key).await.unwrap().as_deref(), Some(text.as_bytes()));
                            assert_eq!(tree.stored(leaf.id()).await.unwrap().text(), text);
                        }
                        whole(&tree, &leaves, root).await;
                        return run;
                    }
                }
            }
            panic!("tree {number} was never done");
        }
    };
    // Two threads, each with half of the trees in the air at once; one that is not woken and not done is a deadlock.
    let runs: Vec<u64> = std::thread::scope(|scope| {
        let halves =
            [0..TREES / 2, TREES / 2..TREES].map(|half| scope.spawn(|| drive(half.map(one).collect())));
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert_eq!(runs.len() as u64, TREES);
    assert!(dropped.load(Ordering::SeqCst) > 50 && failed.load(Ordering::SeqCst) > 20);
    assert_eq!(slow.flying.load(Ordering::SeqCst), 0, "something outlived its run");
    assert!(slow.most.load(Ordering::SeqCst) <= usize::try_from(TREES).unwrap() * LIMIT);
}
