//! Where each claim of a parent comes from: children are streamed past its words, each read once and let go.
//!
//! A claim is reduced to its distinct content words and to the pairs of words that stand next to each other in it,
//! a child sentence to the words and pairs that it shares with a claim. Memory is bounded by the parent: for each
//! claim the best windows, pairs and children are kept, however much is streamed.

use super::claim::{Claim, claims};
use super::found::{Keep, Open};
use super::origin::Origin;
use super::terms::Terms;
use super::weight::Weights;
use crate::fact::Reading;
use crate::report::SourceRow;
use crate::text::{Span, Word};
use rustc_hash::FxHashMap;

/// Share of a claim's content words that must be covered.
const COVERED: f64 = 0.45;
/// Score that a covered claim must reach: half as much again as chance does. Answers about other meetings that
/// pass fall from 0.18 to 0.08, abstractive answers about their own story from 0.91 to 0.86.
const LEAST: f64 = 0.15;

/// The alignment of one parent, while its children are streamed.
#[derive(Clone, Debug)]
pub(crate) struct Aligner {
    /// The claims, each with what it is among the open ones: claims of the same words are one.
    claims: Vec<(Claim, usize)>,
    open: Vec<Open>,
    terms: Terms,
    keep: Keep,
    /// For each word, in how many sentences and children it stands.
    sentences_with: Vec<u32>,
    children_with: Vec<u32>,
    sentences: u32,
    children: u32,
    /// For each word, the sentence and the child that it was last seen in.
    seen: Vec<(u32, u32)>,
    /// Scratch: the words of the sentence at hand, the claims that it and that the child at hand hold something of.
    here: Vec<u32>,
    touched: Vec<u32>,
    active: Vec<u32>,
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
        let mut terms = Terms::default();
        let mut open: Vec<Open> = Vec::new();
        let mut same: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let claims: Vec<(Claim, usize)> = claims(parent)
            .into_iter()
            .map(|claim| {
                let words = terms.intern(&parent.normal.text, claim.at);
                let number = *same.entry(words).or_insert_with_key(|words| {
                    open.push(Open::new(words.clone()));
                    open.len() - 1
                });
                (claim, number)
            })
            .collect();
        terms.lead(open.iter().map(|o| o.words.as_slice()));
        let words = terms.len();
        Aligner {
            claims,
            keep: Keep::of(open.len()),
            open,
            terms,
            sentences_with: vec![0; words],
            children_with: vec![0; words],
            sentences: 0,
            children: 0,
            seen: vec![(0, 0); words],
            here: Vec::new(),
            touched: Vec::new(),
            active: Vec::new(),
        }
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
                open.leave(index, self.keep, |at| child.normal.source(at));
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
            let Some(word) = self.terms.number(w) else { continue };
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
            for &(c, place) in self.terms.holders(word) {
                let Some(open) = self.open.get_mut(c as usize) else { continue };
                if open.sentence != sentence {
                    (open.sentence, open.mask) = (sentence, 0);
                    self.touched.push(c);
                }
                open.mask |= 1 << place;
            }
        }
        self.here.retain(|&word| self.terms.is_common(word));
        for &c in &self.touched {
            let Some(open) = self.open.get_mut(c as usize) else { continue };
            for word in &self.here {
                if let Some(place) = open.words.iter().position(|w| w == word) {
                    open.mask |= 1 << place;
                }
            }
            if open.child.words == 0 {
                self.active.push(c);
            }
            open.read(at, self.keep);
        }
    }

    /// Weighs what was found and gives the claims, in order; nothing is left after it.
    pub(crate) fn finish(&mut self) -> Vec<Aligned> {
        let (n, m) = (f64::from(self.sentences), f64::from(self.children));
        let rare = |counts: &[u32], of: f64, prior: f64| -> Vec<f64> {
            let one = |(&count, weight): (&u32, &f64)| {
                weight * ((of + 1.0) / (f64::from(count) + prior)).ln().max(0.0)
            };
            counts.iter().zip(&self.terms.weight).map(one).collect()
        };
        let by_sentence = rare(&self.sentences_with, n, 0.5);
        let by_child = rare(&self.children_with, m, 0.3);
        let weights = |of: &[f64], words: &[u32]| {
            Weights::of(words.iter().filter_map(|&w| of.get(w as usize).copied()))
        };
        let origins: Vec<Origin> = std::mem::take(&mut self.open)
            .iter_mut()
            .map(|open| {
                let (rare, apart) = (weights(&by_sentence, &open.words), weights(&by_child, &open.words));
                open.weigh(&rare, &apart, self.sentences)
            })
            .collect();
        let of = |(claim, number): (Claim, usize)| {
            let Origin { coverage, score, sources } = origins.get(number)?.clone();
            Some(Aligned { at: claim.at, span: claim.span, coverage, score, sources })
        };
        std::mem::take(&mut self.claims).into_iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests;
