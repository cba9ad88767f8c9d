//! The words of a parent's claims, numbered, and which claims hold which.

use crate::text::{Span, Word, reports, words};
use rustc_hash::FxHashMap;

/// Distinct words of a claim that are compared; a sentence is cut long before it has more.
const WORDS: usize = 64;
/// A word that more claims hold than this leads to none of them: it is looked for in those that another word led to.
const COMMON: usize = 1 << 10;
/// Weight of a word that only tells how something is told: a summary says "mentions" where its source says the thing.
const TELLS: f64 = 0.4;
/// Weight of what has a digit in it: a figure is told of one thing only.
const FIGURE: f64 = 1.5;

/// The words of all claims.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    numbers: FxHashMap<u64, u32>,
    /// For each word, what it weighs apart from how rare it is.
    pub(super) weight: Vec<f64>,
    /// For each word, the claims that it leads to, with its place there.
    holders: Vec<Vec<(u32, u8)>>,
    /// For each word, whether it leads to none, or not to all.
    common: Vec<bool>,
}

impl Terms {
    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.weight.len()
    }

    /// The number of a word, if a claim holds it.
    pub(super) fn number(&self, word: &Word) -> Option<u32> {
        self.numbers.get(&word.root).copied()
    }

    /// The claims that a word leads to, with its place there.
    pub(super) fn holders(&self, word: u32) -> &[(u32, u8)] {
        self.holders.get(word as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether more claims hold a word than it leads to.
    pub(super) fn is_common(&self, word: u32) -> bool {
        self.common.get(word as usize).copied().unwrap_or(false)
    }

    /// Numbers the content words of a stretch of the parent: each once, in order.
    pub(super) fn intern(&mut self, text: &str, at: Span) -> Vec<u32> {
        let mut own: Vec<u32> = Vec::new();
        for w in words(text, at).iter().filter(|w| w.content) {
            let fresh = u32::try_from(self.weight.len()).unwrap_or(u32::MAX);
            let word = *self.numbers.entry(w.root).or_insert(fresh);
            if word == fresh {
                let figure = w.at.of(text).bytes().any(|b| b.is_ascii_digit());
                let telling = if reports(w.root) { TELLS } else { 1.0 };
                self.weight.push(if figure { FIGURE } else { telling });
            }
            if own.len() < WORDS && !own.contains(&word) {
                own.push(word);
            }
        }
        own
    }

    /// Learns which claims hold which words, from the words of each claim.
    pub(super) fn lead<'c>(&mut self, claims: impl Iterator<Item = &'c [u32]> + Clone) {
        let mut counts = vec![0_usize; self.len()];
        for &word in claims.clone().flatten() {
            if let Some(n) = counts.get_mut(word as usize) {
                *n += 1;
            }
        }
        let count = |word: u32| counts.get(word as usize).copied().unwrap_or(0);
        self.common = counts.iter().map(|&n| n > COMMON).collect();
        self.holders = vec![Vec::new(); self.len()];
        for (c, words) in claims.enumerate() {
            // A claim of common words only is led to by the least common of them.
            let rarest = words.iter().copied().min_by_key(|&w| count(w));
            for (place, &word) in words.iter().enumerate() {
                if (count(word) <= COMMON || Some(word) == rarest)
                    && let (Some(h), Ok(c), Ok(place)) =
                        (self.holders.get_mut(word as usize), u32::try_from(c), u8::try_from(place))
                {
                    h.push((c, place));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_word_leads_to_the_claims_that_have_no_other() {
        let mut terms = Terms::default();
        let mut claims: Vec<Vec<u32>> = Vec::new();
        for i in 0..COMMON + 5 {
            let text = format!("pump unit{i}");
            claims.push(terms.intern(&text, Span::new(0, text.len())));
        }
        claims.push(terms.intern("pump", Span::new(0, 4)));
        terms.lead(claims.iter().map(Vec::as_slice));
        let pump = claims.last().and_then(|c| c.first()).copied().unwrap();
        assert!(terms.is_common(pump));
        assert_eq!(terms.holders(pump), [(u32::try_from(COMMON + 5).unwrap(), 0)]);
        assert_eq!(terms.holders(pump + 1), [(0, 1)]);
    }
}
