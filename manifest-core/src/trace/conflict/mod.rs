//! Children that state different values for one subject, attribute and scope.

mod differ;
mod outcome;
mod output;
mod said;
#[cfg(test)]
mod tests;

use super::binding::Family;
use super::parent::{Index, Text};
use super::replaced::{Replaced, replacements};
use super::required::Unstated;
use crate::child::Role;
use crate::fact::statement::Statement;
use crate::fact::{Class, Reading};
use crate::policy::Order;
use crate::report::{ConflictRow, ConflictState};
use differ::{Kind, differ};
use outcome::{outputs, row, state};
use output::Output;
use rustc_hash::{FxHashMap, FxHashSet};
use said::{LONGEST, Marks, Said, Slot, fingerprint, is_dialogue, said};

/// A word that stands in more clauses than this says nothing about which of them belong together.
const COMMON: usize = 64;

/// A clause whose value differs from so many others is one of a series.
const SERIES: usize = 4;

/// The children's clauses, compared with each other as they go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflicts {
    said: Vec<Said>,
    by_item: FxHashMap<u64, Vec<u32>>,
    /// What was said word for word before, by its items.
    known: FxHashMap<u64, u32>,
    pairs: Vec<(u32, u32, Kind)>,
    /// The first child of the text that is read: an output that was cut is one text.
    first: usize,
    /// Clauses that stand in one text with another one of their frame and another value.
    listed: FxHashSet<u32>,
}

/// Whether a clause has anything in common with the parent: a fact, or two words, or its only word.
fn shares(text: &Text<'_>, statement: &Statement, index: &Index) -> bool {
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let words = text.statements.words_of(statement);
    if words.len() + facts.len() > 2 * LONGEST {
        return false;
    }
    let held = words.iter().filter(|w| index.statements.contains_key(&w.stem)).take(2).count();
    held == 2 || held == 1 && words.len() < 3 || facts.iter().any(|f| index.statements.contains_key(&f.key))
}

/// Whether a clause, or its sentence, opens its line with the moment of what it tells, as a log does.
fn begins_with_its_time(text: &Text<'_>, statement: &Statement, logged: bool) -> bool {
    let Reading { facts, sentences, normal, .. } = &text.reading;
    let opens = |start: usize, exact: bool| {
        let first = facts.get(facts.partition_point(|fact| fact.at.start < start));
        first.is_some_and(|fact| {
            let moment = matches!(fact.class, Class::Instant | Class::Time);
            fact.at.start <= start + 2
                && (moment && fact.at.len() >= 8 || !exact && (moment || fact.class == Class::Date))
        })
    };
    let line = |from: usize| {
        let head = normal.text.get(from..statement.at.start).unwrap_or_default();
        head.rfind('\n').map_or(from, |end| from + end + 1)
    };
    logged && opens(statement.at.start, false)
        || sentences.get(statement.sentence).is_some_and(|sentence| opens(line(sentence.at.start), true))
}

impl Conflicts {
    /// Looks at one child. Clauses that share nothing with the parent are passed over: what the parent does not
    /// speak of it cannot tell one-sidedly.
    /// `goes_on`: it is the next part of the text of the one before.
    pub(crate) fn child(
        &mut self,
        child: usize,
        (role, told): (Role, bool),
        goes_on: bool,
        text: &Text<'_>,
        index: &Index,
    ) {
        if !goes_on {
            self.first = child;
        }
        let dialogue = is_dialogue(text);
        let tool = role == Role::Tool;
        // Who speaks is not told: a summary above the lowest ones holds lines of tools.
        let output = (role == Role::Assistant && !told).then(|| Output::of(text));
        let negating = text.negating();
        let given_up: FxHashSet<usize> =
            replacements(text).into_iter().map(|replacement| replacement.old).collect();
        for (statement, negating) in text.statements.all.iter().zip(negating) {
            if !shares(text, statement, index) {
                continue;
            }
            let Some(mut said) = said(child, text, statement, &given_up) else { continue };
            let put_out = tool || output.as_ref().is_some_and(|output| output.holds(statement.at));
            // A log tells events: what a later line says differently has changed.
            let logged = said.marks.has(Marks::LOGGED);
            if logged && tool || begins_with_its_time(text, statement, logged) {
                continue;
            }
            // What a tool puts in brackets is no other source, and whom it names line by line is not what something is.
            if put_out {
                said.marks.set(Marks::ASIDE, false);
                if said.only_names() {
                    continue;
                }
            }
            // A path under a key is what a tool was handed, or what a part of an output is about.
            if put_out && !tool {
                for value in said.values.iter_mut().filter(|v| matches!(v.slot, Slot::Of(Family::Place, _))) {
                    value.label = None;
                }
            }
            said.marks.set(Marks::SPOKEN, dialogue);
            said.marks.set(Marks::TOOL, put_out);
            said.marks.set(Marks::AROUND, negating);
            // What stands nowhere in the parent joins no two clauses: the parent could not tell them one-sidedly.
            let mut items: Vec<u64> =
                said.words.iter().copied().chain(said.values.iter().map(|v| v.key)).collect();
            items.retain(|item| index.statements.contains_key(item));
            let values = said.values.iter().filter(|v| index.statements.contains_key(&v.key)).count();
            let words = items.len() - values;
            // One word in common is chance in a long clause, and half of a short one.
            if values == 0 && words < 2 && 2 * words < said.words.len() {
                continue;
            }
            let same = fingerprint(&said);
            if let Some(before) = self.known.get(&same).and_then(|n| self.said.get_mut(*n as usize)) {
                before.last = child;
                continue;
            }
            let number = u32::try_from(self.said.len()).unwrap_or(u32::MAX);
            let mut near: Vec<u32> = Vec::new();
            for item in &items {
                if let Some(list) = self.by_item.get(item).filter(|l| l.len() <= COMMON) {
                    near.extend_from_slice(list);
                }
            }
            near.sort_unstable();
            // What shares one of many items is not about the same thing.
            let least = if items.len() > 4 { 2 } else { 1 };
            for run in near.chunk_by(|a, b| a == b).filter(|run| run.len() >= least) {
                let Some(other) = run.first() else { continue };
                let Some(earlier) = self.said.get(*other as usize) else { continue };
                if earlier.child >= self.first {
                    // Two values of one frame in one text: lines of a listing.
                    if matches!(differ(earlier, &said), Some(Kind::Value(..))) {
                        self.listed.extend([*other, number]);
                    }
                    continue;
                }
                if let Some(kind) = differ(earlier, &said)
                    && kind.concerns(earlier, &said, index)
                {
                    self.pairs.push((*other, number, kind));
                }
            }
            let mut reachable = false;
            for item in items {
                let list = self.by_item.entry(item).or_default();
                if list.len() <= COMMON {
                    list.push(number);
                    reachable = true;
                }
            }
            if reachable {
                self.known.insert(same, number);
                self.said.push(said);
            }
        }
    }

