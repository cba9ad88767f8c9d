//! The children's exact facts, one entry a value: where it stood first, in how many leaves, who said it.

use super::parent::MASK;
use crate::child::{Child, Role};
use crate::fact::statement::{Cues, Statement};
use crate::fact::{Class, Fact, Reading};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// One value of the children.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its class, as first read.
    pub(crate) class: Class,
    /// Its surface text at its first occurrence.
    pub(crate) text: Box<str>,
    /// What it is bound to there (`timeout` in `timeout=30s`), if the text says so.
    pub(crate) label: Option<Box<str>>,
    /// Index of the child that states it first.
    pub(crate) child: usize,
    /// Where it stands there, in bytes of the child as given.
    pub(crate) span: Span,
    /// Index of the child that states it last.
    pub(crate) last: usize,
    /// In how many children it stands.
    pub(crate) leaves: u32,
    /// How often it stands.
    pub(crate) count: u32,
    /// A second key, where its text allows a second reading.
    pub(crate) also: Option<u64>,
    /// Whether it was seen only in source markers at the head of a line: it can be cited, and nobody loses it.
    pub(crate) marker: bool,
    /// Key of the composite that it is a part of, at its first occurrence.
    pub(crate) whole: Option<u64>,
    /// Where it was seen.
    pub(crate) seen: Seen,
}

/// In what kinds of places a value was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u8);

impl Seen {
    pub(crate) const USER: Seen = Seen(1);
    pub(crate) const ASSISTANT: Seen = Seen(2);
    pub(crate) const TOOL: Seen = Seen(4);
    pub(crate) const ARGUMENTS: Seen = Seen(8);
    pub(crate) const ERROR: Seen = Seen(16);
    pub(crate) const BOUND: Seen = Seen(32);

    /// What a child's own place says of all its values.
    pub(crate) fn of(child: &Child<'_>) -> Seen {
        let mut seen = match child.role {
            Role::User => Seen::USER,
            Role::Assistant => Seen::ASSISTANT,
            Role::Tool | Role::System => Seen::TOOL,
        };
        if child.call {
            seen.add(Seen::ARGUMENTS);
        }
        seen
    }

    pub(crate) fn any(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }
}

/// All values of the children, by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// In the order of their first occurrence.
    entries: Vec<(u64, Entry)>,
    number: FxHashMap<u64, u32>,
    /// The second keys.
    also: FxHashSet<u64>,
}

impl Table {
    /// Adds the facts of one child, whose own place says `place` of them.
    pub(crate) fn add(&mut self, child: usize, place: Seen, reading: &Reading<'_>, statements: &[Statement]) {
        let text = &*reading.normal.text;
        let mut statement = 0;
        let arguments = ArgumentSpans::of(text);
        for fact in &reading.facts {
            while statements.get(statement).is_some_and(|s| s.at.end <= fact.at.start) {
                statement += 1;
            }
            let mut seen = place;
            if arguments.hold(fact.at) {
                seen.add(Seen::ARGUMENTS);
            }
            if statements.get(statement).is_some_and(|s| s.at.overlaps(fact.at) && s.cues.any(Cues::FAILED)) {
                seen.add(Seen::ERROR);
            }
            self.add_one(child, reading, fact, seen, text);
        }
    }

    fn add_one(&mut self, child: usize, reading: &Reading<'_>, fact: &Fact, seen: Seen, text: &str) {
        let known = self.number.get(&fact.key).and_then(|n| self.entries.get_mut(*n as usize));
        if let Some((_, entry)) = known {
            entry.count = entry.count.saturating_add(1);
            if entry.last != child {
                entry.leaves += 1;
                entry.last = child;
            }
            entry.seen.add(seen);
            entry.marker &= fact.marker;
            if entry.label.is_none()
                && let Some(label) = label_of(text, fact)
            {
                entry.label = Some(label.into());
                entry.seen.add(Seen::BOUND);
            }
            return;
        }
        let label = label_of(text, fact);
        let mut seen = seen;
        if label.is_some() {
            seen.add(Seen::BOUND);
        }
        // More values than this a table cannot number; the text that holds them would not fit in memory either.
        let Ok(number) = u32::try_from(self.entries.len()) else { return };
        self.number.insert(fact.key, number);
        self.also.extend(fact.also);
        self.entries.push((
            fact.key,
            Entry {
                class: fact.class,
                text: if fact.class == Class::Secret { MASK } else { fact.span.of(reading.text) }.into(),
                label: label.map(Into::into),
                child,
                span: fact.span,
                last: child,
                leaves: 1,
                count: 1,
                also: fact.also,
                marker: fact.marker,
                whole: fact.whole.and_then(|w| reading.facts.get(w)).map(|w| w.key),
                seen,
            },
        ));
    }

    /// The entry of a value.
    pub(crate) fn get(&self, key: u64) -> Option<&Entry> {
        self.number.get(&key).and_then(|n| self.entries.get(*n as usize)).map(|(_, entry)| entry)
    }

    /// Whether the children hold the value.
    pub(crate) fn holds(&self, key: u64) -> bool {
        self.number.contains_key(&key)
    }

    /// Whether the children hold the value of a fact, by either of its keys.
    pub(crate) fn explains(&self, fact: &Fact) -> bool {
        self.holds(fact.key) || self.also.contains(&fact.key) || fact.also.is_some_and(|key| self.holds(key))
    }

    /// All values in the order of their first occurrence.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries.iter().map(|(key, entry)| (*key, entry))
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// The key that a value is bound to by `=` or `:` right before it.
pub(crate) fn label_of<'t>(text: &'t str, fact: &Fact) -> Option<&'t str> {
    let before = text.get(..fact.at.start)?;
    let head = before.trim_end_matches([' ', '"', '\'', '`', '*', '\\']);
    let head = head.strip_suffix([':', '=']).or_else(|| head.strip_suffix("="))?;
    if head.ends_with([':', '=', '/', '<', '>', '!']) {
        return None;
    }
    let head = head.trim_end_matches([' ', '"', '\'', '`', '*', '\\']);
    let start = head
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .last()
        .map(|(i, _)| i)?;
    let label = &head[start..];
    (label.len() <= 48 && label.chars().any(char::is_alphabetic)).then_some(label)
}

/// The stretches of a text that are arguments of a tool call: `[tool_call name {…}]`, `{"arguments": …}`.
struct ArgumentSpans(Vec<Span>);

impl ArgumentSpans {
    fn of(text: &str) -> Self {
        let mut spans = Vec::new();
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| rest.find("[tool_call ")) {
            let start = from + found;
            let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
            spans.push(Span::new(start, end));
            from = end;
        }
        ArgumentSpans(spans)
    }

    fn hold(&self, at: Span) -> bool {
        self.0.iter().any(|s| s.contains(at))
    }
}
