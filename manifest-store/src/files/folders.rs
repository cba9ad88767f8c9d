//! Folders, made and synced.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders that this handle has seen to be durable, names below the root.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<HashSet<PathBuf>>);

impl Known {
    /// Makes a folder below `root`, with those above it, and syncs each name that this handle has not synced before: a folder that is
    /// there may have been made by a process that has not come to syncing it.
    pub(super) fn make(&self, root: &Path, folder: &Path) -> io::Result<()> {
        if folder == root || self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(folder) {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make(root, parent)?;
        }
        make_one(folder)?;
        sync_parent(folder)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
        Ok(())
    }

    /// Somebody has removed folders.
    pub(super) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Makes a folder where there is none. A link to a folder is none: what is written through it would stand outside of the store.
fn make_one(folder: &Path) -> io::Result<()> {
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
