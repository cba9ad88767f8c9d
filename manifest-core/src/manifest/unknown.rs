//! Sections of a later version: kept as they are, and carried along when a node is made again.

use super::NodeManifest;
use super::section::{self, Items};

/// A section that this version does not know, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSection {
    name: String,
    items: Vec<Box<[u8]>>,
    critical: bool,
}

impl UnknownSection {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the manifest must not be taken for understood without it.
    pub fn is_critical(&self) -> bool {
        self.critical
    }

    /// Its name, if it is critical.
    pub(super) fn critical(&self) -> Option<&str> {
        self.critical.then_some(&*self.name)
    }

    /// Its items: of checked bytes, so that they are canonical.
    pub(super) fn items(&self) -> Items {
        let mut items = Items::default();
        for item in &self.items {
            items.add(|w| w.item(item));
        }
        items
    }
}

impl NodeManifest {
    /// The sections that this version does not know.
    pub fn unknown(&self) -> Vec<UnknownSection> {
        let unknown = self.sections().iter().filter(|section| !section::is_known(&section.name));
        unknown
            .map(|section| UnknownSection {
                name: section.name.to_string(),
                items: section
                    .ranges()
                    .map(|range| self.bytes().get(range).unwrap_or_default().into())
                    .collect(),
                critical: self.body.critical.iter().any(|name| **name == *section.name),
            })
            .collect()
    }
}
