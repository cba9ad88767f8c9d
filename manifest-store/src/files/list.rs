//! Names below a folder, in order.

use std::fs;
use std::io::ErrorKind;

use manifest_core::store::{Stat, StoreError};

use super::{Files, stat};

/// Folders within folders that a listing goes into. No name of the store is deeper than its 200 bytes allow.
const DEEPEST: usize = 110;

impl Files {
    /// Files, links and whatever else is no folder, below `folder`, after `after`. Links are listed and not followed.
    pub(super) fn list_now(
        &self,
        folder: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Stat)>, StoreError> {
        let mut listed = Vec::new();
        // The folders that are open, each with what is left of it, last first.
        let mut open = vec![self.entries(folder, after)?];
        while listed.len() < limit {
            let Some(entries) = open.last_mut() else { break };
            match entries.pop() {
                None => {
                    open.pop();
                }
                Some(Entry { path, folder: true }) if open.len() < DEEPEST => {
                    let inner = self.entries(path.trim_end_matches('/'), after)?;
                    open.push(inner);
                }
                Some(Entry { path, .. }) => {
                    // What has gone since is no longer there to be listed.
                    if let Ok(meta) = fs::symlink_metadata(self.root().join(&path)) {
                        listed.push((path, stat(&meta)));
                    }
                }
            }
        }
        Ok(listed)
    }

    /// What stands in a folder and comes after `after`, last first. A folder that is missing is empty.
    fn entries(&self, folder: &str, after: Option<&str>) -> Result<Vec<Entry>, StoreError> {
        let full = self.root().join(folder);
        let failed = |error| StoreError::from_io("list", full.display().to_string(), error);
        let read = match fs::read_dir(&full) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut entries = Vec::new();
        for entry in read {
            let entry = entry.map_err(failed)?;
            let is_folder = match entry.file_type() {
                Ok(kind) => kind.is_dir(),
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            // A slash at the end sorts a folder where the names in it sort.
            let slash = if is_folder { "/" } else { "" };
            let path = format!("{folder}/{}{slash}", entry.file_name().to_string_lossy());
            let passed = after.is_some_and(|after| path.as_str() <= after);
            if !passed || (is_folder && after.is_some_and(|after| after.starts_with(&path))) {
                entries.push(Entry { path, folder: is_folder });
            }
        }
        entries.sort_unstable_by(|a, b| b.path.cmp(&a.path));
        Ok(entries)
    }
}

struct Entry {
    path: String,
    folder: bool,
}
