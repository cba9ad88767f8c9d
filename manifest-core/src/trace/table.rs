//! The children's exact facts, one entry a value: where it stood first, in how many leaves, who said it.
//!
//! A long session has millions of distinct values, so an entry is kept small: 72 bytes and its text, with a label that
//! many values share stored once.

use super::parent::MASK;
use super::resolve::is_identifier;
use crate::child::{Child, Role};
use crate::fact::statement::{Cues, Statement};
use crate::fact::{Class, Decimal, Fact, Known, Reading};
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::num::{NonZeroU32, NonZeroU64};

/// One value of the children.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its surface text at its first occurrence.
    pub(crate) text: Box<str>,
    also: Option<NonZeroU64>,
    whole: Option<NonZeroU64>,
    start: u32,
    end: u32,
    child: u32,
    last: u32,
    /// In how many children it stands.
    pub(crate) leaves: u32,
    /// How often it stands.
    pub(crate) count: u32,
    /// How much attention its leaves give it: a leaf that names few values means each of them.
    pub(crate) attention: f32,
    label: Option<NonZeroU32>,
    head: Option<NonZeroU32>,
    /// Its class, as first read.
    pub(crate) class: Class,
    /// Where it was seen.
    pub(crate) seen: Seen,
    /// Whether it was seen only in source markers at the head of a line: it can be cited, and nobody loses it.
    pub(crate) marker: bool,
}

impl Entry {
    /// Index of the child that states it first.
    pub(crate) fn child(&self) -> usize {
        self.child as usize
    }

    /// Index of the child that states it last.
    pub(crate) fn last(&self) -> usize {
        self.last as usize
    }

    /// Where it stands first, in bytes of the child as given.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// A second key, where its text allows a second reading.
    pub(crate) fn also(&self) -> Option<u64> {
        self.also.map(NonZeroU64::get)
    }

    /// Key of the composite that it is a part of, at its first occurrence.
    pub(crate) fn whole(&self) -> Option<u64> {
        self.whole.map(NonZeroU64::get)
    }
}

/// In what kinds of places a value was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u16);

impl Seen {
    pub(crate) const USER: Seen = Seen(1);
    pub(crate) const ASSISTANT: Seen = Seen(2);
    pub(crate) const TOOL: Seen = Seen(4);
    pub(crate) const ARGUMENTS: Seen = Seen(8);
    pub(crate) const ERROR: Seen = Seen(16);
    /// By itself, not as a part of a composite.
    pub(crate) const ALONE: Seen = Seen(32);
    /// As a value, not only as the name of a field.
    pub(crate) const VALUE: Seen = Seen(64);
    /// In the last child that shows it somebody named it or handed it to a tool.
    pub(crate) const NAMED_LAST: Seen = Seen(128);
    /// In what somebody says, outside of a tool call's arguments.
    pub(crate) const SAID: Seen = Seen(256);
    /// By somebody who names it, or hands it to a tool.
    pub(crate) const NAMED: Seen = Seen(1 | 2 | 8);

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

    fn remove(&mut self, other: Seen) {
        self.0 &= !other.0;
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
    /// Amounts as they are spoken.
    spoken: FxHashSet<Decimal>,
    /// What values are bound to, each text once.
    labels: Vec<Box<str>>,
    label_number: FxHashMap<Box<str>, NonZeroU32>,
}

/// How much a value counts that only a tool's output shows, beside one that somebody said or handed to a tool.
const SHOWN: f32 = 0.5;
/// How much one counts that was handed to a tool.
const HANDED: f32 = 1.5;

impl Table {
    /// Adds the facts of one child, whose own place says `place` of them.
    pub(crate) fn add(&mut self, child: usize, place: Seen, reading: &Reading<'_>, statements: &[Statement]) {
        let text = &*reading.normal.text;
        let child = narrow(child);
        let mut statement = 0;
        let arguments = ArgumentSpans::of(text);
        let attention = Attention::of(place, &reading.facts, &arguments);
        self.spoken.extend(reading.spoken.iter().copied());
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
            if fact.whole.is_none() {
                seen.add(Seen::ALONE);
            }
            if !names_a_field(text, fact) && !names_a_tool(text, fact, place) {
                seen.add(Seen::VALUE);
            }
            if seen.any(Seen::NAMED) {
                seen.add(Seen::NAMED_LAST);
            }
            if !seen.any(Seen::TOOL) && !seen.any(Seen::ARGUMENTS) {
                seen.add(Seen::SAID);
            }
            self.add_one(child, reading, fact, seen, attention.on(seen));
        }
    }

