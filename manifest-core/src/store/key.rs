//! What a blob is called.

use std::fmt;

use super::{Digest, NodeId, TextDigest};

/// What kind of bytes a blob holds, and so how its digest is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Space {
    /// The text of a leaf or of a summary, byte for byte; named by its plain BLAKE3.
    Text,
    /// The manifest of a node; named by the node's id.
    Node,
    /// The lease of a writer; named by its plain BLAKE3.
    Lease,
}

impl Space {
    /// Every space.
    pub const ALL: &'static [Space] = &[Space::Text, Space::Node, Space::Lease];

    /// Its name, as stores write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Space::Text => "text",
            Space::Node => "node",
            Space::Lease => "lease",
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name of a blob: its space and its digest. It is made of a digest only, so no name leads out of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobKey {
    /// The space.
    pub space: Space,
    /// The digest.
    pub digest: Digest,
}

impl BlobKey {
    /// The key of `digest` in `space`.
    pub const fn new(space: Space, digest: Digest) -> Self {
        BlobKey { space, digest }
    }

    /// The key of the text with this digest.
    pub const fn text(digest: TextDigest) -> Self {
        BlobKey::new(Space::Text, digest.digest())
    }

    /// The key of the manifest of this node.
    pub const fn node(id: NodeId) -> Self {
        BlobKey::new(Space::Node, id.digest())
    }

    /// The key of a text: its plain BLAKE3, as `b3sum` prints it.
    pub fn of_text(text: &[u8]) -> Self {
        BlobKey::new(Space::Text, Digest::of_text(text))
    }
}

/// As it is written in errors and as the path of its object without the shard: `text/<64 digits>`.
impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.space, self.digest)
    }
}
