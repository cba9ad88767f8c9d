//! Why a store did not do what it was asked.

use std::error::Error;
use std::io;

use super::{BlobKey, NameError, RefName};

/// Why a store did not do what it was asked: the object, what was expected, what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The bytes under a name are not those that the name stands for.
    #[error(
        "{object} is corrupt: {found}: take it from another copy of the store, or delete it and store it anew"
    )]
    Corrupt {
        /// The object, as the store names it.
        object: String,
        /// What is wrong with it.
        found: String,
    },
    /// Other bytes stand under the name already.
    #[error("{key} exists with other bytes: one of the two is corrupt; verify the store before writing on")]
    Conflict {
        /// The blob.
        key: BlobKey,
    },
    /// Bytes were given under a name that is not theirs; nothing was written.
    #[error(
        "{key} was given bytes whose digest is another: compute the key from the very bytes that are stored"
    )]
    WrongKey {
        /// The key that was given.
        key: BlobKey,
    },
    /// An object that must be there is not.
    #[error("{object} is missing: take it from another copy of the store")]
    Absent {
        /// The object.
        object: String,
    },
    /// The head has moved since it was read; nothing was written.
    #[error(
        "ref {name} is at {}, not at {}: read it again and build on what is there",
        generation(*found), generation(*expected)
    )]
    Stale {
        /// The ref.
        name: RefName,
        /// The generation that the caller had read.
        expected: Option<u64>,
        /// The generation that is the newest.
        found: Option<u64>,
    },
    /// No ref can have that name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The store, or one of its objects, was written in another version of the format.
    #[error(
        "{object} has format version {found}, this program reads version {supported}: {}",
        if found > supported { "use a newer program" } else { "migrate the store with the program that wrote it" }
    )]
    OtherVersion {
        /// The store or the object.
        object: String,
        /// The version found.
        found: u64,
        /// The version that this program reads.
        supported: u64,
    },
    /// There is no store at that place.
    #[error("{place} is not a store: {found}; create one there first, or check the path")]
    NotAStore {
        /// The place.
        place: String,
        /// What is there.
        found: String,
    },
    /// The store lacks what the work needs.
    #[error("the store has no {what}: {why}; use another store")]
    Unsupported {
        /// What is missing.
        what: &'static str,
        /// What would go wrong.
        why: &'static str,
    },
    /// A value is too large to be stored.
    #[error("{what} has {size}; at most {limit} can be stored: shorten it")]
    TooLarge {
        /// The value.
        what: String,
        /// Its size, in bytes or in numbers.
        size: u64,
        /// The largest that can be stored.
        limit: u64,
    },
    /// The lease has expired or was released; its writer must take a new one and put its blobs again.
    #[error("lease {key} is no longer live: take a new one and put again what was put under it")]
    LeaseLost {
        /// The lease.
        key: BlobKey,
    },
    /// No room is left.
    #[error("{operation} {object}: no room is left: free some and try again; nothing acknowledged is lost")]
    Full {
        /// What was done.
        operation: &'static str,
        /// The object.
        object: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store may not be accessed in that way.
    #[error("{operation} {object}: permission denied: give this user access, or use another store")]
    Denied {
        /// What was done.
        operation: &'static str,
        /// The object.
        object: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store can be read only.
    #[error("{operation} {object}: the store cannot be written: mount it writable, or use another store")]
    ReadOnly {
        /// What was done.
        operation: &'static str,
        /// The object.
        object: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Where a folder or file of the store should stand there is something else, or nothing can be made.
    #[error(
        "{operation} {object}: no store can stand there: choose another folder, or move what is in the way"
    )]
    Misplaced {
        /// What was done.
        operation: &'static str,
        /// The object.
        object: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store failed; whether a write took place is not known. Both kinds of write may be repeated: a put of the same
    /// bytes, and a swap with the same nonce.
    #[error("{operation} {object} failed: try again, and check the store if it goes on failing")]
    Failed {
        /// What was done.
        operation: &'static str,
        /// The object.
        object: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl StoreError {
    /// The error of an operation of the operating system on an object.
    pub fn from_io(operation: &'static str, object: impl Into<String>, source: io::Error) -> Self {
        use io::ErrorKind as K;
        let object = object.into();
        match source.kind() {
            // A limit on a file's size is how a container says that no room is left.
            K::StorageFull | K::QuotaExceeded | K::FileTooLarge => {
                StoreError::Full { operation, object, source: source.into() }
            }
            K::PermissionDenied => StoreError::Denied { operation, object, source: source.into() },
            K::ReadOnlyFilesystem => StoreError::ReadOnly { operation, object, source: source.into() },
            K::NotADirectory | K::IsADirectory => {
                StoreError::Misplaced { operation, object, source: source.into() }
            }
            _ => StoreError::Failed { operation, object, source: source.into() },
        }
    }

    /// Whether the same call may succeed later without a change of its arguments.
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::Failed { .. } | StoreError::Full { .. })
    }
}

fn generation(of: Option<u64>) -> String {
    of.map_or_else(|| "no generation".to_owned(), |g| format!("generation {g}"))
}
