//! Folders, made and synced.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folders that this handle has seen to be durable.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<HashSet<PathBuf>>);

/// What a write has to sync before it is acknowledged.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Folders in which a name is new, or may be.
    pub(super) folders: BTreeSet<PathBuf>,
    /// Folders whose own names are durable once those are synced.
    fresh: BTreeSet<PathBuf>,
}

impl Known {
    /// Makes a folder below `root`, with those above it. A folder that is there may have been made by a process that has not come to
    /// syncing its name, so the name of each is synced once by each handle.
    pub(super) fn make(&self, root: &Path, folder: &Path, touched: &mut Touched) -> io::Result<()> {
        if folder == root || touched.fresh.contains(folder) || self.lock().contains(folder) {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make(root, parent, touched)?;
            make_one(folder)?;
            touched.folders.insert(parent.to_owned());
        }
        touched.fresh.insert(folder.to_owned());
        Ok(())
    }

    /// What was touched has been synced.
    pub(super) fn synced(&self, touched: Touched) {
        self.lock().extend(touched.fresh);
    }

    /// Somebody has removed folders.
    pub(super) fn forget(&self, touched: &mut Touched) {
        self.lock().clear();
        touched.fresh.clear();
    }

    /// A set is whole after every change of it.
    fn lock(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a folder where there is none. A link to a folder is none: what is written through it would stand outside of the store.
pub(super) fn make_one(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(folder)?.is_dir() {
                return Ok(());
            }
            let text = format!("{} is in the way: a folder must stand there, and no link", folder.display());
            Err(io::Error::new(ErrorKind::NotADirectory, text))
        }
        Err(error) => Err(error),
    }
}

/// Makes a folder, with those above it, and syncs the names that it made. Links on the way are the user's choice.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_folder(parent)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    sync_parent(folder)
}

/// Makes the names in the folder of a path durable.
pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync)
}

/// Makes the names in a folder durable.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    // Windows cannot sync a folder.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
