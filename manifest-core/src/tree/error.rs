//! Why a tree could not do what it was asked.

use crate::manifest::{EmbeddedError, FormatError, NodeId, SealError};
use crate::node::{Gated, Node};
use crate::store::{NameError, RefName, StoreError};
use std::fmt;

/// Why a tree could not do what it was asked. Nothing that was acknowledged is lost by it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The name is none for a head.
    #[error("`{0}` names what the tree remembers, no head: choose another name")]
    Reserved(String),
    /// A child is no leaf or node of a store.
    #[error("child {child} does not stand in the store: pass what `ingest` or `commit` gave")]
    ChildNotStored {
        /// Which, from 0.
        child: usize,
    },
    /// A node or leaf that something refers to is not there.
    #[error("{id} is missing in the store: take it from another copy, or name another root")]
    Missing {
        /// Which.
        id: NodeId,
    },
    /// A text is not there, and no record says that it was reclaimed.
    #[error("the text of {id} is missing in the store, and was not reclaimed: take it from another copy")]
    TextMissing {
        /// Whose.
        id: NodeId,
    },
    /// The text of a leaf was reclaimed.
    #[error("the text of {id} was reclaimed: its facts and digests are kept, its bytes are not")]
    Reclaimed {
        /// Whose.
        id: NodeId,
    },
    /// A manifest cannot be read or made.
    #[error("the manifest of {id}: {source}")]
    Manifest {
        /// Whose.
        id: String,
        /// Why.
        source: FormatError,
    },
    /// What is to be made again holds something critical that this version does not know.
    #[error(
        "the critical section `{name}` of {id} is unknown to this version: upgrade before it is made again"
    )]
    UnknownSection {
        /// Whose.
        id: NodeId,
        /// Its name.
        name: String,
    },
    /// The permit is of another head.
    #[error("the permit is of the head {permit}, this tree's is {tree}")]
    OtherHead {
        /// Of the permit.
        permit: RefName,
        /// Of the tree.
        tree: RefName,
    },
    /// Another process moved the head after the root was probed: nothing was deleted.
    #[error("the head {name} has moved since its root was probed, from generation {permit} to {}: nothing was deleted; probe what it names now", .found.unwrap_or(0))]
    HeadMoved {
        /// The head.
        name: RefName,
        /// The generation that the permit is of.
        permit: u64,
        /// The generation that stands there.
        found: Option<u64>,
    },
    /// The record of a sweep is missing.
    #[error(
        "the record of the sweep that generation {generation} logs is missing: take it from another copy of the store"
    )]
    LogMissing {
        /// The generation of the head.
        generation: u64,
    },
    /// The tree has more nodes than are looked at.
    #[error("the tree has more than {nodes} leaves and nodes")]
    TooLarge {
        /// The limit.
        nodes: usize,
    },
    /// What stands in a summary's own field for its manifest cannot be carried along.
    #[error("the summary's own manifest: {0}")]
    Embedded(#[from] EmbeddedError),
    /// No manifest of a node could be made.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The head does not name this root.
    #[error("the head names {}, not {root}: publish the root first, or probe what the head names", shown(*.head))]
    NotTheHead {
        /// What was given.
        root: NodeId,
        /// What the head names.
        head: Option<NodeId>,
    },
}

fn shown(head: Option<NodeId>) -> String {
    head.map_or_else(|| "nothing yet".to_owned(), |id| id.to_string())
}

impl From<NameError> for TreeError {
    fn from(source: NameError) -> Self {
        TreeError::Store(source.into())
    }
}

/// A gated node that could not be stored. It comes back, to be committed again.
#[non_exhaustive]
pub struct NotStored<S> {
    /// The node, which has still passed its gate.
    pub node: Node<S, Gated>,
    /// Why.
    pub source: TreeError,
}

impl<S> fmt::Debug for NotStored<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotStored").field("source", &self.source).finish_non_exhaustive()
    }
}

impl<S> fmt::Display for NotStored<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the node is not stored: {}", self.source)
    }
}

impl<S> std::error::Error for NotStored<S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
