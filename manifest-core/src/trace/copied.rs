//! A passage copied word for word, but for one value: what stands around a value of the parent stands in a child
//! around another value of its kind, and never around this one.

use super::binding::{Family, Sort, family};
use super::modality::is_row;
use super::parent::Text;
use super::statement::{Candidate, Difference};
use super::table::label_of;
use super::wording::core;
use crate::fact::{Class, Fact};
use crate::text::{Span, Word};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;

/// How many words on one side make a context.
const WORDS: usize = 4;

/// Kinds of values that are kept of one passage, at most: what more labels have before it is a list.
const KINDS: usize = 64;

/// The words on one side of a value.
#[derive(Clone, Copy, Debug)]
struct Context<'w> {
    hash: u64,
    words: &'w [Word],
}

/// One side of a value.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// What the children have there: a number among the passages.
    passage: usize,
    /// Whether the context is long enough to be a passage by itself.
    long: bool,
}

/// What the children have in one context, on one side of their values. Many values of a parent may share it.
#[derive(Clone, Debug, Default)]
struct Passage {
    /// The values that stand there.
    values: FxHashSet<(Family, u64)>,
    rivals: Vec<Rivals>,
}

/// Values that can stand in one another's place.
#[derive(Clone, Debug)]
struct Rivals {
    family: Family,
    /// What amounts are of; others are of their family.
    sort: Option<Sort>,
    /// What they are the values of.
    label: Option<u64>,
    /// The first value with its passage, and the first that is another one.
    first: [Option<Rival>; 2],
}

/// A value of a child in its passage.
#[derive(Clone, Debug)]
struct Rival {
    key: u64,
    /// The values of its row, where it stands in one: who tells a row with some of its columns leaves out the others.
    row: Vec<u64>,
    passage: Candidate,
}

impl Passage {
    /// Takes in a value of a child, with its label; `shown` gives its passage.
    fn take(
        &mut self,
        (family, sort, label): (Family, Option<Sort>, Option<u64>),
        key: u64,
        shown: impl FnOnce() -> Rival,
    ) {
        self.values.insert((family, key));
        let at = self.rivals.iter().position(|r| r.family == family && r.sort == sort && r.label == label);
        if at.is_none() && self.rivals.len() >= KINDS {
            return;
        }
        let at = at.unwrap_or_else(|| {
            self.rivals.push(Rivals { family, sort, label, first: [None, None] });
            self.rivals.len() - 1
        });
        let Some(Rivals { first: [first, other], .. }) = self.rivals.get_mut(at) else { return };
        match (first.as_ref(), other.as_ref()) {
            (None, _) => *first = Some(shown()),
            (Some(known), None) if known.key != key => *other = Some(shown()),
            _ => {}
        }
    }

    /// Whether the value stands there.
    fn holds(&self, family: Family, key: u64) -> bool {
        self.values.contains(&(family, key))
    }

    /// The first value that stands there in the place of this one.
    fn other(&self, slot: &Slot) -> Option<&Candidate> {
        let labels = |r: &Rivals| r.label.zip(slot.label).is_none_or(|(theirs, ours)| theirs == ours);
        let of_one_kind = |r: &&Rivals| {
            r.family == slot.family && r.sort.as_ref().is_none_or(|s| s.same(&slot.sort)) && labels(r)
        };
        let mut first = self.rivals.iter().filter(of_one_kind).flat_map(|r| r.first.iter().flatten());
        let other = first.find(|rival| rival.key != slot.key)?;
        (!other.row.contains(&slot.key)).then_some(&other.passage)
    }
}

#[derive(Clone, Debug)]
struct Slot {
    fact: usize,
    key: u64,
    family: Family,
    sort: Sort,
    label: Option<u64>,
    left: Option<Side>,
    right: Option<Side>,
}

/// The values of the parent in the contexts that they stand in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copied {
    slots: Vec<Slot>,
    passages: Vec<Passage>,
    /// Context before a value, and after one → passage.
    left: FxHashMap<u64, usize>,
    right: FxHashMap<u64, usize>,
}

