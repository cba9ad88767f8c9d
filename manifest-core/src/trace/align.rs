//! Where each claim of a parent comes from: children are streamed past its words, each read once and let go.
//!
//! A claim is reduced to its distinct content words and to the pairs of words that stand next to each other in it,
//! a child sentence to the words and pairs that it shares with a claim. Memory is bounded by the parent: for each
//! claim the best windows, pairs and children are kept, however much is streamed.

use super::claim::{Claim, claims};
use super::keep::{Antichain, Few, Found};
use super::weight::Weights;
use crate::fact::Reading;
use crate::report::SourceRow;
use crate::text::{Span, Word, reports, words};
use rustc_hash::FxHashMap;

/// Child sentences that are read together: what a claim says stands in neighbouring sentences.
const WINDOW: u32 = 5;
/// Distinct words of a claim that are compared; a sentence is cut long before it has more.
const WORDS: usize = 64;
/// Children kept for each claim, and the windows and sentences of each.
const CHILDREN: usize = 64;
/// Sources named for a claim.
const SOURCES: usize = 12;
/// A child with less than this share of the best child's score is no source.
const RELATIVE: f64 = 0.4;
/// Share of its neighbours' scores that a child takes part in: what a claim is about goes on across the cut between
/// two children.
const NEIGHBOUR: f64 = 0.45;
/// Weight of a word that only tells how something is told: a summary says "mentions" where its source says the thing.
const TELLS: f64 = 0.4;
/// Weight of what has a digit in it: a figure is told of one thing only.
const FIGURE: f64 = 1.5;

/// Share of a claim's content words that must be covered.
const COVERED: f64 = 0.45;
/// Score that a covered claim must reach: half as much again as chance does. Answers about other meetings that
/// pass fall from 0.18 to 0.08, abstractive answers about their own story from 0.91 to 0.86.
const LEAST: f64 = 0.15;

/// The alignment of one parent, while its children are streamed.
#[derive(Clone, Debug)]
pub(crate) struct Aligner {
    claims: Vec<Claim>,
    open: Vec<Open>,
    /// Number of each word of the parent.
    vocabulary: FxHashMap<u64, u32>,
    /// For each word, what it weighs apart from how rare it is.
    weight: Vec<f64>,
    /// For each word, the claims that hold it and its place there.
    holders: Vec<Vec<(u32, u8)>>,
    /// For each word, in how many sentences and children it stands.
    sentences_with: Vec<u32>,
    children_with: Vec<u32>,
    sentences: u32,
    children: u32,
    /// Scratch: words of the sentence, and the sentence and child that a word was last seen in.
    here: Vec<u32>,
    seen: Vec<(u32, u32)>,
    touched: Vec<u32>,
    active: Vec<u32>,
}

/// A claim with what was found of it so far.
#[derive(Clone, Debug)]
struct Open {
    /// Its words, in order, each once.
    words: Vec<u32>,
    /// What the sentence at hand holds of it, and which sentence that is.
    mask: u64,
    sentence: u32,
    /// The last sentences of this child that hold something of it.
    recent: [Found; WINDOW as usize],
    numbers: [u32; WINDOW as usize],
    next: usize,
    /// All of this child.
    child: Hit,
    /// All children: windows, and the pairs of one child.
    windows: Antichain,
    pairs: Antichain,
    hits: Vec<Hit>,
}

/// What one child holds of a claim.
#[derive(Clone, Debug, Default)]
struct Hit {
    child: usize,
    words: u64,
    pairs: u64,
    windows: Few,
    sentences: Few,
}

/// A claim and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Where it stands in the text as given.
    pub(crate) span: Span,
    /// Share of them that at most two windows of five neighbouring sentences hold.
    pub(crate) coverage: f64,
    /// Weighted coverage over what chance reaches at this source size, 0 to 1.
    pub(crate) score: f64,
    /// Children that hold it, best first.
    pub(crate) sources: Vec<SourceRow>,
}

impl Aligned {
    /// Whether its words come from the children; by chance alone two windows of a source of thousands of sentences
    /// hold half of anything. Its exact tokens are judged elsewhere.
    pub(crate) fn covered(&self) -> bool {
        self.coverage >= COVERED && self.score >= LEAST
    }
}

impl Aligner {
    /// Prepares the claims of `parent`.
    pub(crate) fn new(parent: &Reading<'_>) -> Self {
        let claims = claims(parent);
        let mut align = Aligner {
            open: Vec::with_capacity(claims.len()),
            claims,
            vocabulary: FxHashMap::default(),
            weight: Vec::new(),
            holders: Vec::new(),
            sentences_with: Vec::new(),
            children_with: Vec::new(),
            sentences: 0,
            children: 0,
            here: Vec::new(),
            seen: Vec::new(),
            touched: Vec::new(),
            active: Vec::new(),
        };
        for c in 0..align.claims.len() {
            align.intern(c, &parent.normal.text);
        }
        let words = align.holders.len();
        align.sentences_with = vec![0; words];
        align.children_with = vec![0; words];
        align.seen = vec![(0, 0); words];
        align
    }

