//! From a node that has passed its gate to its manifest: what the gate audited is what is sealed.

use super::build::{BuildError, NodeBuilder};
use super::collect::collect;
use super::fate::{DropReason, Fate};
use super::finding::{ClaimRecord, ConflictRecord, SignalsRecord};
use super::record::FactRecord;
use super::unknown::UnknownSection;
use super::{NodeId, NodeManifest, TextDigest};
use crate::account;
use crate::declare::Drop;
use crate::digest::Digest;
use crate::fact::{Class, FactId, read};
use crate::ledger::values;
use crate::node::{Node, Passed};
use crate::probe::StatedRecall;
use crate::text::Span;
use crate::trace::masked;
use rustc_hash::FxHashMap;
use thiserror::Error;

/// What stands in a node's manifest beside what its gate audited. Nothing of it has to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Making {
    /// What wrote the text: a model's name and version.
    pub summarizer: Option<String>,
    /// The digest of its parameters.
    pub params: Option<Digest>,
    /// The node in whose place this one stands.
    pub supersedes: Option<NodeId>,
    /// When the node was made, RFC 3339. Two nodes that differ in it only have two ids.
    pub at: Option<String>,
    /// Facts that must survive in every summary above, beside those that the summary itself declared.
    pub required: Vec<String>,
    /// The stated recall of the node's first draft.
    pub recall: Option<StatedRecall>,
    /// Sections of an earlier manifest that this version does not know, to be carried along.
    pub unknown: Vec<UnknownSection>,
}

impl Making {
    /// Written by this summarizer.
    pub fn by(summarizer: impl Into<String>) -> Self {
        Making { summarizer: Some(summarizer.into()), ..Making::default() }
    }

    /// The same, with the digest of the summarizer's parameters.
    pub fn with_params(mut self, params: Digest) -> Self {
        self.params = Some(params);
        self
    }

    /// The same, in the place of a node.
    pub fn superseding(mut self, node: NodeId) -> Self {
        self.supersedes = Some(node);
        self
    }

    /// The same, in the place of a node: what its manifest holds that this version does not know is carried along, byte
    /// for byte, and stays critical where it was.
    pub fn remaking(mut self, earlier: &NodeManifest) -> Self {
        self.unknown = earlier.unknown();
        self.superseding(earlier.id())
    }

    /// The same, at a time (RFC 3339).
    pub fn at(mut self, time: impl Into<String>) -> Self {
        self.at = Some(time.into());
        self
    }
}

/// Why a node that has passed its gate was not sealed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SealError {
    /// Not as many manifests as the node has children.
    #[error("the node has {expected} children, {given} manifests were given")]
    Children {
        /// Children of the node.
        expected: usize,
        /// Manifests that were given.
        given: usize,
    },
    /// The gate saw another text than the manifest is of.
    #[error("child {child} was gated with another text than its manifest is of")]
    ChildText {
        /// Index of the child.
        child: usize,
    },
    /// The manifest could not be made: a fact of a child is not accounted for.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The manifest of a node that has passed its gate, over the manifests of its children in their order.
