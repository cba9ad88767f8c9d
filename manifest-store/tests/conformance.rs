//! The conformance suite on folders.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use manifest_core::NodeId;
use manifest_core::store::conformance::{Adapter, Bench, conform};
use manifest_core::store::{BlobKey, Blobs, Event, RefName, RefUpdate, Refs, Store, StoreFuture, block_on};
use manifest_store::FileStore;
use tempfile::TempDir;

struct Folders;

struct Folder {
    _temporary: TempDir,
    path: PathBuf,
}

fn file_of(store: &Path, key: BlobKey) -> PathBuf {
    let digits = key.digest.to_string();
    store.join(key.space.as_str()).join(&digits[..2]).join(&digits[2..])
}

impl Adapter for Folders {
    fn bench(&self) -> StoreFuture<'_, Box<dyn Bench>> {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("store");
        FileStore::create(&path).unwrap();
        Box::pin(async move { Ok(Box::new(Folder { _temporary: temporary, path }) as Box<dyn Bench>) })
    }
}

impl Bench for Folder {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move { Ok(Arc::new(FileStore::open(&self.path)?) as Arc<dyn Store>) })
    }

    fn alter<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        fs::write(file_of(&self.path, key), bytes).unwrap();
        Box::pin(async { Ok(()) })
    }

    fn torn<'a>(&'a self, _: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        fs::create_dir_all(self.path.join("tmp")).unwrap();
        fs::write(self.path.join("tmp/put-0killed"), &bytes[..bytes.len() / 2]).unwrap();
        Box::pin(async { Ok(()) })
    }
}

#[test]
fn folders_conform() {
    block_on(conform(&Folders)).unwrap().verdict().unwrap();
}

#[test]
fn a_store_is_found_by_whoever_reads_folders() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::create(folder.path()).unwrap();
    block_on(store.put(BlobKey::of_text(b"abc"), b"abc")).unwrap();
    let target = NodeId::from_digest(BlobKey::of_text(b"n").digest);
    block_on(store.swap(&RefName::new("team/main").unwrap(), None, RefUpdate::new(target, Event::Commit)))
        .unwrap();
    let text = "text/64/37b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
    assert_eq!(fs::read(folder.path().join(text)).unwrap(), b"abc");
    assert_eq!(fs::read_to_string(folder.path().join("store-version")).unwrap(), "manifest store 1\n");
    assert!(folder.path().join("refs/team/main/00000000000000000001").is_file());
    assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0, "unfinished files are left");
}
