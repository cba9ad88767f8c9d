//! What a proof has shown. It is made by verifying one, and by nothing else.

use super::super::body::Body;
use super::super::{FactRecord, NodeId, Origin, TextDigest};
use super::ProofError;

/// A leaf or node on the way of a proven fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProvenNode {
    /// Its id, recomputed.
    pub id: NodeId,
    /// Summaries on the longest path from a leaf; 0 for a leaf.
    pub level: u32,
}

/// A fact of which a proof has shown that it stands below a pinned root.
#[derive(Clone, Debug)]
pub struct ProvenFact<'p> {
    fact: FactRecord<'p>,
    of_text: bool,
    stated: Body,
    nodes: Vec<ProvenNode>,
    unknown_critical: Vec<String>,
}

impl<'p> ProvenFact<'p> {
    pub(super) fn new(
        fact: FactRecord<'p>,
        of_text: bool,
        stated: Body,
        nodes: Vec<ProvenNode>,
        unknown_critical: Vec<String>,
    ) -> Self {
        ProvenFact { fact, of_text, stated, nodes, unknown_critical }
    }

    /// The fact, with its spans.
    pub fn fact(&self) -> &FactRecord<'p> {
        &self.fact
    }

    /// Whether it stands in a ledger, and not in the text.
    pub fn is_of_ledger(&self) -> bool {
        !self.of_text
    }

    /// The digest of the text of the leaf or node that states it.
    pub fn text_digest(&self) -> TextDigest {
        self.stated.text
    }

    /// Bytes of that text.
    pub fn text_bytes(&self) -> u64 {
        self.stated.bytes
    }

    /// Where the leaf comes from; `None` where a node states the fact.
    pub fn origin(&self) -> Option<&Origin> {
        self.stated.origin.as_ref()
    }

    /// The way, from the leaf or node that states the fact up to the root.
    pub fn nodes(&self) -> &[ProvenNode] {
        &self.nodes
    }

    /// Critical sections on the way that this version does not know. The fact stands there all the same.
    pub fn unknown_critical_sections(&self) -> &[String] {
        &self.unknown_critical
    }

    /// Whether a text is the one that states the fact, and says it at each of its places. Of a fact whose text is not
    /// kept, the text's digest alone is compared.
    ///
    /// # Errors
    /// [`ProofError::Text`], [`ProofError::Span`], [`ProofError::OfLedger`].
    pub fn check_text(&self, text: &str) -> Result<(), ProofError> {
        if !self.of_text {
            return Err(ProofError::OfLedger);
        }
        let (expected, found) = (self.stated.text, TextDigest::of(text));
        if found != expected || text.len() as u64 != self.stated.bytes {
            return Err(ProofError::Text { expected, found });
        }
        for span in self.fact.spans() {
            let there = text.get(span.start..span.end);
            if there.is_none_or(|there| self.fact.text().is_some_and(|text| text != there)) {
                return Err(ProofError::Span { span });
            }
        }
        Ok(())
    }
}
