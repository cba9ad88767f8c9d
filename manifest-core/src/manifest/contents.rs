//! What a manifest says and holds.

use super::body::{ManifestKind, Origin};
use super::canonical::{Cursor, Writer};
use super::decision::{self, DecisionRecord};
use super::fate::{ChildFates, DropReason};
use super::finding::{ClaimRecord, ConflictRecord, SignalsRecord};
use super::record::FactRecord;
use super::section::{self, Section};
use super::{BodyId, DecisionId, NodeId, NodeManifest, TextDigest};
use crate::digest::Digest;
use crate::policy::Policy;
use crate::probe::StatedRecall;
use std::ops::Range;

/// What it says of itself.
impl NodeManifest {
    /// Whether it is of a leaf or a node.
    pub fn kind(&self) -> ManifestKind {
        self.body.kind
    }

    /// Summaries on the longest path from a leaf; 0 for a leaf.
    pub fn level(&self) -> u32 {
        self.body.level
    }

    /// The id of the body, whatever was decided about it.
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The id of the decision, if there is one.
    pub fn decision_id(&self) -> Option<DecisionId> {
        self.decision.as_ref().map(|(id, _)| *id)
    }

    /// The digest of its text: of a leaf's bytes, or of the text that a gate audited.
    pub fn text_digest(&self) -> TextDigest {
        self.body.text
    }

    /// Bytes of its text.
    pub fn text_bytes(&self) -> u64 {
        self.body.bytes
    }

    /// Where a leaf comes from; `None` for a node.
    pub fn origin(&self) -> Option<&Origin> {
        self.body.origin.as_ref()
    }

    /// What wrote a node's text, as the caller names it.
    pub fn summarizer(&self) -> Option<&str> {
        self.body.summarizer.as_deref()
    }

    /// The digest of the summarizer's parameters.
    pub fn summarizer_params(&self) -> Option<Digest> {
        self.body.params
    }

    /// The node in whose place it stands.
    pub fn supersedes(&self) -> Option<NodeId> {
        self.body.supersedes
    }

    /// When a node was made, if the caller said so.
    pub fn made_at(&self) -> Option<&str> {
        self.body.at.as_deref()
    }

    /// What a gate decided about it; `None` for a leaf, and for a node that no gate has judged.
    pub fn decision(&self) -> Option<&DecisionRecord> {
        self.decision.as_ref().map(|(_, decision)| decision)
    }

    /// Whether the decision was taken under this policy, every number of it.
    pub fn judged_by(&self, policy: &Policy) -> bool {
        let mut asked = Writer::default();
        decision::write_policy(policy, &mut asked);
        let judged = self.decision().and_then(|decision| self.bytes.get(decision.policy.clone()));
        judged == Some(asked.into_bytes().as_slice())
    }
}

/// What it holds.
impl NodeManifest {
    /// How many facts it has: those of its text, then those of its ledger.
    pub fn fact_count(&self) -> usize {
        self.count(section::FACTS) + self.count(section::CARRIED)
    }

    /// How many of them are of its text; the others are of its ledger.
    pub fn text_fact_count(&self) -> usize {
        self.count(section::FACTS)
    }

    /// A fact by its index.
    pub fn fact(&self, index: usize) -> Option<FactRecord<'_>> {
        let of_text = self.count(section::FACTS);
        let range = match index.checked_sub(of_text) {
            None => self.section(section::FACTS)?.range(index)?,
            Some(index) => self.section(section::CARRIED)?.range(index)?,
        };
        FactRecord::read(&self.bytes, range.start, usize::MAX).ok()
    }

    /// All facts, in the order of their indices.
    pub fn facts(&self) -> impl Iterator<Item = FactRecord<'_>> {
        self.ranges(section::FACTS)
            .chain(self.ranges(section::CARRIED))
            .filter_map(|range| FactRecord::read(&self.bytes, range.start, usize::MAX).ok())
    }

    /// The ids of the children, in order.
    pub fn children(&self) -> impl Iterator<Item = NodeId> {
        let digests = self.ranges(section::CHILDREN);
        digests
            .filter_map(|range| Cursor::at(&self.bytes, range.start).digest().ok())
            .map(NodeId::from_digest)
    }

    /// The lines of the ledger.
    pub fn ledger(&self) -> impl Iterator<Item = &str> {
        self.ranges(section::LEDGER).filter_map(|range| Cursor::at(&self.bytes, range.start).text().ok())
    }

    /// What is read in the place of the children: the ledger, an empty line, and the text. `text` is the one that
    /// [`text_digest`](Self::text_digest) names.
    pub fn rendered(&self, text: &str) -> String {
        let mut out = self.ledger().collect::<Vec<_>>().join("\n");
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(text);
        out
    }

    /// What became of the facts of each child, by index.
    pub fn fates(&self, child: usize) -> Option<ChildFates> {
        let range = self.section(section::FATES)?.range(child)?;
        ChildFates::read(&self.bytes, range.start).ok()
    }

    /// Why facts ended here: what [`Fate::Dropped`](crate::Fate::Dropped) names by index.
    pub fn drops(&self) -> impl Iterator<Item = DropReason> {
        self.ranges(section::DROPS).filter_map(|range| DropReason::read(&self.bytes, range.start).ok())
    }

    /// The claims of the text, in order.
    pub fn claims(&self) -> impl Iterator<Item = ClaimRecord> {
        let children = self.count(section::CHILDREN);
        self.ranges(section::CLAIMS)
            .filter_map(move |range| ClaimRecord::read(&self.bytes, range.start, usize::MAX, children).ok())
    }

    /// The children's disagreements, and what became of them.
    pub fn conflicts(&self) -> impl Iterator<Item = ConflictRecord> {
        let children = self.count(section::CHILDREN);
        self.ranges(section::CONFLICTS)
            .filter_map(move |range| ConflictRecord::read(&self.bytes, range.start, children).ok())
    }

    /// The figures; `None` for a leaf.
    pub fn signals(&self) -> Option<SignalsRecord> {
        let range = self.section(section::SIGNALS)?.range(0)?;
        SignalsRecord::read(&self.bytes, range.start).ok()
    }

    /// Facts that must survive in every summary above.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.ranges(section::REQUIRED).filter_map(|range| Cursor::at(&self.bytes, range.start).text().ok())
    }

    /// The stated recall of the node's first draft; `None` where no probe was asked.
    pub fn recall(&self) -> Option<StatedRecall> {
        let counts: Vec<u64> = self
            .ranges(section::RECALL)
            .map_while(|range| Cursor::at(&self.bytes, range.start).uint().ok())
            .collect();
        let [hits, asked] = counts.as_slice() else { return None };
        StatedRecall::new(*hits, *asked).ok().filter(|recall| recall.asked() > 0)
    }

    /// The names of its sections that this version does not know, whose bytes are kept and whose digests were verified.
    pub fn unknown_sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| &*section.name).filter(|name| !section::is_known(name))
    }

    /// Those of them without which the manifest must not be taken for understood: a gate or a sweep refuses it with
    /// `section.critical.unknown`. Recovery still reads it.
    pub fn unknown_critical_sections(&self) -> impl Iterator<Item = &str> {
        self.body.critical.iter().map(String::as_str).filter(|name| !section::is_known(name))
    }

    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| &*section.name == name)
    }

    pub(super) fn sections(&self) -> &[Section] {
        &self.sections
    }

    pub(super) fn evidence(&self) -> Option<&Section> {
        self.evidence.as_ref()
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.section(name).map_or(0, Section::len)
    }

    pub(super) fn ranges(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        self.section(name).into_iter().flat_map(Section::ranges)
    }
}
