//! What a run remembers, damaged, foreign, gone.

use super::{MEMO, PROBES};
use crate::child::{Child, Role};
use crate::policy::Policy;
use crate::probe::ProbeKey;
use crate::store::{Event, Memory, Nonce, ObjectPath, Objects, RefName, RefUpdate, Refs, block_on};
use crate::tree::{Compaction, Compactor, How, Outcome, Plan, Summarizer, Task, Tree};
use std::convert::Infallible;
use std::future::{Future, ready};

fn leaves() -> Vec<Child<'static>> {
    let user = "Import the missing entries of both shards, and never replay shard-11.";
    let mut out = vec![Child::new(user).with_role(Role::User)];
    for day in 0..6 {
        out.push(Child::new(format!(
            "The importer wrote batch {day} of the archive on node db-{day}. The metric stayed at {}.{day} ms while it ran.",
            40 + day
        )));
    }
    for (shard, code, what) in
        [("shard-06", "LDG-4417", "apply gap at fork segment"), ("shard-11", "LDG-4471", "duplicate range")]
    {
        let text = format!("{shard} aborted by applier: {code} {what}; 17 entries wait.");
        out.push(Child::new(text).with_role(Role::Tool));
    }
    out
}

/// Says the first sentence of each child, and of one code that it is an error.
struct First;

impl Summarizer<String> for First {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let said = task.children.iter().filter_map(|child| child.text.split_inclusive(['.', ';']).next());
        let text: Vec<String> = said.map(|s| s.trim().replace("LDG-4471", "an error")).collect();
        ready(Ok(text.join("\n")))
    }
}

/// Runs the session in a store, with a fresh key of probes if the store has none.
async fn compact(tree: &Tree<'_, Memory>, policy: Policy) -> Compaction {
    let leaves = tree.ingest(&leaves()).await.unwrap();
    let mut fresh = [0; 32];
    fresh[..16].copy_from_slice(Nonce::unique().as_bytes());
    let key = tree.probe_key(ProbeKey::new(fresh)).await.unwrap();
    let plan = Plan::by_fan_in(leaves.len(), 3).unwrap();
    Compactor::new(tree, &First, "first", policy).probes(key).run(&leaves, &plan).await.unwrap()
}

/// The refs that remember nodes.
async fn memos(store: &Memory) -> Vec<RefName> {
    let names = store.list(None, 1000).await.unwrap();
    names.into_iter().filter(|name| name.as_str().starts_with(MEMO) && name.as_str() != PROBES).collect()
}

fn entry_of(name: &RefName) -> ObjectPath {
    ObjectPath::new(format!("refs/{name}/00000000000000000001"))
}

#[test]
fn an_observed_tree_again_is_nothing_to_do() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "naive").unwrap();
        let policy = || Policy::remediation().observing(true);
        let first = compact(&tree, policy()).await;
        assert!(first.nodes.iter().any(|n| n.committed.is_some_and(|(_, how)| how == How::Observed)));
        let again = compact(&tree, policy()).await;
        assert!(matches!(again.outcome, Outcome::Unchanged { .. }), "{:?}", again.outcome);
        assert!(again.nodes.iter().all(|n| n.committed.is_some_and(|(_, how)| how == How::Known)));
        // Without a memory the nodes are made again, and are the same: the store keeps the key of its probes.
        for name in memos(&store).await {
            store.objects().remove(&entry_of(&name)).await.unwrap();
            store.objects().remove(&ObjectPath::new(format!("refs/{name}/hint"))).await.unwrap();
        }
        let anew = compact(&tree, policy()).await;
        assert!(matches!(anew.outcome, Outcome::Unchanged { .. }), "{:?}", anew.outcome);
        assert!(anew.nodes.iter().any(|n| n.committed.is_some_and(|(_, how)| how == How::Observed)));
    });
}

#[test]
fn a_damaged_or_foreign_memory_is_passed_over_and_made_again() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let first = compact(&tree, Policy::remediation()).await;
        let root = first.outcome.root().unwrap().id();
        let memos = memos(&store).await;
        assert!(memos.len() > 3, "{memos:?}");
        for name in &memos {
            store.objects().replace(&entry_of(name), b"damaged").await.unwrap();
        }
        let again = compact(&tree, Policy::remediation()).await;
        assert!(again.outcome.root().is_some(), "{:?}", again.outcome);
        let forgotten = again.nodes.iter().filter_map(|node| node.forgotten.as_deref());
        let forgotten: Vec<&str> = forgotten.collect();
        assert_eq!(forgotten.len(), again.nodes.len());
        assert!(forgotten[0].contains("corrupt") && forgotten[0].contains("memo/"), "{forgotten:?}");
        assert!(again.nodes.iter().all(|n| n.committed.is_some_and(|(_, how)| how != How::Known)));
        // Remembered under another name, and passed over no more than told.
        let third = compact(&tree, Policy::remediation()).await;
        assert!(matches!(third.outcome, Outcome::Unchanged { .. }), "{:?}", third.outcome);
        assert!(third.nodes.iter().all(|n| n.committed.is_some_and(|(_, how)| how == How::Known)));

        // A memory of other children: another store's, or a leaf.
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let done = compact(&tree, Policy::remediation()).await;
        let leaf = tree.ingest(&leaves()).await.unwrap()[0].id();
        for name in &self::memos(&store).await {
            for target in [leaf, done.outcome.root().unwrap().id(), root] {
                let at = store.read(name).await.unwrap().map(|entry| entry.generation);
                store.swap(name, at, RefUpdate::new(target, Event::Commit)).await.unwrap();
            }
            let at = store.read(name).await.unwrap().map(|entry| entry.generation);
            store.swap(name, at, RefUpdate::new(leaf, Event::Commit)).await.unwrap();
        }
        let again = compact(&tree, Policy::remediation()).await;
        assert!(matches!(again.outcome, Outcome::Unchanged { .. }), "{:?}", again.outcome);
        let forgotten = again.nodes.iter().filter_map(|node| node.forgotten.as_deref());
        assert!(forgotten.clone().count() == again.nodes.len(), "{:?}", again.nodes);
        assert!(forgotten.clone().all(|why| why.contains("other children")));
    });
}
