//! Which leaves a sentence of a node comes from.

use super::TreeMap;
use crate::manifest::{NodeId, NodeManifest, TextDigest};
use crate::text::Span;
use rustc_hash::FxHashSet;

/// A stretch of a leaf that a sentence comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// The leaf.
    pub leaf: NodeId,
    /// The caller's name for it.
    pub source: Option<String>,
    /// Where, in bytes of the leaf's text.
    pub span: Span,
    /// The digest of the leaf's text.
    pub text_digest: TextDigest,
    /// How much of the sentence is found there, in parts per million: the product over the levels between.
    pub score: u32,
    /// The nodes in between, from the asked one down.
    pub through: Vec<NodeId>,
}

/// Why a sentence cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OriginError {
    /// The node is none of the tree.
    #[error("{0} is no node of this tree")]
    NotInTree(NodeId),
    /// The text has no such words.
    #[error("these words do not stand in the text of {0}: give a stretch of it as it stands there")]
    NotThere(NodeId),
    /// The words are in no claim: a heading, a ledger line, a handle.
    #[error("these words of {0} are no claim: headings and lines of the ledger have no source sentence")]
    NoClaim(NodeId),
}

const WHOLE: u64 = 1_000_000;

impl TreeMap {
    /// The stretches of leaves that `words` of the text of `node` come from, the best first. `text` is that of the node, as
    /// the store holds it.
    ///
    /// # Errors
    /// [`OriginError`].
    pub fn origin(&self, node: NodeId, text: &str, words: &str) -> Result<Vec<Source>, OriginError> {
        let manifest = self.get(node).ok_or(OriginError::NotInTree(node))?;
        let words = words.trim();
        let start = text.find(words).filter(|_| !words.is_empty()).ok_or(OriginError::NotThere(node))?;
        let at = Span::new(start, start + words.len());
        if manifest.level() == 0 {
            return Ok(vec![of_leaf(manifest, at, WHOLE, Vec::new())]);
        }
        let mut out: Vec<Source> = Vec::new();
        let mut seen: FxHashSet<(NodeId, Span)> = FxHashSet::default();
        let mut open = vec![(manifest, at, WHOLE, Vec::new())];
        let mut any = false;
        while let Some((manifest, at, score, through)) = open.pop() {
            if !seen.insert((manifest.id(), at)) {
                continue;
            }
            if manifest.level() == 0 {
                out.push(of_leaf(manifest, at, score, through));
                continue;
            }
            let children: Vec<NodeId> = manifest.children().collect();
            for claim in manifest.claims().filter(|claim| claim.span.overlaps(at)) {
                any = true;
                for source in claim.sources {
                    let Some(child) = children.get(source.child as usize).and_then(|id| self.get(*id)) else {
                        continue;
                    };
                    // A child with a ledger was read with it before its text.
                    let head = child.rendered("").len();
                    if source.span.end <= head {
                        continue;
                    }
                    let at = Span::new(source.span.start.saturating_sub(head), source.span.end - head);
                    let mut through = through.clone();
                    through.push(manifest.id());
                    open.push((child, at, score * u64::from(source.score) / WHOLE, through));
                }
            }
        }
        if !any {
            return Err(OriginError::NoClaim(node));
        }
        out.sort_by(|a, b| b.score.cmp(&a.score).then(a.span.cmp(&b.span)));
        Ok(out)
    }
}

fn of_leaf(leaf: &NodeManifest, span: Span, score: u64, through: Vec<NodeId>) -> Source {
    Source {
        leaf: leaf.id(),
        source: leaf.origin().and_then(|origin| origin.source.clone()),
        span,
        text_digest: leaf.text_digest(),
        score: u32::try_from(score).unwrap_or(u32::MAX),
        through,
    }
}
