//! The manifest of one leaf or node: one blob, from whose contents its id follows.
//!
//! ```text
//! {"body": {…}, "decision"?: {…}, "evidence"?: [item…], "sections"?: {name: [item…]}}
//! ```
//!
//! The body commits to each section, the decision to the body and the evidence, the id to body and decision. Nothing of the
//! blob is outside of its id, and what is hashed are the bytes as they came.

use super::body::{Body, ManifestKind, Origin};
use super::canonical::{Cursor, Map, Writer, check};
use super::decision::{self, DecisionRecord};
use super::error::FormatError;
use super::fate::{ChildFates, DropReason};
use super::finding::{ClaimRecord, ConflictRecord, SignalsRecord};
use super::record::FactRecord;
use super::section::{self, Items, Section, Written};
use super::{BodyId, DecisionId, NodeId, SectionDigest, TextDigest};
use crate::digest::Digest;
use crate::policy::Policy;
use crate::probe::StatedRecall;
use crate::report::Report;
use std::fmt;
use std::ops::Range;

/// The manifest of one leaf or node. Whatever exists is whole: its structure is canonical, every digest in it was
/// recomputed, and every record of this version is sound.
///
/// ```
/// use manifest_core::{Child, NodeManifest};
/// let leaf = NodeManifest::of_leaf(&Child::new("The importer crashed with E_QUOTA_4417."))?;
/// let loaded = NodeManifest::parse(leaf.bytes())?;
/// assert_eq!(loaded.id(), leaf.id());
/// assert_eq!(loaded.fact(0).and_then(|fact| fact.value()), Some("E_QUOTA_4417"));
/// # Ok::<(), manifest_core::FormatError>(())
/// ```
#[derive(Clone)]
pub struct NodeManifest {
    bytes: Box<[u8]>,
    id: NodeId,
    body_id: BodyId,
    body: Body,
    decision: Option<(DecisionId, DecisionRecord)>,
    evidence: Option<Section>,
    sections: Vec<Section>,
}

/// What a manifest is written from.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) body: Body,
    pub(super) sections: Vec<(&'a str, Items)>,
    pub(super) decision: Option<(&'a Policy, &'a Report)>,
}

impl Parts<'_> {
    /// Writes the blob, and reads it again: what was written is what will be found.
    pub(super) fn finish(self) -> Result<NodeManifest, FormatError> {
        let Parts { body, sections, decision } = self;
        let mut sections: Vec<(&str, Written)> = sections
            .into_iter()
            .filter(|(_, items)| items.len() > 0)
            .map(|(name, items)| (name, items.finish(name)))
            .collect();
        sections.sort_by_key(|(name, _)| (name.len(), *name));
        let body = body.write(&sections);
        let mut document = Map::default();
        if let Some((policy, report)) = decision {
            let evidence = decision::evidence(report).finish(section::EVIDENCE);
            let decision = decision::write(BodyId::of(&body), policy, report, evidence.root);
            document.put("decision", |w| w.item(&decision));
            document.put("evidence", |w| evidence.write(w));
        }
        document.put("body", |w| w.item(&body));
        if !sections.is_empty() {
            document.put("sections", |w| {
                let mut map = Map::default();
                for (name, written) in &sections {
                    map.put(name, |w| written.write(w));
                }
                map.write(w);
            });
        }
        let mut to = Writer::default();
        document.write(&mut to);
        NodeManifest::from_bytes(to.into_bytes().into_boxed_slice(), Bytes::Written)
    }
}

/// Where bytes come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bytes {
    /// From outside: their structure is checked and every digest in them recomputed.
    Given,
    /// From the lines above, which have just computed the digests.
    Written,
}

