//! A committed tree whose blobs can be exchanged, and an attacker who hashes again.

use super::foreign::Foreign;
use super::shards::{First, leaves, plan};
use ipld_core::ipld::Ipld;
use manifest_core::recover::{Verification, Verify};
use manifest_core::store::{BlobKey, Blobs, Memory, Space};
use manifest_core::tree::{Compactor, Tree};
use manifest_core::{FormatError, NodeId, NodeManifest, Policy};
use std::collections::BTreeMap;

/// A committed tree, its blobs, and its root.
pub(crate) struct Scene {
    pub(crate) store: Memory,
    pub(crate) blobs: BTreeMap<BlobKey, Vec<u8>>,
    pub(crate) root: NodeId,
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let stored = tree.ingest(&leaves()).await.unwrap();
        let summarizer = First { forgets: "LDG-4471" };
        let compactor = Compactor::new(&tree, &summarizer, "first", Policy::remediation());
        let done = compactor.run(&stored, &plan().unwrap()).await.unwrap();
        let root = done.outcome.root().unwrap().id();
        let mut blobs = BTreeMap::new();
        for space in [Space::Text, Space::Node] {
            for (key, _) in store.scan(space, None, 1000).await.unwrap().blobs {
                blobs.insert(key, store.get(key).await.unwrap().unwrap());
            }
        }
        let scene = Scene { store, blobs, root };
        let sound = scene.verify(root).await;
        assert!(sound.is_intact() && sound.findings.is_empty(), "{:?}", sound.findings);
        assert_eq!((sound.manifests, sound.texts), (13, 13));
        scene
    }

    pub(crate) async fn verify(&self, root: NodeId) -> Verification {
        let tree = Tree::open(&self.store, "main").unwrap();
        Verify::of(&tree).run(root).await.unwrap()
    }

    /// Puts other bytes under a key, or none.
    pub(crate) async fn set(&self, key: BlobKey, bytes: Option<&[u8]>) {
        self.store.delete(key).await.unwrap();
        if let Some(bytes) = bytes {
            self.store.put(key, bytes).await.unwrap();
        }
    }
}

/// Puts `bytes` in the place of a node and hashes all above it again. Gives the new root.
pub(crate) async fn rehash(scene: &Scene, of: NodeId, bytes: Vec<u8>) -> Result<NodeId, FormatError> {
    let id = NodeManifest::parse(&bytes)?.id();
    scene.store.put(BlobKey::node(id), &bytes).await.unwrap();
    let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::from([(of, id)]);
    let mut nodes: Vec<NodeManifest> = scene
        .blobs
        .iter()
        .filter(|(key, _)| key.space == Space::Node)
        .map(|(_, bytes)| NodeManifest::parse(bytes).unwrap())
        .filter(|node| node.level() > 0)
        .collect();
    nodes.sort_by_key(NodeManifest::level);
    for node in nodes {
        if node.id() == of || !node.children().any(|child| new.contains_key(&child)) {
            continue;
        }
        let children = node.children().map(|child| new.get(&child).copied().unwrap_or(child));
        let children = children.map(|id| Ipld::Bytes(id.as_bytes().to_vec())).collect();
        let mut foreign = Foreign::of(node.bytes());
        *foreign.section("children") = children;
        let bytes = foreign.finish();
        let id = NodeManifest::parse(&bytes)?.id();
        scene.store.put(BlobKey::node(id), &bytes).await.unwrap();
        new.insert(node.id(), id);
    }
    Ok(new.get(&scene.root).copied().unwrap_or(scene.root))
}
