//! Where leaves, nodes and heads are kept: what a store must do, and one in memory.
//!
//! Blobs are immutable bytes named by their digest; refs are named heads with their history. Adapters for files and servers stand
//! outside of this crate; every one of them passes the same conformance suite.

mod block_on;
mod capabilities;
mod checked;
#[cfg(any(test, feature = "conformance"))]
#[cfg_attr(docsrs, doc(cfg(feature = "conformance")))]
pub mod conformance;
mod entry;
mod error;
mod forward;
mod key;
mod layout;
mod lease;
mod memory;
mod moment;
mod name;
mod objects;

use std::future::Future;
use std::pin::Pin;

use crate::digest::Digest;
use crate::manifest::{FormatError, NodeId, NodeManifest, TextDigest};

pub use block_on::block_on;
pub use capabilities::Capabilities;
pub use checked::{Checked, verify};
pub use entry::{Event, Nonce, RefEntry, RefSwap, RefUpdate};
pub use error::StoreError;
pub use key::{BlobKey, Space};
pub use layout::Layout;
pub use lease::{Lease, Leases, LiveLease};
pub use memory::{Clock, Memory, Table};
pub use moment::Moment;
pub use name::{NameError, NameFault, RefName};
pub use objects::{Created, ObjectPath, Objects, Stat};

/// What a store answers later, on whatever runtime the caller has.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Immutable bytes named by their digest.
///
/// A store takes the key's word for the bytes; [`Checked`] hashes both ways. What is acknowledged is visible to every reader, whole,
/// and durable if the store says so.
pub trait Blobs: Send + Sync {
    /// What the store can do.
    fn capabilities(&self) -> Capabilities;

    /// Stores bytes under a key. The same bytes again are fine, and make the blob as young as if it were new, so that a sweep which
    /// goes by age passes over it.
    ///
    /// Errors: [`StoreError::Conflict`] if other bytes stand there.
    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()>;

    /// Stores many, each as [`put`](Self::put) does, and returns when all are durable. After an error any of them may be there.
    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()>;

    /// The bytes under a key; none if there are none.
    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// Size and age of a blob; none if there is none.
    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>>;

    /// Whether there is a blob under that key.
    fn exists(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.head(key).await?.is_some()) })
    }

    /// Deletes a blob; whether there was one.
    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool>;

    /// The blobs of a space in the order of their digests, after `after`, at most `limit` names at once. For verify and sweep only:
    /// it costs as much as the store is large. Blobs stored or deleted meanwhile may be in it or not.
    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page>;
}

/// Where a scan goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    /// One that an adapter's own [`scan`](Blobs::scan) understands.
    pub fn new(place: impl Into<String>) -> Self {
        Cursor(place.into())
    }

    /// What was given to [`new`](Self::new).
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A part of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Blobs, with size and age.
    pub blobs: Vec<(BlobKey, Stat)>,
    /// Names that no store of this kind writes: files that others left there.
    pub foreign: Vec<String>,
    /// Where to go on; none after the last page.
    pub next: Option<Cursor>,
}

impl Page {
    /// Of these blobs, to be followed by the page from `next`.
    pub fn new(blobs: Vec<(BlobKey, Stat)>, next: Option<Cursor>) -> Self {
        Page { blobs, foreign: Vec::new(), next }
    }
}

/// Named heads, each with its history: numbered generations, each written once and never changed.
pub trait Refs: Send + Sync {
    /// The newest generation of a ref; none if there is no such ref.
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>>;

    /// Moves a head from the generation `expected` to the next one; `None` makes the ref. Of many writers that expect the same
    /// generation exactly one succeeds. An update that took place already, told by its nonce, succeeds again without a second entry.
    ///
    /// Errors: [`StoreError::Stale`] if the head is elsewhere. After [`StoreError::Failed`] it may have moved or not:
    /// swap again with the same update.
    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry>;

    /// Moves many heads, each as [`swap`](Self::swap) does, and returns when all are durable: what became of each, in order. One that
    /// is refused holds none of the others up. Of two that move one head the first succeeds.
    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        Box::pin(async move {
            let mut all = Vec::with_capacity(batch.len());
            for RefSwap { name, expected, update } in batch {
                all.push(self.swap(name, *expected, update.clone()).await);
            }
            Ok(all)
        })
    }

    /// Generations before `before`, or from the newest on, newest first, at most `limit`. Each is checked against the digest
    /// that its successor holds.
    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>>;

    /// The names of refs that come after `after`, at most `limit`, in an order of the store's own that does not change.
    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>>;
}

/// Both in one.
pub trait Store: Blobs + Refs {}

impl<S: Blobs + Refs + ?Sized> Store for S {}
