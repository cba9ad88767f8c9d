//! What became of a conflict in the parent.

use super::super::binding::family;
use super::super::parent::{Index, Text};
use super::super::replaced::Replaced;
use super::super::wording::short;
use super::COMMON;
use super::differ::{Kind, VALUE, scoping};
use super::said::{Marks, Said, Slot};
use crate::fact::statement::Cues;
use crate::fact::{Class, Fact};
use crate::policy::Order;
use crate::report::{ConflictRow, ConflictState, Side};
use crate::text::Span;
use rustc_hash::FxHashSet;

/// What the parent tells of a conflict.
#[derive(Clone, Copy, Debug, Default)]
struct Telling(u16);

impl Telling {
    /// It speaks of what the two have in common.
    const SPEAKS: u16 = 1;
    /// It tells the first side.
    const FIRST: u16 = 2;
    /// It tells the second side.
    const SECOND: u16 = 4;
    /// It tells the first side as past, or as changed.
    const PAST: u16 = 8;
    /// It says that two sides differ.
    const MARKED: u16 = 16;
    /// It tells a side with what tells the two apart.
    const SCOPED: u16 = 32;
    /// It tells a third value in their place, which no child says.
    const THIRD: u16 = 64;
    /// It tells how the one became the other.
    const CHANGED: u16 = 128;
    /// It tells another value of the children in their place: one of a series.
    const SERIES: u16 = 256;

    fn has(self, what: u16) -> bool {
        self.0 & what != 0
    }

    fn set(&mut self, what: u16, on: bool) {
        if on {
            self.0 |= what;
        }
    }

    /// Reads the clauses of the parent that share anything with the two.
    /// `heard` are the values that the children say.
    fn of(
        (a, b, kind): (&Said, &Said, &Kind),
        parent: &Text<'_>,
        index: &Index,
        heard: &FxHashSet<u64>,
    ) -> Self {
        let mut out = Telling::default();
        let frame = frame(a, b);
        let slot = match kind {
            Kind::Value(x, _) => a.values.iter().find(|v| v.key == *x).map(|v| v.slot),
            _ => None,
        };
        let sides = sides(kind);
        let scope = scope(a, b, kind);
        let near = frame.iter().chain(&sides).filter_map(|item| index.statements.get(item));
        let mut near: Vec<u32> = near.flat_map(|list| list.iter().take(COMMON).copied()).collect();
        near.sort_unstable();
        near.dedup();
        for statement in near.iter().filter_map(|n| parent.statements.all.get(*n as usize)) {
            let items = parent.items_of(statement);
            let has = |key: u64| items.binary_search(&key).is_ok();
            let held = frame.iter().filter(|w| has(**w)).count();
            let enough = held as f64 >= 0.5 * frame.len() as f64;
            // A value in common says more than words do.
            let valued = a.values.iter().any(|v| has(v.key) && b.values.iter().any(|w| w.key == v.key));
            let share = if valued { 0.5 } else { 0.75 };
            let close = held as f64 >= share * frame.len() as f64;
            let same = |said: &Said| enough && statement.negated == said.marks.has(Marks::NEGATED);
            let (first, second) = match kind {
                Kind::Value(x, y) | Kind::Word(x, y) => (has(*x), has(*y)),
                Kind::Polarity => (same(a), same(b)),
            };
            if !enough && !first && !second {
                continue;
            }
            let facts = parent.reading.facts.get(statement.facts.clone()).unwrap_or_default();
            let of_slot = |f: &Fact| {
                f.whole.is_none() && slot == family(f.class).map(|family| Slot::Of(family, f.class))
            };
            let beside = frame.is_empty() || held >= 1 && 3 * held >= frame.len();
            let told = enough || beside && matches!(kind, Kind::Value(..));
            let turns = statement.cues.any(Cues::PAST.with(Cues::CHANGE));
            out.set(Telling::SPEAKS, enough);
            out.set(Telling::FIRST, told && first);
            out.set(Telling::SECOND, told && second);
            out.set(Telling::PAST, first && turns);
            out.set(Telling::CHANGED, first && second && turns);
            out.set(Telling::MARKED, enough && statement.cues.any(Cues::CONTRAST));
            out.set(Telling::SCOPED, (first || second) && scope.iter().any(|w| has(*w)));
            for other in facts.iter().filter(|f| of_slot(f) && !sides.contains(&f.key)) {
                out.set(if heard.contains(&other.key) { Telling::SERIES } else { Telling::THIRD }, close);
            }
        }
        out
    }
}

/// What the two have in common: words once, values twice.
fn frame(a: &Said, b: &Said) -> Vec<u64> {
    let mut frame: Vec<u64> = a.words.iter().copied().filter(|w| b.words.binary_search(w).is_ok()).collect();
    for value in a.values.iter().filter(|v| b.values.iter().any(|w| w.key == v.key)) {
        frame.extend([value.key; VALUE]);
    }
    frame
}

fn sides(kind: &Kind) -> Vec<u64> {
    match kind {
        Kind::Value(x, y) | Kind::Word(x, y) => vec![*x, *y],
        Kind::Polarity => Vec::new(),
    }
}

/// Words and names that only one of the two holds, where each has some: they tell whose value it is.
fn scope(a: &Said, b: &Said, kind: &Kind) -> Vec<u64> {
    let Kind::Value(of_a, of_b) = *kind else { return Vec::new() };
    let only = |x: &Said, y: &Said, value: u64| -> Vec<u64> {
        let words = scoping(x, y, value).filter(|w| y.words.binary_search(w).is_err());
        let names = x.values.iter().filter(|v| v.slot == Slot::Name && v.key != of_a && v.key != of_b);
        let names = names.map(|v| v.key).filter(|key| !y.values.iter().any(|w| w.key == *key));
        words.chain(names).collect()
    };
    let (mut ours, theirs) = (only(a, b, of_a), only(b, a, of_b));
    if ours.is_empty() || theirs.is_empty() {
        return Vec::new();
    }
    ours.extend(theirs);
    ours
}

