//! Flattening: what stands is attached to a root as it is, and nothing is summarized.

use super::{Stored, Tree, TreeError};
use crate::manifest::Making;
use crate::node::{Draft, Node};
use crate::policy::Policy;
use crate::store::Store;
use crate::tree::memo::Rules;

/// What stands between two texts that are attached.
const SEAM: &str = "\n\n";

impl<B: Store + ?Sized> Tree<'_, B> {
    /// A root whose text is that of `children`, in their order: nothing is lost by it, and nothing is saved.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit).
    pub async fn attach(&self, children: &[Stored], policy: &Policy) -> Result<Stored, TreeError> {
        let text = children.iter().map(Stored::body).collect::<Vec<_>>().join(SEAM);
        let node: Node<String, Draft> = Draft::trace(children, text);
        let rules = Rules::of("attached", policy, |_| {});
        let made = self.make(&node.attached(policy), Making::by("attached"), children, &rules).await?;
        let stored = made.stored.clone();
        self.store_waiting(&[&made]).await?;
        Ok(stored)
    }
}
