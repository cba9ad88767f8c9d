//! From leaves to a root in a store, and back: commit, probe, reclaim, recover.

mod shards;

use manifest_core::recover::{Coverage, End, GateState, Passage, TreeMap, Verify};
use manifest_core::store::{Memory, Moment, block_on};
use manifest_core::tree::{
    Blocker, Compactor, Ended, How, Outcome, Plan, Summarizer, SweepRules, Task, Tree,
};
use manifest_core::{Child, Draft, Drop, DropReason, Policy};
use shards::{First, leaves, plan};
use std::convert::Infallible;
use std::future::{Future, ready};

#[test]
fn a_tree_is_built_probed_swept_and_still_answers() {
    block_on(async {
        let store = Memory::with_clock(|| Moment::from_unix_millis(1_000));
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let compactor = Compactor::new(&tree, &summarizer, "first", Policy::remediation());
        let done = compactor.run(&leaves, &plan().unwrap()).await.unwrap();
        let Outcome::Committed { root, head } = &done.outcome else { panic!("{:?}", done.outcome) };
        assert_eq!((root.level(), head.generation, head.target), (2, 1, root.id()));
        assert!(
            done.nodes.iter().any(|node| node.committed.is_some_and(|(_, how)| how == How::Mended)),
            "{:?}",
            done.nodes
        );
        assert!(root.body().contains("LDG-4417") && root.body().contains("LDG-4471"), "{}", root.body());

        let probe = tree.probe(root).await.unwrap();
        assert!(probe.passed() && probe.asked > 3, "{probe:?}");
        let permit = probe.permit().unwrap();
        assert_eq!((permit.root(), permit.generation(), permit.leaves()), (root.id(), 1, 9));
        let now = Moment::from_unix_millis(1_000 + 2 * 3_600_000);
        let plan = tree.plan_sweep(permit, SweepRules::new(now)).await.unwrap();
        assert!(plan.leaves().iter().all(|leaf| leaf.reason.goes()), "{:?}", plan.leaves());
        let swept = tree.sweep(plan).await.unwrap();
        assert_eq!((swept.leaves, swept.logged.unwrap().generation), (9, 2));
        assert!(tree.stored(leaves[8].id()).await.is_err());

        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(verified.is_intact(), "{:?}", verified.findings);
        assert_eq!(
            (verified.reclaimed, verified.coverage, verified.gate),
            (9, Coverage::Complete, GateState::Admitted)
        );

        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        let found = map.trace("LDG-4471");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].leaf, found[0].span.start), (leaves[8].id(), 29));
        assert_eq!(found[0].end, End::AtRoot);
        assert_eq!(found[0].hops[0].passage, Passage::Carried);
    });
}

#[test]
fn a_gate_that_only_observes_loses_what_a_pipeline_loses_and_earns_no_permit() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "naive").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let policy = Policy::remediation().observing(true);
        let done =
            Compactor::new(&tree, &summarizer, "first", policy).run(&leaves, &plan().unwrap()).await.unwrap();
        let Outcome::Committed { root, .. } = &done.outcome else { panic!("{:?}", done.outcome) };
        assert!(!root.body().contains("LDG-4471"));
        let refused = tree.probe(root).await.unwrap().permit().unwrap_err();
        assert!(refused.unanswered.iter().any(|fact| fact.text == "LDG-4471"), "{refused:?}");
        assert!(refused.blockers.iter().any(|b| matches!(b, Blocker::Observed(_))));

        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        let lost = map.lost(None);
        let code = lost.iter().find(|fact| fact.sighting.text.as_deref() == Some("LDG-4471")).unwrap();
        let End::Dropped { node, level: 1, reason: DropReason::Observed } = &code.sighting.end else {
            panic!("{code:?}")
        };
        assert_eq!(map.parents(leaves[8].id()), [(*node, 2)]);
        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(matches!(verified.coverage, Coverage::Lost(n) if n > 0), "{verified:?}");
        assert_eq!(verified.gate, GateState::Refused);
    });
}

#[test]
fn the_same_leaves_again_are_nothing_to_do() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let run = || async {
            Compactor::new(&tree, &summarizer, "first", Policy::remediation())
                .run(&leaves, &plan().unwrap())
                .await
                .unwrap()
        };
        let first = run().await;
        let again = run().await;
        assert!(matches!(again.outcome, Outcome::Unchanged { .. }), "{:?}", again.outcome);
        assert_eq!(first.outcome.root().unwrap().id(), again.outcome.root().unwrap().id());
        assert!(again.nodes.iter().all(|node| node.committed.is_some_and(|(_, how)| how == How::Known)));
        assert_eq!(tree.head().await.unwrap().unwrap().generation, 1);
    });
}

#[test]
fn a_node_over_what_is_not_stored_comes_back() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let text = "The importer crashed with E_QUOTA_4417 on node db-7.";
        let gated =
            Draft::trace(&[text], text.replace("crashed", "stopped")).gate(&Policy::narrative()).unwrap();
        let refused = tree.commit(gated).await.unwrap_err();
        assert!(refused.to_string().contains("child 0 does not stand in the store"), "{refused}");
        assert!(refused.node.report().verdict.is_commit());
    });
}