impl Copied {
    /// Watches the values of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut out = Copied::default();
        let mut word = 0;
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            let Some(family) = family(fact.class).filter(|_| fact.whole.is_none()) else { continue };
            let (left, right) = contexts(parent, fact, &mut word);
            let Copied { passages, left: lefts, right: rights, .. } = &mut out;
            let mut side = |context: Option<Context<'_>>, of: &mut FxHashMap<u64, usize>| {
                let Context { hash, words } = context?;
                let long = length(parent, words)?;
                let passage = *of.entry(hash).or_insert_with(|| {
                    passages.push(Passage::default());
                    passages.len() - 1
                });
                Some(Side { passage, long })
            };
            let (left, right) = (side(left, lefts), side(right, rights));
            out.slots.push(Slot {
                fact: i,
                key: fact.key,
                family,
                sort: Sort::of(parent, fact),
                label: label(parent, fact),
                left,
                right,
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
            // What no value of the parent stands beside needs no closer look.
            let near = |context: Option<Context<'_>>, of: &FxHashMap<u64, usize>| {
                let Context { hash, words } = context?;
                of.get(&hash).copied().filter(|_| length(text, words).is_some())
            };
            let (near_left, near_right) = (near(left, &self.left), near(right, &self.right));
            if near_left.is_none() && near_right.is_none() {
                continue;
            }
            // An amount of another kind stands in nobody's place.
            let sort = (family == Family::Amount).then(|| Sort::of(text, fact));
            for passage in [near_left, near_right].into_iter().flatten() {
                if let Some(passage) = self.passages.get_mut(passage) {
                    let kind = (family, sort.clone(), label(text, fact));
                    passage.take(kind, fact.key, || rival(child, text, fact));
                }
            }
        }
    }

    /// The values that stand where the children have another one: index of the fact in the parent, and the passage.
    pub(crate) fn exchanged<'c>(&'c self) -> impl Iterator<Item = (usize, &'c Candidate)> {
        self.slots.iter().filter_map(|slot| {
            let passage = |side: &Option<Side>| self.passages.get(side.as_ref()?.passage);
            let (left, right) = (passage(&slot.left), passage(&slot.right));
            if [left, right].into_iter().flatten().any(|p| p.holds(slot.family, slot.key)) {
                return None;
            }
            let other = |p: Option<&'c Passage>| p?.other(slot);
            let (before, after) = (other(left), other(right));
            let is_long = |side: &Option<Side>| side.as_ref().is_some_and(|s| s.long);
            // One short side alone may be a turn of phrase; both sides around one value are a passage.
            let both = before.zip(after);
            let whole = both.filter(|(l, r)| l.child == r.child && l.span == r.span).map(|(l, _)| l);
            // What follows an amount is the next thing, what precedes it is what it measures.
            let right = is_long(&slot.right) && slot.family != Family::Amount;
            let long = before.filter(|_| is_long(&slot.left));
            let long = long.or(after.filter(|_| right));
            whole.or(long).map(|passage| (slot.fact, passage))
        })
    }
}

/// What a value is the value of, hashed.
fn label(text: &Text<'_>, fact: &Fact) -> Option<u64> {
    let label = label_of(&text.reading.normal.text, fact)?;
    let mut hasher = FxHasher::default();
    label.bytes().for_each(|b| hasher.write_u8(b.to_ascii_lowercase()));
    Some(hasher.finish())
}

/// Values of a row that are kept, at most.
const COLUMNS: usize = 32;
/// Bytes of the longest row.
const ROW: usize = 256;