    /// Clauses of one frame with many values, one after the other: lines of a listing, not one thing told in several ways.
    fn series(&self, order: Order) -> FxHashSet<u32> {
        let mut others: FxHashMap<u32, FxHashSet<u64>> = FxHashMap::default();
        for (a, b, kind) in self.pairs.iter().filter(|_| order == Order::Sequence) {
            if let Kind::Value(x, y) = kind {
                others.entry(*a).or_default().insert(*y);
                others.entry(*b).or_default().insert(*x);
            }
        }
        others.into_iter().filter(|(_, values)| values.len() >= SERIES).map(|(said, _)| said).collect()
    }

    /// What became of each conflict in the parent, and the sides that it does not tell where no value of theirs is lost.
    pub(crate) fn finish(
        &self,
        (parent, replaced): (&Text<'_>, &Replaced),
        index: &Index,
        order: Order,
    ) -> (Vec<ConflictRow>, Vec<Unstated>) {
        let mut rows = Vec::new();
        let mut gone = Vec::new();
        let mut told: FxHashSet<(u64, u64)> = FxHashSet::default();
        let heard: FxHashSet<u64> =
            self.said.iter().flat_map(|said| said.values.iter().map(|v| v.key)).collect();
        let series = self.series(order);
        for (a, b, kind) in &self.pairs {
            let listed = order == Order::Sequence
                && matches!(kind, Kind::Value(..))
                && (self.listed.contains(a) || self.listed.contains(b));
            let in_series =
                listed || matches!(kind, Kind::Value(..)) && series.contains(a) && series.contains(b);
            let (Some(a), Some(b)) = (self.said.get(*a as usize), self.said.get(*b as usize)) else {
                continue;
            };
            // What was said last is what holds now, even if it was said before.
            let turned = a.last > b.last && order == Order::Sequence;
            let (a, b, kind) = if turned { (b, a, kind.turned()) } else { (a, b, kind.clone()) };
            let outcome = state((a, b, &kind), (parent, replaced), index, &heard, order)
                .filter(|(state, ..)| !in_series || *state != ConflictState::Collapsed)
                // A column of an output has no current value.
                .filter(|(state, ..)| !(listed && outputs(a, b)) || *state != ConflictState::Stale);
            if let Some((state, says_a, says_b)) = outcome {
                let key = match &kind {
                    Kind::Value(x, y) | Kind::Word(x, y) => (*x, *y),
                    Kind::Polarity => (a.words.first().copied().unwrap_or(0), 0),
                };
                if told.insert(key) {
                    let mut row = row(a, b, &kind, state);
                    for (side, says) in row.sides.iter_mut().zip([says_a, says_b]) {
                        side.told = says;
                    }
                    rows.push(row);
                    let hidden = matches!(state, ConflictState::Collapsed | ConflictState::Stale)
                        && !matches!(kind, Kind::Value(..));
                    for (side, says) in [(a, says_a), (b, says_b)] {
                        if hidden && !says {
                            gone.push(Unstated {
                                child: side.child,
                                span: side.span,
                                text: side.text.clone(),
                            });
                        }
                    }
                }
            }
        }
        (rows, gone)
    }
}