    /// Numbers the words of claim `c`.
    fn intern(&mut self, c: usize, text: &str) {
        let Some(claim) = self.claims.get(c) else { return };
        let mut own: Vec<u32> = Vec::new();
        for w in words(text, claim.at).iter().filter(|w| w.content) {
            let fresh = u32::try_from(self.holders.len()).unwrap_or(u32::MAX);
            let word = *self.vocabulary.entry(w.root).or_insert(fresh);
            if word == fresh {
                self.holders.push(Vec::new());
                let figure = w.at.of(text).bytes().any(|b| b.is_ascii_digit());
                self.weight.push(if figure {
                    FIGURE
                } else if reports(w.root) {
                    TELLS
                } else {
                    1.0
                });
            }
            if own.len() < WORDS && !own.contains(&word) {
                if let (Some(h), Ok(c), Ok(place)) =
                    (self.holders.get_mut(word as usize), u32::try_from(c), u8::try_from(own.len()))
                {
                    h.push((c, place));
                }
                own.push(word);
            }
        }
        self.open.push(Open::new(own));
    }

    /// Streams one child, with all its words, past the claims. Children come in order, `index` counting them from 0.
    pub(crate) fn child(&mut self, index: usize, child: &Reading<'_>, words: &[Word]) {
        self.children = self.children.saturating_add(1);
        let mut words = words;
        for s in &child.sentences {
            let before = words.iter().take_while(|w| w.at.start < s.at.start).count();
            words = words.get(before..).unwrap_or_default();
            let within = words.iter().take_while(|w| w.at.end <= s.at.end).count();
            let (here, rest) = words.split_at_checked(within).unwrap_or((words, &[]));
            words = rest;
            self.sentence(here, s.at);
        }
        for c in std::mem::take(&mut self.active) {
            if let Some(open) = self.open.get_mut(c as usize) {
                open.leave(index, |at| child.normal.source(at));
            }
        }
    }

    fn sentence(&mut self, words: &[Word], at: Span) {
        self.here.clear();
        let sentence = self.sentences.saturating_add(1);
        let mut any = false;
        for w in words.iter().filter(|w| w.content) {
            // A word that the parent has not is content all the same: it makes the sentence one.
            any = true;
            let Some(&word) = self.vocabulary.get(&w.root) else { continue };
            let Some(last) = self.seen.get_mut(word as usize) else { continue };
            if last.0 == sentence {
                continue;
            }
            self.here.push(word);
            if let Some(n) = self.sentences_with.get_mut(word as usize) {
                *n += 1;
            }
            if last.1 != self.children
                && let Some(n) = self.children_with.get_mut(word as usize)
            {
                *n += 1;
            }
            *last = (sentence, self.children);
        }
        if !any {
            return;
        }
        self.sentences = sentence;
        self.touched.clear();
        for &word in &self.here {
            for &(c, place) in self.holders.get(word as usize).map_or(&[][..], Vec::as_slice) {
                let Some(open) = self.open.get_mut(c as usize) else { continue };
                if open.sentence != sentence {
                    (open.sentence, open.mask) = (sentence, 0);
                    self.touched.push(c);
                }
                open.mask |= 1 << place;
            }
        }
        for &c in &self.touched {
            if let Some(open) = self.open.get_mut(c as usize) {
                if open.child.words == 0 {
                    self.active.push(c);
                }
                open.read(at);
            }
        }
    }

    /// Weighs what was found and gives the claims, in order; nothing is left after it.
    pub(crate) fn finish(&mut self) -> Vec<Aligned> {
        let (n, m) = (f64::from(self.sentences), f64::from(self.children));
        let rare = |counts: &[u32], of: f64, prior: f64| -> Vec<f64> {
            let one = |(&count, weight): (&u32, &f64)| {
                weight * ((of + 1.0) / (f64::from(count) + prior)).ln().max(0.0)
            };
            counts.iter().zip(&self.weight).map(one).collect()
        };
        let by_sentence = rare(&self.sentences_with, n, 0.5);
        let by_child = rare(&self.children_with, m, 0.3);
        let weights = |of: &[f64], words: &[u32]| {
            Weights::of(words.iter().filter_map(|&w| of.get(w as usize).copied()))
        };
        std::mem::take(&mut self.claims)
            .into_iter()
            .zip(std::mem::take(&mut self.open))
            .map(|(claim, open)| {
                let rare = weights(&by_sentence, &open.words);
                let apart = weights(&by_child, &open.words);
                open.weigh(&claim, &rare, &apart, n)
            })
            .collect()
    }
}