    fn add_one(&mut self, child: u32, reading: &Reading<'_>, fact: &Fact, seen: Seen, attention: f32) {
        let text = &*reading.normal.text;
        if let Some(number) = self.number.get(&fact.key).copied() {
            let Some((_, entry)) = self.entries.get_mut(number as usize) else { return };
            entry.count = entry.count.saturating_add(1);
            if entry.last != child {
                entry.leaves = entry.leaves.saturating_add(1);
                entry.last = child;
                entry.attention += attention;
                entry.seen.remove(Seen::NAMED_LAST);
            }
            entry.seen.add(seen);
            entry.marker &= fact.marker;
            if entry.label.is_none()
                && let Some(label) = label_of(text, fact)
            {
                let label = self.intern(label);
                if let Some((_, entry)) = self.entries.get_mut(number as usize) {
                    entry.label = label;
                }
            }
            return;
        }
        // More values than this a table cannot number; the text that holds them would not fit in memory either.
        let Ok(number) = u32::try_from(self.entries.len()) else { return };
        let label = label_of(text, fact).and_then(|label| self.intern(label));
        let head =
            Some(head_of(reading, fact)).filter(|head| !head.is_empty()).and_then(|head| self.intern(head));
        let whole = fact.whole.and_then(|w| reading.facts.get(w));
        self.number.insert(fact.key, number);
        self.also.extend(fact.also);
        self.entries.push((
            fact.key,
            Entry {
                text: if fact.class == Class::Secret { MASK } else { fact.span.of(reading.text) }.into(),
                also: fact.also.and_then(NonZeroU64::new),
                whole: whole.and_then(|w| NonZeroU64::new(w.key)),
                start: narrow(fact.span.start),
                end: narrow(fact.span.end),
                head,
                child,
                last: child,
                leaves: 1,
                count: 1,
                attention,
                label,
                class: fact.class,
                seen,
                marker: fact.marker,
            },
        ));
    }

    /// Makes credentials of the values that hold what is known to be one from elsewhere, and hides it in what values are
    /// bound to.
    pub(crate) fn hide(&mut self, known: &Known) {
        if known.is_empty() {
            return;
        }
        for (_, entry) in &mut self.entries {
            if entry.class != Class::Secret && known.within(&entry.text) {
                entry.class = Class::Secret;
                entry.text = MASK.into();
            }
        }
        for label in &mut self.labels {
            if known.within(label) {
                *label = MASK.into();
            }
        }
    }

    /// The number of a label or head, counted from 1.
    fn intern(&mut self, label: &str) -> Option<NonZeroU32> {
        if let Some(number) = self.label_number.get(label) {
            return Some(*number);
        }
        let number = u32::try_from(self.labels.len() + 1).ok().and_then(NonZeroU32::new)?;
        self.labels.push(label.into());
        self.label_number.insert(label.into(), number);
        Some(number)
    }

    /// What a value is bound to (`timeout` in `timeout=30s`), if a text says so.
    pub(crate) fn label(&self, entry: &Entry) -> Option<&str> {
        self.interned(entry.label)
    }

    /// The key and sign right before a value at its first occurrence, as written (`timeout = `), where an amount is bound
    /// by `=`, `<` or `>`; else nothing.
    pub(crate) fn head(&self, entry: &Entry) -> &str {
        self.interned(entry.head).unwrap_or_default()
    }

