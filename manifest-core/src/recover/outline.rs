//! The nodes below a root and who is whose parent, without the manifests of the leaves.

use super::query::{Tally, Wanted};
use super::{LostFact, Sighting};
use crate::manifest::{ChildFates, DropReason, NodeId, NodeManifest};
use crate::store::{BlobKey, Store, StoreError};
use crate::tree::{Tree, TreeError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// The nodes below a root: who is whose parent, and what each node says of its children's facts. A tree of any size is asked through
/// it in the memory of its nodes: a leaf's manifest is read when its turn comes, and let go again.
///
/// [`TreeMap`](super::TreeMap) holds the leaves too, and answers without the store.
///
/// ```
/// # use manifest_core::recover::Outline;
/// # use manifest_core::store::{Memory, block_on};
/// # use manifest_core::tree::Tree;
/// # use manifest_core::{Child, Draft, Policy};
/// # use std::ops::ControlFlow;
/// # block_on(async {
/// # let store = Memory::new();
/// # let tree = Tree::open(&store, "main")?;
/// # let chunks = [Child::new("The importer crashed with E_QUOTA_4417 on node db-7."), Child::new("The quota was raised.")];
/// # let leaves = tree.ingest(&chunks).await?;
/// # let summary = "The importer crashed with E_QUOTA_4417; the quota was raised.".to_owned();
/// # let root = tree.commit(Draft::trace(&leaves, summary).gate(&Policy::narrative())?).await?;
/// let outline = Outline::load(&tree, root.id()).await?;
/// assert_eq!(outline.trace(&tree, "E_QUOTA_4417").await?.len(), 1);
/// let mut lost = Vec::new();
/// let each = |fact: manifest_core::recover::LostFact| {
///     lost.extend(fact.sighting.text);
///     ControlFlow::Continue(())
/// };
/// outline.lost(&tree, None, each).await?;
/// assert_eq!(lost, ["db-7"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline {
    root: NodeId,
    /// In their order, each once.
    leaves: Vec<NodeId>,
    /// For each leaf and node, its parents and its places among their children.
    parents: FxHashMap<NodeId, Vec<(NodeId, usize)>>,
    /// Of each node, read once: it is asked for each fact.
    accounts: FxHashMap<NodeId, Account>,
}

/// What one node says of its children's facts.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) level: u32,
    pub(super) fates: Vec<ChildFates>,
    pub(super) drops: Vec<DropReason>,
}

/// What is to be looked at: a leaf that its parent tells, or what may be either.
enum Below {
    Leaf(NodeId),
    Any(NodeId),
}

impl Outline {
    /// Leaves and nodes of a tree, at most.
    pub const MOST: usize = 1 << 22;

    /// Reads the manifests of all nodes below `root`, and of no leaf that stands below nodes of the first level only.
    ///
    /// # Errors
    /// [`TreeError::Missing`] and what else stops the reading of a manifest; [`TreeError::TooLarge`].
    pub async fn load<B: Store + ?Sized>(tree: &Tree<'_, B>, root: NodeId) -> Result<Outline, TreeError> {
        let mut outline = Outline::of(root);
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut open = vec![Below::Any(root)];
        while let Some(below) = open.pop() {
            let (Below::Leaf(id) | Below::Any(id)) = below;
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > Self::MOST {
                return Err(TreeError::TooLarge { nodes: Self::MOST });
            }
            if matches!(below, Below::Leaf(_)) {
                outline.leaves.push(id);
                continue;
            }
            let manifest = tree.manifest(id).await?;
            outline.add(&manifest);
            // Those of a node of level 1 are leaves, all of them.
            let kind = if manifest.level() == 1 { Below::Leaf } else { Below::Any };
            let first = open.len();
            open.extend(manifest.children().map(kind));
            if let Some(children) = open.get_mut(first..) {
                children.reverse();
            }
        }
        Ok(outline)
    }

    pub(super) fn of(root: NodeId) -> Outline {
        Outline { root, leaves: Vec::new(), parents: FxHashMap::default(), accounts: FxHashMap::default() }
    }