///
/// A child was gated with the text of its manifest, or with its [rendered](NodeManifest::rendered) text. A child that has
/// a ledger must be gated rendered: its ledger's facts are facts of the child, and what the gate has not seen it
/// has not accounted for.
///
/// ```
/// use manifest_core::{Child, Draft, Making, NodeManifest, Policy, seal};
/// let text = "The importer crashed with E_QUOTA_4417 on node db-7.";
/// let leaf = NodeManifest::of_leaf(&Child::new(text))?;
/// let gated = Draft::trace(&[text], "Node db-7: the importer crashed with E_QUOTA_4417.".to_owned())
///     .gate(&Policy::exact())?;
/// let node = seal(&gated, &[&leaf], Making::by("some-model-1"))?;
/// assert_eq!(node.children().collect::<Vec<_>>(), [leaf.id()]);
/// assert_eq!(node.accounting(&[&leaf]), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SealError`]: other children than were gated, or facts that nobody accounts for.
pub fn seal<S, State: Passed>(
    gated: &Node<S, State>,
    children: &[&NodeManifest],
    making: Making,
) -> Result<NodeManifest, SealError> {
    let audit = gated.audit();
    let given = gated.children();
    if given.len() != children.len() {
        return Err(SealError::Children { expected: given.len(), given: children.len() });
    }
    let mut node = NodeBuilder::new(audit.text());
    node.ledger(audit.ledger());
    let drops = Drops::of(gated.caller_drops(), &audit.account().given_up);
    let own = Own::of(&node);
    let mut first: FxHashMap<FactId, (usize, u32)> = FxHashMap::default();
    let mut shift = Vec::with_capacity(children.len());
    for (number, (manifest, child)) in children.iter().zip(given).enumerate() {
        let seen = SeenAs::of(manifest, &child.text).ok_or(SealError::ChildText { child: number })?;
        shift.push(seen.shift);
        let keys = Keys::of(&child.text);
        node.child(manifest);
        for (index, fact) in manifest.facts().enumerate() {
            let Ok(index) = u32::try_from(index) else { break };
            let id = fact.id();
            if let Some((child, earlier)) = id.and_then(|id| first.get(&id)).copied() {
                let child = u32::try_from(child).unwrap_or(u32::MAX);
                node.account(number, index, Fate::Merged { child, fact: earlier });
                continue;
            }
            if let Some(id) = id {
                first.insert(id, (number, index));
            }
            let key = keys.get(&fact);
            let known = key.and_then(|key| Some((key, audit.account().fates.of(key)?)));
            let fate = match known {
                _ if fact.is_secret() => Fate::Dropped { reason: node.reason(DropReason::Secret) },
                Some((_, account::Fate::Stated)) => Fate::Stated { own: own.text(id) },
                Some((_, account::Fate::Carried)) => Fate::Carried { own: own.ledger(id) },
                Some((key, account::Fate::Dropped)) => {
                    Fate::Dropped { reason: node.reason(DropReason::ByCaller(drops.by_caller(key))) }
                }
                Some((key, account::Fate::GivenUp)) => {
                    Fate::Dropped { reason: node.reason(DropReason::BySummary(drops.by_summary(key))) }
                }
                Some((key, account::Fate::Gone)) if !audit.account().fates.is_lost(key) => {
                    Fate::Dropped { reason: node.reason(DropReason::NotRequired) }
                }
                Some((_, account::Fate::Gone)) if audit.report().observed => {
                    Fate::Dropped { reason: node.reason(DropReason::Observed) }
                }
                // Lost, and not only observed: no gate passes that, and no manifest says it.
                Some((_, account::Fate::Gone)) => continue,
                None => match (own.text(id), own.ledger(id)) {
                    (Some(own), _) => Fate::Stated { own: Some(own) },
                    (None, Some(own)) => Fate::Carried { own: Some(own) },
                    (None, None) if seen.whole => Fate::Dropped { reason: node.reason(DropReason::NotRead) },
                    // The gate did not see the ledger that holds it.
                    (None, None) => continue,
                },
            };
            node.account(number, index, fate);
        }
    }
    let report = audit.report();
    node.claims(report.claims.iter().map(|row| ClaimRecord::of(row, &shift)));
    node.conflicts(report.conflicts.iter().map(|row| ConflictRecord::of(row, &shift)));
    node.signals(SignalsRecord::of(&report.signals));
    node.decision(audit.policy(), report);
    let mut making = making;
    making.required.extend(audit.required().iter().cloned());
    making.recall = making.recall.or(gated.stated_recall());
    node.making(making);
    Ok(node.finish()?)
}

/// How the gate saw a child.
struct SeenAs {
    /// Bytes from a place in what the gate saw to the same place in the rendered text.
    shift: usize,
    /// Whether it saw all that the manifest holds.
    whole: bool,
}

