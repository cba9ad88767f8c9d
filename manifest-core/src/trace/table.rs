//! The children's exact facts, one entry a value: where it stood first, in how many leaves, who said it.
//!
//! A long session has millions of distinct values, so each takes little: a row of 56 bytes, its text among all texts, and
//! a number in the index; a label that many values share is stored once.

use super::entry::{Entry, More, Row, Seen, narrow};
use super::interned::Interned;
use super::resolve::is_identifier;
use crate::fact::statement::{Cues, Statement};
use crate::fact::{Class, Decimal, Fact, Known, Reading};
use crate::text::Span;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;

/// All values of the children, by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// In the order of their first occurrence.
    rows: Vec<Row>,
    /// What some of them have beside.
    more: Vec<More>,
    /// All their texts.
    texts: String,
    /// Places of the rows by their keys.
    index: HashTable<u32>,
    /// The second keys.
    also: FxHashSet<u64>,
    /// Amounts as they are spoken.
    spoken: FxHashSet<Decimal>,
    /// What values are bound to, each text once.
    labels: Interned,
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
        if let Some(place) = self.place(fact.key) {
            let Some(row) = self.rows.get_mut(place) else { return };
            row.count = row.count.saturating_add(1);
            if row.last != child {
                row.leaves = row.leaves.saturating_add(1);
                row.last = child;
                row.attention += attention;
                row.seen.remove(Seen::NAMED_LAST);
            }
            row.seen.add(seen);
            row.marker &= fact.marker;
            let more = row.more.and_then(|n| self.more.get(n.get() as usize - 1));
            if more.is_none_or(|more| more.label.is_none())
                && let Some(label) = label_of(text, fact)
            {
                let mut more = more.copied().unwrap_or_default();
                more.label = self.labels.number(label);
                self.set_more(place, more);
            }
            return;
        }
        // More values than this a table cannot number; the text that holds them would not fit in memory either.
        let Ok(number) = u32::try_from(self.rows.len()) else { return };
        let head = head_of(reading, fact);
        let more = More {
            also: fact.also.and_then(NonZeroU64::new),
            whole: fact.whole.and_then(|w| reading.facts.get(w)).and_then(|w| NonZeroU64::new(w.key)),
            label: label_of(text, fact).and_then(|label| self.labels.number(label)),
            head: if head.is_empty() { None } else { self.labels.number(head) },
        };
        let surface = fact.span.of(reading.text);
        let mut row = Row::new(fact.key, fact.class, child, fact.span, surface, &mut self.texts);
        (row.attention, row.seen, row.marker) = (attention, seen, fact.marker);
        self.rows.push(row);
        let rows = &self.rows;
        let rehash = |n: &u32| rows.get(*n as usize).map_or(0, |row| hash(row.key));
        self.index.insert_unique(hash(fact.key), number, rehash);
        self.also.extend(fact.also);
        self.set_more(number as usize, more);
    }

    fn set_more(&mut self, place: usize, more: More) {
        let Some(row) = self.rows.get_mut(place).filter(|_| !more.is_empty()) else { return };
        if let Some(known) = row.more.and_then(|n| self.more.get_mut(n.get() as usize - 1)) {
            *known = more;
        } else {
            self.more.push(more);
            row.more = u32::try_from(self.more.len()).ok().and_then(NonZeroU32::new);
        }
    }

    /// Makes credentials of the values that hold what is known to be one from elsewhere, and hides it in what values are
    /// bound to. A body too long to be kept stays one: nobody is shown it.
    pub(crate) fn hide(&mut self, known: &Known) {
        if known.is_empty() {
            return;
        }
        for row in &mut self.rows {
            if row.class != Class::Secret && known.within(Entry::of(row, None, &self.texts).text) {
                row.class = Class::Secret;
            }
        }
        self.labels.hide(known);
    }

    /// What a value is bound to (`timeout` in `timeout=30s`), if a text says so.
    pub(crate) fn label(&self, entry: &Entry<'_>) -> Option<&str> {
        entry.label().map(|number| self.labels.get(number))
    }

    /// The key and sign right before a value at its first occurrence, as written (`timeout = `), where an amount is bound
    /// by `=`, `<` or `>`; else nothing.
    pub(crate) fn head(&self, entry: &Entry<'_>) -> &str {
        entry.head().map(|number| self.labels.get(number)).unwrap_or_default()
    }

    /// The entry of a value.
    pub(crate) fn get(&self, key: u64) -> Option<Entry<'_>> {
        self.place(key).and_then(|place| self.at(place))
    }

    /// The entry at a place in the order of first occurrence.
    pub(crate) fn at(&self, place: usize) -> Option<Entry<'_>> {
        self.rows.get(place).map(|row| self.entry(row))
    }

    /// The key of the value at that place.
    pub(crate) fn key(&self, place: usize) -> Option<u64> {
        self.rows.get(place).map(|row| row.key)
    }

    fn entry<'t>(&'t self, row: &'t Row) -> Entry<'t> {
        let more = row.more.and_then(|n| self.more.get(n.get() as usize - 1));
        Entry::of(row, more, &self.texts)
    }

    /// Whether the children hold the value.
    pub(crate) fn holds(&self, key: u64) -> bool {
        self.place(key).is_some()
    }

    /// Whether a child speaks this amount.
    pub(crate) fn speaks(&self, amount: Decimal) -> bool {
        self.spoken.contains(&amount)
    }

    /// Whether the children hold the value of a fact, by either of its keys.
    pub(crate) fn explains(&self, fact: &Fact) -> bool {
        self.holds(fact.key) || self.also.contains(&fact.key) || fact.also.is_some_and(|key| self.holds(key))
    }

    /// All values in the order of their first occurrence: the places that salience is told by.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, Entry<'_>)> {
        self.rows.iter().map(|row| (row.key, self.entry(row)))
    }

    /// The values that one child brought, as a range of places, child by child.
    pub(crate) fn brought(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.rows.chunk_by(Row::is_brought_with).map(move |rows| {
            let start = end;
            end += rows.len();
            start..end
        })
    }

    /// The place of a value in that order.
    pub(crate) fn place(&self, key: u64) -> Option<usize> {
        let same = |n: &u32| self.rows.get(*n as usize).is_some_and(|row| row.key == key);
        self.index.find(hash(key), same).map(|n| *n as usize)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn hash(key: u64) -> u64 {
    FxBuildHasher.hash_one(key)
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

    fn entry<'t>(table: &'t Table, text: &str) -> Entry<'t> {
        table.iter().map(|(_, entry)| entry).find(|entry| entry.text == text).unwrap()
    }

    #[test]
    fn every_value_is_found_again() {
        let text: Vec<String> = (0..5000).map(|i| format!("job-{i:04x}-{i}")).collect();
        let t = table(&[(&text.join(" "), Seen::TOOL), (&text.join(" "), Seen::USER)]);
        for (place, (key, entry)) in t.iter().enumerate() {
            assert_eq!((t.place(key), entry.leaves), (Some(place), 2));
        }
        assert!(text.iter().all(|text| entry(&t, text).seen.any(Seen::USER)));
        assert!(t.brought().eq(std::iter::once(0..t.len())));
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
        assert_eq!(t.label(&entry(&t, "46ms")), Some("took"));
        assert_eq!(t.head(&entry(&t, "46ms")), "took=");
        assert_eq!(t.labels.len(), 2);
    }
}