    fn interned(&self, number: Option<NonZeroU32>) -> Option<&str> {
        number.and_then(|number| self.labels.get(number.get() as usize - 1)).map(|label| &**label)
    }

    /// The entry of a value.
    pub(crate) fn get(&self, key: u64) -> Option<&Entry> {
        self.number.get(&key).and_then(|n| self.entries.get(*n as usize)).map(|(_, entry)| entry)
    }

    /// Whether the children hold the value.
    pub(crate) fn holds(&self, key: u64) -> bool {
        self.number.contains_key(&key)
    }

    /// Whether a child speaks this amount.
    pub(crate) fn speaks(&self, amount: Decimal) -> bool {
        self.spoken.contains(&amount)
    }

    /// Whether the children hold the value of a fact, by either of its keys.
    pub(crate) fn explains(&self, fact: &Fact) -> bool {
        self.holds(fact.key) || self.also.contains(&fact.key) || fact.also.is_some_and(|key| self.holds(key))
    }

    /// All values in the order of their first occurrence.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries.iter().map(|(key, entry)| (*key, entry))
    }

    /// The same as a slice, with each value's key: a place in it is what salience is told by.
    pub(crate) fn entries(&self) -> &[(u64, Entry)] {
        &self.entries
    }

    /// The place of a value in that slice.
    pub(crate) fn place(&self, key: u64) -> Option<usize> {
        self.number.get(&key).map(|n| *n as usize)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// The key and sign right before an amount, as written.
fn head_of<'t>(reading: &Reading<'t>, fact: &Fact) -> &'t str {
    let amount = matches!(fact.class, Class::Number | Class::Quantity | Class::Percentage | Class::Money);
    let text = &*reading.normal.text;
    let Some(before) = text.get(..fact.at.start).filter(|_| amount) else { return "" };
    let Some(rest) = before.trim_end_matches([' ', '\"']).strip_suffix(['=', '<', '>']) else { return "" };
    let rest = rest.trim_end_matches([' ', '\"']);
    let key =
        rest.len() - rest.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.')).len();
    if key == 0 || key > 48 || rest.ends_with(|c: char| c.is_ascii_digit()) && key == 1 {
        return "";
    }
    let start = reading.normal.source(Span::new(rest.len() - key, fact.at.start)).start;
    reading.text.get(start..fact.span.start).unwrap_or_default()
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

/// A place in a text or a list, as an entry keeps it: a child of more than 4 GiB is cited at its end.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Whether a token is the name of a field of a record: `"price": 12`. A name with two digits or more is data itself, as
/// in `{"order-4417": "late"}`.
fn names_a_field(text: &str, fact: &Fact) -> bool {
    let quote = |c: char| matches!(c, '"' | '\'');
    let before = text.get(..fact.at.start).unwrap_or_default();
    let after = text.get(fact.at.end..).unwrap_or_default().trim_start_matches('\\');
    before.ends_with(quote)
        && after.strip_prefix(quote).is_some_and(|rest| rest.trim_start_matches(' ').starts_with(':'))
        && fact.at.of(text).bytes().filter(u8::is_ascii_digit).count() < 2
}

/// Whether a token is the name of the tool that is called or answers: who carries on has its tools at hand.
fn names_a_tool(text: &str, fact: &Fact, place: Seen) -> bool {
    let before = text.get(..fact.at.start).unwrap_or_default();
    before.ends_with("[tool_call ")
        || place.any(Seen::TOOL) && before.trim_end() == "tool"
        || place.any(Seen::ARGUMENTS) && fact.class == Class::Symbol && before.trim_start().is_empty()
}

/// What one leaf gives each of its values: the more it names, the less each of them is meant.
struct Attention {
    text: f32,
    arguments: f32,
}

