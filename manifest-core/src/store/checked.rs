//! A store whose bytes are hashed on the way in and on the way out.

use super::{
    BlobKey, Blobs, Capabilities, Cursor, Digest, FormatError, NodeId, NodeManifest, Page, RefEntry, RefName,
    RefSwap, RefUpdate, Refs, Space, Stat, StoreError, StoreFuture,
};

/// Whether bytes are those that a key stands for: a text and a lease by plain BLAKE3, a node by the id that its manifest gives.
///
/// # Errors
/// [`StoreError::Corrupt`], which names the key and what was found; [`StoreError::OtherVersion`] for a manifest of another format.
pub fn verify(key: BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
    let found = match key.space {
        Space::Text | Space::Lease => Digest::of_text(bytes),
        Space::Node => node(key, bytes)?.id().digest(),
    };
    is_named(key, found)
}

fn is_named(key: BlobKey, found: Digest) -> Result<(), StoreError> {
    if found == key.digest {
        return Ok(());
    }
    Err(StoreError::Corrupt { object: key.to_string(), found: format!("its bytes have the digest {found}") })
}

fn node(key: BlobKey, bytes: &[u8]) -> Result<NodeManifest, StoreError> {
    let object = key.to_string();
    match NodeManifest::parse(bytes) {
        Ok(manifest) => Ok(manifest),
        Err(FormatError::Version { found }) => {
            Err(StoreError::OtherVersion { object, found, supported: crate::manifest::VERSION })
        }
        Err(error) => Err(StoreError::Corrupt { object, found: format!("it is no manifest: {error}") }),
    }
}

/// A store that is trusted with nothing: what is put must be what its key says, and what comes back is hashed before anybody sees it.
/// Made only of stores with create-only writes.
#[derive(Clone, Debug)]
pub struct Checked<S> {
    store: S,
}

impl<S: Blobs> Checked<S> {
    /// Wraps a store.
    ///
    /// # Errors
    /// [`StoreError::Unsupported`] if the store has no create-only writes.
    pub fn new(store: S) -> Result<Self, StoreError> {
        store.capabilities().admit()?;
        Ok(Checked { store })
    }

    /// The store within.
    pub fn inner(&self) -> &S {
        &self.store
    }

    /// The manifest of a node; none if there is none. What [`get`](Blobs::get) and a parse of its bytes give, with the bytes hashed
    /// once.
    ///
    /// # Errors
    /// As those of [`verify`], and the store's own.
    pub async fn manifest(&self, id: NodeId) -> Result<Option<NodeManifest>, StoreError> {
        let key = BlobKey::node(id);
        let Some(bytes) = self.store.get(key).await? else { return Ok(None) };
        let manifest = node(key, &bytes)?;
        is_named(key, manifest.id().digest())?;
        Ok(Some(manifest))
    }
}

/// Before a write, wrong bytes are the caller's.
fn own(key: BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
    verify(key, bytes).map_err(|error| match error {
        other @ StoreError::OtherVersion { .. } => other,
        _ => StoreError::WrongKey { key },
    })
}

impl<S: Blobs> Blobs for Checked<S> {
    fn capabilities(&self) -> Capabilities {
        self.store.capabilities()
    }

    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            own(key, bytes)?;
            self.store.put(key, bytes).await
        })
    }

    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            batch.iter().try_for_each(|(key, bytes)| own(*key, bytes))?;
            self.store.put_many(batch).await
        })
    }

    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let bytes = self.store.get(key).await?;
            bytes.as_deref().map_or(Ok(()), |bytes| verify(key, bytes))?;
            Ok(bytes)
        })
    }

    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
        self.store.head(key)
    }

    fn exists(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        self.store.exists(key)
    }

    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        self.store.delete(key)
    }

    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
        self.store.scan(space, after, limit)
    }
}

impl<S: Refs> Refs for Checked<S> {
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
        self.store.read(name)
    }

    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry> {
        self.store.swap(name, expected, update)
    }

    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        self.store.swap_many(batch)
    }

    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>> {
        self.store.history(name, before, limit)
    }

    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
        self.store.list(after, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Memory, block_on};
    use super::*;
    use crate::Child;

    fn leaf(text: &str) -> NodeManifest {
        NodeManifest::of_leaf(&Child::new(text)).unwrap()
    }

    #[test]
    fn a_node_is_stored_under_its_own_id_only() {
        let store = Checked::new(Memory::new()).unwrap();
        let (one, other) = (leaf("The limit is 50."), leaf("The limit is 500."));
        let key = BlobKey::node(one.id());
        for wrong in [other.bytes(), b"", b"no manifest", &one.bytes()[1..]] {
            let found = block_on(store.put(key, wrong));
            assert!(matches!(found, Err(StoreError::WrongKey { key: named }) if named == key), "{found:?}");
        }
        block_on(store.put(key, one.bytes())).unwrap();
        assert_eq!(block_on(store.get(key)).unwrap().as_deref(), Some(one.bytes()));
    }

    #[test]
    fn a_node_that_is_another_is_named_when_it_is_read() {
        let memory = Memory::new();
        let key = BlobKey::node(leaf("The limit is 50.").id());
        block_on(memory.put(key, leaf("The limit is 500.").bytes())).unwrap();
        let error = block_on(Checked::new(memory).unwrap().get(key)).unwrap_err();
        assert!(
            matches!(&error, StoreError::Corrupt { object, .. } if *object == key.to_string()),
            "{error}"
        );
    }

    #[test]
    fn a_batch_with_one_wrong_blob_stores_nothing() {
        let store = Checked::new(Memory::new()).unwrap();
        let (good, bad) = (BlobKey::of_text(b"good"), BlobKey::of_text(b"bad"));
        let found = block_on(store.put_many(&[(good, &b"good"[..]), (bad, b"other")]));
        assert!(matches!(found, Err(StoreError::WrongKey { key }) if key == bad), "{found:?}");
        assert!(!block_on(store.exists(good)).unwrap());
    }
}
