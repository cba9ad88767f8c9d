//! What stands around a draft: its children, and what the caller adds to the check.

use super::{Draft, Node};
use crate::account::Fates;
use crate::check::{Check, Previous};
use crate::child::Child;
use crate::declare::{Declaration, Drop, Manifest, NamedChild, Rendered};
use crate::fact::{Class, read};
use crate::manifest::NodeId;
use crate::policy::{Order, Policy};
use crate::probe::{Answerer, ProbeSet, StatedRecall};
use crate::report::Report;
use crate::text::Span;
use crate::trace::masked;
use rustc_hash::FxHashSet;

/// Everything but the summary.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) children: Vec<Child<'static>>,
    /// Their ids, where they stand in a store.
    pub(super) ids: Vec<Option<NodeId>>,
    /// Facts that the children declared required.
    below: Vec<String>,
    /// Critical sections of their manifests that this version does not know.
    unknown: Vec<String>,
    order: Option<Order>,
    budget_bytes: Option<usize>,
    ledger: Vec<String>,
    ledger_bytes: Option<usize>,
    mend: bool,
    pinned: Vec<String>,
    drops: Vec<Drop>,
    previous: Option<Previous>,
    context: Vec<String>,
    pub(super) recall: Option<StatedRecall>,
    probes: Option<ProbeSet>,
    depth: u32,
    flatten: bool,
    defer: bool,
}

impl Settings {
    pub(super) fn over(
        children: Vec<Child<'static>>,
        ids: Vec<Option<NodeId>>,
        below: Vec<String>,
        unknown: Vec<String>,
    ) -> Self {
        Settings { children, ids, below, unknown, depth: 1, ..Settings::default() }
    }

    /// Children that are named by their id in a store, by their place.
    fn named(&self, children: &[NamedChild]) -> Vec<NamedChild> {
        let place = |child: &NamedChild| match child {
            NamedChild::Name(name) => {
                let id = name.parse::<NodeId>().ok()?;
                self.ids.iter().position(|own| *own == Some(id)).map(NamedChild::Position)
            }
            NamedChild::Position(_) => None,
        };
        children.iter().map(|child| place(child).unwrap_or_else(|| child.clone())).collect()
    }

    /// Checks what a summary declares. `unknown` are critical sections of its own manifest that this version does not know.
    pub(super) fn check(
        &self,
        summary: &Rendered,
        given_up: &[Drop],
        classes: &[Class],
        unknown: Vec<String>,
        policy: &Policy,
    ) -> (Report, Fates) {
        let named = self.named(&summary.children);
        let unknown: Vec<String> = self.unknown.iter().cloned().chain(unknown).collect();
        let mut check = Check::new(&self.children, &summary.text)
            .facts(&summary.facts)
            .kinds(&summary.kinds)
            .cited(&summary.cited)
            .named(&named)
            .given_up(given_up)
            .classes(classes)
            .ledger(self.ledger.iter().map(String::as_str))
            .mend(self.mend)
            .pinned(self.pinned.iter().map(String::as_str))
            .declared(self.below.iter().map(String::as_str))
            .drops(&self.drops)
            .context(self.context.iter().map(String::as_str))
            .unknown_critical(&unknown)
            .flatten(self.flatten)
            .defer(self.defer);
        if let Some(order) = self.order {
            check = check.order(order);
        }
        if let Some(bytes) = self.budget_bytes {
            check = check.budget_bytes(bytes);
        }
        if let Some(bytes) = self.ledger_bytes {
            check = check.ledger_bytes(bytes);
        }
        if let Some(previous) = &self.previous {
            check = check.previous(previous);
        }
        if let Some(probes) = &self.probes {
            check = check.probes(probes);
        }
        if let Some(recall) = self.recall {
            check = check.recall(recall, self.depth);
        }
        check.run_accounted(policy)
    }

    /// What the caller gives up.
    pub(super) fn drops(&self) -> &[Drop] {
        &self.drops
    }

    /// The ledger that stood beside the text in this report, with credentials masked.
    pub(super) fn beside(&self, report: &Report) -> String {
        let given = self.ledger.join("\n");
        let ledger = if self.mend && given.is_empty() { report.ledger.text.clone() } else { given };
        masked(&read(&ledger), Span::new(0, ledger.len()))
    }

