//! A store whose bytes are hashed on the way in and on the way out.

use super::{
    BlobKey, Blobs, Capabilities, Cursor, Digest, Page, RefEntry, RefName, RefUpdate, Refs, Space, Stat,
    StoreError, StoreFuture,
};

/// Whether bytes are those that a key stands for: a text and a lease by plain BLAKE3, a node by the id that its manifest gives.
///
/// # Errors
/// [`StoreError::Corrupt`], which names the key.
pub fn verify(key: BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
    let found = match key.space {
        Space::Text | Space::Lease => Digest::of_text(bytes),
        Space::Node => return Ok(()),
    };
    if found == key.digest {
        return Ok(());
    }
    Err(StoreError::Corrupt { object: key.to_string(), found: format!("its bytes have the digest {found}") })
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
}

/// Before a write, wrong bytes are the caller's.
fn own(key: BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
    verify(key, bytes).map_err(|_| StoreError::WrongKey { key })
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