impl Attention {
    fn of(place: Seen, facts: &[Fact], arguments: &ArgumentSpans) -> Self {
        let mut counts = [0_u32; 2];
        for fact in facts.iter().filter(|fact| is_identifier(fact.class)) {
            let handed = place.any(Seen::ARGUMENTS) || arguments.hold(fact.at);
            counts[usize::from(handed)] += 1;
        }
        let [text, arguments] = counts.map(|count| 1.0 / (count.max(1) as f32).sqrt());
        Attention {
            text: if place.any(Seen::TOOL) { SHOWN * text } else { text },
            arguments: HANDED * arguments,
        }
    }

    fn on(&self, seen: Seen) -> f32 {
        if seen.any(Seen::ARGUMENTS) { self.arguments } else { self.text }
    }
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
        let before = self.0.partition_point(|s| s.start <= at.start);
        before.checked_sub(1).and_then(|i| self.0.get(i)).is_some_and(|s| s.contains(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn table(children: &[(&str, Seen)]) -> Table {
        let mut table = Table::default();
        for (number, (text, place)) in children.iter().enumerate() {
            table.add(number, *place, &read(text), &[]);
        }
        table
    }

    fn entry<'t>(table: &'t Table, text: &str) -> &'t Entry {
        table.iter().map(|(_, entry)| entry).find(|entry| &*entry.text == text).unwrap()
    }

    #[test]
    fn an_entry_is_small() {
        assert!(size_of::<(u64, Entry)>() <= 80, "{}", size_of::<(u64, Entry)>());
    }

    #[test]
    fn a_leaf_that_names_few_values_means_each_of_them() {
        let listing: Vec<String> = (0..100).map(|i| format!("pod web-{i}-7f6d{i}")).collect();
        let listing = listing.join("\n");
        let t = table(&[(&listing, Seen::TOOL), ("Restart web-7-7f6d7.", Seen::ASSISTANT)]);
        assert!(entry(&t, "web-7-7f6d7").attention > 10.0 * entry(&t, "web-8-7f6d8").attention);
        assert_eq!((entry(&t, "web-7-7f6d7").leaves, entry(&t, "web-7-7f6d7").last()), (2, 1));
    }

    #[test]
    fn names_of_fields_and_tools_are_told_from_values() {
        let record = r#"tool get_order: {"order_id": "PX-4417-A", "web-31": "late", "note": "see order_id"}"#;
        let t = table(&[
            (record, Seen::TOOL),
            (r#"[tool_call get_order {\"order_no\": \"PX-4417-A\"}]"#, Seen::ASSISTANT),
        ]);
        let value = |text| entry(&t, text).seen.any(Seen::VALUE);
        assert!(value("PX-4417-A") && value("web-31") && value("order_id"));
        assert!(!value("get_order") && !value("order_no"));
        assert!(entry(&t, "PX-4417-A").seen.any(Seen::ARGUMENTS));
    }

    #[test]
    fn whether_the_last_child_that_shows_a_value_names_it() {
        let said = ("Look at PX-4417-A.", Seen::ASSISTANT);
        let shown = ("PX-4417-A open", Seen::TOOL);
        let named_last =
            |children: &[(&str, Seen)]| entry(&table(children), "PX-4417-A").seen.any(Seen::NAMED_LAST);
        assert!(named_last(&[shown, said]) && named_last(&[said, ("Thanks.", Seen::USER)]));
        assert!(!named_last(&[said, shown]) && !named_last(&[shown]));
        let call = ("[tool_call get {\"id\": \"PX-4417-A\"}]", Seen::ASSISTANT);
        let is_said = |children: &[(&str, Seen)]| entry(&table(children), "PX-4417-A").seen.any(Seen::SAID);
        assert!(is_said(&[call, said]) && !is_said(&[call, shown]));
    }

    #[test]
    fn a_label_is_kept_once() {
        let t = table(&[("took=45ms then took=46ms", Seen::TOOL), ("took=47ms", Seen::TOOL)]);
        assert_eq!(t.label(entry(&t, "46ms")), Some("took"));
        assert_eq!(t.head(entry(&t, "46ms")), "took=");
        assert_eq!(t.labels.len(), 2);
    }
}
