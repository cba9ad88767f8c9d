//! Leaves and nodes back from the store.

use super::stored::{BETWEEN, Inner};
use super::{Stored, Tree, TreeError};
use crate::child::Role;
use crate::digest::Digest;
use crate::manifest::{NodeId, NodeManifest, TextDigest};
use crate::store::{BlobKey, Blobs, Space, Store, StoreError};

impl<B: Store + ?Sized> Tree<'_, B> {
    /// The manifest of a leaf or node.
    ///
    /// # Errors
    /// [`TreeError::Missing`], and [`TreeError::Store`] for bytes that are not those of this id.
    pub async fn manifest(&self, id: NodeId) -> Result<NodeManifest, TreeError> {
        self.store.manifest(id).await?.ok_or(TreeError::Missing { id })
    }

    /// The text of a leaf or node; `None` where no bytes are there: a leaf's that was reclaimed, or a loss.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn text_of(&self, manifest: &NodeManifest) -> Result<Option<String>, TreeError> {
        let key = text_key(manifest.text_digest());
        let Some(bytes) = self.store.get(key).await? else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|error| StoreError::Corrupt {
            object: key.to_string(),
            found: format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()),
        })?;
        Ok(Some(text))
    }

    /// A leaf or node as a child for others.
    ///
    /// # Errors
    /// Those of [`manifest`](Self::manifest), [`TreeError::Reclaimed`] for a leaf without its text, and
    /// [`TreeError::TextMissing`] for a node without it.
    pub async fn stored(&self, id: NodeId) -> Result<Stored, TreeError> {
        let manifest = self.manifest(id).await?;
        match self.text_of(&manifest).await? {
            Some(text) => Ok(stored(&manifest, &text)),
            None if manifest.level() == 0 => Err(TreeError::Reclaimed { id }),
            None => Err(TreeError::TextMissing { id }),
        }
    }
}

/// A leaf or node with its text.
pub(super) fn stored(manifest: &NodeManifest, text: &str) -> Stored {
    let ledger: Vec<&str> = manifest.ledger().collect();
    let mut body = ledger.join("\n");
    if !body.is_empty() {
        body.push_str(BETWEEN);
    }
    let at = body.len();
    body.push_str(text);
    let origin = manifest.origin();
    Stored::new(Inner {
        id: manifest.id(),
        level: manifest.level(),
        body,
        text: at,
        name: origin.and_then(|origin| origin.source.clone()),
        role: origin.map_or(Role::Assistant, |origin| origin.role),
        at: origin.and_then(|origin| origin.at.clone()),
        call: origin.is_some_and(|origin| origin.call),
        required: manifest.required().map(str::to_owned).collect(),
        unknown_critical: manifest.unknown_critical_sections().map(str::to_owned).collect(),
        recall: manifest.recall().unwrap_or_default(),
    })
}

pub(super) fn node_key(id: NodeId) -> BlobKey {
    BlobKey::new(Space::Node, id.digest())
}

pub(super) fn text_key(digest: TextDigest) -> BlobKey {
    let digest: Digest = digest.digest();
    BlobKey::new(Space::Text, digest)
}
