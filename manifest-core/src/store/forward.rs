//! A pointer to a store is a store.

use std::sync::Arc;

use super::{
    BlobKey, Blobs, Capabilities, Cursor, Page, RefEntry, RefName, RefSwap, RefUpdate, Refs, Space, Stat,
    StoreError, StoreFuture,
};

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<S: Blobs + ?Sized> Blobs for $pointer {
            fn capabilities(&self) -> Capabilities {
                (**self).capabilities()
            }

            fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
                (**self).put(key, bytes)
            }

            fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
                (**self).put_many(batch)
            }

            fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
                (**self).get(key)
            }

            fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
                (**self).head(key)
            }

            fn exists(&self, key: BlobKey) -> StoreFuture<'_, bool> {
                (**self).exists(key)
            }

            fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
                (**self).delete(key)
            }

            fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
                (**self).scan(space, after, limit)
            }
        }

        impl<S: Refs + ?Sized> Refs for $pointer {
            fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
                (**self).read(name)
            }

            fn swap<'a>(
                &'a self,
                name: &'a RefName,
                expected: Option<u64>,
                update: RefUpdate,
            ) -> StoreFuture<'a, RefEntry> {
                (**self).swap(name, expected, update)
            }

            fn swap_many<'a>(
                &'a self,
                batch: &'a [RefSwap],
            ) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
                (**self).swap_many(batch)
            }

            fn history<'a>(
                &'a self,
                name: &'a RefName,
                before: Option<u64>,
                limit: usize,
            ) -> StoreFuture<'a, Vec<RefEntry>> {
                (**self).history(name, before, limit)
            }

            fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
                (**self).list(after, limit)
            }
        }
    )*};
}

pointers!(Arc<S>, Box<S>, &S);