impl SeenAs {
    /// `None` where the text is not the manifest's.
    fn of(manifest: &NodeManifest, text: &str) -> Option<Self> {
        let head = manifest.rendered("");
        let is_text = |text: &str| {
            text.len() as u64 == manifest.text_bytes() && TextDigest::of(text) == manifest.text_digest()
        };
        if is_text(text) {
            return Some(SeenAs { shift: head.len(), whole: head.is_empty() });
        }
        text.strip_prefix(&head).filter(|text| is_text(text)).map(|_| SeenAs { shift: 0, whole: true })
    }
}

/// The keys under which the trace knows the facts of one child.
struct Keys {
    by_id: FxHashMap<FactId, u64>,
    /// By class and surface text: what the same text is read as beside another ledger may have another value.
    by_text: FxHashMap<(Class, String), u64>,
}

impl Keys {
    fn of(text: &str) -> Self {
        let reading = read(text);
        let mut keys = Keys { by_id: FxHashMap::default(), by_text: FxHashMap::default() };
        for fact in collect(&reading).into_iter().filter(|fact| fact.class != Class::Secret) {
            keys.by_id.entry(FactId::of(fact.class, &fact.value)).or_insert(fact.key);
            keys.by_text.entry((fact.class, fact.text.to_owned())).or_insert(fact.key);
        }
        keys
    }

    fn get(&self, fact: &FactRecord<'_>) -> Option<u64> {
        let by_id = fact.id().and_then(|id| self.by_id.get(&id));
        let by_text = || self.by_text.get(&(fact.known_class()?, fact.text()?.to_owned()));
        by_id.or_else(by_text).copied()
    }
}

/// The node's own facts, by value.
struct Own {
    text: FxHashMap<FactId, u32>,
    ledger: FxHashMap<FactId, u32>,
}

impl Own {
    fn of(node: &NodeBuilder<'_>) -> Self {
        let (text, ledger) = (read(node.text()), values(node.ledger_text()));
        let ledger = read(&ledger);
        let (text, ledger) = (collect(&text), collect(&ledger));
        let after = text.len();
        let index = |facts: &[super::collect::Collected<'_>], after: usize| {
            let mut map = FxHashMap::default();
            for (place, fact) in facts.iter().enumerate().filter(|(_, fact)| fact.class != Class::Secret) {
                let Ok(place) = u32::try_from(after + place) else { break };
                map.entry(FactId::of(fact.class, &fact.value)).or_insert(place);
            }
            map
        };
        Own { text: index(&text, 0), ledger: index(&ledger, after) }
    }

    fn text(&self, id: Option<FactId>) -> Option<u32> {
        id.and_then(|id| self.text.get(&id)).copied()
    }

    fn ledger(&self, id: Option<FactId>) -> Option<u32> {
        id.and_then(|id| self.ledger.get(&id)).copied()
    }
}

/// The reasons for which caller and summary gave facts up, by key. A credential in a reason is masked.
struct Drops {
    caller: FxHashMap<u64, String>,
    summary: FxHashMap<u64, String>,
}

impl Drops {
    fn of(caller: &[Drop], summary: &[Drop]) -> Self {
        let by_key = |drops: &[Drop]| {
            let mut map = FxHashMap::default();
            for drop in drops {
                let reading = read(&drop.reason);
                let reason = masked(&reading, Span::new(0, drop.reason.len()));
                for fact in read(&drop.text).facts {
                    map.entry(fact.key).or_insert_with(|| reason.clone());
                }
            }
            map
        };
        Drops { caller: by_key(caller), summary: by_key(summary) }
    }

    fn by_caller(&self, key: u64) -> String {
        self.caller.get(&key).cloned().unwrap_or_default()
    }

    fn by_summary(&self, key: u64) -> String {
        self.summary.get(&key).cloned().unwrap_or_default()
    }
}
