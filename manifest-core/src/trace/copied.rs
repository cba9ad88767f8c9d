//! A passage copied word for word, but for one value: what stands around a value of the parent stands in a child
//! around another value of its kind, and never around this one.

use super::binding::{Family, Sort, family};
use super::parent::Text;
use super::statement::{Candidate, Difference};
use super::wording::core;
use crate::fact::Fact;
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// How many words on one side make a context.
const WORDS: usize = 4;

/// The words on one side of a value.
#[derive(Clone, Copy, Debug)]
struct Context {
    hash: u64,
    long: bool,
}

/// What the children have in one context of a value.
#[derive(Clone, Debug, Default)]
struct Side {
    /// Whether the context is long enough to be a passage by itself.
    long: bool,
    own: bool,
    other: Option<Candidate>,
}

#[derive(Clone, Debug)]
struct Slot {
    fact: usize,
    key: u64,
    family: Family,
    sort: Sort,
    left: Side,
    right: Side,
}

/// The values of the parent in the contexts that they stand in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copied {
    slots: Vec<Slot>,
    left: FxHashMap<u64, Vec<usize>>,
    right: FxHashMap<u64, Vec<usize>>,
}

impl Copied {
    /// Watches the values of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut out = Copied::default();
        let mut word = 0;
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            let Some(family) = family(fact.class).filter(|_| fact.whole.is_none()) else { continue };
            let (left, right) = contexts(parent, fact, &mut word);
            let slot = out.slots.len();
            if let Some(left) = left {
                out.left.entry(left.hash).or_default().push(slot);
            }
            if let Some(right) = right {
                out.right.entry(right.hash).or_default().push(slot);
            }
            let side = |context: Option<Context>| Side {
                long: context.is_some_and(|c| c.long),
                own: false,
                other: None,
            };
            out.slots.push(Slot {
                fact: i,
                key: fact.key,
                family,
                sort: Sort::of(parent, fact),
                left: side(left),
                right: side(right),
            });
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, child: usize, text: &Text<'_>) {
        if self.slots.is_empty() {
            return;
        }
        let mut word = 0;
        for fact in &text.reading.facts {
            let Some(family) = family(fact.class).filter(|_| fact.whole.is_none()) else { continue };
            let (left, right) = contexts(text, fact, &mut word);
            let near_left = left.and_then(|c| self.left.get(&c.hash));
            let near_right = right.and_then(|c| self.right.get(&c.hash));
            for (near, is_left) in [(near_left, true), (near_right, false)] {
                for slot in near.map(Vec::as_slice).unwrap_or_default() {
                    let Some(slot) = self.slots.get_mut(*slot).filter(|s| s.family == family) else {
                        continue;
                    };
                    let side = if is_left { &mut slot.left } else { &mut slot.right };
                    if slot.key == fact.key {
                        side.own = true;
                    } else if side.other.is_none()
                        && (family != Family::Amount || slot.sort.same(&Sort::of(text, fact)))
                    {
                        // An amount of another kind stands in nobody's place.
                        side.other = Some(candidate(child, text, fact));
                    }
                }
            }
        }
    }

    /// The values that stand where the children have another one: index of the fact in the parent, and the passage.
    pub(crate) fn exchanged(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        self.slots.iter().filter_map(|slot| {
            if slot.left.own || slot.right.own {
                return None;
            }
            // One short side alone may be a turn of phrase; both sides around one value are a passage.
            let both = slot.left.other.as_ref().zip(slot.right.other.as_ref());
            let whole = both.filter(|(l, r)| l.child == r.child && l.span == r.span).map(|(l, _)| l);
            // What follows an amount is the next thing, what precedes it is what it measures.
            let right = slot.right.long && slot.family != Family::Amount;
            let long = slot.left.other.as_ref().filter(|_| slot.left.long);
            let long = long.or(slot.right.other.as_ref().filter(|_| right));
            whole.or(long).map(|passage| (slot.fact, passage))
        })
    }
}

fn candidate(child: usize, text: &Text<'_>, fact: &Fact) -> Candidate {
    let at = text.segments.partition_point(|s| s.at.end < fact.at.end);
    let around =
        text.segments.get(at).filter(|s| s.at.contains(fact.at)).map_or(fact.at, |s| {
            if s.at.len() <= 160 { core(&text.reading.normal.text, s.at) } else { fact.at }
        });
    Candidate {
        child,
        span: text.reading.normal.source(around),
        text: text.shown(around).into(),
        likeness: 1.0,
        difference: Some(Difference::Binding(format!("`{}` there", fact.span.of(text.reading.text)).into())),
        here: None,
    }
}

/// The contexts of a fact: hashes of the words before and after it. `word` moves along with the facts.
fn contexts(text: &Text<'_>, fact: &Fact, word: &mut usize) -> (Option<Context>, Option<Context>) {
    let words = &text.words;
    while words.get(*word).is_some_and(|w| w.at.start < fact.at.start) {
        *word += 1;
    }
    let first = *word;
    let mut after = first;
    while words.get(after).is_some_and(|w| w.at.start < fact.at.end) {
        after += 1;
    }
    let sentence = text.reading.sentences.partition_point(|s| s.at.end <= fact.at.start);
    let sentence = text.reading.sentences.get(sentence).map_or(fact.at, |s| s.at);
    let hash = |range: Option<&[crate::text::Word]>, place: Span| -> Option<Context> {
        let range = range?;
        // A context reaches no further than a passage does, and says something.
        let near = range.iter().all(|w| w.at.start.abs_diff(place.start) < 120 && sentence.contains(w.at));
        let content = range.iter().filter(|w| w.content).count();
        if !near || content < 2 {
            return None;
        }
        let mut hasher = FxHasher::default();
        let folded = text.reading.normal.text.as_bytes();
        let mut end = None;
        for word in range {
            hasher.write_u64(word.stem);
            // What stands between the words belongs to the passage, but for blanks and emphasis.
            let gap = end.and_then(|end| folded.get(end..word.at.start)).unwrap_or_default();
            for b in gap.iter().filter(|b| !b.is_ascii_whitespace() && !b"*_`\"'".contains(b)) {
                hasher.write_u8(*b);
            }
            end = Some(word.at.end);
        }
        Some(Context { hash: hasher.finish(), long: content >= 3 })
    };
    let left = hash(first.checked_sub(WORDS).and_then(|from| words.get(from..first)), fact.at);
    let right = hash(words.get(after..after + WORDS), fact.at);
    (left, right)
}