fn rival(child: usize, text: &Text<'_>, fact: &Fact) -> Rival {
    let folded = &*text.reading.normal.text;
    let bytes = folded.as_bytes();
    let before = bytes.get(..fact.at.start).unwrap_or_default().iter().rev().take(ROW);
    let after = bytes.get(fact.at.end..).unwrap_or_default().iter().take(ROW);
    let start = fact.at.start - before.take_while(|b| **b != b'\n').count();
    let end = fact.at.end + after.take_while(|b| **b != b'\n').count();
    let line = Span::new(start, end);
    let facts = &text.reading.facts;
    let row = if line.len() <= ROW && folded.get(start..end).is_some_and(is_row) {
        let from = facts.partition_point(|f| f.at.start < line.start);
        facts.iter().skip(from).take_while(|f| f.at.start < line.end).take(COLUMNS).map(|f| f.key).collect()
    } else {
        Vec::new()
    };
    Rival { key: fact.key, row, passage: candidate(child, text, fact) }
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

/// Whether words are long enough to be a passage, if they make a context at all: three words, one of them no part of a
/// path, an address or a moment. The words of one such token are one thing.
fn length(text: &Text<'_>, words: &[Word]) -> Option<bool> {
    let facts = &text.reading.facts;
    let (mut count, mut things, mut plain) = (0, 0, false);
    let mut end = 0;
    for word in words.iter().filter(|w| w.content) {
        count += 1;
        if word.at.start < end {
            continue;
        }
        things += 1;
        let near = facts.partition_point(|f| f.at.start <= word.at.start);
        let token = facts.iter().take(near).rev().take(8).find(|f| f.at.contains(word.at) && is_one(f.class));
        plain |= token.is_none();
        end = token.map_or(end, |f| f.at.end);
    }
    (count >= 2).then_some(count >= 3 && things >= 2 && plain)
}

/// Whether a token of the class is one thing, however many words it is written in.
fn is_one(class: Class) -> bool {
    !matches!(
        class,
        Class::Quote | Class::Command | Class::Name | Class::Symbol | Class::EnvVar | Class::Range
    )
}

/// The contexts of a fact: hashes of the words before and after it. `word` moves along with the facts.
fn contexts<'w>(
    text: &'w Text<'_>,
    fact: &Fact,
    word: &mut usize,
) -> (Option<Context<'w>>, Option<Context<'w>>) {
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
    let hash = |words: Option<&'w [Word]>, place: Span| -> Option<Context<'w>> {
        let words = words?;
        // A context reaches no further than a passage does, and says something.
        let near = words.iter().all(|w| w.at.start.abs_diff(place.start) < 120 && sentence.contains(w.at));
        if !near || words.iter().filter(|w| w.content).count() < 2 {
            return None;
        }
        let mut hasher = FxHasher::default();
        let folded = text.reading.normal.text.as_bytes();
        let mut end = None;
        for word in words {
            hasher.write_u64(word.stem);
            // What stands between the words belongs to the passage, but for blanks and emphasis.
            let gap = end.and_then(|end| folded.get(end..word.at.start)).unwrap_or_default();
            for b in gap
                .iter()
                .filter(|b| !b.is_ascii_whitespace() && !matches!(b, b'*' | b'_' | b'`' | b'"' | b'\''))
            {
                hasher.write_u8(*b);
            }
            end = Some(word.at.end);
        }
        Some(Context { hash: hasher.finish(), words })
    };
    let left = hash(first.checked_sub(WORDS).and_then(|from| words.get(from..first)), fact.at);
    let right = hash(words.get(after..after + WORDS), fact.at);
    (left, right)
}

#[cfg(test)]
mod tests {
    use crate::{Code, Policy, check};

    fn altered(child: &str, parent: &str) -> usize {
        let report = check(&[child], parent, &Policy::remediation());
        report.orphans.iter().filter(|o| o.code == Code::StatementAltered).count()
    }

    #[test]
    fn one_path_or_moment_beside_a_value_is_no_passage() {
        let child = "git diff -- src/tank/entries.rs db/0187_seal.sql\nsrc/tank/pool.rs | 12\n";
        assert_eq!(altered(child, "It touches `src/tank/entries.rs`, `src/tank/pool.rs`."), 0);
        let row = "ins_7a90ce51f4 | 2026-03-17-B4 | ent_08be73d91c | MR-8799-6 | 2026-03-17 10:02:13 | 52.50";
        assert_eq!(altered(row, "ins_7a90ce51f4 (ent_08be73d91c, 2026-03-17 10:02:13) has MR-8799-6."), 0);
    }

    #[test]
    fn a_row_told_with_some_of_its_columns() {
        let table = "relation              | live     | dead    | share\n\
                     pump.entries_2026_03  | 59433476 | 3250861 | 0.5\n";
        assert_eq!(altered(table, "- pump.entries_2026_03 3250861 dead (0.5 %)"), 0);
        let other =
            "pump.entries_2026_03  | 59433476 | 3250862 | 0.5\nvalve.rows_2026_03 | 3250861 | 12 | 0.1\n";
        assert_eq!(altered(other, "- pump.entries_2026_03 3250861 dead (0.5 %)"), 1);
    }

    #[test]
    fn values_of_two_keys_stand_in_no_place_of_each_other() {
        let child = "level=warn pod=pump-a1 shard=tank-06 applied to row 7 at once, held by pod=pump-a1";
        assert_eq!(altered(child, "pod=pump-a1 applied to row 7 at once."), 0);
    }

    #[test]
    fn a_value_exchanged_in_a_passage() {
        let child = "The red pump in hall nine is tank-7. The blue one is tank-8.";
        assert_eq!(altered(child, "The red pump in hall nine is tank-8."), 1);
    }
}
