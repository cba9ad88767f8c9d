//! A tree of two thousand leaves: its shape, its accounts, and that it answers the same leaf by leaf as held whole.

use manifest_core::recover::{Coverage, End, LostFact, Outline, TreeMap, Verify};
use manifest_core::store::{Memory, block_on};
use manifest_core::tree::{Compactor, Outcome, Plan, Stored, Summarizer, Task, Tree};
use manifest_core::{Child, Policy};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::ops::ControlFlow;

const LEAVES: usize = 2000;
const FAN_IN: usize = 8;

/// A code of its own in each leaf; every hundredth leaf says what the one before it said.
fn said(leaf: usize) -> String {
    let code = if leaf.is_multiple_of(100) && leaf > 0 { leaf - 1 } else { leaf };
    format!("The run of shard-{leaf} stopped with LDG-{}.", 10_000 + code)
}

/// The first two lines of the first child, and one of each other.
struct Few;

impl Summarizer<String> for Few {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let kept = task.children.iter().take(2).filter_map(|child| child.text.lines().next());
        ready(Ok(kept.map(str::to_owned).collect::<Vec<_>>().join("\n")))
    }
}

fn codes(lost: &[LostFact]) -> Vec<(String, usize)> {
    let text = |fact: &LostFact| Some((fact.sighting.text.clone()?, fact.leaves));
    lost.iter().filter_map(text).filter(|(text, _)| text.starts_with("LDG-")).collect()
}

#[test]
fn two_thousand_leaves_are_a_sound_tree_that_answers() {
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let texts: Vec<String> = (0..LEAVES).map(said).collect();
        let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
        let leaves = tree.ingest(&children).await.unwrap();
        let plan = Plan::by_fan_in(LEAVES, FAN_IN).unwrap();
        assert_eq!(plan.levels().iter().map(Vec::len).collect::<Vec<_>>(), [250, 32, 4, 1]);
        let policy = Policy::narrative().observing(true);
        let compactor = Compactor::new(&tree, &Few, "few lines", policy).batch(usize::MAX);
        let done = compactor.run(&leaves, &plan).await.unwrap();
        let Outcome::Committed { root, .. } = &done.outcome else { panic!("{:?}", done.outcome) };
        assert_eq!((root.level(), done.nodes.len()), (4, 287));

        // Every fact of every child of every node is accounted for, once.
        let verified = Verify::of(&tree).run(root.id()).await.unwrap();
        assert!(verified.is_intact(), "{:?}", verified.findings);
        assert_eq!((verified.manifests, verified.texts), (LEAVES + 287, LEAVES + 287));
        assert!(!matches!(verified.coverage, Coverage::NotChecked));

        let map = TreeMap::load(&tree, root.id()).await.unwrap();
        let outline = Outline::load(&tree, root.id()).await.unwrap();
        let ids: Vec<_> = leaves.iter().map(Stored::id).collect();
        assert_eq!(outline.leaves(), ids);
        assert_eq!((outline.nodes(), map.nodes().count(), map.leaves().count()), (287, 287, LEAVES));

        // What is lost is what the root's own text does not say.
        let mut lost = Vec::new();
        let each = |fact| {
            lost.push(fact);
            ControlFlow::Continue(())
        };
        outline.lost(&tree, None, each).await.unwrap();
        assert_eq!(lost, map.lost(None));
        let all: Vec<String> = (0..LEAVES)
            .filter(|leaf| !leaf.is_multiple_of(100) || *leaf == 0)
            .map(|leaf| format!("LDG-{}", 10_000 + leaf))
            .collect();
        let twice: BTreeSet<String> =
            (1..LEAVES / 100).map(|hundred| format!("LDG-{}", 10_000 + 100 * hundred - 1)).collect();
        let expected: Vec<(String, usize)> = all
            .iter()
            .filter(|code| !root.body().contains(*code))
            .map(|code| (code.clone(), 1 + usize::from(twice.contains(code))))
            .collect();
        assert!(expected.len() > 1900 && expected.len() < all.len(), "{}", expected.len());
        assert_eq!(codes(&lost), expected);

        // One that ended on its way, in two leaves; one at the root; one that nobody said; words that many say.
        let ended = outline.trace(&tree, "LDG-10499").await.unwrap();
        assert_eq!(ended.iter().map(|s| s.leaf).collect::<Vec<_>>(), [ids[499], ids[500]]);
        for sighting in &ended {
            let End::Dropped { node, level, .. } = &sighting.end else { panic!("{sighting:?}") };
            assert_eq!(usize::try_from(*level).unwrap(), sighting.hops.len());
            assert_eq!(sighting.hops.last().unwrap().node, *node);
            let leaf = ids.iter().position(|id| *id == sighting.leaf).unwrap();
            assert_eq!(&texts[leaf][sighting.span.start..sighting.span.end], "LDG-10499");
        }
        let kept = all.iter().find(|code| root.text().contains(*code)).unwrap();
        let kept = outline.trace(&tree, kept).await.unwrap();
        assert!(
            kept.iter().any(|sighting| sighting.end == End::AtRoot && sighting.hops.len() == 4),
            "{kept:?}"
        );
        assert!(outline.trace(&tree, "LDG-77777").await.unwrap().is_empty());
        let many = outline.trace(&tree, "shard-1").await.unwrap();
        assert_eq!(many, map.trace("shard-1"));

        // One leaf alone, by its name, its digits and its place.
        let mut of_one = Vec::new();
        let each = |fact: LostFact| {
            of_one.push(fact);
            ControlFlow::Continue(())
        };
        outline.lost(&tree, Some(ids[1234]), each).await.unwrap();
        assert_eq!(codes(&of_one), [("LDG-11234".to_owned(), 1)]);
        assert_eq!(outline.find(&tree, &ids[1234].to_string()[..16]).await.unwrap(), Some(ids[1234]));
        assert_eq!(outline.find(&tree, "no such leaf").await.unwrap(), None);

        // Who has seen enough stops.
        let mut first = None;
        outline
            .lost(&tree, None, |fact| {
                assert!(first.is_none());
                first = Some(fact);
                ControlFlow::Break(())
            })
            .await
            .unwrap();
        assert_eq!(first.as_ref(), lost.first());

        let sentence = root.text().lines().next().unwrap();
        let sources = tree.origin(root.id(), sentence).await.unwrap();
        assert_eq!(sources, map.origin(root.id(), root.text(), sentence).unwrap());
        assert_eq!((sources[0].leaf, sources[0].through.len()), (ids[0], 4));
    });
}
