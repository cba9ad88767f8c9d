//! A store in a folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use manifest_core::store::{
    BlobKey, Blobs, Capabilities, Cursor, Layout, Page, RefEntry, RefName, RefSwap, RefUpdate, Refs, Space,
    Stat, StoreError, StoreFuture, block_on,
};

use crate::files::{Files, make_folder};

/// A store in a folder, as [`Layout`] describes it: `text/ab/cdef…`, `node/ab/cdef…`, `refs/<name>/<20 digits>`.
///
/// An object is written to `tmp/`, synced, and put in place under its name in one step that never overwrites; then its folder is synced.
/// So a reader needs no lock, a killed writer leaves at most a file in `tmp/`, and what is acknowledged survives the loss of power.
/// `rsync`, `tar` and `git` read the folder as it is; copy `refs/` last.
///
/// Its futures do their work when they are polled, on the thread that polls, and are ready at once: a program without a runtime waits
/// for them with [`block_on`]; on a runtime, poll them where threads may block.
///
/// Writers of several users on one folder need write access to each other's folders, not to each other's files. A network file system
/// must have atomic renames or links. On Windows folders cannot be synced, so the store does not call itself durable there.
#[derive(Debug)]
pub struct FileStore {
    layout: Layout<Files>,
}

impl FileStore {
    /// Opens the store in a folder.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] if there is no folder or it holds something else, [`StoreError::OtherVersion`], and those of the file
    /// system.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let root = root(path.as_ref())?;
        match fs::metadata(&root) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(not_a_store(&root, "it is no folder")),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Err(not_a_store(&root, "there is nothing"));
            }
            Err(error) => return Err(StoreError::from_io("open", root.display().to_string(), error)),
        }
        let layout = block_on(Layout::open(Files::new(root)))?;
        Ok(FileStore { layout })
    }

    /// Makes a store in a folder, which is made if it is missing, or opens the one that is there.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] if the path is a file, or a folder that holds something else; [`StoreError::OtherVersion`], and those
    /// of the file system.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let root = root(path.as_ref())?;
        if fs::metadata(&root).is_ok_and(|meta| !meta.is_dir()) {
            return Err(not_a_store(&root, "it is no folder"));
        }
        make_folder(&root)
            .map_err(|e| StoreError::from_io("make the folder", root.display().to_string(), e))?;
        if !root.join("store-version").exists() {
            let entries = fs::read_dir(&root).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let entries = entries.map_err(|e| StoreError::from_io("list", root.display().to_string(), e))?;
            // Whoever was killed while making a store left `tmp`; hidden files and `lost+found` belong to systems, not to users.
            let foreign = entries.iter().map(|e| e.file_name().to_string_lossy().into_owned()).find(|name| {
                name != "tmp" && name != "lost+found" && name != "store-version" && !name.starts_with('.')
            });
            if let Some(foreign) = foreign {
                let found = format!("the folder holds `{}` already", foreign.escape_debug());
                return Err(not_a_store(&root, &found));
            }
        }
        let layout = block_on(Layout::create(Files::new(root)))?;
        Ok(FileStore { layout })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.layout.objects().root()
    }

    /// Removes what writers left unfinished in `tmp/` that has not been written to for `age`: how many files. Files of writers that
    /// are at work are younger than a few seconds, so an hour is ample.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn clear_unfinished(&self, age: Duration) -> Result<usize, StoreError> {
        self.layout.objects().clear_unfinished(age)
    }
}

/// The path from the root of the file system, so that it goes on meaning the same when the working folder changes.
fn root(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path).map_err(|e| StoreError::from_io("find", path.display().to_string(), e))
}

fn not_a_store(root: &Path, found: &str) -> StoreError {
    StoreError::NotAStore { place: root.display().to_string(), found: found.to_owned() }
}

impl Blobs for FileStore {
    fn capabilities(&self) -> Capabilities {
        self.layout.capabilities()
    }

    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        self.layout.put(key, bytes)
    }

    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
        self.layout.put_many(batch)
    }

    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.layout.get(key)
    }

    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
        self.layout.head(key)
    }

    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        self.layout.delete(key)
    }

    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
        self.layout.scan(space, after, limit)
    }
}

impl Refs for FileStore {
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
        self.layout.read(name)
    }

    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry> {
        self.layout.swap(name, expected, update)
    }

    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        self.layout.swap_many(batch)
    }

    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>> {
        self.layout.history(name, before, limit)
    }

    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
        self.layout.list(after, limit)
    }
}
