//! From leaves to a root that may replace them.

mod attach;
mod commit;
mod compact;
mod error;
mod gc;
mod ingest;
mod load;
mod memo;
mod plan;
mod probe;
mod render;
mod stored;
mod summarizer;

pub use compact::{Attempt, CompactError, Compaction, Compactor, Ended, How, Outcome, Place, Record, Step};
pub use error::{NotStored, TreeError};
pub use gc::{PlannedLeaf, Reason as SweepReason, SweepPlan, SweepRules, Swept};
pub use plan::{Plan, PlanError};
pub use probe::{Blocker, NoPermit, Permit, RootProbe, Unanswered};
pub use stored::Stored;
pub use summarizer::{Summarizer, Task};

use crate::store::{Checked, Event, RefEntry, RefName, RefUpdate, Refs, Store};

/// Generations that are asked for at once.
const PAGE: usize = 256;

/// A tree of summaries in a store: its leaves and nodes, and one named head.
///
/// The store is trusted with nothing: what goes in and comes out is hashed.
///
/// ```
/// use manifest_core::recover::{End, TreeMap};
/// use manifest_core::store::{Memory, block_on};
/// use manifest_core::tree::Tree;
/// use manifest_core::{Child, Draft, Policy};
///
/// block_on(async {
///     let store = Memory::new();
///     let tree = Tree::open(&store, "main")?;
///     let chunks = [Child::new("The importer crashed with E_QUOTA_4417 on node db-7."), Child::new("The quota was raised.")];
///     let leaves = tree.ingest(&chunks).await?; // durable before anything refers to them
///
///     let summary = "The importer crashed with E_QUOTA_4417 on node db-7; the quota was raised.".to_owned();
///     let draft = Draft::trace(&leaves, summary).pinned(["E_QUOTA_4417"]);
///     let gated = draft.gate(&Policy::remediation())?; // Gated, or NotCommitted with the draft and the reasons
///     let root = tree.commit(gated).await?; // takes Gated only; stores exactly the audited bytes
///     tree.publish(&root, None, "first root").await?;
///     let permit = tree.probe(&root).await?.permit()?; // every required fact answered, or no permit
///     assert_eq!(permit.leaves(), 2);
///
///     let map = TreeMap::load(&tree, root.id()).await?;
///     let found = map.trace("E_QUOTA_4417");
///     assert_eq!((found[0].leaf, &found[0].end), (leaves[0].id(), &End::AtRoot));
///     Ok::<(), Box<dyn std::error::Error>>(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tree<'s, B: ?Sized> {
    store: Checked<&'s B>,
    name: RefName,
}

impl<'s, B: Store + ?Sized> Tree<'s, B> {
    /// The tree of this head, which need not exist yet.
    ///
    /// # Errors
    /// [`TreeError::Store`] for a name that none can have and for a store without create-only writes;
    /// [`TreeError::Reserved`] for names that the tree itself uses.
    pub fn open(store: &'s B, name: &str) -> Result<Self, TreeError> {
        let name = RefName::new(name)?;
        if name.as_str().starts_with(memo::MEMO) {
            return Err(TreeError::Reserved(name.as_str().to_owned()));
        }
        Ok(Tree { store: Checked::new(store)?, name })
    }

    /// The name of its head.
    pub fn name(&self) -> &RefName {
        &self.name
    }

    /// What the head names; none before the first root.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn head(&self) -> Result<Option<RefEntry>, TreeError> {
        Ok(self.store.read(&self.name).await?)
    }

    /// The generations of its head, the newest first, at most `limit`.
    ///
    /// # Errors
    /// Those of the store; a chain that does not hold together is one of them.
    pub async fn history(&self, limit: usize) -> Result<Vec<RefEntry>, TreeError> {
        let mut out: Vec<RefEntry> = Vec::new();
        while out.len() < limit {
            let before = out.last().map(|entry| entry.generation);
            let page = self.store.history(&self.name, before, PAGE.min(limit - out.len())).await?;
            if page.is_empty() {
                break;
            }
            out.extend(page);
        }
        Ok(out)
    }

    /// Moves the head from the generation `expected` to a root.
    ///
    /// # Errors
    /// [`StoreError::Stale`](crate::store::StoreError::Stale) if another writer moved it; then nothing was written.
    pub async fn publish(
        &self,
        root: &Stored,
        expected: Option<u64>,
        message: &str,
    ) -> Result<RefEntry, TreeError> {
        let update = RefUpdate::new(root.id(), Event::Commit).message(message);
        match self.store.swap(&self.name, expected, update.clone()).await {
            // Whether it was written is not known: the nonce tells.
            Err(error) if error.is_transient() => Ok(self.store.swap(&self.name, expected, update).await?),
            other => Ok(other?),
        }
    }
}