/// From and to bytes.
impl NodeManifest {
    /// Reads a manifest, and recomputes every digest in it. What the blob is stored under is to be compared with its
    /// [`id`](Self::id).
    ///
    /// # Errors
    /// [`FormatError`], for any bytes that are not the one writing of a sound manifest.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        NodeManifest::from_bytes(bytes.into(), Bytes::Given)
    }

    fn from_bytes(bytes: Box<[u8]>, from: Bytes) -> Result<Self, FormatError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(FormatError::TooLarge { bytes: bytes.len() });
        }
        // Tests look at what was written as at what was given.
        let given = from == Bytes::Given || cfg!(debug_assertions);
        if given {
            check(&bytes)?;
        }
        let (mut body, mut decision, mut evidence, mut sections) = (None, None, None, Vec::new());
        let mut cursor = Cursor::at(&bytes, 0);
        cursor.fields(|cursor, key| {
            let expected = cursor.expected("body, decision, evidence or sections");
            match key {
                "body" => body = Some(cursor.skip()),
                "decision" => decision = Some(cursor.skip()),
                "evidence" => evidence = Some(read_section(cursor, section::EVIDENCE)?),
                "sections" => {
                    cursor.fields(|cursor, name| {
                        sections.push(read_section(cursor, name)?);
                        Ok(true)
                    })?;
                    if sections.is_empty() {
                        return Err(expected);
                    }
                }
                // Nothing else is covered by the id.
                _ => return Err(expected),
            }
            Ok(true)
        })?;
        let at = body.ok_or(FormatError::Missing { field: "body" })?;
        let body_id = BodyId::of(bytes.get(at.clone()).unwrap_or_default());
        let (body, listed) = Body::read(&bytes, at)?;
        compare(&bytes, &listed, &sections, given)?;
        let is_listed =
            |name: &str| listed.binary_search_by(|(known, _)| order(known).cmp(&order(name))).is_ok();
        if let Some(name) = body.critical.iter().find(|name| !is_listed(name)) {
            return Err(FormatError::SectionMissing { name: name.clone() });
        }
        let decision = match decision {
            Some(at) => Some(read_decision(&bytes, at, body_id, evidence.as_ref())?),
            None if evidence.is_some() => return Err(FormatError::Missing { field: "decision" }),
            None => None,
        };
        let id = NodeId::of(body_id, decision.as_ref().map(|(id, _)| *id));
        let manifest = NodeManifest { bytes, id, body_id, body, decision, evidence, sections };
        manifest.check_records()?;
        Ok(manifest)
    }

    /// The id: what parents and refs name it by.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The canonical bytes: what is stored, as it is.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Every record of this version is sound, and stands within its text.
    fn check_records(&self) -> Result<(), FormatError> {
        if self.kind() == ManifestKind::Leaf {
            if let Some(other) = self.sections.iter().find(|s| !section::leaf_may_have(&s.name)) {
                return Err(FormatError::SectionUnlisted { name: other.name.to_string() });
            }
            if self.decision.is_some() {
                return Err(FormatError::Expected { expected: "a leaf without a decision", at: 0 });
            }
        }
        if let Some(empty) = self.sections.iter().find(|s| section::is_known(&s.name) && s.len() == 0) {
            return Err(FormatError::SectionMissing { name: empty.name.to_string() });
        }
        let text_bytes = usize::try_from(self.body.bytes).unwrap_or(usize::MAX);
        self.check_facts(section::FACTS, text_bytes)?;
        let mut ledger_bytes = 0;
        for (i, range) in self.ranges(section::LEDGER).enumerate() {
            let expected = FormatError::Expected { expected: "a line", at: range.start };
            let line = Cursor::at(&self.bytes, range.start).text()?;
            if line.contains('\n') {
                return Err(expected);
            }
            ledger_bytes += line.len() + usize::from(i > 0);
        }
        self.check_facts(section::CARRIED, ledger_bytes)?;
        let children = self.count(section::CHILDREN);
        for range in self.ranges(section::CHILDREN) {
            Cursor::at(&self.bytes, range.start).digest()?;
        }
        if self.kind() == ManifestKind::Node && (children == 0 || children != self.count(section::FATES)) {
            return Err(FormatError::SectionMissing { name: section::FATES.to_owned() });
        }
        for range in self.ranges(section::FATES) {
            ChildFates::read(&self.bytes, range.start)?;
        }
        for range in self.ranges(section::DROPS) {
            DropReason::read(&self.bytes, range.start)?;
        }
        for range in self.ranges(section::CLAIMS) {
            ClaimRecord::read(&self.bytes, range.start, text_bytes, children)?;
        }
        for range in self.ranges(section::CONFLICTS) {
            ConflictRecord::read(&self.bytes, range.start, children)?;
        }
        let mut last: Option<&str> = None;
        for range in self.ranges(section::REQUIRED) {
            let fact = Cursor::at(&self.bytes, range.start).text()?;
            if last.is_some_and(|last| last >= fact) {
                return Err(FormatError::Expected { expected: "required facts in order", at: range.start });
            }
            last = Some(fact);
        }
        if self.count(section::RECALL) > 0 && self.recall().is_none() {
            let at = self.ranges(section::RECALL).next().map_or(0, |range| range.start);
            return Err(FormatError::Expected { expected: "probes answered, and as many asked or more", at });
        }
        for (i, range) in self.ranges(section::SIGNALS).enumerate() {
            SignalsRecord::read(&self.bytes, range.start)?;
            if i > 0 {
                return Err(FormatError::Expected { expected: "one set of figures", at: range.start });
            }
        }
        Ok(())
    }

    fn check_facts(&self, name: &str, limit: usize) -> Result<(), FormatError> {
        let mut last = 0;
        for range in self.ranges(name) {
            let fact = FactRecord::read(&self.bytes, range.start, limit)?;
            let first = fact.spans().next().map_or(0, |span| span.start);
            if first < last {
                return Err(FormatError::Expected {
                    expected: "facts by their first place",
                    at: range.start,
                });
            }
            last = first;
        }
        Ok(())
    }
}

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

    fn ranges(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        self.section(name).into_iter().flat_map(Section::ranges)
    }
}

