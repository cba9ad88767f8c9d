//! Where the words of a text stand: what is looked for in it is looked for there, and not in all of the text.

use crate::text::{Sentence, words};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::{Cell, OnceCell};
use std::hash::Hasher;

/// The runs of letters and digits of a text.
#[derive(Debug)]
pub(super) struct Runs {
    /// Hash of a run, or of two neighbours → where the first begins.
    places: FxHashMap<u64, Vec<usize>>,
}

/// Runs of letters and digits: where each begins, and its hash.
fn runs(text: &str) -> impl Iterator<Item = (usize, u64)> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut hasher = FxHasher::default();
        hasher.write_u32(u32::from(first));
        while let Some((_, c)) = chars.next_if(|(_, c)| c.is_alphanumeric()) {
            hasher.write_u32(u32::from(c));
        }
        Some((start, hasher.finish()))
    })
}

/// The hash of two neighbours.
fn joined(first: u64, second: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(first);
    hasher.write_u64(second);
    hasher.finish()
}

impl Runs {
    pub(super) fn of(text: &str) -> Self {
        let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut before: Option<(usize, u64)> = None;
        for (at, run) in runs(text) {
            places.entry(run).or_default().push(at);
            if let Some((from, first)) = before.replace((at, run)) {
                places.entry(joined(first, run)).or_default().push(from);
            }
        }
        Runs { places }
    }

    /// Places in `text` where `surface` stands between other runs, not as a part of one. `None` where it has no run.
    pub(super) fn find(&self, text: &str, surface: &str) -> Option<impl Iterator<Item = usize>> {
        let none: &[usize] = &[];
        let mut rarest: Option<(usize, &[usize])> = None;
        let mut before: Option<(usize, u64)> = None;
        for (offset, run) in runs(surface) {
            let pair = before.replace((offset, run)).map(|(from, first)| (from, joined(first, run)));
            for (offset, hash) in [Some((offset, run)), pair].into_iter().flatten() {
                let places = self.places.get(&hash).map_or(none, Vec::as_slice);
                if rarest.is_none_or(|(_, fewest)| places.len() < fewest.len()) {
                    rarest = Some((offset, places));
                }
            }
        }
        let (offset, places) = rarest?;
        let starts = places.iter().filter_map(move |at| at.checked_sub(offset));
        Some(
            starts
                .filter(|at| text.get(*at..).is_some_and(|t| t.starts_with(surface)))
                .collect::<Vec<_>>()
                .into_iter(),
        )
    }
}

/// The sentences of a text by their words.
#[derive(Debug)]
pub(super) struct Sentences {
    /// Stem → numbers of the sentences that hold it, in order, each once.
    with: FxHashMap<u64, Vec<u32>>,
}

impl Sentences {
    pub(super) fn of(text: &str, sentences: &[Sentence]) -> Self {
        let mut with: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (number, sentence) in (0_u32..).zip(sentences) {
            for word in words(text, sentence.at) {
                let list = with.entry(word.stem).or_default();
                if list.last() != Some(&number) {
                    list.push(number);
                }
            }
        }
        Sentences { with }
    }

    /// Whether one sentence holds at least `least` of `wanted`, one or more of these.
    pub(super) fn one_holds(&self, wanted: &[u64], least: usize) -> bool {
        let none: &[u32] = &[];
        let mut lists: Vec<&[u32]> =
            wanted.iter().map(|stem| self.with.get(stem).map_or(none, Vec::as_slice)).collect();
        lists.sort_unstable_by_key(|list| list.len());
        // A sentence with so many of them holds one of the few rarest.
        let rarest = (lists.len() + 1).saturating_sub(least.max(1));
        let mut near: Vec<u32> = lists.iter().take(rarest).flat_map(|list| list.iter().copied()).collect();
        near.sort_unstable();
        near.dedup();
        near.iter().any(|sentence| {
            lists.iter().filter(|list| list.binary_search(sentence).is_ok()).count() >= least.max(1)
        })
    }
}

/// Bytes of a stretch by which places are found.
const GRAM: usize = 5;
/// So many searches are sooner made than a text is sorted for them.
const SEARCHES: usize = 32;

/// A text that is searched for stretches that may stand within words.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    searched: Cell<usize>,
    /// Hash of the bytes at a place, with the place, in order.
    grams: OnceCell<Vec<(u32, u32)>>,
}

fn gram(bytes: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    let hash = hasher.finish();
    u32::try_from(hash >> 32).unwrap_or(0)
}

impl Stretches {
    /// Whether `stretch`, of five bytes or more, stands in `text`: always the same text.
    pub(super) fn hold(&self, text: &str, stretch: &str) -> bool {
        self.searched.set(self.searched.get().saturating_add(1));
        if self.searched.get() <= SEARCHES || stretch.len() < GRAM || u32::try_from(text.len()).is_err() {
            return text.contains(stretch);
        }
        let grams = self.grams.get_or_init(|| {
            let mut all: Vec<(u32, u32)> =
                (0_u32..).zip(text.as_bytes().windows(GRAM)).map(|(at, g)| (gram(g), at)).collect();
            all.sort_unstable();
            all
        });
        let places = |hash: u32| {
            let from = grams.partition_point(|g| g.0 < hash);
            let to = grams.partition_point(|g| g.0 <= hash);
            grams.get(from..to).unwrap_or_default()
        };
        let rarest = (0..).zip(stretch.as_bytes().windows(GRAM)).map(|(offset, g)| (offset, places(gram(g))));
        let Some((offset, places)) = rarest.min_by_key(|(_, places)| places.len()) else { return false };
        let stands = |at: usize| {
            let rest = at.checked_sub(offset).and_then(|at| text.as_bytes().get(at..));
            rest.is_some_and(|rest| rest.starts_with(stretch.as_bytes()))
        };
        places.iter().any(|(_, at)| stands(*at as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;
    use crate::text::{Span, Word};

    #[test]
    fn a_token_between_other_runs() {
        let text = "see a-b/c, a-b and xa-b; ä-b, (a-b)";
        let runs = Runs::of(text);
        let at = |surface: &str| runs.find(text, surface).map(Iterator::collect::<Vec<_>>);
        assert_eq!(at("a-b"), Some(vec![4, 11, 32]));
        assert_eq!(at("a-b/c"), Some(vec![4]));
        assert_eq!(at("(a-b)"), Some(vec![31]));
        assert_eq!(at("b-a"), Some(vec![]));
        assert_eq!(at("--"), None);
    }

    #[test]
    fn a_sentence_with_most_of_the_words() {
        let text = "The red pump failed. The blue pump ran. A red valve ran.";
        let reading = read(text);
        let sentences = Sentences::of(text, &reading.sentences);
        let stems =
            |of: &str| words(of, Span::new(0, of.len())).iter().map(|w: &Word| w.stem).collect::<Vec<_>>();
        assert!(sentences.one_holds(&stems("blue pump ran"), 3));
        assert!(!sentences.one_holds(&stems("red pump ran"), 3));
        assert!(sentences.one_holds(&stems("red pump ran"), 2));
        assert!(!sentences.one_holds(&stems("green"), 1));
        assert!(!sentences.one_holds(&[], 1));
    }

    #[test]
    fn stretches_within_words() {
        let text = "mongodb and datenbankserver";
        let stretches = Stretches::default();
        for _ in 0..SEARCHES + 2 {
            for stretch in ["mongo", "bankserver", "datenbank", "ongodb and d", "nothing", "serverx"] {
                assert_eq!(stretches.hold(text, stretch), text.contains(stretch), "{stretch}");
            }
        }
    }
}
