//! Sections: named lists of items. Every section is a list, so that a reader verifies one that it does not know.

use super::canonical::Writer;
use super::{SectionDigest, list};
use std::ops::Range;

/// The sections that a manifest may have: more than any version needs, and few enough to look through.
pub(super) const MOST: usize = 256;
/// The bytes that a section's name may have.
pub(super) const LONGEST_NAME: usize = 64;

/// The facts of the text.
pub(super) const FACTS: &str = "facts";
/// The ids of the children, in order.
pub(super) const CHILDREN: &str = "children";
/// The lines of the ledger.
pub(super) const LEDGER: &str = "ledger";
/// The facts of the ledger.
pub(super) const CARRIED: &str = "carried";
/// What became of each child's facts, one item a child.
pub(super) const FATES: &str = "fates";
/// The reasons for which facts were dropped.
pub(super) const DROPS: &str = "drops";
/// The children's disagreements, and what became of them.
pub(super) const CONFLICTS: &str = "conflicts";
/// The claims of the text with their sources.
pub(super) const CLAIMS: &str = "claims";
/// The figures that hang on no policy.
pub(super) const SIGNALS: &str = "signals";
/// Facts that must survive in every summary above.
pub(super) const REQUIRED: &str = "required";
/// The stated recall of the first draft: probes answered, probes asked.
pub(super) const RECALL: &str = "recall";
/// What a decision rests on: beside the body, as the gate judges a body.
pub(super) const EVIDENCE: &str = "evidence";

/// The sections that a node may have and this reader knows.
const OF_A_NODE: [&str; 11] =
    [FACTS, CHILDREN, LEDGER, CARRIED, FATES, DROPS, CONFLICTS, CLAIMS, SIGNALS, REQUIRED, RECALL];

/// Whether this reader knows a section.
pub(super) fn is_known(name: &str) -> bool {
    OF_A_NODE.contains(&name)
}

/// Whether a leaf may have a section: its facts, and what this reader does not know.
pub(super) fn leaf_may_have(name: &str) -> bool {
    name == FACTS || !is_known(name)
}

/// A section to be written.
#[derive(Debug, Default)]
pub(super) struct Items {
    writer: Writer,
    ends: Vec<usize>,
}

impl Items {
    /// Adds an item.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut Writer)) {
        write(&mut self.writer);
        self.ends.push(self.writer.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The root of the list, and the items one after another.
    pub(super) fn finish(self, kind: &str) -> Written {
        let Items { writer, ends } = self;
        let bytes = writer.into_bytes();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let hashes = starts
            .zip(&ends)
            .map(|(start, end)| list::item(kind, bytes.get(start..*end).unwrap_or_default()));
        let root = list::root(hashes);
        Written { root, count: ends.len(), items: bytes }
    }
}

/// A section as it is written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) root: crate::digest::Digest,
    count: usize,
    items: Vec<u8>,
}

impl Written {
    /// Writes the list.
    pub(super) fn write(&self, to: &mut Writer) {
        to.list(self.count);
        to.item(&self.items);
    }

    /// The digest under a name.
    pub(super) fn digest(&self, name: &str) -> SectionDigest {
        SectionDigest::of(name, self.root)
    }
}

/// A section that was read: where each item stands in the manifest's bytes.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: Box<str>,
    items: Vec<(u32, u32)>,
}

impl Section {
    pub(super) fn new(name: &str, items: Vec<(u32, u32)>) -> Self {
        Section { name: name.into(), items }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Where an item stands.
    pub(super) fn range(&self, index: usize) -> Option<Range<usize>> {
        self.items.get(index).map(|(start, end)| *start as usize..*end as usize)
    }

    /// Where all items stand.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.items.iter().map(|(start, end)| *start as usize..*end as usize)
    }

    /// The root of the list.
    pub(super) fn root(&self, bytes: &[u8]) -> crate::digest::Digest {
        list::root(self.ranges().map(|range| list::item(&self.name, bytes.get(range).unwrap_or_default())))
    }
}
