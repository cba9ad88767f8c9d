//! Objects as files.

mod folders;
mod list;
mod write;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use manifest_core::store::{
    Capabilities, Created, Moment, ObjectPath, Objects, Stat, StoreError, StoreFuture,
};

pub(crate) use folders::make_folder;

/// Where files are written before they are put in place.
const UNFINISHED: &str = "tmp";

/// The files below a folder.
#[derive(Debug)]
pub(crate) struct Files {
    root: PathBuf,
    folders: folders::Known,
}

impl Files {
    pub(crate) fn new(root: PathBuf) -> Self {
        Files { root, folders: folders::Known::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn file(&self, path: &ObjectPath) -> PathBuf {
        self.root.join(path.as_str())
    }

    /// What stands at a path, if it is a file; a link or a folder is no object, whatever it leads to.
    fn look(&self, path: &ObjectPath) -> Result<Option<fs::Metadata>, StoreError> {
        match fs::symlink_metadata(self.file(path)) {
            Ok(meta) if meta.is_file() => Ok(Some(meta)),
            Ok(meta) => {
                let found = if meta.is_symlink() { "it is a symbolic link" } else { "it is no file" };
                Err(StoreError::Corrupt { object: path.to_string(), found: found.to_owned() })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("look at", path, error)),
        }
    }

    fn failed(&self, operation: &'static str, path: &ObjectPath, error: io::Error) -> StoreError {
        StoreError::from_io(operation, self.file(path).display().to_string(), error)
    }

    fn read_now(&self, path: &ObjectPath) -> Result<Option<Vec<u8>>, StoreError> {
        if self.look(path)?.is_none() {
            return Ok(None);
        }
        match fs::read(self.file(path)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("read", path, error)),
        }
    }

    fn refresh_now(&self, path: &ObjectPath) -> Result<(), StoreError> {
        let file = self.file(path);
        match File::open(&file).and_then(|open| open.set_modified(SystemTime::now())) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            // Another user's file: only its owner may set its time, but who may write to the folder may put the same bytes in its place.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => match self.read_now(path)? {
                Some(bytes) => self.replace_now(path, &bytes),
                None => Ok(()),
            },
            Err(error) => Err(self.failed("refresh", path, error)),
        }
    }

    fn remove_now(&self, path: &ObjectPath) -> Result<bool, StoreError> {
        let file = self.file(path);
        match fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(self.failed("delete", path, error)),
        }
        folders::sync_parent(&file).map_err(|error| self.failed("delete", path, error))?;
        Ok(true)
    }

    pub(crate) fn clear_unfinished(&self, age: Duration) -> Result<usize, StoreError> {
        let folder = self.root.join(UNFINISHED);
        let failed = |error| StoreError::from_io("clear", folder.display().to_string(), error);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed(error)),
        };
        let mut cleared = 0;
        for entry in entries {
            let entry = entry.map_err(failed)?;
            // Gone meanwhile: its writer has put it in place.
            let Ok(meta) = fs::symlink_metadata(entry.path()) else { continue };
            let old = meta.modified().is_ok_and(|m| m.elapsed().is_ok_and(|elapsed| elapsed >= age));
            if meta.is_file() && old {
                match fs::remove_file(entry.path()) {
                    Ok(()) => cleared += 1,
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(failed(error)),
                }
            }
        }
        Ok(cleared)
    }
}

fn stat(meta: &fs::Metadata) -> Stat {
    Stat::new(meta.len(), meta.modified().ok().map(Moment::from))
}

impl Objects for Files {
    fn capabilities(&self) -> Capabilities {
        // Elsewhere a folder cannot be synced, so a name may be lost with the power.
        Capabilities::none().create_only(true).durable(cfg!(unix)).list_after_write(true).written(true)
    }

    fn place(&self) -> String {
        self.root.display().to_string()
    }

    fn create<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, Created> {
        Box::pin(async move { self.create_now(path, bytes) })
    }

    fn create_many<'a>(&'a self, batch: &'a [(ObjectPath, &'a [u8])]) -> StoreFuture<'a, Vec<Created>> {
        Box::pin(async move { self.create_all(batch) })
    }

    fn replace<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.replace_now(path, bytes) })
    }

    fn refresh<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.refresh_now(path) })
    }

    fn read<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move { self.read_now(path) })
    }

    fn stat<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Stat>> {
        Box::pin(async move { Ok(self.look(path)?.as_ref().map(stat)) })
    }

    fn remove<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, bool> {
        Box::pin(async move { self.remove_now(path) })
    }

    fn list<'a>(
        &'a self,
        folder: &'a ObjectPath,
        after: Option<&'a ObjectPath>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<(String, Stat)>> {
        Box::pin(async move { self.list_now(folder.as_str(), after.map(ObjectPath::as_str), limit) })
    }
}
