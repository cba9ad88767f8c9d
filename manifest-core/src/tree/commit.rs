//! Nodes that have passed their gates, into the store.

use super::load::{node_key, stored, text_key};
use super::memo::Rules;
use super::{NotStored, Stored, Tree, TreeError};
use crate::declare::{Declaration, Manifest};
use crate::manifest::{EmbeddedError, Making, NodeId, NodeManifest, UnknownSection, embedded, seal};
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
            Ok((_, stored)) => Ok(stored),
            Err(source) => Err(NotStored { node: gated, source }),
        }
    }

    /// The same, and the summary back, with its manifest in the field for it (`#[manifest(manifest)]`): it can be sent to who has
    /// no store, and [`NodeManifest::in_summary`] tells there whether it is still what was judged.
    ///
    /// ```
    /// use manifest_core::store::{Memory, block_on};
    /// use manifest_core::tree::Tree;
    /// use manifest_core::{Child, Draft, Embedded, Manifest, NodeManifest};
    ///
    /// # #[cfg(feature = "derive")] {
    /// #[derive(Manifest)]
    /// struct Note {
    ///     #[manifest(text)]
    ///     text: String,
    ///     #[manifest(manifest)]
    ///     manifest: Embedded,
    /// }
    ///
    /// block_on(async {
    ///     let store = Memory::new();
    ///     let tree = Tree::open(&store, "main")?;
    ///     let leaves = tree.ingest(&[Child::new("Node db-7 is down since 09:41.")]).await?;
    ///     let note = Note { text: "Since 09:41 node db-7 is down.".to_owned(), manifest: Embedded::default() };
    ///     let gated = Draft::trace(&leaves, note).gate(&Note::policy()).unwrap();
    ///     let (stored, note) = tree.commit_embedded(gated).await.unwrap();
    ///     assert_eq!(NodeManifest::in_summary(&note)?.id(), stored.id());
    ///     Ok::<(), Box<dyn std::error::Error>>(())
    /// }).unwrap();
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`NotStored`], with the node, which can be committed again.
    pub async fn commit_embedded<S: Manifest>(
        &self,
        gated: Node<S, Gated>,
    ) -> Result<(Stored, S), NotStored<S>> {
        match self.store_node(&gated, Making::default()).await {
            Ok((manifest, stored)) => {
                let (mut summary, _) = gated.release();
                summary.embed(manifest.bytes());
                Ok((stored, summary))
            }
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
        Ok(self.store_node(gated, Making::default().remaking(&manifest)).await?.1)
    }

    async fn store_node<S: Manifest>(
        &self,
        gated: &Node<S, Gated>,
        making: Making,
    ) -> Result<(NodeManifest, Stored), TreeError> {
        let (manifest, made) = self.sealed(gated, making).await?;
        self.store_all(&[(&manifest, made.text())]).await?;
        Ok((manifest, made))
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
        let mut making = making;
        if making.unknown.is_empty() {
            making.unknown = carried_along(gated.summary())?;
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

/// What a summary's own manifest holds that this version does not know: it came with the summary, and goes on with it.
fn carried_along<S: Manifest>(summary: &S) -> Result<Vec<UnknownSection>, EmbeddedError> {
    match embedded(&Declaration::of(summary)) {
        Ok(manifest) => Ok(manifest.unknown()),
        Err(EmbeddedError::Absent) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
