//! A tree that could not have come about in the order that it says.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod foreign;

use foreign::Foreign;
use ipld_core::ipld::Ipld;
use manifest_core::recover::{OrderError, TreeMap};
use manifest_core::store::{BlobKey, Blobs, Memory, block_on};
use manifest_core::tree::Tree;
use manifest_core::{Child, DropReason, Fate, Making, NodeBuilder, NodeManifest};

fn over(children: &[&NodeManifest], at: &str) -> NodeManifest {
    let mut node = NodeBuilder::new("Something happened.");
    let reason = node.reason(DropReason::NotRequired);
    for child in children {
        let place = node.child(child);
        for fact in (0..).take(child.fact_count()) {
            node.account(place, fact, Fate::Dropped { reason });
        }
    }
    node.making(Making::default().at(at));
    node.finish().unwrap()
}

fn order(manifests: &[&NodeManifest]) -> Result<(), OrderError> {
    block_on(async {
        let store = Memory::new();
        for manifest in manifests {
            store.put(BlobKey::node(manifest.id()), manifest.bytes()).await.unwrap();
        }
        let tree = Tree::open(&store, "main").unwrap();
        TreeMap::load(&tree, manifests.last().unwrap().id()).await.unwrap().check_order()
    })
}

#[test]
fn nothing_is_made_of_what_comes_after_it() {
    let child = Child::new("Node db-7 is down.").with_time("2026-05-01T12:00:00+02:00");
    let leaf = NodeManifest::of_leaf(&child).unwrap();
    let (early, same, late) = ("2026-05-01T09:59:59Z", "2026-05-01T10:00:00Z", "2026-05-02T00:00:00Z");
    for at in [same, late, "some day"] {
        assert_eq!(order(&[&leaf, &over(&[&leaf], at)]), Ok(()), "{at}");
    }
    let refused = order(&[&leaf, &over(&[&leaf], early)]).unwrap_err();
    assert!(matches!(&refused, OrderError::Time { above, .. } if above == early), "{refused}");
    let below = over(&[&leaf], late);
    let refused = order(&[&leaf, &below, &over(&[&below], same)]).unwrap_err();
    assert!(matches!(refused, OrderError::Time { .. }), "{refused}");
}

#[test]
fn levels_that_were_made_up_are_no_order() {
    let leaf = NodeManifest::of_leaf(&Child::new("Node db-7 is down.")).unwrap();
    let node = over(&[&leaf], "2026-05-01T10:00:00Z");
    let mut flat = Foreign::of(over(&[&node], "2026-05-01T10:00:00Z").bytes());
    flat.body().insert("level".to_owned(), Ipld::Integer(1));
    let flat = NodeManifest::parse(&flat.finish()).unwrap();
    let refused = order(&[&leaf, &node, &flat]).unwrap_err();
    assert!(matches!(refused, OrderError::Level { above: 1, below: 1, .. }), "{refused}");
}
