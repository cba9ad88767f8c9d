//! All manifests below a root, and who is whose parent.

use super::outline::{Digits, Outline, is_named};
use crate::manifest::{NodeId, NodeManifest};
use crate::store::Store;
use crate::tree::{Tree, TreeError};
use rustc_hash::{FxHashMap, FxHashSet};

/// The manifests below a root. Texts are not held: a fact's place, value and fate stand in the manifests, also where a
/// leaf's bytes were reclaimed.
#[derive(Clone, Debug)]
pub struct TreeMap {
    outline: Outline,
    /// Each manifest once: a node before what is below it, the leaves in their order.
    order: Vec<NodeId>,
    manifests: FxHashMap<NodeId, NodeManifest>,
}

impl TreeMap {
    /// Leaves and nodes of a tree, at most.
    pub const MOST: usize = Outline::MOST;

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
        let mut outline = Outline::of(root);
        let mut order = Vec::with_capacity(manifests.len());
        let mut open = vec![root];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(manifest) = manifests.get(&id) else { continue };
            outline.add(manifest);
            order.push(id);
            let first = open.len();
            open.extend(manifest.children());
            if let Some(children) = open.get_mut(first..) {
                children.reverse();
            }
        }
        TreeMap { outline, order, manifests }
    }

    /// The same without the leaves' manifests.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.outline.root()
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
        self.outline.parents(id)
    }

    /// The one leaf or node whose id begins with these digits, or whose name this is; `None` if there is none or more than
    /// one.
    pub fn find(&self, name: &str) -> Option<&NodeManifest> {
        let digits = Digits::of(name);
        let named = |manifest: &&NodeManifest| digits.name(manifest.id()) || is_named(manifest, name);
        let mut found = self.all().filter(named);
        found.next().filter(|_| found.next().is_none())
    }
}
