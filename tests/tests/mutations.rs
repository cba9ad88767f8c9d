//! Random mutations of a stored tree: every one is found, or changes nothing. `MANIFEST_MUTATIONS` sets how many are tried
//! (10,000 by default), `MANIFEST_SEED` the first of their numbers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod foreign;
mod scene;
mod shards;

use foreign::{Fields, Foreign};
use ipld_core::ipld::Ipld;
use manifest_core::store::{BlobKey, Space, block_on};
use manifest_core::tree::Tree;
use manifest_core::{Fate, NodeId};
use scene::{Scene, rehash};
use std::collections::BTreeMap;

/// Numbers that look random and are the same in every run (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One below `n`.
    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % (n.max(1) as u64)).unwrap()
    }
}

impl Scene {
    fn key(&self, numbers: &mut Numbers) -> BlobKey {
        *self.blobs.keys().nth(numbers.below(self.blobs.len())).unwrap()
    }
}

/// Other bytes for a blob: one bit, one byte more or less, a stretch cut, doubled or moved, another blob, none.
fn other(scene: &Scene, key: BlobKey, numbers: &mut Numbers) -> (&'static str, Option<Vec<u8>>) {
    let mut bytes = scene.blobs[&key].clone();
    let at = numbers.below(bytes.len());
    let end = at + numbers.below(bytes.len() - at);
    match numbers.below(16) {
        0..=7 => {
            bytes[at] ^= 1 << numbers.below(8);
            ("a bit", Some(bytes))
        }
        8 => {
            bytes.insert(at, u8::try_from(numbers.below(256)).unwrap());
            ("a byte more", Some(bytes))
        }
        9 => {
            bytes.remove(at);
            ("a byte less", Some(bytes))
        }
        10 => ("cut", Some(bytes[..at].to_vec())),
        11 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
            ("a stretch twice", Some(bytes))
        }
        12 => {
            let part: Vec<u8> = bytes.drain(at..end).collect();
            let to = numbers.below(bytes.len());
            bytes.splice(to..to, part);
            ("a stretch elsewhere", Some(bytes))
        }
        13 | 14 => ("another blob", Some(scene.blobs[&scene.key(numbers)].clone())),
        _ => ("no blob", None),
    }
}

/// Changes one thing somewhere inside an item.
fn mutate(item: &mut Ipld, numbers: &mut Numbers) {
    match item {
        Ipld::Integer(n) => *n = (*n + i128::from(numbers.next() % 9) - 4).max(0),
        Ipld::Bool(is) => *is = !*is,
        Ipld::String(text) => {
            if numbers.below(2) == 0 {
                text.push('x');
            } else {
                text.pop();
            }
        }
        Ipld::Bytes(bytes) => {
            let at = numbers.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
        }
        Ipld::List(items) => {
            let (at, to, len) = (numbers.below(items.len()), numbers.below(items.len()), items.len());
            match numbers.below(6) {
                0 if len > 0 => drop(items.remove(at)),
                1 if len > 0 => items.insert(to, items[at].clone()),
                2 if len > 0 => items.swap(at, to),
                _ if len > 0 => mutate(&mut items[at], numbers),
                _ => items.push(Ipld::Integer(0)),
            }
        }
        Ipld::Map(fields) => {
            let Some(key) = fields.keys().nth(numbers.below(fields.len())).cloned() else { return };
            match numbers.below(8) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert(format!("{key}x"), Ipld::Integer(1))),
                _ => mutate(fields.get_mut(&key).unwrap(), numbers),
            }
        }
        Ipld::Null | Ipld::Float(_) | Ipld::Link(_) => panic!("no manifest has it"),
    }
}

fn tries() -> (u64, u64) {
    let from = |name: &str, or: u64| std::env::var(name).ok().map_or(or, |text| text.parse().unwrap());
    (from("MANIFEST_MUTATIONS", 10_000), from("MANIFEST_SEED", 1))
}

