//! Nodes that have passed their gates, into the store.

use super::load::{node_key, stored, text_key};
use super::memo::Rules;
use super::{NotStored, Stored, Tree, TreeError};
use crate::declare::Manifest;
use crate::manifest::{Making, NodeId, NodeManifest, seal};
use crate::node::{Gated, Node};
use crate::store::{BlobKey, Blobs, Store};

/// A node that is made and not stored yet, with what it will be remembered by.
pub(super) struct Waiting {
    pub(super) stored: Stored,
    manifest: NodeManifest,
    memo: String,
}

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

    /// The same in the place of an earlier node: what its manifest holds that this version does not know is carried along.
    ///
    /// # Errors
    /// [`NotStored`]; also where such a section is critical ([`TreeError::UnknownSection`]).
    pub async fn commit_again<S: Manifest>(
        &self,
        gated: Node<S, Gated>,
        earlier: NodeId,
    ) -> Result<Stored, NotStored<S>> {
        match self.remake(&gated, earlier).await {
            Ok(stored) => Ok(stored),
            Err(source) => Err(NotStored { node: gated, source }),
        }
    }

    async fn remake<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        earlier: NodeId,
    ) -> Result<Stored, TreeError> {
        let manifest = self.manifest(earlier).await?;
        if let Some(name) = manifest.unknown_critical_sections().next() {
            return Err(TreeError::UnknownSection { id: earlier, name: name.to_owned() });
        }
        self.store_node(gated, Making::default().remaking(&manifest)).await
    }

    async fn store_node<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        making: Making,
    ) -> Result<Stored, TreeError> {
        let (manifest, made) = self.sealed(gated, making).await?;
        self.store_all(&[(&manifest, made.text())]).await?;
        Ok(made)
    }

    /// Makes a node that [`store_waiting`](Self::store_waiting) is to store.
    pub(super) async fn make<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        making: Making,
        children: &[Stored],
        rules: &Rules,
    ) -> Result<Waiting, TreeError> {
        let memo = rules.memo(children);
        let (manifest, stored) = self.sealed(gated, making).await?;
        Ok(Waiting { stored, manifest, memo })
    }

    /// Stores nodes: all texts, then all manifests, then what they are remembered by; each durable before the next is begun.
    pub(super) async fn store_waiting(&self, nodes: &[&Waiting]) -> Result<(), TreeError> {
        let all: Vec<(&NodeManifest, &str)> =
            nodes.iter().map(|node| (&node.manifest, node.stored.text())).collect();
        self.store_all(&all).await?;
        let memos: Vec<(&str, NodeId)> =
            nodes.iter().map(|node| (node.memo.as_str(), node.manifest.id())).collect();
        self.remember(&memos).await
    }

    async fn sealed<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        making: Making,
    ) -> Result<(NodeManifest, Stored), TreeError> {
        let mut children = Vec::with_capacity(gated.children().len());
        for (child, id) in gated.child_ids().iter().enumerate() {
            let id = id.ok_or(TreeError::ChildNotStored { child })?;
            // Every pointer is checked when it is written.
            children.push(self.manifest(id).await?);
        }
        let below: Vec<&NodeManifest> = children.iter().collect();
        let manifest = seal(gated, &below, making)?;
        let stored = stored(&manifest, gated.audit().text());
        Ok((manifest, stored))
    }

    async fn store_all(&self, nodes: &[(&NodeManifest, &str)]) -> Result<(), TreeError> {
        let texts: Vec<(BlobKey, &[u8])> = nodes
            .iter()
            .map(|(manifest, text)| (text_key(manifest.text_digest()), text.as_bytes()))
            .collect();
        self.store.put_many(&texts).await?;
        let manifests: Vec<(BlobKey, &[u8])> =
            nodes.iter().map(|(manifest, _)| (node_key(manifest.id()), manifest.bytes())).collect();
        Ok(self.store.put_many(&manifests).await?)
    }
}
