//! Which leaves a sentence of a node comes from.

use super::TreeMap;
use crate::manifest::{NodeId, NodeManifest, TextDigest};
use crate::store::Store;
use crate::text::Span;
use crate::tree::{Tree, TreeError};
use rustc_hash::{FxHashMap, FxHashSet};

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
#[derive(Debug, thiserror::Error)]
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
    /// A leaf or node on the way could not be read.
    #[error(transparent)]
    Read(#[from] TreeError),
}

const WHOLE: u64 = 1_000_000;

impl TreeMap {
    /// The stretches of leaves that `words` of the text of `node` come from, the best first. `text` is that of the node, as
    /// the store holds it.
    ///
    /// # Errors
    /// [`OriginError`].
    pub fn origin(&self, node: NodeId, text: &str, words: &str) -> Result<Vec<Source>, OriginError> {
        let mut walk = Walk::begin(self.get(node).ok_or(OriginError::NotInTree(node))?, text, words)?;
        while let Some((node, strands)) = walk.next() {
            if let Some(manifest) = self.get(node) {
                for strand in strands {
                    walk.go(strand, manifest);
                }
            }
        }
        walk.end()
    }
}

impl<B: Store + ?Sized> Tree<'_, B> {
    /// The stretches of leaves that `words` of the text of `node` come from, the best first. Of the tree below it, only what they lead
    /// through is read.
    ///
    /// # Errors
    /// [`OriginError`].
    pub async fn origin(&self, node: NodeId, words: &str) -> Result<Vec<Source>, OriginError> {
        let manifest = self.manifest(node).await?;
        let text = match self.text_of(&manifest).await? {
            Some(text) => text,
            None if manifest.level() == 0 => return Err(TreeError::Reclaimed { id: node }.into()),
            None => return Err(TreeError::TextMissing { id: node }.into()),
        };
        let mut walk = Walk::begin(&manifest, &text, words)?;
        while let Some((node, strands)) = walk.next() {
            let manifest = self.manifest(node).await?;
            for strand in strands {
                walk.go(strand, &manifest);
            }
        }
        walk.end()
    }
}

/// The way down from a stretch of a node's text.
struct Walk {
    asked: NodeId,
    /// The leaves and nodes that are still to be looked at, the next one last.
    order: Vec<NodeId>,
    /// What is to be followed in each: all of it at once, so that each is read once.
    open: FxHashMap<NodeId, Vec<Strand>>,
    seen: FxHashSet<(NodeId, Span)>,
    found: Vec<Source>,
    /// Whether the words stand in a claim.
    any: bool,
}

/// A stretch that is still to be followed.
struct Strand {
    /// In what was read of it: with its ledger, if it is a child.
    at: Span,
    score: u64,
    /// From the asked node down to its parent.
    through: Vec<NodeId>,
}

impl Walk {
    fn begin(manifest: &NodeManifest, text: &str, words: &str) -> Result<Walk, OriginError> {
        let (asked, words) = (manifest.id(), words.trim());
        let start = text.find(words).filter(|_| !words.is_empty()).ok_or(OriginError::NotThere(asked))?;
        let at = Span::new(start, start + words.len());
        let mut walk = Walk {
            asked,
            order: Vec::new(),
            open: FxHashMap::default(),
            seen: FxHashSet::default(),
            found: Vec::new(),
            any: manifest.level() == 0,
        };
        walk.add(asked, Strand { at, score: WHOLE, through: Vec::new() });
        Ok(walk)
    }

    fn add(&mut self, node: NodeId, strand: Strand) {
        let order = &mut self.order;
        let strands = self.open.entry(node).or_insert_with(|| {
            order.push(node);
            Vec::new()
        });
        strands.push(strand);
    }

    /// The next leaf or node, and what is to be followed in it.
    fn next(&mut self) -> Option<(NodeId, Vec<Strand>)> {
        let node = self.order.pop()?;
        Some((node, self.open.remove(&node)?))
    }

    /// Follows a stretch of a leaf or node, whose manifest this is.
    fn go(&mut self, strand: Strand, manifest: &NodeManifest) {
        let Strand { at, score, mut through } = strand;
        let node = manifest.id();
        // A child with a ledger was read with it before its text.
        let head = if through.is_empty() { 0 } else { manifest.rendered("").len() };
        if at.end <= head {
            return;
        }
        let at = Span::new(at.start.saturating_sub(head), at.end - head);
        if !self.seen.insert((node, at)) {
            return;
        }
        if manifest.level() == 0 {
            self.found.push(of_leaf(manifest, at, score, through));
            return;
        }
        let children: Vec<NodeId> = manifest.children().collect();
        through.push(node);
        for claim in manifest.claims().filter(|claim| claim.span.overlaps(at)) {
            self.any = true;
            for source in claim.sources {
                let Some(child) = children.get(source.child as usize) else { continue };
                let score = score * u64::from(source.score) / WHOLE;
                self.add(*child, Strand { at: source.span, score, through: through.clone() });
            }
        }
    }

    fn end(self) -> Result<Vec<Source>, OriginError> {
        let Walk { asked, mut found, any, .. } = self;
        if !any {
            return Err(OriginError::NoClaim(asked));
        }
        found.sort_by(|a, b| b.score.cmp(&a.score).then(a.span.cmp(&b.span)));
        Ok(found)
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
