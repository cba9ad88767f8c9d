//! Inclusion proofs: that one fact stands in a leaf or node below a root, without the store and without its siblings.
//!
//! ```text
//! {"in": section, "item": item, "proof": 1, "steps": [[place, body, decision?]…]}
//! place = [index, count, sibling…]          the siblings from the lowest up
//! ```
//!
//! Step 0 is of the leaf or node that states the fact, and its place is that of the item in the section `in`. Each
//! further step is of a parent of the one before, and its place is that of the child's id in the section `children`. The
//! body is there with its bytes, as its id is a hash of them: it commits to every other section by its digest. Of the
//! decision its id is enough.

mod error;
mod make;
mod proven;

pub use error::{ProofError, ProveError};
pub use proven::{ProvenFact, ProvenNode};

use super::body::{Body, ManifestKind};
use super::canonical::{Cursor, Writer, check};
use super::error::FormatError;
use super::record::FactRecord;
use super::{BodyId, DecisionId, NodeId, SectionDigest, list, section};
use crate::digest::Digest;
use std::ops::Range;

/// The version of proofs that this reader and writer know.
const VERSION: u64 = 1;
/// Steps that a proof may have: more than the levels of any tree that fits a store.
const DEEPEST: usize = 64;

/// That one fact stands in a leaf or node below a root: its record, and what leads from there to the root's id, step by
/// step. It grows with the depth of the tree and the logarithm of what stands beside each step. Whoever holds it, and
/// pinned the root, needs no store to [`verify`](Self::verify) it.
///
/// A proof holds hashes of what stands beside it. A hash hides nothing that can be guessed: the siblings of a fact may be
/// short.
///
/// ```
/// use manifest_core::{Child, Draft, InclusionProof, Making, NodeManifest, Policy, ProofError, seal};
/// let text = "The importer crashed with E_QUOTA_4417 on node db-7.";
/// let leaf = NodeManifest::of_leaf(&Child::new(text))?;
/// let gated = Draft::trace(&[text], "Node db-7: the importer crashed with E_QUOTA_4417.".to_owned())
///     .gate(&Policy::exact())?;
/// let root = seal(&gated, &[&leaf], Making::default())?;
///
/// let bytes = InclusionProof::of(0, &[&leaf, &root])?.bytes().to_vec();
///
/// let proof = InclusionProof::parse(&bytes)?; // elsewhere, without the store
/// let proven = proof.verify(root.id())?;
/// assert_eq!(proven.fact().text(), Some("E_QUOTA_4417"));
/// proven.check_text(text)?;
/// assert!(matches!(proof.verify(leaf.id()), Err(ProofError::Root { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionProof {
    bytes: Box<[u8]>,
    section: &'static str,
    item: Range<usize>,
    steps: Vec<Step>,
}

/// One leaf or node on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    index: u64,
    count: u64,
    siblings: Vec<Digest>,
    body: Range<usize>,
    decision: Option<DecisionId>,
}