#[test]
fn every_mutation_of_a_blob_is_found_or_changes_nothing() {
    block_on(async {
        let scene = Scene::new().await;
        let (tries, seed) = tries();
        let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for number in seed..seed + tries {
            let mut numbers = Numbers(number);
            let key = scene.key(&mut numbers);
            let (what, bytes) = if key.space == Space::Node && numbers.below(4) == 0 {
                // Canonical, and one thing of what it says is another.
                let mut foreign = Ipld::Map(Foreign::of(&scene.blobs[&key]).top);
                mutate(&mut foreign, &mut numbers);
                ("a structure", Some(foreign::encode(&foreign)))
            } else {
                other(&scene, key, &mut numbers)
            };
            let same = bytes.as_ref() == Some(&scene.blobs[&key]);
            scene.set(key, bytes.as_deref()).await;
            let found = !scene.verify(scene.root).await.is_intact();
            // What is found is a change, and what is not found is none: the bytes are the same.
            assert_ne!(found, same, "mutation {number} ({what}) of {key}");
            let count = counts.entry(what).or_default();
            count.0 += u64::from(found);
            count.1 += u64::from(same);
            scene.set(key, Some(&scene.blobs[&key])).await;
        }
        println!("found, nothing changed: {counts:?}");
        let all: u64 = counts.values().map(|(found, same)| found + same).sum();
        assert_eq!(all, tries);
        assert!(scene.verify(scene.root).await.is_intact());
    });
}

/// In a tree that verifies, each fact of each child is stated, carried, merged or dropped, and what it lives on in has its
/// value.
async fn nobody_is_silent(scene: &Scene, root: NodeId) {
    let tree = Tree::open(&scene.store, "main").unwrap();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let node = tree.manifest(id).await.unwrap();
        for (place, child) in node.children().enumerate() {
            let child = tree.manifest(child).await.unwrap();
            let fates = node.fates(place).unwrap();
            assert_eq!(fates.counts().iter().sum::<u64>(), child.fact_count() as u64);
            for (number, fact) in (0..).zip(child.facts()) {
                match fates.get(number).unwrap() {
                    Fate::Stated { own: Some(own) } | Fate::Carried { own: Some(own) } => {
                        assert_eq!(node.fact(own as usize).unwrap().id(), fact.id());
                    }
                    Fate::Dropped { reason } => assert!((reason as usize) < node.drops().count()),
                    _ => {}
                }
            }
            open.push(child.id());
        }
    }
}

/// An attacker who hashes everything again, up to the root, and whose root nobody pinned.
#[test]
fn what_is_hashed_again_is_another_root_and_silences_no_fact() {
    block_on(async {
        let scene = Scene::new().await;
        let (tries, seed) = tries();
        let tries = tries / 10;
        let nodes: Vec<BlobKey> =
            scene.blobs.keys().copied().filter(|key| key.space == Space::Node).collect();
        let (mut refused, mut by_account, mut by_pin, mut same) = (0, 0, 0, 0);
        for number in seed..seed + tries {
            let mut numbers = Numbers(number);
            let key = nodes[numbers.below(nodes.len())];
            let id = NodeId::from_digest(key.digest);
            let mut foreign = Foreign::of(&scene.blobs[&key]);
            let sections: Fields = match foreign.top.get("sections") {
                Some(Ipld::Map(sections)) => sections.clone(),
                _ => continue,
            };
            let name = sections.keys().nth(numbers.below(sections.len())).unwrap().clone();
            let mut section = Ipld::List(std::mem::take(foreign.section(&name)));
            mutate(&mut section, &mut numbers);
            let Ipld::List(items) = section else { panic!() };
            *foreign.section(&name) = items;
            let bytes = foreign.finish();
            if bytes == scene.blobs[&key] {
                same += 1;
                continue;
            }
            match rehash(&scene, id, bytes).await {
                Err(_) => refused += 1,
                Ok(root) => {
                    assert_ne!(root, scene.root, "mutation {number} of `{name}` of {key}");
                    let done = scene.verify(root).await;
                    let told = |code: &str| done.findings.iter().any(|finding| finding.code == code);
                    // Other children than were hashed are found whatever is hashed again.
                    assert!(name != "children" || !done.is_intact(), "mutation {number} of {key}");
                    if done.is_intact() {
                        nobody_is_silent(&scene, root).await;
                    }
                    if told("account.broken") || told("node.missing") || told("object.corrupt") {
                        by_account += 1;
                    } else {
                        by_pin += 1;
                    }
                }
            }
        }
        println!(
            "refused {refused}, by the account {by_account}, by the pinned root alone {by_pin}, no change {same}"
        );
        assert!(refused > 0 && by_account > 0);
    });
}