/// Two manifests are one where their bytes are.
impl PartialEq for NodeManifest {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for NodeManifest {}

impl fmt::Debug for NodeManifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeManifest")
            .field("id", &self.id)
            .field("kind", &self.kind())
            .field("facts", &self.fact_count())
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// Reads a list as a section, item by item.
fn read_section(cursor: &mut Cursor<'_>, name: &str) -> Result<Section, FormatError> {
    let count = cursor.list()?;
    let mut items = Vec::new();
    for _ in 0..count {
        let range = cursor.skip();
        // A manifest has fewer bytes than this can count.
        let narrow = |place| u32::try_from(place).unwrap_or(u32::MAX);
        items.push((narrow(range.start), narrow(range.end)));
    }
    Ok(Section::new(name, items))
}

/// The order of keys.
fn order(name: &str) -> (usize, &str) {
    (name.len(), name)
}

/// Compares the sections with those that the body lists. Both stand in the order of their names, each name once.
fn compare(
    bytes: &[u8],
    listed: &[(&str, SectionDigest)],
    found: &[Section],
    given: bool,
) -> Result<(), FormatError> {
    let mut found = found.iter().peekable();
    for (name, digest) in listed {
        let Some(section) = found.next_if(|section| order(&section.name) <= order(name)) else {
            return Err(FormatError::SectionMissing { name: (*name).to_owned() });
        };
        if *section.name != **name {
            return Err(FormatError::SectionUnlisted { name: section.name.to_string() });
        }
        if given && SectionDigest::of(name, section.root(bytes)) != *digest {
            return Err(FormatError::SectionDigest { name: (*name).to_owned() });
        }
    }
    match found.next() {
        Some(section) => Err(FormatError::SectionUnlisted { name: section.name.to_string() }),
        None => Ok(()),
    }
}

fn read_decision(
    bytes: &[u8],
    at: Range<usize>,
    body: BodyId,
    evidence: Option<&Section>,
) -> Result<(DecisionId, DecisionRecord), FormatError> {
    let decision = DecisionRecord::read(bytes, at.start)?;
    let evidence = evidence.filter(|evidence| evidence.len() > 0).ok_or(FormatError::EvidenceEmpty)?;
    if decision.body != body {
        return Err(FormatError::DecisionBody);
    }
    if decision.evidence != evidence.root(bytes) {
        return Err(FormatError::EvidenceDigest);
    }
    Ok((DecisionId::of(bytes.get(at).unwrap_or_default()), decision))
}
