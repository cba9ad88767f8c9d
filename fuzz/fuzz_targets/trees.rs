//! Whole trees in a store that lies: nodes missing, under other names, with other bytes, in diamonds and claimed cycles. What
//! was changed is found, and nothing hangs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manifest_core::NodeManifest;
use manifest_core::recover::{TreeMap, Verify};
use manifest_core::store::{BlobKey, Blobs, Memory, block_on};
use manifest_core::tree::Tree;
use std::sync::LazyLock;

static SOUND: LazyLock<Vec<NodeManifest>> = LazyLock::new(manifest_fuzz::tree);

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.iter().copied().map(usize::from);
    let mut next = || bytes.next();
    // A tree of any shape over the sound one: children twice, levels skipped.
    let mut all: Vec<NodeManifest> = SOUND.clone();
    let mut texts: Vec<String> = manifest_fuzz::TEXTS.iter().map(|text| (*text).to_owned()).collect();
    texts.extend([
        "Node db-7: the importer crashed; the quota was raised.".to_owned(),
        "Something happened.".to_owned(),
    ]);
    for number in 0..next().unwrap_or(0) % 12 {
        let mut children = vec![all.last().expect("a node").clone()];
        for _ in 0..next().unwrap_or(0) % 4 {
            children.push(all[next().unwrap_or(0) % all.len()].clone());
        }
        let text = format!("Level {number}.");
        all.push(manifest_fuzz::over(&text, &children.iter().collect::<Vec<_>>()));
        texts.push(text);
    }
    let root = all.last().expect("a root").id();
    block_on(async {
        let store = Memory::new();
        for (manifest, text) in all.iter().zip(&texts) {
            store.put(BlobKey::node(manifest.id()), manifest.bytes()).await.expect("put");
            store.put(BlobKey::of_text(text.as_bytes()), text.as_bytes()).await.expect("put");
        }
        let reachable =
            TreeMap::load(&Tree::open(&store, "main").expect("a tree"), root).await.expect("sound");
        let mut changed = false;
        while let (Some(of), Some(how)) = (next(), next()) {
            let at = of % all.len();
            let manifest = &all[at];
            let is_text = how % 2 == 1;
            let key =
                if is_text { BlobKey::of_text(texts[at].as_bytes()) } else { BlobKey::node(manifest.id()) };
            let Some(was) = store.get(key).await.expect("get") else { continue };
            let bytes = match how % 8 {
                0 | 1 => None,
                2 | 3 => Some(all[next().unwrap_or(0) % all.len()].bytes().to_vec()),
                _ => {
                    let mut bytes = was.clone();
                    let place = next().unwrap_or(0) * 7 % bytes.len().max(1);
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte ^= 1 << (next().unwrap_or(0) % 8);
                    }
                    Some(bytes)
                }
            };
            store.delete(key).await.expect("delete");
            if let Some(bytes) = &bytes {
                store.put(key, bytes).await.expect("put");
            }
            changed |= bytes.as_ref() != Some(&was) && reachable.get(manifest.id()).is_some();
            if changed {
                break;
            }
        }
        let tree = Tree::open(&store, "main").expect("a tree");
        let done = Verify::of(&tree).run(root).await.expect("the store itself works");
        assert_eq!(done.is_intact(), !changed, "{:?}", done.findings);
        if let Ok(map) = TreeMap::load(&tree, root).await {
            let found = map.trace("E_QUOTA_4417");
            for sighting in &found {
                assert!(
                    map.prove(sighting.leaf, sighting.number).is_ok_and(|proof| proof.verify(root).is_ok())
                );
            }
            map.lost(None);
        }
    });
});
