//! Makes manifests: of a leaf from its text, of a node from what was found about it.

use super::accounting::AccountingError;
use super::body::{Body, ManifestKind, Origin};
use super::collect::{Collected, collect};
use super::document::Parts;
use super::error::FormatError;
use super::fate::{ChildFates, DropReason, Fate};
use super::finding::{ClaimRecord, ConflictRecord, SignalsRecord};
use super::seal::Making;
use super::section::{self, Items};
use super::{NodeManifest, record};
use crate::child::Child;
use crate::fact::{Reading, read};
use crate::ledger::values;
use crate::policy::Policy;
use crate::report::Report;
use crate::text::Span;
use crate::trace::masked;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use thiserror::Error;

impl Origin {
    /// Where a child comes from: its role, its name, its time.
    pub fn of(child: &Child<'_>) -> Self {
        Origin {
            role: child.role,
            source: child.id.as_deref().map(str::to_owned),
            position: None,
            at: child.at.as_deref().map(str::to_owned),
            call: child.call,
        }
    }

    /// The same origin, at this place among the leaves of its source.
    pub fn at_position(mut self, position: u64) -> Self {
        self.position = Some(position);
        self
    }
}

impl NodeManifest {
    /// The manifest of a leaf.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] for a text of 4 GiB or more.
    pub fn of_leaf(child: &Child<'_>) -> Result<Self, FormatError> {
        NodeManifest::of_reading(&read(&child.text), Origin::of(child))
    }

    /// The manifest of a leaf whose text was read already.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] for a text of 4 GiB or more.
    pub fn of_reading(reading: &Reading<'_>, origin: Origin) -> Result<Self, FormatError> {
        let text = reading.text;
        if u32::try_from(text.len()).is_err() {
            return Err(FormatError::TooLarge { bytes: text.len() });
        }
        let mut body = Body::of(ManifestKind::Leaf, text);
        body.origin = Some(origin);
        let facts = fact_items(&collect(reading));
        Parts { body, sections: vec![(section::FACTS, facts)], decision: None }.finish()
    }
}