    /// Adds a leaf or node; each once, in order.
    pub(super) fn add(&mut self, manifest: &NodeManifest) {
        let id = manifest.id();
        if manifest.level() == 0 {
            self.leaves.push(id);
            return;
        }
        let mut fates = Vec::new();
        for (place, child) in manifest.children().enumerate() {
            self.parents.entry(child).or_default().push((id, place));
            fates.extend(manifest.fates(place));
        }
        let account = Account { level: manifest.level(), fates, drops: manifest.drops().collect() };
        self.accounts.insert(id, account);
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The leaves, in their order.
    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.accounts.len()
    }

    /// The parents of a leaf or node, with its place among their children.
    pub fn parents(&self, id: NodeId) -> &[(NodeId, usize)] {
        self.parents.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn account(&self, id: NodeId) -> Option<&Account> {
        self.accounts.get(&id)
    }

    /// Every leaf that states what `words` name: each exact value in them by value, or, where they hold none or none is found, every
    /// fact whose text or binding contains them.
    ///
    /// # Errors
    /// What stops the reading of a leaf.
    pub async fn trace<B: Store + ?Sized>(
        &self,
        tree: &Tree<'_, B>,
        words: &str,
    ) -> Result<Vec<Sighting>, TreeError> {
        let mut wanted = Wanted::of(words);
        for leaf in &self.leaves {
            wanted.look(self, &self.leaf(tree, *leaf).await?);
        }
        Ok(wanted.found())
    }

    /// Tells of each fact that the root does not hold, each value once, in the order of the leaves, until `tell` has enough; of one
    /// leaf, or of all. Secrets are none of them.
    ///
    /// The leaves are read twice: which values are lost is known when the last leaf was read, and only then is a row made. So it takes
    /// some 40 bytes of memory for each distinct value, however long the answer is.
    ///
    /// # Errors
    /// What stops the reading of a leaf.
    pub async fn lost<B: Store + ?Sized>(
        &self,
        tree: &Tree<'_, B>,
        leaf: Option<NodeId>,
        mut tell: impl FnMut(LostFact) -> ControlFlow<()>,
    ) -> Result<(), TreeError> {
        let mut tally = Tally::default();
        let asked = || self.leaves.iter().filter(|id| leaf.is_none_or(|leaf| leaf == **id));
        for id in asked() {
            tally.count(self, &self.leaf(tree, *id).await?);
        }
        for id in asked() {
            if tally.tell(self, &self.leaf(tree, *id).await?, &mut tell).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The one leaf or node whose id begins with these digits, or whose name this is; `None` if there is none or more than one.
    ///
    /// # Errors
    /// What stops the reading of a leaf.
    pub async fn find<B: Store + ?Sized>(
        &self,
        tree: &Tree<'_, B>,
        name: &str,
    ) -> Result<Option<NodeId>, TreeError> {
        let digits = Digits::of(name);
        let mut found: Vec<NodeId> = self.accounts.keys().copied().filter(|id| digits.name(*id)).collect();
        for id in &self.leaves {
            if digits.name(*id) || is_named(&self.leaf(tree, *id).await?, name) {
                found.push(*id);
            }
        }
        Ok(if let [one] = found.as_slice() { Some(*one) } else { None })
    }

    /// A leaf's manifest. What its parent calls a leaf must be one, or facts below it would be passed over.
    async fn leaf<B: Store + ?Sized>(
        &self,
        tree: &Tree<'_, B>,
        id: NodeId,
    ) -> Result<NodeManifest, TreeError> {
        let manifest = tree.manifest(id).await?;
        if manifest.level() == 0 {
            return Ok(manifest);
        }
        let found = "it is a node, and stands where its parent has leaves".to_owned();
        Err(StoreError::Corrupt { object: BlobKey::node(id).to_string(), found }.into())
    }
}

/// First digits of ids, or none.
pub(super) struct Digits(Option<String>);

impl Digits {
    pub(super) fn of(name: &str) -> Digits {
        let digits = name.len() >= 4 && name.bytes().all(|b| b.is_ascii_hexdigit());
        Digits(digits.then(|| name.to_ascii_lowercase()))
    }

    /// Whether an id begins with them.
    pub(super) fn name(&self, id: NodeId) -> bool {
        self.0.as_deref().is_some_and(|digits| id.to_string().starts_with(digits))
    }
}

/// Whether the caller gave a leaf this name.
pub(super) fn is_named(manifest: &NodeManifest, name: &str) -> bool {
    manifest.origin().and_then(|origin| origin.source.as_deref()) == Some(name)
}
