//! What was found of one claim so far.

use super::keep::{Antichain, Few, Found};
use crate::text::Span;

/// Child sentences that are read together: what a claim says stands in neighbouring sentences.
pub(super) const WINDOW: u32 = 5;

/// How much is kept of each claim. Parents of a few hundred claims keep all that is of use; larger ones share what
/// these would keep, so that memory grows with the parent's bytes and little more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keep {
    children: usize,
    windows: usize,
    pairs: usize,
}

impl Keep {
    /// What a parent of `claims` claims keeps of each.
    pub(super) fn of(claims: usize) -> Self {
        let share = |all: usize, most: usize| (all / claims.max(1)).clamp(most / 8, most);
        Keep { children: share(1 << 14, 64), windows: share(1 << 16, 256), pairs: share(1 << 14, 64) }
    }
}

/// A claim with what was found of it so far.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Its words, in order, each once.
    pub(super) words: Vec<u32>,
    /// What the sentence at hand holds of it, and which sentence that is.
    pub(super) mask: u64,
    pub(super) sentence: u32,
    /// The last sentences of this child that hold something of it.
    recent: [Found; WINDOW as usize],
    numbers: [u32; WINDOW as usize],
    next: usize,
    /// All of this child.
    pub(super) child: Hit,
    /// All children: windows, and the pairs of one child.
    pub(super) windows: Antichain,
    pub(super) pairs: Antichain,
    pub(super) hits: Vec<Hit>,
}

/// What one child holds of a claim.
#[derive(Clone, Debug, Default)]
pub(super) struct Hit {
    pub(super) child: usize,
    pub(super) words: u64,
    pub(super) pairs: u64,
    pub(super) windows: Few,
    pub(super) sentences: Few,
}

impl Open {
    /// A claim of these words.
    pub(super) fn new(words: Vec<u32>) -> Self {
        Open {
            words,
            mask: 0,
            sentence: 0,
            recent: [Found::default(); WINDOW as usize],
            numbers: [0; WINDOW as usize],
            next: 0,
            child: Hit::default(),
            windows: Antichain::default(),
            pairs: Antichain::default(),
            hits: Vec::new(),
        }
    }

    /// Takes in what the sentence at hand, which stands at `at`, holds of the claim.
    pub(super) fn read(&mut self, at: Span, keep: Keep) {
        let found = Found { mask: self.mask, at };
        let pairs = self.mask & self.mask >> 1;
        self.child.words |= self.mask;
        self.child.pairs |= pairs;
        self.child.sentences.offer(found);
        if let (Some(slot), Some(number)) = (self.recent.get_mut(self.next), self.numbers.get_mut(self.next))
        {
            (*slot, *number) = (found, self.sentence);
        }
        self.next = (self.next + 1) % WINDOW as usize;
        let mut window = found;
        for (f, &number) in self.recent.iter().zip(&self.numbers) {
            // Number 0 is an empty place; a window never reaches back into another child.
            if number > 0 && number.saturating_add(WINDOW) > self.sentence {
                window.mask |= f.mask;
                window.at.start = window.at.start.min(f.at.start);
            }
        }
        if self.child.windows.offer(window) {
            self.windows.insert(window.mask, keep.windows);
        }
    }

    /// Ends a child.
    pub(super) fn leave(&mut self, index: usize, keep: Keep, source: impl Fn(Span) -> Span) {
        self.numbers = [0; WINDOW as usize];
        self.pairs.insert(self.child.pairs, keep.pairs);
        let mut hit = std::mem::take(&mut self.child);
        hit.child = index;
        hit.windows.map(&source);
        self.hits.push(hit);
        if self.hits.len() >= 2 * keep.children {
            // Stable: of equals the earlier child stays.
            self.hits.sort_by_key(|h| std::cmp::Reverse(h.words.count_ones() + 2 * h.pairs.count_ones()));
            self.hits.truncate(keep.children);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_parent_keeps_less_of_each_claim() {
        let (few, many) = (Keep::of(50), Keep::of(100_000));
        assert_eq!((few.children, few.windows, few.pairs), (64, 256, 64));
        assert_eq!((many.children, many.windows, many.pairs), (8, 32, 8));
    }
}
