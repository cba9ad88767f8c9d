//! A proof of one fact out of a tree.

use super::TreeMap;
use crate::manifest::{InclusionProof, NodeId, NodeManifest, ProveError};
use rustc_hash::FxHashMap;

impl TreeMap {
    /// The proof that fact number `fact` stands in `of`, a leaf or node of this tree, and below its root. Where several ways
    /// lead there, it is of the shortest.
    ///
    /// # Errors
    /// [`ProveError`].
    pub fn prove(&self, of: NodeId, fact: u32) -> Result<InclusionProof, ProveError> {
        let way = self.way(of).ok_or(ProveError::NotInTree(of))?;
        InclusionProof::of(fact as usize, &way)
    }

    /// The manifests from one up to the root.
    fn way(&self, of: NodeId) -> Option<Vec<&NodeManifest>> {
        // Who was reached from whom, breadth first.
        let mut below: FxHashMap<NodeId, Option<NodeId>> = FxHashMap::default();
        below.insert(of, None);
        let mut open = vec![of];
        while !open.is_empty() && !below.contains_key(&self.root()) {
            let mut next = Vec::new();
            for id in open {
                for (parent, _) in self.parents(id) {
                    below.entry(*parent).or_insert_with(|| {
                        next.push(*parent);
                        Some(id)
                    });
                }
            }
            open = next;
        }
        let mut way = vec![self.get(self.root())?];
        while let Some(id) = *below.get(&way.last()?.id())? {
            way.push(self.get(id)?);
        }
        way.reverse();
        Some(way)
    }
}
