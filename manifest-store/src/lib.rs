//! Stores for what `manifest-core` commits: adapters of its traits `Blobs` and `Refs`.
//!
//! [`FileStore`] keeps a store in a folder. It needs no set-up and no server, any process may read while another one writes, and what is
//! acknowledged survives the loss of power.
//!
//! ```
//! use manifest_core::store::{BlobKey, Blobs, block_on};
//! use manifest_store::FileStore;
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("store");
//! let store = FileStore::create(&path)?;
//! let text = b"the retry limit is 5";
//! block_on(store.put(BlobKey::of_text(text), text))?;
//!
//! let reader = FileStore::open(&path)?;
//! assert_eq!(block_on(reader.get(BlobKey::of_text(text)))?.as_deref(), Some(&text[..]));
//! # Ok::<(), manifest_core::store::StoreError>(())
//! ```

mod files;
mod store;

pub use store::FileStore;
