//! The verbs that ask a tree: where a fact stands, where it was lost, what a sentence comes from, whether all is intact.

mod fact;
mod head;
mod node;
mod prove;
mod reclaim;
mod recover;
mod sound;

pub(crate) use fact::{LostArgs, OriginArgs, TraceArgs, end_kind, lost, origin, trace};
pub(crate) use head::{HistoryArgs, TrendArgs, history, trend};
pub(crate) use node::{ShowArgs, WhyArgs, show, why};
pub(crate) use prove::{ProveArgs, prove};
pub(crate) use reclaim::{GcArgs, ProbeArgs, gc, probe};
pub(crate) use recover::{RecoverArgs, recover};
pub(crate) use sound::{VerifyArgs, verify};

use crate::error::Failure;
use crate::place::{PlaceArgs, block};
use manifest_core::recover::{Outline, Sighting, TreeMap};
use manifest_core::tree::Tree;
use manifest_core::{NodeId, NodeManifest};
use manifest_store::FileStore;
use serde_json::Value;
use std::io::Write;

/// An open store with the nodes below the asked root; leaves are read when they are asked for.
struct Outlined {
    store: FileStore,
    head: String,
    root: NodeId,
    outline: Outline,
}

impl Outlined {
    fn open(place: &PlaceArgs) -> Result<Self, Failure> {
        let (store, root) = opened(place)?;
        let head = place.store.head().to_owned();
        let outline = block(Outline::load(&Tree::open(&store, &head)?, root))?;
        Ok(Outlined { store, head, root, outline })
    }

    fn tree(&self) -> Result<Tree<'_, FileStore>, Failure> {
        Ok(Tree::open(&self.store, &self.head)?)
    }

    /// The leaf or node of that name.
    fn find(&self, name: &str) -> Result<NodeId, Failure> {
        let found = block(self.outline.find(&self.tree()?, name))?;
        found.ok_or_else(|| Failure::NoSuchRoot { root: name.to_owned() })
    }
}

/// The store, and the root that is asked.
fn opened(place: &PlaceArgs) -> Result<(FileStore, NodeId), Failure> {
    let store = place.store.open()?;
    let root = block(place.root_of(&Tree::open(&store, place.store.head())?, &store))?;
    Ok((store, root))
}

/// A leaf's name, or the first digits of its id.
fn leaf_name(id: NodeId, source: Option<&str>) -> String {
    source.map_or_else(|| crate::place::short(id), crate::visible::plain)
}

/// The name of the leaf of a sighting.
fn place_of(sighting: &Sighting) -> String {
    leaf_name(sighting.leaf, sighting.source.as_deref())
}

/// An open store with the manifests below the asked root, those of the leaves too.
pub(crate) struct Asked {
    store: FileStore,
    head: String,
    pub(crate) root: NodeId,
    pub(crate) map: TreeMap,
}

impl Asked {
    pub(crate) fn open(place: &PlaceArgs) -> Result<Self, Failure> {
        let (store, root) = opened(place)?;
        let head = place.store.head().to_owned();
        let map = block(TreeMap::load(&Tree::open(&store, &head)?, root))?;
        Ok(Asked { store, head, root, map })
    }

    pub(crate) fn tree(&self) -> Result<Tree<'_, FileStore>, Failure> {
        Ok(Tree::open(&self.store, &self.head)?)
    }

    /// The leaf or node of that name, or the root.
    fn node(&self, name: Option<&str>) -> Result<&NodeManifest, Failure> {
        let found = match name {
            Some(name) => self.map.find(name),
            None => self.map.get(self.root),
        };
        found.ok_or_else(|| Failure::NoSuchRoot { root: name.unwrap_or_default().to_owned() })
    }

    /// The text of a leaf or node, while it is kept.
    pub(crate) fn text(&self, manifest: &NodeManifest) -> Result<Option<String>, Failure> {
        let tree = self.tree()?;
        block(tree.text_of(manifest))
    }

    /// A leaf's name, or the first digits of its id.
    fn name(&self, id: NodeId) -> String {
        leaf_name(id, self.map.get(id).and_then(|m| m.origin()).and_then(|origin| origin.source.as_deref()))
    }
}

/// One line of JSON.
pub(crate) fn print_json(value: &Value) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(Failure::Json)?;
    writeln!(out).map_err(Failure::Output)
}

/// Prints lines.
fn print(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    write(&mut out).map_err(Failure::Output)
}