impl Open {
    fn new(words: Vec<u32>) -> Self {
        Open {
            words,
            mask: 0,
            sentence: 0,
            recent: [Found::default(); WINDOW as usize],
            numbers: [0; WINDOW as usize],
            next: 0,
            child: Hit::default(),
            windows: Antichain::new(256),
            pairs: Antichain::new(64),
            hits: Vec::new(),
        }
    }

    /// Takes in what the sentence at hand, which stands at `at`, holds of the claim.
    fn read(&mut self, at: Span) {
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
            self.windows.insert(window.mask);
        }
    }

    /// Ends a child.
    fn leave(&mut self, index: usize, source: impl Fn(Span) -> Span) {
        self.numbers = [0; WINDOW as usize];
        self.pairs.insert(self.child.pairs);
        let mut hit = std::mem::take(&mut self.child);
        hit.child = index;
        hit.windows.map(&source);
        self.hits.push(hit);
        if self.hits.len() >= 2 * CHILDREN {
            // Stable: of equals the earlier child stays.
            self.hits.sort_by_key(|h| std::cmp::Reverse(h.words.count_ones() + 2 * h.pairs.count_ones()));
            self.hits.truncate(CHILDREN);
        }
    }

    fn weigh(mut self, claim: &Claim, rare: &Weights, apart: &Weights, sentences: f64) -> Aligned {
        let even = Weights::of(std::iter::repeat_n(1.0, self.words.len()));
        let coverage = self.windows.best_pair(|m| even.words(m));
        let one = self.windows.best(|m| rare.words(m));
        let two = self.windows.best_pair(|m| rare.words(m));
        let pairs = self.pairs.best(|m| rare.pairs(m));
        let found = (2.0 * one + 2.0 * two + 5.0 * pairs) / 9.0;
        self.hits.sort_by_key(|h| h.child);
        let own: Vec<f64> = self.hits.iter().map(|h| h.weigh(rare, apart)).collect();
        // What was not found is made up for by how far one child stands out.
        let score = over_chance(found + margin(&own) * (1.0 - found), sentences);
        Aligned { at: claim.at, span: claim.span, coverage, score, sources: sources(&self.hits, &own, rare) }
    }
}

impl Hit {
    /// How much of the claim this child holds: anywhere, close together, in one sentence, and side by side.
    fn weigh(&self, rare: &Weights, apart: &Weights) -> f64 {
        let best = |of: &Few| of.best(|m| rare.words(m)).map_or(0.0, |(v, _)| v);
        let words = apart.words(self.words) + best(&self.windows) + best(&self.sentences);
        (words + 3.0 * rare.pairs(self.pairs)) / 6.0
    }
}

/// How far the best child stands out from the next: what is only about the same things is found everywhere a little.
fn margin(own: &[f64]) -> f64 {
    let (mut best, mut next) = (0.0_f64, 0.0_f64);
    for &v in own {
        if v > best {
            (best, next) = (v, best);
        } else {
            next = next.max(v);
        }
    }
    best - next
}

/// The score that chance reaches; what is above it runs to 1.
const CHANCE: f64 = 0.1;

/// A weighted coverage on a scale that holds for sources of any size. Claims of other documents reach 0.04 at 100
/// sentences, 0.08 at 900, 0.13 at 2,700 and 0.16 at 13,000, growing with the logarithm.
fn over_chance(raw: f64, sentences: f64) -> f64 {
    let chance = 0.01 + 0.02 * (sentences / f64::from(WINDOW)).ln_1p();
    if raw < chance {
        CHANCE * raw / chance
    } else {
        CHANCE + (1.0 - CHANCE) * (raw - chance) / (1.0 - chance)
    }
}

/// Ranks the children of a claim, given in order with what each weighs, and says where in each it stands.
fn sources(hits: &[Hit], own: &[f64], rare: &Weights) -> Vec<SourceRow> {
    let beside = |child: usize, at: Option<usize>| {
        let (hit, weight) = at.and_then(|i| hits.get(i).zip(own.get(i)))?;
        (hit.child.abs_diff(child) == 1).then_some(NEIGHBOUR * weight)
    };
    let mut ranked: Vec<SourceRow> = Vec::with_capacity(hits.len());
    for (i, (h, own)) in hits.iter().zip(own).enumerate() {
        let before = beside(h.child, i.checked_sub(1)).unwrap_or(0.0);
        let after = beside(h.child, Some(i + 1)).unwrap_or(0.0);
        let score = 1.0 - (1.0 - own) * (1.0 - before) * (1.0 - after);
        if score > 0.0
            && let Some((_, span)) = h.windows.best(|m| rare.words(m))
        {
            ranked.push(SourceRow { child: h.child, span, score });
        }
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.child.cmp(&b.child)));
    ranked.truncate(SOURCES);
    let floor = ranked.first().map_or(0.0, |s| s.score * RELATIVE);
    ranked.retain(|s| s.score >= floor);
    ranked
}

#[cfg(test)]
mod tests;