impl InclusionProof {
    /// Reads a proof. That it holds is asked by [`verify`](Self::verify).
    ///
    /// # Errors
    /// [`ProofError::Format`] for bytes that are not the one writing of a proof, [`ProofError::Version`] and
    /// [`ProofError::Steps`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ProofError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(FormatError::TooLarge { bytes: bytes.len() }.into());
        }
        check(bytes)?;
        let (mut version, mut section, mut item, mut steps) = (None, None, None, None);
        Cursor::at(bytes, 0).fields(|cursor, key| {
            let expected = |expected| cursor.expected(expected);
            match key {
                "in" => {
                    let expected = expected("`facts` or `carried`");
                    section = Some(match cursor.text()? {
                        section::FACTS => section::FACTS,
                        section::CARRIED => section::CARRIED,
                        _ => return Err(expected),
                    });
                }
                "item" => item = Some(cursor.skip()),
                "proof" => version = Some(cursor.uint()?),
                "steps" => steps = Some(cursor.skip()),
                // Nothing else would be proved.
                _ => return Err(expected("in, item, proof or steps")),
            }
            Ok(true)
        })?;
        match version.ok_or(FormatError::Missing { field: "proof" })? {
            VERSION => {}
            found => return Err(ProofError::Version { found }),
        }
        let steps = steps.ok_or(FormatError::Missing { field: "steps" })?;
        let mut cursor = Cursor::at(bytes, steps.start);
        let found = cursor.list()?;
        if !(1..=DEEPEST).contains(&found) {
            return Err(ProofError::Steps { found });
        }
        let steps = (0..found).map(|_| Step::read(&mut cursor)).collect::<Result<_, _>>()?;
        Ok(InclusionProof {
            bytes: bytes.into(),
            section: section.ok_or(FormatError::Missing { field: "in" })?,
            item: item.ok_or(FormatError::Missing { field: "item" })?,
            steps,
        })
    }

    /// The canonical bytes: what is handed on.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Checks every step, up to the root that was pinned. It hashes the proof once and reads nothing else.
    ///
    /// # Errors
    /// [`ProofError`], with the step that does not hold.
    pub fn verify(&self, pinned: NodeId) -> Result<ProvenFact<'_>, ProofError> {
        let mut nodes: Vec<ProvenNode> = Vec::with_capacity(self.steps.len());
        let mut stated: Option<Body> = None;
        let mut unknown_critical = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let (body, listed) = Body::read(&self.bytes, step.body.clone())?;
            body.check_critical(&listed)?;
            let (section, item) = match nodes.last() {
                None => {
                    body.check_stating(self.section, step)?;
                    (self.section, list::item(self.section, self.bytes_at(&self.item)))
                }
                Some(child) if body.kind == ManifestKind::Node && body.level > child.level => {
                    let mut id = Writer::default();
                    id.bytes(child.id.as_bytes());
                    (section::CHILDREN, list::item(section::CHILDREN, &id.into_bytes()))
                }
                Some(_) => return Err(ProofError::Level { step: number, level: body.level }),
            };
            let root = list::root_of(item, step.index, step.count, &step.siblings);
            let root = root.ok_or(ProofError::Place { step: number })?;
            let digest = listed.iter().find(|(name, _)| *name == section).map(|(_, digest)| *digest);
            let digest = digest.ok_or(ProofError::NotListed { step: number, section })?;
            if SectionDigest::of(section, root) != digest {
                return Err(ProofError::NotIncluded { step: number, section });
            }
            let body_id = BodyId::of(self.bytes_at(&step.body));
            nodes.push(ProvenNode { id: NodeId::of(body_id, step.decision), level: body.level });
            unknown_critical.extend(body.critical.iter().filter(|name| !section::is_known(name)).cloned());
            stated.get_or_insert(body);
        }
        let found = nodes.last().map(|node| node.id).ok_or(ProofError::Steps { found: 0 })?;
        if found != pinned {
            return Err(ProofError::Root { pinned, found });
        }
        let stated = stated.ok_or(ProofError::Steps { found: 0 })?;
        let of_text = self.section == section::FACTS;
        let limit = if of_text { usize::try_from(stated.bytes).unwrap_or(usize::MAX) } else { usize::MAX };
        let fact = FactRecord::read(&self.bytes, self.item.start, limit)?;
        Ok(ProvenFact::new(fact, of_text, stated, nodes, unknown_critical))
    }

    fn bytes_at(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

impl Step {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, FormatError> {
        let expected = cursor.expected("a place, a body, and a decision where there is one");
        let items = cursor.list()?;
        if !(2..=3).contains(&items) {
            return Err(expected);
        }
        let siblings = cursor.list()?.checked_sub(2).ok_or(expected)?;
        let (index, count) = (cursor.uint()?, cursor.uint()?);
        let siblings = (0..siblings).map(|_| cursor.digest()).collect::<Result<_, _>>()?;
        let body = cursor.skip();
        let decision = if items == 3 { Some(DecisionId::from_digest(cursor.digest()?)) } else { None };
        Ok(Step { index, count, siblings, body, decision })
    }
}

impl Body {
    /// A leaf has no ledger and no decision.
    fn check_stating(&self, section: &str, step: &Step) -> Result<(), FormatError> {
        let at = step.body.start;
        match self.kind {
            ManifestKind::Leaf if section != section::FACTS => {
                Err(FormatError::SectionUnlisted { name: section.to_owned() })
            }
            ManifestKind::Leaf if step.decision.is_some() => {
                Err(FormatError::Expected { expected: "a leaf without a decision", at })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
