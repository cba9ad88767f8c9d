//! A compaction whose nodes are made durable many at once: nothing refers to what is not, nothing made is lost.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use manifest_core::store::{
    BlobKey, Blobs, Capabilities, Cursor, Memory, Page, RefEntry, RefName, RefSwap, RefUpdate, Refs, Space,
    Stat, StoreError, StoreFuture, block_on,
};
use manifest_core::tree::{
    CompactError, Compactor, How, Outcome, Plan, Step, Stored, Summarizer, Task, Tree,
};
use manifest_core::{Child, NodeManifest, Policy};
use std::collections::BTreeSet;
use std::future::{Future, ready};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const LEAVES: usize = 64;

/// A store that counts the waits for its disk, and refuses a reference to what it does not hold.
#[derive(Default)]
struct Strict {
    inner: Memory,
    held: Mutex<BTreeSet<BlobKey>>,
    waits: AtomicUsize,
}

impl Strict {
    fn holds(&self, key: BlobKey) -> bool {
        self.held.lock().unwrap().contains(&key)
    }

    fn wait(&self) {
        self.waits.fetch_add(1, Ordering::Relaxed);
    }

    /// What a node refers to stands.
    fn allow(&self, key: BlobKey, bytes: &[u8]) {
        if key.space == Space::Node {
            let manifest = NodeManifest::parse(bytes).unwrap();
            assert!(
                self.holds(BlobKey::new(Space::Text, manifest.text_digest().digest())),
                "a node before its text"
            );
            assert!(
                manifest.children().all(|child| self.holds(BlobKey::node(child))),
                "a node before its children"
            );
        }
    }
}

impl Blobs for Strict {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.wait();
            self.allow(key, bytes);
            self.inner.put(key, bytes).await?;
            self.held.lock().unwrap().insert(key);
            Ok(())
        })
    }

    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.wait();
            // None of a batch counts as durable before all of it is.
            for (key, bytes) in batch {
                self.allow(*key, bytes);
            }
            self.inner.put_many(batch).await?;
            self.held.lock().unwrap().extend(batch.iter().map(|(key, _)| *key));
            Ok(())
        })
    }

    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.inner.get(key)
    }

    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
        self.inner.head(key)
    }

    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        self.inner.delete(key)
    }

    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
        self.inner.scan(space, after, limit)
    }
}

impl Refs for Strict {
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
        self.inner.read(name)
    }

    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry> {
        self.wait();
        assert!(self.holds(BlobKey::node(update.target)), "{name} names what is not stored");
        self.inner.swap(name, expected, update)
    }

    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        self.wait();
        for swap in batch {
            assert!(self.holds(BlobKey::node(swap.update.target)), "{} names what is not stored", swap.name);
        }
        self.inner.swap_many(batch)
    }

    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>> {
        self.inner.history(name, before, limit)
    }

    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
        self.inner.list(after, limit)
    }
}

/// The first line of each child, until it has been asked so often.
struct Failing {
    after: usize,
    asked: AtomicUsize,
}

impl Failing {
    fn after(after: usize) -> Self {
        Failing { after, asked: AtomicUsize::new(0) }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Summarizer<String> for Failing {
    type Error = std::io::Error;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Self::Error>> + Send {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let lines = task.children.iter().filter_map(|child| child.text.lines().next());
        let text = lines.map(str::to_owned).collect::<Vec<_>>().join("\n");
        ready(if asked < self.after { Ok(text) } else { Err(std::io::Error::other("out of order")) })
    }
}

async fn ingested(tree: &Tree<'_, Strict>) -> Vec<Stored> {
    let text = |n: usize| {
        format!(
            "The shard-{n} was moved to rack r-{n}.\nNothing else happened to it, as the keeper of the hall says."
        )
    };
    let leaves: Vec<Child<'_>> = (0..LEAVES).map(|n| Child::new(text(n))).collect();
    tree.ingest(&leaves).await.unwrap()
}

fn compactor<'t>(
    tree: &'t Tree<'t, Strict>,
    summarizer: &'t Failing,
    batch: usize,
) -> Compactor<'t, Strict, Failing> {
    // What a level may lose is of no interest here.
    Compactor::new(tree, summarizer, "first lines", Policy::narrative().observing(true)).batch(batch)
}

#[test]
fn a_batch_waits_for_the_disk_once_and_makes_the_same_tree() {
    let plan = Plan::by_fan_in(LEAVES, 4).unwrap();
    let mut roots = Vec::new();
    let mut waits = Vec::new();
    for batch in [1, 5, 1000] {
        block_on(async {
            let store = Strict::default();
            let tree = Tree::open(&store, "main").unwrap();
            let leaves = ingested(&tree).await;
            let before = store.waits.load(Ordering::Relaxed);
            let summarizer = Failing::after(usize::MAX);
            let told = Mutex::new(Vec::new());
            let tell = |step: &Step| {
                if let Step::Committed { id, .. } = step {
                    assert!(store.holds(BlobKey::node(*id)), "told before it is durable");
                    told.lock().unwrap().push(*id);
                }
            };
            let done = compactor(&tree, &summarizer, batch).on_step(&tell).run(&leaves, &plan).await.unwrap();
            let Outcome::Committed { root, .. } = &done.outcome else { panic!("{:?}", done.outcome) };
            assert_eq!((root.level(), done.nodes.len(), told.into_inner().unwrap().len()), (3, 21, 21));
            roots.push(root.id());
            waits.push(store.waits.load(Ordering::Relaxed) - before);
        });
    }
    assert!(roots.iter().all(|root| *root == roots[0]), "{roots:?}");
    // Texts, nodes and memos of a batch, and the head.
    assert_eq!(waits, [21 * 3 + 1, (4 + 1 + 1) * 3 + 1, 3 * 3 + 1]);
}

#[test]
fn what_was_made_before_a_failure_is_not_made_again() {
    block_on(async {
        let store = Strict::default();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = ingested(&tree).await;
        let plan = Plan::by_fan_in(LEAVES, 4).unwrap();
        let failing = Failing::after(7);
        let failed = compactor(&tree, &failing, 1000).run(&leaves, &plan).await.unwrap_err();
        assert!(
            matches!(&failed, CompactError::Summarizer { at, .. } if (at.level, at.position) == (1, 7)),
            "{failed}"
        );
        let summarizer = Failing::after(usize::MAX);
        let done = compactor(&tree, &summarizer, 1000).run(&leaves, &plan).await.unwrap();
        let known =
            |node: &&manifest_core::tree::Record| node.committed.is_some_and(|(_, how)| how == How::Known);
        assert_eq!((done.nodes.iter().filter(known).count(), summarizer.asked()), (7, 21 - 7));
        assert!(done.outcome.root().is_some());
    });
}
