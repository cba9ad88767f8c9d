//! What a sweep leaves alone, what a late one costs nobody, and what reaches the root of a deep tree.

mod shards;

use manifest_core::recover::Verify;
use manifest_core::store::{BlobKey, Blobs, Leases, Memory, Moment, Space, block_on};
use manifest_core::tree::{Compactor, Plan, Stored, Summarizer, SweepReason, SweepRules, Task, Tree};
use manifest_core::{Child, Policy, Role, TextDigest};
use shards::{First, leaves, plan};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Says each child whole.
struct Whole;

impl Summarizer<String> for Whole {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        ready(Ok(task.children.iter().map(|child| child.text.as_ref()).collect::<Vec<_>>().join("\n")))
    }
}

/// A store at a time, and a sweep two hours later.
const HOURS: u64 = 2 * 3_600_000;

fn later() -> Moment {
    Moment::from_unix_millis(1_000 + HOURS)
}

#[test]
fn a_leaf_whose_bytes_are_a_nodes_text_stays() {
    block_on(async {
        let store = Memory::with_clock(|| Moment::from_unix_millis(1_000));
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        // One leaf a node: its summary is the leaf itself.
        let plan = Plan::by_bytes(&[1; 9], 1, 3).unwrap();
        let done =
            Compactor::new(&tree, &Whole, "whole", Policy::remediation()).run(&leaves, &plan).await.unwrap();
        let root = done.outcome.root().unwrap();
        let permit = tree.probe(root).await.unwrap().permit().unwrap();
        let plan = tree.plan_sweep(permit, SweepRules::new(later())).await.unwrap();
        assert!(plan.leaves().iter().all(|leaf| leaf.reason == SweepReason::InNode), "{:?}", plan.leaves());
        assert_eq!(tree.sweep(plan).await.unwrap().leaves, 0);
        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(verified.is_intact(), "{:?}", verified.findings);
    });
}

#[test]
fn a_writer_who_begins_between_plan_and_sweep_loses_nothing() {
    block_on(async {
        let store = Memory::with_clock(|| Moment::from_unix_millis(1_000));
        let tree = Tree::open(&store, "main").unwrap();
        let stored = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let done = Compactor::new(&tree, &summarizer, "first", Policy::remediation())
            .run(&stored, &plan().unwrap())
            .await
            .unwrap();
        let root = done.outcome.root().unwrap();
        let permit = tree.probe(root).await.unwrap().permit().unwrap();
        let planned = tree.plan_sweep(permit, SweepRules::new(later())).await.unwrap();
        assert!(planned.leaves().iter().all(|leaf| leaf.reason.goes()));
        // Another writer, of another head, finds the leaves standing.
        let lease = Leases::of(&store).acquire("another", later(), Duration::from_mins(1)).await.unwrap();
        let other = Tree::open(&store, "other").unwrap();
        let again = other.ingest(&leaves()).await.unwrap();
        assert_eq!(tree.sweep(planned).await.unwrap().leaves, 0);
        let done = Compactor::new(&other, &Whole, "whole", Policy::remediation())
            .run(&again, &plan().unwrap())
            .await
            .unwrap();
        Leases::of(&store).release(&lease).await.unwrap();
        let verified = Verify::of(&other).run(done.outcome.root().unwrap().id()).await.unwrap();
        assert_eq!((verified.is_intact(), verified.reclaimed), (true, 0), "{:?}", verified.findings);
    });
}

#[test]
fn leaves_that_a_late_sweep_took_stand_again_before_the_head_moves() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let stored = tree.ingest(&leaves()).await.unwrap();
        // As a sweep does that was planned before the leaves were put again.
        for leaf in &stored {
            let digest = TextDigest::of(leaf.text()).digest();
            assert!(store.delete(BlobKey::new(Space::Text, digest)).await.unwrap());
        }
        let done = Compactor::new(&tree, &Whole, "whole", Policy::remediation())
            .run(&stored, &plan().unwrap())
            .await
            .unwrap();
        let verified = Verify::of(&tree).run(done.outcome.root().unwrap().id()).await.unwrap();
        assert_eq!((verified.is_intact(), verified.reclaimed), (true, 0), "{:?}", verified.findings);
    });
}

