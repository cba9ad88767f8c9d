//! Values that the children do not state but give: sums, differences, ratios, counts, dates from an anchor.
//!
//! With thirty numbers at hand nearly every number is some difference. So the operands must stand in the same parent,
//! or all be members of one series (one label and one unit) in the children.

use super::parent::Text;
use super::table::Table;
use crate::fact::{Class, Decimal, Reading, Value};
use crate::text::SentenceKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// A sum of more addends than this is not looked for.
const ADDENDS: usize = 12;
/// A series longer than this is summed up only as a whole.
const SERIES: usize = 512;

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
    anchors: FxHashMap<u64, Vec<u64>>,
    classes: FxHashMap<Class, FxHashSet<u64>>,
    children: usize,
}

/// Amounts that can be added to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Plain,
    Measured(crate::fact::Measure),
    Percent,
    Money([u8; 3]),
}

fn amount(value: &Value) -> Option<(Kind, Decimal)> {
    Some(match *value {
        Value::Number(n) => (Kind::Plain, n),
        Value::Quantity(n, measure) => (Kind::Measured(measure), n),
        Value::Percentage(n) => (Kind::Percent, n),
        Value::Money(n, currency) => (Kind::Money(currency), n),
        _ => return None,
    })
}

impl Derivations {
    /// Looks at one child.
    pub(crate) fn child(&mut self, reading: &Reading<'_>) {
        self.children += 1;
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
        let dates: Vec<(u64, i32)> = reading
            .facts
            .iter()
            .filter_map(|f| match f.value {
                Value::Date(days) => Some((f.key, days)),
                Value::Instant(ns) | Value::Local(ns) => {
                    i32::try_from(ns.div_euclid(86_400_000_000_000)).ok().map(|days| (f.key, days))
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
                let keys = self.anchors.entry(fact.key).or_default();
                keys.extend(dates.iter().take(8).map(|(key, _)| *key));
                if let (Some(shift), Some((anchor, day))) = (shift(&said), dates.first()) {
                    self.days.insert(day.saturating_add(shift), (said.into(), *anchor));
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

    /// Whether a relative time has an anchor in its child; the keys of the dates there.
    pub(crate) fn anchors(&self, relative: u64) -> &[u64] {
        self.anchors.get(&relative).map(Vec::as_slice).unwrap_or_default()
    }

    /// Keys of the dates that a parent has used to put a relative time into a date of its own.
    pub(crate) fn resolved_anchors(&self, parent: &Text<'_>) -> FxHashSet<u64> {
        let days = parent.reading.facts.iter().filter_map(|f| match f.value {
            Value::Date(day) => self.days.get(&day).map(|(_, anchor)| *anchor),
            _ => None,
        });
        days.collect()
    }

    /// How a value of the parent follows from what is known, if it does.
    pub(crate) fn explain(&self, parent: &Text<'_>, i: usize, table: &Table) -> Option<String> {
        let fact = parent.reading.facts.get(i)?;
        if let Value::Date(day) = fact.value {
            return self.days.get(&day).map(|(said, _)| format!("the day that `{said}` stands for"));
        }
        let (kind, n) = amount(&fact.value)?;
        if let Some(whole) = n.to_whole()
            && kind == Kind::Plain
            && let Some(why) = self.counted(whole)
        {
            return Some(why);
        }
        let stated: Vec<Decimal> = parent
            .reading
            .facts
            .iter()
            .enumerate()
            .filter(|(j, f)| *j != i && table.explains(f) && f.key != fact.key)
            .filter_map(|(_, f)| amount(&f.value))
            .filter(|(k, _)| *k == kind)
            .map(|(_, n)| n)
            .collect();
        if let Some(how) = from_operands(n, &stated) {
            return Some(how);
        }
        if let Some(how) = between_moments(parent, kind, n) {
            return Some(how);
        }
        if kind == Kind::Percent {
            let plain: Vec<Decimal> = parent
                .reading
                .facts
                .iter()
                .filter(|f| table.explains(f))
                .filter_map(|f| amount(&f.value))
                .filter(|(k, _)| *k != Kind::Percent)
                .map(|(_, n)| n)
                .collect();
            if let Some(how) = share(n, &plain) {
                return Some(how);
            }
        }
        self.series
            .iter()
            .filter(|((_, k), _)| *k == kind)
            .find_map(|((label, _), values)| summed_up(n, values).map(|how| format!("{how} of `{label}`")))
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

/// A sum, difference or mean of values that stand in the same parent.
fn from_operands(n: Decimal, stated: &[Decimal]) -> Option<String> {
    for (i, a) in stated.iter().enumerate().take(64) {
        for b in stated.iter().skip(i + 1).take(64) {
            if a.add(*b) == Some(n) {
                return Some(format!("{a} + {b}"));
            }
            if a.sub(*b) == Some(n) || b.sub(*a) == Some(n) {
                let (high, low) = if a > b { (a, b) } else { (b, a) };
                return Some(format!("{high} − {low}"));
            }
        }
    }
    if (3..=ADDENDS).contains(&stated.len()) {
        let total = stated.iter().try_fold(Decimal::ZERO, |sum, x| sum.add(*x));
        if total == Some(n) {
            return Some("the sum of the values beside it".to_owned());
        }
    }
    None
}

/// A percentage that two numbers of the same parent give, to the digits that it shows.
fn share(n: Decimal, plain: &[Decimal]) -> Option<String> {
    let shown = n.to_f64();
    let (_, exponent) = n.parts();
    let half = 0.5 * 10f64.powi(exponent.min(0));
    for a in plain.iter().take(24) {
        for b in plain.iter().take(24) {
            let (x, y) = (a.to_f64(), b.to_f64());
            if y == 0.0 || a == b {
                continue;
            }
            let ratio = 100.0 * x / y;
            if (ratio - shown).abs() <= half + 1e-9 {
                return Some(format!("{a} of {b}"));
            }
            let change = 100.0 * (x - y).abs() / y.abs();
            if (change - shown).abs() <= half + 1e-9 {
                return Some(format!("the change from {b} to {a}"));
            }
        }
    }
    None
}

/// A duration between two moments of the same parent.
fn between_moments(parent: &Text<'_>, kind: Kind, n: Decimal) -> Option<String> {
    let Kind::Measured(measure) = kind else { return None };
    if !measure.is_time() {
        return None;
    }
    let nanos = n.mul(Decimal::whole(1_000_000_000))?.to_whole()?;
    let moments: Vec<(i128, &str)> = parent
        .reading
        .facts
        .iter()
        .filter_map(|f| {
            let at = match f.value {
                Value::Instant(ns) | Value::Local(ns) => ns,
                Value::Date(day) => i128::from(day) * 86_400_000_000_000,
                Value::Time(ns, _) => i128::from(ns),
                _ => return None,
            };
            Some((at, f.span.of(parent.reading.text)))
        })
        .take(32)
        .collect();
    for (i, (a, from)) in moments.iter().enumerate() {
        for (b, to) in moments.iter().skip(i + 1) {
            if (a - b).abs() == nanos {
                return Some(format!("from {from} to {to}"));
            }
        }
    }
    None
}

/// A sum, a span, an extreme or a count of one whole series.
fn summed_up(n: Decimal, values: &[Decimal]) -> Option<&'static str> {
    if values.len() < 2 {
        return None;
    }
    let (low, high) = (values.iter().min()?, values.iter().max()?);
    if high.sub(*low) == Some(n) {
        return Some("the span");
    }
    if values.len() < SERIES && values.iter().try_fold(Decimal::ZERO, |sum, x| sum.add(*x)) == Some(n) {
        return Some("the sum");
    }
    None
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
