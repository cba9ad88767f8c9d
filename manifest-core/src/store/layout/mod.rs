//! Blobs and refs as plain objects: one layout for folders and for buckets.

mod blobs;
mod refs;
#[cfg(test)]
mod tests;

use super::{Created, ObjectPath, Objects, StoreError};

/// The object that says that this is a store, and of which version.
const MARKER: &str = "store-version";
/// The version of the layout.
const VERSION: u64 = 1;
/// What the marker holds before the version.
const KIND: &str = "manifest store ";

/// [`Blobs`](super::Blobs) and [`Refs`](super::Refs) over any store of plain [`Objects`]:
///
/// | object | what |
/// |---|---|
/// | `store-version` | `manifest store 1` and a line end |
/// | `text/ab/cdef…` | a text, named by the 64 digits of its digest, the first two as a folder |
/// | `node/ab/cdef…`, `lease/ab/cdef…` | likewise |
/// | `refs/<name>/<20 digits>` | one generation of a ref |
/// | `refs/<name>/hint` | a recent generation, in digits: where the search for the newest one starts; nothing depends on it |
#[derive(Debug)]
pub struct Layout<O> {
    objects: O,
}

impl<O: Objects> Layout<O> {
    /// Opens a store.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] if nothing says that there is one, [`StoreError::OtherVersion`],
    /// [`StoreError::Unsupported`] without create-only writes.
    pub async fn open(objects: O) -> Result<Self, StoreError> {
        objects.capabilities().admit()?;
        let not_a_store =
            |found: &str| StoreError::NotAStore { place: objects.place(), found: found.to_owned() };
        let Some(bytes) = objects.read(&ObjectPath::new(MARKER)).await? else {
            return Err(not_a_store("its `store-version` is missing"));
        };
        let version = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.strip_prefix(KIND)?.strip_suffix('\n')?.parse().ok())
            .ok_or_else(|| not_a_store("its `store-version` holds something else"))?;
        if version != VERSION {
            let object = objects.place();
            return Err(StoreError::OtherVersion { object, found: version, supported: VERSION });
        }
        Ok(Layout { objects })
    }

    /// Makes a store, or opens the one that is there.
    ///
    /// # Errors
    /// As [`open`](Self::open), but for a store that is missing.
    pub async fn create(objects: O) -> Result<Self, StoreError> {
        objects.capabilities().admit()?;
        let marker = format!("{KIND}{VERSION}\n");
        objects.create(&ObjectPath::new(MARKER), marker.as_bytes()).await?;
        Layout::open(objects).await
    }

    /// A store that cannot outlive its maker, so that it needs no marker.
    pub(super) fn unmarked(objects: O) -> Self {
        Layout { objects }
    }

    /// The objects below.
    pub fn objects(&self) -> &O {
        &self.objects
    }

    /// After `Exists`: whether the bytes there are the given ones, as young as if they had been written now. None if the object has
    /// gone meanwhile.
    async fn same(&self, path: &ObjectPath, bytes: &[u8]) -> Result<Option<bool>, StoreError> {
        // Refreshed first: an object that is still there afterwards is too young for any sweep that looks at it from now on.
        self.objects.refresh(path).await?;
        Ok(self.objects.read(path).await?.map(|there| there == bytes))
    }

    async fn put_path(&self, path: &ObjectPath, bytes: &[u8]) -> Result<Option<bool>, StoreError> {
        match self.objects.create(path, bytes).await? {
            Created::New => Ok(Some(true)),
            Created::Exists => self.same(path, bytes).await,
        }
    }
}
