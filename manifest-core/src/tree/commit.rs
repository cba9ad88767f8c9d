//! A node that has passed its gate, into the store.

use super::load::{node_key, stored, text_key};
use super::memo::Rules;
use super::{NotStored, Stored, Tree, TreeError};
use crate::declare::Manifest;
use crate::manifest::{Making, NodeManifest, seal};
use crate::node::{Gated, Node};
use crate::store::{BlobKey, Blobs, Event, RefUpdate, Refs, Store, StoreError};

impl<B: Store + ?Sized> Tree<'_, B> {
    /// Stores a node that has passed its gate: the very text that was audited, then its manifest, both durable before
    /// this returns. Its children must stand in the store: they are what [`ingest`](Tree::ingest) and `commit` gave.
    ///
    /// The head does not move: that is what [`publish`](Tree::publish) does with a root.
    ///
    /// # Errors
    /// [`NotStored`], with the node, which can be committed again.
    pub async fn commit<S: Manifest>(&self, gated: Node<S, Gated>) -> Result<Stored, NotStored<S>> {
        match self.store_node(&gated, Making::default()).await {
            Ok(stored) => Ok(stored),
            Err(source) => Err(NotStored { node: gated, source }),
        }
    }

    /// The same, and the node is remembered for these children under these rules.
    pub(super) async fn commit_under<S: Manifest>(
        &self,
        gated: Node<S, Gated>,
        making: Making,
        children: &[Stored],
        rules: &Rules,
    ) -> Result<Stored, NotStored<S>> {
        let stored = match self.store_node(&gated, making).await {
            Ok(stored) => stored,
            Err(source) => return Err(NotStored { node: gated, source }),
        };
        match self.remember(&stored, children, rules).await {
            Ok(()) => Ok(stored),
            Err(source) => Err(NotStored { node: gated, source }),
        }
    }

    async fn store_node<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        making: Making,
    ) -> Result<Stored, TreeError> {
        let mut children = Vec::with_capacity(gated.children().len());
        for (child, id) in gated.child_ids().iter().enumerate() {
            let id = id.ok_or(TreeError::ChildNotStored { child })?;
            // Every pointer is checked when it is written.
            children.push(self.manifest(id).await?);
        }
        let below: Vec<&NodeManifest> = children.iter().collect();
        let manifest = seal(gated, &below, making)?;
        let text = gated.audit().text();
        self.store.put(text_key(manifest.text_digest()), text.as_bytes()).await?;
        let batch: [(BlobKey, &[u8]); 1] = [(node_key(manifest.id()), manifest.bytes())];
        self.store.put_many(&batch).await?;
        Ok(stored(&manifest, text))
    }

    async fn remember(&self, node: &Stored, children: &[Stored], rules: &Rules) -> Result<(), TreeError> {
        let name = rules.memo(children)?;
        let known = self.store.read(&name).await?;
        if known.as_ref().is_some_and(|known| known.target == node.id()) {
            return Ok(());
        }
        let update = RefUpdate::new(node.id(), Event::Commit);
        match self.store.swap(&name, known.map(|known| known.generation), update).await {
            // Another writer remembers a node of its own for them: both stand, and one is enough to go on from.
            Ok(_) | Err(StoreError::Stale { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
