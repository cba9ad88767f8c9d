//! Leaves into the store, before anything refers to them.

use super::load::{node_key, stored, text_key};
use super::{Stored, Tree, TreeError};
use crate::child::Child;
use crate::manifest::{NodeManifest, TextDigest};
use crate::store::{BlobKey, Blobs, Store};

/// Leaves that are made durable at once: their manifests stand in memory meanwhile.
const BATCH: usize = 2048;

impl<B: Store + ?Sized> Tree<'_, B> {
    /// Stores leaves: their bytes, then their manifests, durable before this returns. The same leaf again is the same leaf.
    ///
    /// # Errors
    /// Those of the store. What was stored before it stays, and does no harm.
    pub async fn ingest(&self, leaves: &[Child<'_>]) -> Result<Vec<Stored>, TreeError> {
        let mut out = Vec::with_capacity(leaves.len());
        for batch in leaves.chunks(BATCH) {
            let mut manifests = Vec::with_capacity(batch.len());
            for leaf in batch {
                let name = leaf.id.as_deref().unwrap_or("a leaf").to_owned();
                let made = NodeManifest::of_leaf(leaf);
                manifests.push(made.map_err(|source| TreeError::Manifest { id: name, source })?);
            }
            let texts: Vec<(BlobKey, &[u8])> = batch
                .iter()
                .zip(&manifests)
                .map(|(leaf, manifest)| (text_key(manifest.text_digest()), leaf.text.as_bytes()))
                .collect();
            self.store.put_many(&texts).await?;
            let nodes: Vec<(BlobKey, &[u8])> =
                manifests.iter().map(|manifest| (node_key(manifest.id()), manifest.bytes())).collect();
            self.store.put_many(&nodes).await?;
            out.extend(manifests.iter().zip(batch).map(|(manifest, leaf)| stored(manifest, &leaf.text)));
        }
        Ok(out)
    }

    /// Stores the texts of leaves again that are gone: a sweep which was planned before they were ingested may have come to
    /// deleting them only after that.
    pub(super) async fn keep(&self, leaves: &[Stored]) -> Result<(), TreeError> {
        for leaf in leaves {
            let key = text_key(TextDigest::of(leaf.text()));
            if !self.store.exists(key).await? {
                self.store.put(key, leaf.text().as_bytes()).await?;
            }
        }
        Ok(())
    }
}
