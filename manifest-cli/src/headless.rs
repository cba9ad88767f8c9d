//! A head that names no root, although the store may hold some: what happened, and what can be done.

use crate::error::Failure;
use manifest_core::NodeId;
use manifest_core::store::{Blobs, Space};
use manifest_core::tree::Tree;
use manifest_store::FileStore;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Leaves and nodes that are looked at for a root.
const MOST: usize = 50_000;
/// Names that a scan gives at once.
const PAGE: usize = 1000;
/// Roots and heads that are named.
const NAMED: usize = 3;

/// What a store holds beside a head that names nothing.
#[derive(Debug)]
pub(crate) struct Headless {
    head: String,
    store: PathBuf,
    /// The generation that the head once had, by its hint.
    hint: Option<u64>,
    /// Other heads.
    others: Vec<String>,
    /// Nodes that no other one stands above, the highest first.
    roots: Vec<(u32, NodeId)>,
}

impl Headless {
    /// Looks at the store.
    pub(crate) async fn of(
        tree: &Tree<'_, FileStore>,
        store: &FileStore,
        at: &Path,
    ) -> Result<Self, Failure> {
        let head = tree.name().to_string();
        let hint = std::fs::read_to_string(at.join("refs").join(&head).join("hint"));
        let others =
            tree.heads().await?.iter().map(ToString::to_string).filter(|name| *name != head).collect();
        Ok(Headless {
            hint: hint.ok().and_then(|text| text.parse().ok()),
            others,
            roots: roots(tree, store).await?,
            head,
            store: at.to_owned(),
        })
    }

    /// Whether the head once named something, or the store holds nodes that nothing names.
    pub(crate) fn is_odd(&self) -> bool {
        self.hint.is_some() || !self.roots.is_empty() && self.others.is_empty()
    }

    /// What happened, and what can be done, without the name of the store.
    pub(crate) fn story(&self) -> String {
        let head = crate::visible::plain(&self.head);
        let what = match self.hint {
            Some(generation) => format!(
                "the head `{head}` names no root, and once named generation {generation}: its entries are gone from refs/{head}"
            ),
            None if self.is_odd() => format!(
                "the head `{head}` names no root: its entries are gone, or no run has come to its end"
            ),
            None => format!("the head `{head}` names no root yet"),
        };
        let others = match self.others.as_slice() {
            [] => String::new(),
            others => format!("; other heads: {}", named(others)),
        };
        if !self.is_odd() || self.roots.is_empty() {
            return format!(
                "{what}{others}; build one with `manifest run FILE`, or name another with --head"
            );
        }
        let roots: Vec<String> =
            self.roots.iter().map(|(level, id)| format!("{id} (level {level})")).collect();
        format!(
            "{what}{others}; the store holds nodes that nothing stands above: {}. Check one with `manifest verify --root ID` and ask it \
             with --root ID; `manifest run` with the same input builds the tree from what stands, and names its root again",
            named(&roots)
        )
    }
}

impl fmt::Display for Headless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.store.display(), self.story())
    }
}

fn named(texts: &[String]) -> String {
    let more = texts.len().saturating_sub(NAMED);
    let shown = texts.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// The nodes that no other one stands above, the highest first. What cannot be read is passed over: this only helps on.
async fn roots(tree: &Tree<'_, FileStore>, store: &FileStore) -> Result<Vec<(u32, NodeId)>, Failure> {
    let (mut nodes, mut below, mut seen) = (Vec::new(), HashSet::new(), 0);
    let mut after = None;
    loop {
        let page = store.scan(Space::Node, after, PAGE).await?;
        for (key, _) in &page.blobs {
            seen += 1;
            let Ok(manifest) = tree.manifest(NodeId::from_digest(key.digest)).await else { continue };
            below.extend(manifest.children());
            if manifest.level() > 0 {
                nodes.push((manifest.level(), manifest.id()));
            }
        }
        after = page.next;
        if after.is_none() || seen >= MOST {
            break;
        }
    }
    nodes.retain(|(_, id)| !below.contains(id));
    nodes.sort_by_key(|(level, id)| (std::cmp::Reverse(*level), *id));
    Ok(nodes)
}
