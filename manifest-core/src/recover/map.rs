//! All manifests below a root, and who is whose parent.

use crate::manifest::{ChildFates, DropReason, NodeId, NodeManifest};
use crate::store::Store;
use crate::tree::{Tree, TreeError};
use rustc_hash::{FxHashMap, FxHashSet};

/// The manifests below a root. Texts are not held: a fact's place, value and fate stand in the manifests, also where a
/// leaf's bytes were reclaimed.
#[derive(Clone, Debug)]
pub struct TreeMap {
    root: NodeId,
    /// Each manifest once: a node before what is below it, the leaves in their order.
    order: Vec<NodeId>,
    manifests: FxHashMap<NodeId, NodeManifest>,
    /// For each leaf and node, its parents and its places among their children.
    parents: FxHashMap<NodeId, Vec<(NodeId, usize)>>,
    /// What became of the facts of each node's children, and the reasons of its drops: asked for each fact, so read once.
    accounts: FxHashMap<NodeId, Account>,
}

/// What one node says of its children's facts.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) fates: Vec<ChildFates>,
    pub(super) drops: Vec<DropReason>,
}

impl TreeMap {
    /// Leaves and nodes of a tree, at most.
    pub const MOST: usize = 1 << 22;

    /// Reads all manifests below `root`. A node that two parents share is read once.
    ///
    /// # Errors
    /// [`TreeError::Missing`] and what else stops the reading of a manifest; [`TreeError::TooLarge`].
    pub async fn load<B: Store + ?Sized>(tree: &Tree<'_, B>, root: NodeId) -> Result<TreeMap, TreeError> {
        let mut manifests: FxHashMap<NodeId, NodeManifest> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if manifests.contains_key(&id) {
                continue;
            }
            if manifests.len() >= Self::MOST {
                return Err(TreeError::TooLarge { nodes: Self::MOST });
            }
            let manifest = tree.manifest(id).await?;
            open.extend(manifest.children());
            manifests.insert(id, manifest);
        }
        Ok(Self::assemble(root, manifests))
    }

    /// The map over manifests that are all there.
    pub(super) fn assemble(root: NodeId, manifests: FxHashMap<NodeId, NodeManifest>) -> TreeMap {
        let mut map = TreeMap {
            root,
            order: Vec::with_capacity(manifests.len()),
            manifests,
            parents: FxHashMap::default(),
            accounts: FxHashMap::default(),
        };
        let mut open = vec![root];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(manifest) = map.manifests.get(&id) else { continue };
            let first = open.len();
            for (place, child) in manifest.children().enumerate() {
                map.parents.entry(child).or_default().push((id, place));
                open.push(child);
            }
            if let Some(children) = open.get_mut(first..) {
                children.reverse();
            }
            if manifest.level() > 0 {
                let children = open.len() - first;
                let fates = (0..children).filter_map(|child| manifest.fates(child)).collect();
                map.accounts.insert(id, Account { fates, drops: manifest.drops().collect() });
            }
            map.order.push(id);
        }
        map
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A manifest of the tree.
    pub fn get(&self, id: NodeId) -> Option<&NodeManifest> {
        self.manifests.get(&id)
    }

    /// All manifests, the root first.
    pub fn all(&self) -> impl Iterator<Item = &NodeManifest> {
        self.order.iter().filter_map(|id| self.manifests.get(id))
    }

    /// The leaves, in their order.
    pub fn leaves(&self) -> impl Iterator<Item = &NodeManifest> {
        self.all().filter(|manifest| manifest.level() == 0)
    }

    /// The nodes, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeManifest> {
        self.all().filter(|manifest| manifest.level() > 0)
    }

    /// The parents of a leaf or node, with its place among their children.
    pub fn parents(&self, id: NodeId) -> &[(NodeId, usize)] {
        self.parents.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn account(&self, id: NodeId) -> Option<&Account> {
        self.accounts.get(&id)
    }

    /// The one leaf or node whose id begins with these digits, or whose name this is; `None` if there is none or more than
    /// one.
    pub fn find(&self, name: &str) -> Option<&NodeManifest> {
        let digits = name.len() >= 4 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let named = |m: &&NodeManifest| {
            m.origin().and_then(|origin| origin.source.as_deref()) == Some(name)
                || digits && m.id().to_string().starts_with(&name.to_ascii_lowercase())
        };
        let mut found = self.all().filter(named);
        found.next().filter(|_| found.next().is_none())
    }
}