/// Whether the parent makes the two values the ends of one range.
fn ranged(kind: &Kind, parent: &Text<'_>, index: &Index) -> bool {
    let Kind::Value(x, y) = kind else { return false };
    let facts = &parent.reading.facts;
    let range =
        |i: &usize| facts.get(*i)?.whole.filter(|w| facts.get(*w).is_some_and(|f| f.class == Class::Range));
    let ends = |key: &u64| index.facts.get(key).map(Vec::as_slice).unwrap_or_default();
    let of_other: Vec<usize> = ends(y).iter().filter_map(range).collect();
    ends(x).iter().filter_map(range).any(|w| of_other.contains(&w))
}

/// What became of a conflict, and which sides the parent tells.
pub(super) fn state(
    (a, b, kind): (&Said, &Said, &Kind),
    (parent, replaced): (&Text<'_>, &Replaced),
    index: &Index,
    heard: &FxHashSet<u64>,
    order: Order,
) -> Option<(ConflictState, bool, bool)> {
    let told = Telling::of((a, b, kind), parent, index, heard);
    let (first, second) = (told.has(Telling::FIRST), told.has(Telling::SECOND));
    let speaks = told.has(Telling::SPEAKS);
    if !(speaks || first || second) {
        return None;
    }
    let aside = |s: &Said| s.marks.has(Marks::ASIDE);
    let two_sources = a.cues.any(Cues::SOURCE) && b.cues.any(Cues::SOURCE)
        || aside(a) && aside(b)
        || !a.times.is_empty() && a.times == b.times
        || a.times.is_empty() != b.times.is_empty() && (aside(a) || aside(b));
    let change = order == Order::Sequence && !two_sources;
    // The later value told as the one that was given up.
    let turned = matches!(kind, Kind::Value(x, y) if replaced.tells(*y, *x));
    let in_turn = matches!(kind, Kind::Value(x, y) if replaced.tells(*x, *y));
    let apart = turned || in_turn || told.has(Telling::MARKED) || told.has(Telling::CHANGED);
    let state = match (first, second) {
        (true, true) if !apart && ranged(kind, parent, index) => Some(ConflictState::Collapsed),
        (true, true) if change && turned => Some(ConflictState::Stale),
        (true, true) if change => Some(ConflictState::Superseded),
        (true, true) => Some(ConflictState::Kept),
        _ if told.has(Telling::MARKED) && *kind == Kind::Polarity => Some(ConflictState::Kept),
        (true, false) | (false, true) if told.has(Telling::SCOPED) => None,
        (false, true) if change => Some(ConflictState::Superseded),
        (true, false) if change && (told.has(Telling::PAST) || told.has(Telling::SERIES) || !speaks) => None,
        (true, false) if change => Some(ConflictState::Stale),
        (false, false) if !speaks => None,
        // Neither value of a change is told: both are lost, unless the parent tells a third one in their place.
        (false, false) if change && matches!(kind, Kind::Value(..)) && !told.has(Telling::THIRD) => None,
        _ => Some(ConflictState::Collapsed),
    };
    let outputs = outputs(a, b) && order == Order::Sequence;
    // Two outputs of tools are two moments. Only a setting under one key is told as current after it changed.
    let state = state.filter(|state| match state {
        ConflictState::Collapsed => !outputs,
        ConflictState::Stale => !outputs || labelled(a, b, kind),
        _ => true,
    });
    state.map(|state| (state, first, second))
}

/// Whether tools put out both.
pub(super) fn outputs(a: &Said, b: &Said) -> bool {
    a.marks.has(Marks::TOOL) && b.marks.has(Marks::TOOL)
}

/// Whether both values are bound to one key by a sign, as in a setting: nothing follows them (`warning: 7 bindings`
/// counts what it warns of).
fn labelled(a: &Said, b: &Said, kind: &Kind) -> bool {
    let Kind::Value(x, y) = kind else { return false };
    let label = |said: &Said, key: u64| {
        let value = said.values.iter().find(|value| value.key == key)?;
        let after = said.text.get(value.at.end..).unwrap_or_default();
        let after = after.trim_start_matches(['"', '\'', '`', ' ', '\t']);
        value.label.filter(|_| !after.starts_with(char::is_alphanumeric))
    };
    label(a, *x).is_some_and(|of_a| label(b, *y) == Some(of_a))
}

pub(super) fn row(a: &Said, b: &Said, kind: &Kind, state: ConflictState) -> ConflictRow {
    let (x, y) = match kind {
        Kind::Value(x, y) => (Some(*x), Some(*y)),
        _ => (None, None),
    };
    let side = |s: &Said, key: Option<u64>| {
        let at = key.and_then(|key| s.values.iter().find(|v| v.key == key)).map(|v| v.at);
        let cut = short(&s.text, at);
        Side {
            child: s.child,
            text: cut.of(&s.text).to_owned(),
            span: Span::new(s.span.start + cut.start, (s.span.start + cut.end).min(s.span.end)),
            told: false,
        }
    };
    let subject = a
        .surface
        .iter()
        .filter(|(stem, _)| b.words.binary_search(stem).is_ok())
        .map(|(_, word)| &**word)
        .take(6)
        .collect::<Vec<_>>()
        .join(" ");
    ConflictRow { subject, attribute: None, state, sides: vec![side(a, x), side(b, y)] }
}
