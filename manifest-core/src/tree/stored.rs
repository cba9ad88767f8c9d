//! A leaf or node that stands in a store, at hand to make others from.

use crate::child::{Child, Role};
use crate::manifest::NodeId;
use crate::node::AsChild;
use crate::probe::StatedRecall;
use std::borrow::Cow;
use std::sync::Arc;

/// A leaf or node that stands in a store: what [`Draft::trace`](crate::Draft::trace) makes the next level from. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Stored(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) id: NodeId,
    /// 0 for a leaf.
    pub(crate) level: u32,
    /// The ledger, if there is one, a blank line, and the text.
    pub(crate) body: String,
    /// Where in it the text begins.
    pub(crate) text: usize,
    pub(crate) name: Option<String>,
    pub(crate) role: Role,
    pub(crate) at: Option<String>,
    pub(crate) call: bool,
    pub(crate) required: Vec<String>,
    pub(crate) unknown_critical: Vec<String>,
    pub(crate) recall: StatedRecall,
}

/// What stands between a text and its ledger.
pub(crate) const BETWEEN: &str = "\n\n";

impl Stored {
    pub(crate) fn new(inner: Inner) -> Self {
        Stored(Arc::new(inner))
    }

    /// The id of its manifest.
    pub fn id(&self) -> NodeId {
        self.0.id
    }

    /// Summaries on the longest path from a leaf; 0 for a leaf.
    pub fn level(&self) -> u32 {
        self.0.level
    }

    /// Its text, without the ledger.
    pub fn text(&self) -> &str {
        self.0.body.get(self.0.text..).unwrap_or_default()
    }

    /// The ledger beside the text; empty if there is none.
    pub fn ledger(&self) -> &str {
        self.0.body.get(..self.0.text.saturating_sub(BETWEEN.len())).unwrap_or_default()
    }

    /// Ledger and text, as a parent is traced into them.
    pub fn body(&self) -> &str {
        &self.0.body
    }

    /// Bytes of text and ledger.
    pub fn bytes(&self) -> usize {
        self.0.body.len()
    }

    /// The caller's name for it.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The stated recall of its first draft; none asked if it was not measured.
    pub fn recall(&self) -> StatedRecall {
        self.0.recall
    }

    /// Facts that must survive in every summary above.
    pub fn required_facts(&self) -> impl Iterator<Item = &str> {
        self.0.required.iter().map(String::as_str)
    }

    /// As a summarizer sees it: the prose alone. A model never rewrites a ledger.
    pub fn prose(&self) -> Child<'_> {
        self.child(self.text())
    }

    fn child<'a>(&'a self, text: &'a str) -> Child<'a> {
        Child {
            id: self.0.name.as_deref().map(Cow::Borrowed),
            text: Cow::Borrowed(text),
            role: self.0.role,
            at: self.0.at.as_deref().map(Cow::Borrowed),
            call: self.0.call,
        }
    }
}

/// Text and ledger: what the ledger carries is a fact of the child as much as what the text states.
impl AsChild for Stored {
    fn as_child(&self) -> Child<'_> {
        self.child(&self.0.body)
    }

    fn required(&self) -> Vec<Cow<'_, str>> {
        self.required_facts().map(Cow::Borrowed).collect()
    }

    fn node_id(&self) -> Option<NodeId> {
        Some(self.id())
    }

    fn unknown_critical(&self) -> Vec<Cow<'_, str>> {
        self.0.unknown_critical.iter().map(|name| Cow::Borrowed(name.as_str())).collect()
    }
}
