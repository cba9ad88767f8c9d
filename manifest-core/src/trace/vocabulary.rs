//! Which words and word sequences of the parent the children hold.

use super::parent::Text;
use crate::text::{Span, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parent's words, ticked off while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// Stems of the parent, and whether a child holds them.
    seen: FxHashMap<u64, bool>,
    /// Phrases of the parent to look for, by their first stem.
    phrases: FxHashMap<u64, Vec<usize>>,
    stems: Vec<Vec<u64>>,
    found: Vec<bool>,
    /// Two neighbouring stems of the children, among stems of the parent.
    pairs: FxHashSet<(u64, u64)>,
}

impl Vocabulary {
    /// The vocabulary of a parent, with the phrases (spans of its folded text) to look for word by word.
    pub(crate) fn of(parent: &Text<'_>, phrases: impl Iterator<Item = Span>) -> Self {
        let text = &*parent.reading.normal.text;
        let mut out = Vocabulary::default();
        for word in &parent.words {
            out.seen.insert(word.stem, false);
        }
        for at in phrases {
            let stems: Vec<u64> = words(text, at).iter().map(|w| w.stem).collect();
            if let Some(first) = stems.first() {
                out.phrases.entry(*first).or_default().push(out.stems.len());
            }
            out.stems.push(stems);
        }
        out.found = vec![false; out.stems.len()];
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, text: &Text<'_>) {
        let stems: Vec<u64> = text.words.iter().map(|w| w.stem).collect();
        let mut previous = None;
        for (i, stem) in stems.iter().enumerate() {
            let Some(seen) = self.seen.get_mut(stem) else {
                previous = None;
                continue;
            };
            *seen = true;
            if let Some(previous) = previous {
                self.pairs.insert((previous, *stem));
            }
            previous = Some(*stem);
            for phrase in self.phrases.get(stem).map(Vec::as_slice).unwrap_or_default() {
                let wanted = self.stems.get(*phrase).map(Vec::as_slice).unwrap_or_default();
                if stems.get(i..i + wanted.len()).is_some_and(|here| here == wanted)
                    && let Some(found) = self.found.get_mut(*phrase)
                {
                    *found = true;
                }
            }
        }
    }

    /// Whether a child holds the stem.
    pub(crate) fn holds(&self, stem: u64) -> bool {
        self.seen.get(&stem).copied().unwrap_or(false)
    }

    /// Whether a child holds the two stems side by side.
    pub(crate) fn holds_pair(&self, first: u64, second: u64) -> bool {
        self.pairs.contains(&(first, second))
    }

    /// Whether a child holds the phrase of this number, word by word.
    pub(crate) fn holds_phrase(&self, phrase: usize) -> bool {
        self.found.get(phrase).copied().unwrap_or(false)
    }

    /// Share of the parent's content stems that the children hold.
    pub(crate) fn share(&self, content: impl Iterator<Item = u64>) -> f64 {
        let (mut all, mut held) = (0usize, 0usize);
        for stem in content {
            all += 1;
            held += usize::from(self.holds(stem));
        }
        if all == 0 { 0.0 } else { held as f64 / all as f64 }
    }
}