#[test]
fn a_sentence_leads_to_its_leaf() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let done = Compactor::new(&tree, &summarizer, "first", Policy::remediation())
            .run(&leaves, &plan().unwrap())
            .await
            .unwrap();
        let root = done.outcome.root().unwrap();
        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        let sentence = "wrote batch 2 of the archive";
        assert!(root.text().contains(sentence), "{}", root.text());
        let sources = map.origin(root.id(), root.text(), sentence).unwrap();
        assert_eq!(sources[0].leaf, leaves[3].id(), "{sources:?}");
        assert_eq!(sources[0].through.len(), 2);
        assert!(map.origin(root.id(), root.text(), "no such words").is_err());
    });
}

/// Two hundred lines a leaf, each with a value of its own: enough probes to measure recall.
fn pods(leaf: usize) -> String {
    let line =
        |i: usize| format!("The pod web-{leaf}-{:x} was moved to rack r{leaf}-{i} at noon.", i * 7919 + leaf);
    (0..200).map(line).collect::<Vec<_>>().join("\n")
}

/// Says in general words what happened.
struct General;

impl Summarizer<String> for General {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let text = task.children.iter().filter_map(|child| child.text.lines().next());
        ready(Ok(text.map(str::to_owned).collect::<Vec<_>>().join("\n")))
    }
}

fn by_estimate() -> Policy {
    Policy::remediation().with_floor_on(manifest_core::FloorOn::Estimated)
}

#[test]
fn below_the_floor_what_fits_is_attached_and_loses_nothing() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let texts: Vec<String> = (0..4).map(pods).collect();
        let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
        let leaves = tree.ingest(&children).await.unwrap();
        let plan = Plan::by_fan_in(4, 4).unwrap();
        let run = |fits: usize, defer: bool| {
            let compactor = Compactor::new(&tree, &General, format!("general {fits} {defer}"), by_estimate());
            compactor
                .probes(manifest_core::ProbeKey::new([7; 32]))
                .context_bytes(fits)
                .defer(defer)
                .budget_bytes(20_000)
        };
        let refused = run(0, false).run(&leaves, &plan).await.unwrap();
        let Outcome::Refused { cause, frontier, .. } = &refused.outcome else {
            panic!("{:?}", refused.outcome)
        };
        assert!(matches!(cause, manifest_core::Cause::FidelityCollapse { .. }), "{cause:?}");
        assert_eq!(*frontier, leaves.iter().map(manifest_core::tree::Stored::id).collect::<Vec<_>>());
        assert!(tree.head().await.unwrap().is_none());

        let flat = run(1 << 20, false).run(&leaves, &plan).await.unwrap();
        let Outcome::Flattened { root, head, .. } = &flat.outcome else { panic!("{:?}", flat.outcome) };
        assert_eq!((head.target, root.level()), (root.id(), 1));
        assert!(texts.iter().all(|text| root.text().contains(text.trim_end())));
        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        assert!(map.lost(None).is_empty());
        assert_eq!(map.nodes().next().unwrap().decision().unwrap().verdict, "flatten");
        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(verified.is_intact() && verified.coverage == Coverage::Complete, "{verified:?}");

        let deferred = run(0, true).run(&leaves, &plan).await.unwrap();
        let Outcome::Committed { root, .. } = &deferred.outcome else { panic!("{:?}", deferred.outcome) };
        let manifest = tree.manifest(root.id()).await.unwrap();
        assert!(manifest.decision().unwrap().deferred);
        assert!(manifest.recall().unwrap().asked() >= 60);
    });
}

#[test]
fn what_the_caller_gave_up_is_no_reason_to_make_a_node_again() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let said = [
            "shard-06 aborted by applier with LDG-4417, an apply gap.",
            "shard-11 aborted by applier with LDG-4471, a duplicate range.",
        ];
        let leaves = tree.ingest(&said.map(Child::new)).await.unwrap();
        let stubborn = Stubborn(
            "shard-06 aborted by applier with LDG-4417, an apply gap. shard-11 aborted by applier with a duplicate range.",
        );
        let policy = Policy::narrative().mending(false);
        let run = || async {
            Compactor::new(&tree, &stubborn, "stubborn", policy.clone())
                .pinned(["LDG-4471"])
                .drops([Drop::new("LDG-4471", "closed")])
                .run(&leaves, &Plan::by_fan_in(2, 2).unwrap())
                .await
                .unwrap()
        };
        let first = run().await;
        assert!(matches!(first.outcome, Outcome::Committed { .. }), "{:?}", first.outcome);
        assert!(!first.outcome.root().unwrap().body().contains("LDG-4471"));
        let again = run().await;
        assert!(again.nodes.iter().all(|n| n.committed.is_some_and(|(_, how)| how == How::Known)));
    });
}

/// Says one text, whatever the gate said of it.
struct Stubborn(&'static str);

impl Summarizer<String> for Stubborn {
    type Error = Infallible;

    fn summarize(&self, _: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        ready(Ok(self.0.to_owned()))
    }
}

#[test]
fn the_same_text_again_is_told_as_no_progress() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaves = tree.ingest(&leaves()).await.unwrap();
        let stubborn = Stubborn("Batch 9 of shard-77 was written on node db-77 with OPS-99017.");
        let done = Compactor::new(&tree, &stubborn, "stubborn", Policy::remediation())
            .attempts(9)
            .run(&leaves, &plan().unwrap())
            .await
            .unwrap();
        assert!(matches!(done.outcome, Outcome::Refused { .. }), "{:?}", done.outcome);
        let last = done.nodes.last().unwrap();
        assert_eq!(last.ended, Ended::Repeated);
        assert_eq!(last.attempts.iter().filter(|attempt| !attempt.mended).count(), 2);
        assert!(tree.head().await.unwrap().is_none());
    });
}