    /// Facts that must survive above: the children's own and the pinned ones that a child holds, less what the caller
    /// dropped, and the summary's.
    pub(super) fn required(&self, declaration: &Declaration<'_>, fates: &Fates) -> Vec<String> {
        // A credential is never required, and kept nowhere.
        let held = |pin: &&String| {
            let facts = read(pin).facts;
            !facts.iter().any(|fact| fact.class == Class::Secret)
                && facts.iter().any(|fact| fates.of(fact.key).is_some())
        };
        let pinned = self.pinned.iter().filter(held);
        let dropped: FxHashSet<&str> = self.drops.iter().map(|drop| drop.text.as_str()).collect();
        let below = self.below.iter().chain(pinned).filter(|fact| !dropped.contains(fact.as_str()));
        let own = declaration.facts().iter().filter(|fact| fact.required).map(|fact| fact.text.as_ref());
        let mut required: Vec<String> = below.map(String::as_str).chain(own).map(str::to_owned).collect();
        required.sort_unstable();
        required.dedup();
        required
    }
}

/// What the caller adds before the gate.
impl<S> Node<S, Draft> {
    /// The same draft over children in another order than the policy's.
    pub fn order(mut self, order: Order) -> Self {
        self.body.settings.order = Some(order);
        self
    }

    /// Bytes that ledger, text and handle may have together.
    pub fn budget_bytes(mut self, bytes: usize) -> Self {
        self.body.settings.budget_bytes = Some(bytes);
        self
    }

    /// The ledger lines that stand beside the text.
    pub fn ledger<T: Into<String>>(mut self, lines: impl IntoIterator<Item = T>) -> Self {
        self.body.settings.ledger = lines.into_iter().map(Into::into).collect();
        self
    }

    /// The size of the ledger that is offered; the policy's own by default.
    pub fn ledger_bytes(mut self, bytes: usize) -> Self {
        self.body.settings.ledger_bytes = Some(bytes);
        self
    }

    /// Judges the draft with the offered ledger beside it.
    pub fn mend(mut self, mend: bool) -> Self {
        self.body.settings.mend = mend;
        self
    }

    /// Texts whose facts must survive, whatever the policy requires.
    pub fn pinned<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.body.settings.pinned = texts.into_iter().map(Into::into).collect();
        self
    }

    /// Facts that the caller gives up, each with its reason.
    pub fn drops(mut self, drops: impl IntoIterator<Item = Drop>) -> Self {
        self.body.settings.drops = drops.into_iter().collect();
        self
    }

    /// The last compaction of this range.
    pub fn previous(mut self, previous: Previous) -> Self {
        self.body.settings.previous = Some(previous);
        self
    }

    /// Texts that the summarizer also saw: they excuse a mention and support no claim.
    pub fn context<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.body.settings.context = texts.into_iter().map(Into::into).collect();
        self
    }

    /// Stated recall of this level's first drafts, and the depth of the tree. Kept over [`Node::amend`].
    pub fn recall(mut self, recall: StatedRecall, depth: u32) -> Self {
        self.body.settings.recall = Some(recall);
        self.body.settings.depth = depth;
        self
    }

    /// Asks the probes of this draft's text. The first draft is the one that is measured: after [`Node::amend`] the
    /// probes stay out of what is required, and the recall stays what it was.
    ///
    /// The recall of one node is of few probes; a level pools its nodes' and gives the sum by [`Node::recall`].
    pub fn measure(mut self, probes: ProbeSet, answerer: &(impl Answerer + ?Sized), depth: u32) -> Self
    where
        S: Manifest,
    {
        if self.body.settings.recall.is_none() {
            self.body.settings.recall = Some(probes.ask(&self.text(), answerer));
            self.body.settings.depth = depth;
        }
        self.body.settings.probes = Some(probes);
        self
    }

    /// Whether the children fit the context as they are.
    pub fn flatten(mut self, fits: bool) -> Self {
        self.body.settings.flatten = fits;
        self
    }

    /// Whether to commit below the floor and keep the leaves until the root's probe.
    pub fn defer(mut self, defer: bool) -> Self {
        self.body.settings.defer = defer;
        self
    }
}
