//! From what was found of a claim to where it comes from.

use super::found::{Hit, Open, WINDOW};
use super::keep::Few;
use super::weight::Weights;
use crate::report::SourceRow;

/// Sources named for a claim.
pub(super) const SOURCES: usize = 12;
/// A child with less than this share of the best child's score is no source.
const RELATIVE: f64 = 0.4;
/// Share of its neighbours' scores that a child takes part in: what a claim is about goes on across the cut between
/// two children.
const NEIGHBOUR: f64 = 0.45;
/// The score that chance reaches; what is above it runs to 1.
const CHANCE: f64 = 0.1;

/// Where a claim comes from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) coverage: f64,
    pub(super) score: f64,
    pub(super) sources: Vec<SourceRow>,
}

impl Open {
    /// Weighs what was found, with how rare the claim's words are in sentences and in children.
    pub(super) fn weigh(&mut self, rare: &Weights, apart: &Weights, sentences: u32) -> Origin {
        let even = Weights::of(std::iter::repeat_n(1.0, self.words.len()));
        let coverage = self.windows.best_pair(|m| even.words(m));
        let one = self.windows.best(|m| rare.words(m));
        let two = self.windows.best_pair(|m| rare.words(m));
        let pairs = self.pairs.best(|m| rare.pairs(m));
        let found = (2.0 * one + 2.0 * two + 5.0 * pairs) / 9.0;
        self.hits.sort_by_key(|h| h.child);
        let own: Vec<f64> = self.hits.iter().map(|h| h.weigh(rare, apart)).collect();
        // What was not found is made up for by how far one child stands out.
        let score = over_chance(found + margin(&own) * (1.0 - found), f64::from(sentences));
        Origin { coverage, score, sources: sources(&self.hits, &own, rare) }
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
