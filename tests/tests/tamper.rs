//! Each way to tamper with a tree, by one who cannot hash again and by one who does, with the code that tells it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod foreign;
mod scene;
mod shards;

use foreign::Foreign;
use ipld_core::ipld::Ipld;
use manifest_core::recover::{Integrity, Verification};
use manifest_core::store::{BlobKey, Space, block_on};
use manifest_core::{NodeId, NodeManifest};
use scene::{Scene, rehash};

/// The manifests of a scene.
fn manifests(scene: &Scene) -> Vec<NodeManifest> {
    let nodes = scene.blobs.iter().filter(|(key, _)| key.space == Space::Node);
    nodes.map(|(_, bytes)| NodeManifest::parse(bytes).unwrap()).collect()
}

/// The first node of a level that has a section.
fn node(scene: &Scene, level: u32, section: &str) -> NodeManifest {
    let has = |node: &NodeManifest| {
        let foreign = Foreign::of(node.bytes());
        matches!(foreign.top.get("sections"), Some(Ipld::Map(sections)) if sections.contains_key(section))
    };
    let mut all = manifests(scene).into_iter().filter(|node| node.level() == level && has(node));
    all.next().unwrap_or_else(|| panic!("no node of level {level} with `{section}`"))
}

fn codes(done: &Verification) -> Vec<&'static str> {
    let mut codes: Vec<&str> = done.findings.iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

/// What is done, to which leaf or node, and how.
type Row<'r> = (&'r str, NodeManifest, &'r dyn Fn(&mut Foreign));

/// What `change` makes of a node: under its own name with the hashes as they were, under its own name with its hashes made
/// again, and with everything above it hashed again, verified below the new root.
async fn tampered(scene: &Scene, of: &NodeManifest, change: &dyn Fn(&mut Foreign)) -> (NodeId, Verification) {
    let key = BlobKey::node(of.id());
    let mut foreign = Foreign::of(of.bytes());
    change(&mut foreign);
    let kept = foreign::encode(&Ipld::Map(foreign.top.clone()));
    let again = foreign.finish();
    assert!(kept != of.bytes() && again != of.bytes(), "nothing was changed");
    for bytes in [&kept, &again] {
        scene.set(key, Some(bytes)).await;
        let done = scene.verify(scene.root).await;
        assert_eq!((done.integrity, codes(&done)), (Integrity::Broken, vec!["object.corrupt"]));
    }
    scene.set(key, Some(of.bytes())).await;
    let root = rehash(scene, of.id(), again).await.unwrap();
    // Who pinned the root finds all of it, whatever is hashed again: the tree below it is gone, or it is another root.
    assert_ne!(root, scene.root);
    scene.set(BlobKey::node(scene.root), None).await;
    let pinned = scene.verify(scene.root).await;
    assert_eq!((pinned.integrity, codes(&pinned)), (Integrity::Broken, vec!["node.missing"]));
    scene.set(BlobKey::node(scene.root), Some(&scene.blobs[&BlobKey::node(scene.root)])).await;
    (root, scene.verify(root).await)
}

/// Tampering that the rule of accounting finds after everything was hashed again.
#[test]
fn what_the_account_finds_without_a_pinned_root() {
    block_on(async {
        let scene = Scene::new().await;
        let leaf = manifests(&scene).into_iter().find(|m| m.level() == 0 && m.fact_count() > 1).unwrap();
        let children = node(&scene, 1, "children");
        let rows: [Row<'_>; 7] = [
            ("children in another order", children.clone(), &|f| f.section("children").reverse()),
            ("the drops removed", node(&scene, 1, "drops"), &|f| {
                let Some(Ipld::Map(sections)) = f.top.get_mut("sections") else { panic!() };
                sections.remove("drops");
            }),
            ("the fates of a child silenced", node(&scene, 1, "fates"), &|f| {
                f.section("fates")[0] = Ipld::List(vec![Ipld::List(Vec::new()); 4]);
            }),
            ("the fates of two children exchanged", node(&scene, 1, "fates"), &|f| {
                f.section("fates").swap(0, 2);
            }),
            ("a fact of a leaf left out", leaf.clone(), &|f| drop(f.section("facts").pop())),
            ("a fact moved from the ledger to the text", node(&scene, 1, "carried"), &|f| {
                let Some(Ipld::Map(sections)) = f.top.get_mut("sections") else { panic!() };
                let Some(Ipld::List(carried)) = sections.remove("carried") else { panic!() };
                f.section("facts").splice(0..0, carried);
                f.section("facts").sort_by_key(|fact| match fact {
                    Ipld::List(fields) => match fields[2] {
                        Ipld::Integer(start) => start,
                        _ => 0,
                    },
                    _ => 0,
                });
            }),
            ("a level made up", children.clone(), &|f| {
                f.body().insert("level".to_owned(), Ipld::Integer(7));
            }),
        ];
        for (row, of, change) in rows {
            let (_, done) = tampered(&scene, &of, change).await;
            assert_eq!(done.integrity, Integrity::Broken, "{row}");
            assert_eq!(codes(&done), ["account.broken"], "{row}: {:?}", done.findings);
        }
    });
}

