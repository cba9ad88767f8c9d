//! The manifest of one leaf or node: one blob, from whose contents its id follows.
//!
//! ```text
//! {"body": {…}, "decision"?: {…}, "evidence"?: [item…], "sections"?: {name: [item…]}}
//! ```
//!
//! The body commits to each section, the decision to the body and the evidence, the id to body and decision. Nothing of the
//! blob is outside of its id, and what is hashed are the bytes as they came.

use super::body::{Body, ManifestKind, order};
use super::canonical::{Cursor, Map, Writer, check};
use super::decision::{self, DecisionRecord};
use super::error::FormatError;
use super::fate::{ChildFates, DropReason};
use super::finding::{ClaimRecord, ConflictRecord, SignalsRecord};
use super::record::FactRecord;
use super::section::{self, Items, Section, Written};
use super::{BodyId, DecisionId, NodeId, SectionDigest};
use crate::policy::Policy;
use crate::report::Report;
use std::fmt;
use std::ops::Range;

/// The manifest of one leaf or node. Whatever exists is whole: its structure is canonical, every digest in it was
/// recomputed, and every record of this version is sound. Whether it accounts for its children's facts is asked with them
/// at hand, by [`accounting`](Self::accounting).
///
/// # Bytes
///
/// One map in a strict subset of DAG-CBOR: text keys, sorted and unique, definite lengths, shortest heads, no floats, tags
/// or `null`. `H[x]` is BLAKE3 with the context `manifest 2026-11 v1 x`, `len16` a length in two bytes, big-endian.
///
/// ```text
/// {"body": {…}, "decision"?: {…}, "evidence"?: [item…], "sections"?: {name: [item…]}}
///
/// item     = H[list-leaf](0x00, len16(kind), kind, bytes)        kind: the section's name, or `evidence`
/// inner    = H[list-inner](0x01, left, right)                    split as in RFC 9162
/// empty    = H[list-empty]()
/// root     = H[list-root](count as u64 little-endian, tree)
/// section  = H[section](len16(name), name, root)                 listed in the body
/// BodyId   = H[body](bytes of the body)                          named by the decision, which also holds evidence's root
/// NodeId   = H[node](BodyId, H[decision](bytes of the decision)), of a leaf H[node](BodyId)
/// ```
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
    pub(super) bytes: Box<[u8]>,
    pub(super) id: NodeId,
    pub(super) body_id: BodyId,
    pub(super) body: Body,
    pub(super) body_at: Range<usize>,
    pub(super) decision: Option<(DecisionId, DecisionRecord)>,
    pub(super) evidence: Option<Section>,
    pub(super) sections: Vec<Section>,
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
            .filter(|(name, items)| items.len() > 0 || !section::is_known(name))
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
        let (body, listed) = Body::read(&bytes, at.clone())?;
        compare(&bytes, &listed, &sections, given)?;
        body.check_critical(&listed)?;
        let decision = match decision {
            Some(at) => Some(read_decision(&bytes, at, body_id, evidence.as_ref())?),
            None if evidence.is_some() => return Err(FormatError::Missing { field: "decision" }),
            None => None,
        };
        let id = NodeId::of(body_id, decision.as_ref().map(|(id, _)| *id));
        let manifest = NodeManifest { bytes, id, body_id, body, body_at: at, decision, evidence, sections };
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

    /// The canonical bytes of the body, of which its id is the hash.
    pub(super) fn body_bytes(&self) -> &[u8] {
        self.bytes.get(self.body_at.clone()).unwrap_or_default()
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
