//! Values that the children do not state but give: sums, differences, ratios, counts, dates from an anchor.
//!
//! With thirty numbers at hand nearly every number is some difference. So the operands must stand in the same parent,
//! or all be members of one series (one label and one unit) in the children.

use super::operand::{Operands, SERIES};
use super::parent::Text;
use super::table::Table;
use crate::fact::{Class, Decimal, Fact, Reading, Value};
use crate::text::{SentenceKind, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the children give beside the values that they state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derivations {
    /// Amounts by label and kind.
    series: FxHashMap<(Box<str>, Kind), Vec<Decimal>>,
    /// Numbers of items in one list, of facts of one class, of children: what "three services" may count.
    counts: FxHashSet<i128>,
    /// Days that a relative time of a child stands for.
    days: FxHashMap<i32, (Box<str>, u64)>,
    /// Relative times of the children, and the keys of the dates that anchor them there.
    anchors: FxHashMap<u64, FxHashSet<u64>>,
    classes: FxHashMap<Class, FxHashSet<u64>>,
    children: usize,
    /// What the parent may state of a longer value, and whether a child holds it.
    heads: Heads,
}

/// Heads and parts of values that a parent states: the minute of a time with seconds, the year of a date, the number in
/// `http_503`.
#[derive(Clone, Debug, Default)]
struct Heads {
    /// Minutes of the day.
    minutes: FxHashMap<i64, bool>,
    /// Seconds of the day.
    seconds: FxHashMap<i64, bool>,
    /// Whole numbers of three to nine digits.
    numbers: FxHashMap<i128, bool>,
    /// Lines of files.
    lines: FxHashMap<u64, bool>,
    /// Whole minutes of durations.
    spans: FxHashMap<i64, bool>,
}

/// Nanoseconds of a minute.
const MINUTE: i64 = 60 * SECOND;
/// Nanoseconds of a second.
const SECOND: i64 = 1_000_000_000;

impl Heads {
    fn of(parent: &Text<'_>) -> Self {
        let mut out = Heads::default();
        for fact in &parent.reading.facts {
            match fact.value {
                Value::Time(ns, _) if ns % MINUTE == 0 => {
                    out.minutes.insert(ns / MINUTE, false);
                }
                Value::Time(ns, _) if ns % SECOND == 0 => {
                    out.seconds.insert(ns / SECOND, false);
                }
                Value::Lines(line, 0, 0) => {
                    out.lines.insert(line, false);
                }
                Value::Number(n) => {
                    if let Some(n) = n.to_whole().filter(|n| (100..1_000_000_000).contains(n)) {
                        out.numbers.insert(n, false);
                    }
                }
                Value::Quantity(n, measure) if measure.is_time() => {
                    let seconds = n.to_whole().and_then(|n| i64::try_from(n).ok()).filter(|n| n % 60 == 0);
                    if let Some(seconds) = seconds {
                        out.spans.insert(seconds / 60, false);
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn child(&mut self, reading: &Reading<'_>) {
        for fact in &reading.facts {
            let surface = fact.at.of(&reading.normal.text);
            match fact.value {
                Value::Time(ns, _) => {
                    let minute = ns / MINUTE;
                    if ns % SECOND != 0 {
                        tick(&mut self.seconds, &(ns / SECOND));
                    }
                    if ns % MINUTE != 0 {
                        tick(&mut self.minutes, &minute);
                        // A clock reading with a name before it is a duration ("lag 00:14:08").
                        let before = reading.normal.text.get(..fact.at.start).unwrap_or_default();
                        let named = before.trim_end_matches([' ', '=']).ends_with(char::is_alphanumeric);
                        if minute < 60 && fact.whole.is_none() && named {
                            tick(&mut self.spans, &minute);
                        }
                    }
                }
                Value::Lines(line, 0, _) => tick(&mut self.lines, &line),
                Value::Instant(_) | Value::Local(_) | Value::Date(_) | Value::Month(..) => {
                    for part in surface.split(|c: char| !c.is_ascii_digit()).filter(|p| p.len() == 4) {
                        if let Ok(year) = part.parse() {
                            tick(&mut self.numbers, &year);
                        }
                    }
                }
                Value::Text if fact.class != Class::Quote && surface.len() <= 80 => {
                    for part in surface.split(|c: char| !c.is_alphanumeric()) {
                        if (3..=9).contains(&part.len())
                            && let Ok(number) = part.parse()
                        {
                            tick(&mut self.numbers, &number);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn explain(&self, value: &Value) -> Option<&'static str> {
        match *value {
            Value::Time(ns, _) if ns % MINUTE == 0 => {
                (self.minutes.get(&(ns / MINUTE)) == Some(&true)).then_some("the minute of a time")
            }
            Value::Time(ns, _) if ns % SECOND == 0 => {
                (self.seconds.get(&(ns / SECOND)) == Some(&true)).then_some("the second of a time")
            }
            Value::Lines(line, 0, 0) => {
                (self.lines.get(&line) == Some(&true)).then_some("the line of a place")
            }
            Value::Number(n) => (self.numbers.get(&n.to_whole()?) == Some(&true))
                .then_some("the year of a date, or the number of an identifier"),
            Value::Quantity(n, measure) if measure.is_time() => {
                let minutes = i64::try_from(n.to_whole()?).ok().filter(|n| n % 60 == 0)? / 60;
                (self.spans.get(&minutes) == Some(&true)).then_some("the minutes of a clock reading")
            }
            _ => None,
        }
    }
}

fn tick<K: std::hash::Hash + Eq>(of: &mut FxHashMap<K, bool>, key: &K) {
    if let Some(seen) = of.get_mut(key) {
        *seen = true;
    }
}

/// Amounts that can be added to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Plain,
    Measured(crate::fact::Measure),
    Percent,
    Money([u8; 3]),
}

pub(super) fn amount(value: &Value) -> Option<(Kind, Decimal)> {
    Some(match *value {
        Value::Number(n) => (Kind::Plain, n),
        Value::Quantity(n, measure) => (Kind::Measured(measure), n),
        Value::Percentage(n) => (Kind::Percent, n),
        Value::Money(n, currency) => (Kind::Money(currency), n),
        _ => return None,
    })
}

impl Derivations {
    /// What may be derived in a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        Derivations { heads: Heads::of(parent), ..Derivations::default() }
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, reading: &Reading<'_>) {
        self.children += 1;
        self.heads.child(reading);
        let text = &*reading.normal.text;
        let mut items = 0i128;
        let mut per_class: FxHashMap<Class, FxHashSet<u64>> = FxHashMap::default();
        for sentence in &reading.sentences {
            if sentence.kind == SentenceKind::Item {
                items += 1;
            } else {
                self.count(items);
                items = 0;
            }
        }
        self.count(items);
        let dates: Vec<(Span, u64, i32)> = reading
            .facts
            .iter()
            .filter_map(|f| match f.value {
                Value::Date(days) => Some((f.at, f.key, days)),
                Value::Instant(ns) | Value::Local(ns) => {
                    i32::try_from(ns.div_euclid(86_400_000_000_000)).ok().map(|days| (f.at, f.key, days))
                }
                _ => None,
            })
            .collect();
        for fact in &reading.facts {
            per_class.entry(fact.class).or_default().insert(fact.key);
            let known = self.classes.entry(fact.class).or_default();
            if known.len() < SERIES {
                known.insert(fact.key);
            }
            if let Some((kind, n)) = amount(&fact.value) {
                let label = super::table::label_of(text, fact).map_or_else(String::new, str::to_lowercase);
                if !label.is_empty() {
                    let series = self.series.entry((label.into(), kind)).or_default();
                    if series.len() < SERIES {
                        series.push(n);
                    }
                }
            }
            if fact.class == Class::RelativeTime {
                let said = fact.at.of(text).to_lowercase();
                if let Some((anchor, day)) = anchor(text, fact.at, &dates) {
                    self.anchors.entry(fact.key).or_default().insert(anchor);
                    if let Some(shift) = shift(&said) {
                        self.days.insert(day.saturating_add(shift), (said.into(), anchor));
                    }
                }
            }
        }
        for keys in per_class.values() {
            self.count(i128::try_from(keys.len()).unwrap_or(0));
        }
    }

    fn count(&mut self, n: i128) {
        if n >= 2 {
            self.counts.insert(n);
        }
    }

    /// The keys of the dates that a relative time hangs on in its children.
    pub(crate) fn anchors(&self, relative: u64) -> impl Iterator<Item = u64> {
        self.anchors.get(&relative).into_iter().flatten().copied()
    }

    /// Keys of the dates that a parent has used to put a relative time into a date of its own.
    pub(crate) fn resolved_anchors(&self, parent: &Text<'_>) -> FxHashSet<u64> {
        let days = parent.reading.facts.iter().filter_map(|f| match f.value {
            Value::Date(day) => self.days.get(&day).map(|(_, anchor)| *anchor),
            _ => None,
        });
        days.collect()
    }

    /// What values of `parent` may follow from.
    pub(super) fn operands<'p>(&self, parent: &'p Text<'_>, table: &Table) -> Operands<'p> {
        Operands::of(parent, table, &self.series)
    }

    /// How a value of the parent follows from what is known, if it does: the same for equal values of a class.
    pub(super) fn explain(&self, fact: &Fact, operands: &Operands<'_>) -> Option<String> {
        if let Value::Date(day) = fact.value {
            return self.days.get(&day).map(|(said, _)| format!("the day that `{said}` stands for"));
        }
        if let Some(how) = self.heads.explain(&fact.value) {
            return Some(how.to_owned());
        }
        let (kind, n) = amount(&fact.value)?;
        if let Some(whole) = n.to_whole()
            && kind == Kind::Plain
            && let Some(why) = self.counted(whole)
        {
            return Some(why);
        }
        operands.explain(kind, n, fact.key)
    }

    fn counted(&self, n: i128) -> Option<String> {
        if n == i128::try_from(self.children).unwrap_or(0) && n >= 2 {
            return Some("the number of children".to_owned());
        }
        if self.counts.contains(&n) {
            return Some("a count of what one child lists".to_owned());
        }
        self.classes
            .iter()
            .find(|(_, keys)| i128::try_from(keys.len()).unwrap_or(0) == n && n >= 2)
            .map(|(class, _)| format!("the number of distinct values of class {class}"))
    }
}

/// How far a relative time may stand from its anchor, in bytes.
const ANCHORED: usize = 240;

/// The date that a relative time hangs on: the last one before it in its line, else one in the first line of the text.
fn anchor(text: &str, at: Span, dates: &[(Span, u64, i32)]) -> Option<(u64, i32)> {
    let before = dates.partition_point(|(d, ..)| d.start < at.start);
    let same_line = |d: &Span| {
        let gap = text.get(d.end.min(at.start)..at.start).unwrap_or_default();
        gap.len() <= ANCHORED && !gap.contains('\n')
    };
    let near = before.checked_sub(1).and_then(|i| dates.get(i)).filter(|(d, ..)| same_line(d));
    let head =
        || dates.first().filter(|(d, ..)| d.start < ANCHORED && !text[..d.start].trim_start().contains('\n'));
    near.or_else(head).map(|(_, key, day)| (*key, *day))
}

/// How many days a relative day lies from its anchor.
fn shift(said: &str) -> Option<i32> {
    Some(match said {
        "today" | "tonight" | "this morning" | "heute" | "今天" => 0,
        "yesterday" | "last night" | "gestern" | "hier" | "ayer" | "昨天" => -1,
        "tomorrow" | "morgen" | "demain" | "mañana" | "明天" => 1,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn orphans(children: &[&str], parent: &str) -> Vec<String> {
        check(children, parent, &Policy::remediation()).orphans.into_iter().map(|o| o.text).collect()
    }

    #[test]
    fn a_minute_stands_for_its_seconds_and_not_the_other_way_round() {
        assert!(orphans(&["The gate opened at 11:52:09."], "The gate opened at 11:52.").is_empty());
        assert_eq!(orphans(&["The gate opened at 11:52:09."], "The gate opened at 11:53."), ["11:53"]);
        assert_eq!(orphans(&["The gate opened at 11:52."], "The gate opened at 11:52:09."), ["11:52:09"]);
    }

    #[test]
    fn a_second_stands_for_its_parts() {
        let log = "2026-03-17 11:52:09.118 UTC [407] LOG: gate opened";
        assert!(orphans(&[log], "The gate opened at 11:52:09.").is_empty());
        assert!(orphans(&[log], "The gate opened at 2026-03-17 11:52:09 UTC.").is_empty());
        assert_eq!(orphans(&[log], "The gate opened at 11:52:10."), ["11:52:10"]);
    }

    #[test]
    fn a_line_stands_for_its_columns() {
        let log = "warning: unused import\n --> pump-cli/src/gate.rs:4:26";
        assert!(orphans(&[log], "unused import in gate.rs:4").is_empty());
        assert!(!orphans(&[log], "unused import in gate.rs:5").is_empty());
    }

    #[test]
    fn a_year_of_a_date_and_a_number_of_a_name() {
        let child = "Commit 4be19d2 (2023-08-19) dropped on_http_507.";
        assert!(orphans(&[child], "It was dropped in 2023, so 507 is not retried.").is_empty());
        assert_eq!(orphans(&[child], "It was dropped in 2024."), ["2024"]);
    }

    #[test]
    fn a_clock_reading_with_a_name_is_a_duration() {
        assert!(orphans(&["standby: delay 00:17:41.5, falling"], "Its delay was 17 minutes.").is_empty());
        assert_eq!(orphans(&["00:17:41 standby falls behind"], "Its delay was 17 minutes."), ["17 minutes"]);
    }

    #[test]
    fn a_relative_time_hangs_on_a_date_beside_it_only() {
        let far = "The mast was checked.\n\nNewest row: 2025-04-11.\n\nOona looks at it tomorrow.";
        assert!(orphans(&[far], "Oona looks at it tomorrow.").is_empty());
        let near = "[2025-04-11] Oona looks at it tomorrow.";
        assert_eq!(orphans(&[near], "Oona looks at it tomorrow."), ["tomorrow"]);
    }
}