#[test]
fn a_renewed_lease_still_holds_what_was_put_under_the_first() {
    block_on(async {
        let clock = Arc::new(AtomicU64::new(1_000));
        let of = Arc::clone(&clock);
        let now = move || Moment::from_unix_millis(of.load(Ordering::Relaxed));
        let store = Memory::with_clock(now.clone());
        let tree = Tree::open(&store, "main").unwrap();
        let lease = Leases::of(&store).acquire("a writer", now(), Duration::from_hours(1)).await.unwrap();
        let stored = tree.ingest(&leaves()).await.unwrap();
        let done = Compactor::new(&tree, &First { forgets: "LDG-4471" }, "first", Policy::remediation())
            .run(&stored, &plan().unwrap())
            .await
            .unwrap();
        let mut lease = lease;
        for _ in 0..3 {
            clock.fetch_add(50 * 60_000, Ordering::Relaxed);
            lease = Leases::of(&store).renew(&lease, now(), Duration::from_hours(1)).await.unwrap();
        }
        let permit = tree.probe(done.outcome.root().unwrap()).await.unwrap().permit().unwrap();
        let planned = tree.plan_sweep(permit, SweepRules::new(now())).await.unwrap();
        assert!(
            planned.leaves().iter().all(|leaf| matches!(leaf.reason, SweepReason::Leased(_))),
            "{:?}",
            planned.leaves()
        );
    });
}

#[test]
fn what_one_head_reclaimed_is_no_loss_below_an_earlier_root_of_another() {
    block_on(async {
        let store = Memory::with_clock(|| Moment::from_unix_millis(1_000));
        let (one, two) = (Tree::open(&store, "one").unwrap(), Tree::open(&store, "two").unwrap());
        let stored = one.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let run = async |tree: &Tree<'_, Memory>, of: &[Stored]| {
            let plan = Plan::by_fan_in(of.len(), 3).unwrap();
            let done = Compactor::new(tree, &summarizer, "first", Policy::remediation())
                .run(of, &plan)
                .await
                .unwrap();
            done.outcome.root().unwrap().clone()
        };
        let root = run(&one, &stored).await;
        let earlier = run(&two, &stored).await;
        let _ = run(&two, &stored[..4]).await;
        let permit = one.probe(&root).await.unwrap().permit().unwrap();
        let planned = one.plan_sweep(permit, SweepRules::new(later())).await.unwrap();
        assert_eq!(one.sweep(planned).await.unwrap().leaves, 5);
        let verified = Verify::of(&two).run(earlier.id()).await.unwrap();
        assert_eq!((verified.is_intact(), verified.reclaimed), (true, 5), "{:?}", verified.findings);
    });
}

#[test]
fn many_pins_reach_the_root_of_a_deep_tree() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let texts: Vec<Child<'_>> = (0..128)
            .map(|n| {
                let text = format!(
                    "The applier of part {n} stopped on node db-{n}. It said LDG-{} and nothing else before the evening.",
                    5000 + n
                );
                Child::new(text).with_role(Role::Tool)
            })
            .collect();
        let stored = tree.ingest(&texts).await.unwrap();
        // Says the first sentences, and no code.
        let done = Compactor::new(&tree, &First { forgets: "no such words" }, "first", Policy::remediation())
            .defer(true)
            .run(&stored, &Plan::by_fan_in(128, 4).unwrap())
            .await
            .unwrap();
        let root = done.outcome.root().unwrap_or_else(|| panic!("{:?}", done.nodes.last()));
        let probe = tree.probe(root).await.unwrap();
        assert!(probe.unanswered.is_empty() && probe.asked > 60, "{probe:?}");
    });
}
