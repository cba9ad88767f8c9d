//! Texts that many values share, each kept once.

use super::parent::MASK;
use crate::fact::Known;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::num::NonZeroU32;

/// Distinct texts, numbered from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Interned {
    texts: String,
    /// Where each ends.
    ends: Vec<usize>,
    index: HashTable<NonZeroU32>,
    /// Those that showed a credential.
    hidden: FxHashSet<NonZeroU32>,
}

impl Interned {
    /// The number of a text; `None` where there are more than can be numbered.
    pub(super) fn number(&mut self, text: &str) -> Option<NonZeroU32> {
        let hash = FxBuildHasher.hash_one(text);
        if let Some(number) = self.index.find(hash, |n| at(&self.texts, &self.ends, *n) == text) {
            return Some(*number);
        }
        let number = u32::try_from(self.ends.len() + 1).ok().and_then(NonZeroU32::new)?;
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        let rehash = |n: &NonZeroU32| FxBuildHasher.hash_one(at(&self.texts, &self.ends, *n));
        self.index.insert_unique(hash, number, rehash);
        Some(number)
    }

    /// The text of a number.
    pub(super) fn get(&self, number: NonZeroU32) -> &str {
        if self.hidden.contains(&number) { MASK } else { at(&self.texts, &self.ends, number) }
    }

    /// Hides the texts that show a credential.
    pub(super) fn hide(&mut self, known: &Known) {
        let numbers = (1..=self.ends.len()).filter_map(|n| u32::try_from(n).ok().and_then(NonZeroU32::new));
        self.hidden.extend(numbers.filter(|n| known.within(at(&self.texts, &self.ends, *n))));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

fn at<'t>(texts: &'t str, ends: &[usize], number: NonZeroU32) -> &'t str {
    let number = number.get() as usize;
    let start = number.checked_sub(2).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(number - 1).and_then(|end| texts.get(start..*end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_number() {
        let mut all = Interned::default();
        let numbers: Vec<_> =
            ["took", "", "lag", "took", ""].iter().filter_map(|text| all.number(text)).collect();
        assert_eq!(numbers.iter().map(|n| n.get()).collect::<Vec<_>>(), [1, 2, 3, 1, 2]);
        assert_eq!(numbers.iter().map(|n| all.get(*n)).collect::<Vec<_>>(), ["took", "", "lag", "took", ""]);
        for i in 0..1000 {
            assert_eq!(all.number(&format!("label-{i}")).map(NonZeroU32::get), Some(4 + i));
        }
        assert_eq!(all.number("label-77").map(NonZeroU32::get), Some(81));
    }
}
