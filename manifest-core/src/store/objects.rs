//! What a plain store of named objects must offer, for `Layout` to make `Blobs` and `Refs` of it.

use std::fmt;

use super::{Capabilities, Moment, StoreFuture};

/// The name of an object: segments between slashes. Made of parsed digests and checked names only, so an adapter may append it to
/// its own root.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectPath(String);

impl ObjectPath {
    pub(crate) fn new(path: impl Into<String>) -> Self {
        ObjectPath(path.into())
    }

    /// The path, without a slash at either end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectPath({:?})", self.0)
    }
}

/// What became of a create-only write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// The object was written.
    New,
    /// One of that name was there; it was left as it is.
    Exists,
}

/// Size and age of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stat {
    /// Size, bytes.
    pub size: u64,
    /// When it was last written or put again, by the store's clock; none if the store has no clock, and then it is never old
    /// enough to be swept.
    pub written: Option<Moment>,
}

impl Stat {
    /// Of `size` bytes, written at `written`.
    pub const fn new(size: u64, written: Option<Moment>) -> Self {
        Stat { size, written }
    }
}

/// A plain store of named, immutable objects: a folder, a bucket, a table. `Layout` makes [`Blobs`](super::Blobs) and
/// [`Refs`](super::Refs) of it, so that an adapter is these few operations.
///
/// What is acknowledged is durable, if the store says so, and visible to every reader at once; no reader ever sees a part of an object.
pub trait Objects: Send + Sync {
    /// What the store can do.
    fn capabilities(&self) -> Capabilities;

    /// Where the store is, for errors.
    fn place(&self) -> String;

    /// Writes an object unless there is one of that name. Of many writers exactly one gets [`Created::New`]. `Exists` means that the
    /// other one's object is whole and durable.
    fn create<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, Created>;

    /// Writes many objects, each as [`create`](Self::create) does, and returns when all are durable: what became of each, in order.
    fn create_many<'a>(&'a self, batch: &'a [(ObjectPath, &'a [u8])]) -> StoreFuture<'a, Vec<Created>> {
        Box::pin(async move {
            let mut all = Vec::with_capacity(batch.len());
            for (path, bytes) in batch {
                all.push(self.create(path, bytes).await?);
            }
            Ok(all)
        })
    }

    /// Writes an object whether there is one or not. Only for hints: the last writer wins, and it need not be durable.
    fn replace<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, ()>;

    /// Makes an object as young as if it were written now, where objects have an age. Nothing happens if there is none.
    fn refresh<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, ()>;

    /// The bytes of an object; none if there is none.
    fn read<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Vec<u8>>>;

    /// Size and age of an object; none if there is none.
    fn stat<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Stat>>;

    /// Removes an object; whether there was one.
    fn remove<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, bool>;

    /// The names below the folder `folder` that come after `after`, at most `limit`, in the order of their bytes: full paths as
    /// they stand in the store, whoever wrote them.
    fn list<'a>(
        &'a self,
        folder: &'a ObjectPath,
        after: Option<&'a ObjectPath>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<(String, Stat)>>;
}