/// Tampering that keeps every account: another tree, which only a pinned root tells from the first.
#[test]
fn what_only_a_pinned_root_finds() {
    block_on(async {
        let scene = Scene::new().await;
        let judged = node(&scene, 1, "children");
        let rows: [Row<'_>; 7] = [
            ("the reason of a drop edited", node(&scene, 1, "drops"), &|f| {
                f.section("drops")[0] = Ipld::List(vec![
                    Ipld::String("by_caller".to_owned()),
                    Ipld::String("it was told".to_owned()),
                ]);
            }),
            ("a verdict edited", judged.clone(), &|f| {
                f.decision().insert("verdict".to_owned(), Ipld::String("narrate".to_owned()));
            }),
            ("the policy edited", judged.clone(), &|f| {
                let Some(Ipld::Map(policy)) = f.decision().get_mut("policy") else { panic!() };
                policy.insert("floor".to_owned(), Ipld::Integer(1));
            }),
            ("evidence added", judged.clone(), &|f| {
                let Some(Ipld::List(evidence)) = f.top.get_mut("evidence") else { panic!() };
                evidence.push(Ipld::Bool(true));
            }),
            ("a child and its fates twice", judged.clone(), &|f| {
                for name in ["children", "fates"] {
                    let again = f.section(name)[0].clone();
                    f.section(name).push(again);
                }
            }),
            ("a child left out with its fates", judged.clone(), &|f| {
                for name in ["children", "fates"] {
                    f.section(name).pop();
                }
                // What speaks of it goes too.
                let Some(Ipld::Map(sections)) = f.top.get_mut("sections") else { panic!() };
                sections.retain(|name, _| name != "claims" && name != "conflicts");
            }),
            ("a section put in", judged.clone(), &|f| f.section("x.note").push(Ipld::Integer(1))),
        ];
        for (row, of, change) in rows {
            let (root, done) = tampered(&scene, &of, change).await;
            assert_eq!(done.integrity, Integrity::Intact, "{row}: {:?}", done.findings);
            assert_ne!(root, scene.root, "{row}");
        }
    });
}

#[test]
fn a_decision_that_was_stripped_is_told() {
    block_on(async {
        let scene = Scene::new().await;
        let of = node(&scene, 1, "children");
        let strip: &dyn Fn(&mut Foreign) = &|f| f.top.retain(|key, _| key != "decision" && key != "evidence");
        let (_, done) = tampered(&scene, &of, strip).await;
        assert!(codes(&done).contains(&"gate.unattested"), "{:?}", done.findings);
    });
}

#[test]
fn texts_are_those_of_their_digests() {
    block_on(async {
        let scene = Scene::new().await;
        let texts: Vec<BlobKey> =
            scene.blobs.keys().copied().filter(|key| key.space == Space::Text).collect();
        for (n, key) in texts.iter().enumerate() {
            let other = &scene.blobs[&texts[(n + 1) % texts.len()]];
            for (bytes, code) in [(Some(other.as_slice()), "object.corrupt"), (None, "text.missing")] {
                scene.set(*key, bytes).await;
                let done = scene.verify(scene.root).await;
                assert_eq!((done.integrity, codes(&done)), (Integrity::Broken, vec![code]));
            }
            scene.set(*key, Some(&scene.blobs[key])).await;
        }
    });
}