fn fact_items(facts: &[Collected<'_>]) -> Items {
    let mut items = Items::default();
    for fact in facts {
        items.add(|w| record::write(fact, w));
    }
    items
}

/// Why no manifest of a node was made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A child's facts are not accounted for.
    #[error(transparent)]
    Accounting(#[from] AccountingError),
    /// What was given makes no sound manifest.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Makes the manifest of a node, child by child, until every fact of every child is accounted for.
///
/// ```
/// use manifest_core::{AccountingError, BuildError, Child, DropReason, Fate, NodeBuilder, NodeManifest};
/// let leaf = NodeManifest::of_leaf(&Child::new("The importer crashed with E_QUOTA_4417."))?;
/// let mut node = NodeBuilder::new("The importer crashed.");
/// let child = node.child(&leaf);
/// let forgotten = node.clone().finish().unwrap_err();
/// assert_eq!(forgotten, BuildError::Accounting(AccountingError::Unaccounted { child, facts: vec![0] }));
///
/// let reason = node.reason(DropReason::ByCaller("the quota was raised".to_owned()));
/// node.account(child, 0, Fate::Dropped { reason });
/// let node = node.finish()?;
/// assert_eq!(node.accounting(&[&leaf]), Ok(()));
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder makes nothing until `finish`"]
pub struct NodeBuilder<'a> {
    text: Cow<'a, str>,
    ledger: String,
    children: Vec<&'a NodeManifest>,
    fates: Vec<Vec<Option<Fate>>>,
    fault: Option<AccountingError>,
    drops: Vec<DropReason>,
    reasons: FxHashMap<DropReason, u32>,
    claims: Vec<ClaimRecord>,
    conflicts: Vec<ConflictRecord>,
    signals: Option<SignalsRecord>,
    decision: Option<(&'a Policy, &'a Report)>,
    making: Making,
}

impl<'a> NodeBuilder<'a> {
    /// A node with this text.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        NodeBuilder {
            text: text.into(),
            ledger: String::new(),
            children: Vec::new(),
            fates: Vec::new(),
            fault: None,
            drops: Vec::new(),
            reasons: FxHashMap::default(),
            claims: Vec::new(),
            conflicts: Vec::new(),
            signals: None,
            decision: None,
            making: Making::default(),
        }
    }

    /// The ledger beside the text. A credential in it is masked.
    pub fn ledger(&mut self, ledger: &str) -> &mut Self {
        let reading = read(ledger);
        self.ledger = masked(&reading, Span::new(0, ledger.len()));
        self
    }

    /// Adds the next child, and gives its index.
    pub fn child(&mut self, child: &'a NodeManifest) -> usize {
        self.children.push(child);
        self.fates.push(vec![None; child.fact_count()]);
        self.children.len() - 1
    }

    /// Adds a reason for drops, and gives its index. The same reason has one index.
    pub fn reason(&mut self, reason: DropReason) -> u32 {
        let next = u32::try_from(self.drops.len()).unwrap_or(u32::MAX);
        let place = *self.reasons.entry(reason.clone()).or_insert(next);
        if place == next {
            self.drops.push(reason);
        }
        place
    }

    /// Says what became of a fact of a child. A fact that the child does not have, or that was accounted for already,
    /// is told by [`finish`](Self::finish).
    pub fn account(&mut self, child: usize, fact: u32, fate: Fate) -> &mut Self {
        let fault = match self.fates.get_mut(child).and_then(|fates| fates.get_mut(fact as usize)) {
            Some(slot @ None) => {
                *slot = Some(fate);
                None
            }
            Some(Some(_)) => Some(AccountingError::Twice { child, fact }),
            None => Some(AccountingError::Beyond { child, fact }),
        };
        self.fault = self.fault.take().or(fault);
        self
    }

    /// What wrote the text, what it stands in the place of, and when it was made.
    pub fn making(&mut self, making: Making) -> &mut Self {
        self.making = making;
        self
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn ledger_text(&self) -> &str {
        &self.ledger
    }

    pub(super) fn claims(&mut self, claims: impl IntoIterator<Item = ClaimRecord>) -> &mut Self {
        self.claims.extend(claims);
        self
    }

    pub(super) fn conflicts(&mut self, conflicts: impl IntoIterator<Item = ConflictRecord>) -> &mut Self {
        self.conflicts.extend(conflicts);
        self
    }

    pub(super) fn signals(&mut self, signals: SignalsRecord) -> &mut Self {
        self.signals = Some(signals);
        self
    }

    pub(super) fn decision(&mut self, policy: &'a Policy, report: &'a Report) -> &mut Self {
        self.decision = Some((policy, report));
        self
    }

    /// Makes the manifest.
    ///
    /// # Errors
    /// [`BuildError::Accounting`] where a fact of a child is not accounted for exactly once, or is said to live on in one
    /// that is not its equal; [`BuildError::Format`] for a node without children, or too large.
    pub fn finish(self) -> Result<NodeManifest, BuildError> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        for (child, fates) in self.fates.iter().enumerate() {
            let facts: Vec<u32> = index(fates).filter(|(_, fate)| fate.is_none()).map(|(i, _)| i).collect();
            if !facts.is_empty() {
                return Err(AccountingError::Unaccounted { child, facts }.into());
            }
        }
        let mut body = Body::of(ManifestKind::Node, &self.text);
        body.level =
            self.children.iter().map(|child| child.level()).max().unwrap_or_default().saturating_add(1);
        let Making { summarizer, params, supersedes, at, required, recall, unknown } = self.making;
        (body.summarizer, body.params, body.supersedes, body.at) = (summarizer, params, supersedes, at);
        let mut children = Items::default();
        for child in &self.children {
            children.add(|w| w.bytes(child.id().as_bytes()));
        }
        let mut fates = Items::default();
        for of_child in &self.fates {
            let known = index(of_child).filter_map(|(i, fate)| Some((i, fate?)));
            fates.add(|w| ChildFates::of(known).write(w));
        }
        let mut lines = Items::default();
        if !self.ledger.is_empty() {
            for line in self.ledger.split('\n') {
                lines.add(|w| w.text(line));
            }
        }
        let mut drops = Items::default();
        for reason in &self.drops {
            drops.add(|w| reason.write(w));
        }
        let mut claims = Items::default();
        for claim in &self.claims {
            claims.add(|w| claim.write(w));
        }
        let mut conflicts = Items::default();
        for conflict in &self.conflicts {
            conflicts.add(|w| conflict.write(w));
        }
        let mut signals = Items::default();
        if let Some(figures) = &self.signals {
            signals.add(|w| figures.write(w));
        }
        let mut must = required;
        must.sort_unstable();
        must.dedup();
        let mut required = Items::default();
        for fact in &must {
            required.add(|w| w.text(fact));
        }
        let mut measured = Items::default();
        if let Some(recall) = recall.filter(|recall| recall.asked() > 0) {
            measured.add(|w| w.uint(recall.hits()));
            measured.add(|w| w.uint(recall.asked()));
        }
        let values = values(&self.ledger);
        let mut sections = vec![
            (section::FACTS, fact_items(&collect(&read(&self.text)))),
            (section::CARRIED, fact_items(&collect(&read(&values)))),
            (section::CHILDREN, children),
            (section::FATES, fates),
            (section::LEDGER, lines),
            (section::DROPS, drops),
            (section::CLAIMS, claims),
            (section::CONFLICTS, conflicts),
            (section::SIGNALS, signals),
            (section::REQUIRED, required),
            (section::RECALL, measured),
        ];
        for section in &unknown {
            sections.push((section.name(), section.items()));
            body.critical.extend(section.critical().map(str::to_owned));
        }
        body.critical.sort_unstable();
        let node = Parts { body, sections, decision: self.decision }.finish()?;
        node.accounting(&self.children)?;
        Ok(node)
    }
}

fn index(fates: &[Option<Fate>]) -> impl Iterator<Item = (u32, Option<Fate>)> {
    fates.iter().enumerate().filter_map(|(i, fate)| Some((u32::try_from(i).ok()?, *fate)))
}
