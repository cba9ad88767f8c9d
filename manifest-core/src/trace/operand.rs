//! What a value of the parent may follow from: the values beside it that a child explains, and the series of the children.

use super::derive::{Kind, amount};
use super::parent::Text;
use super::table::Table;
use crate::fact::{Decimal, Value};
use crate::text::Span;
use rustc_hash::FxHashMap;

/// A sum of more addends than this is not looked for.
const ADDENDS: usize = 12;
/// How many values, and how many after each, are tried in pairs.
const PAIRED: usize = 64;
/// How many numbers are tried as the parts of a percentage.
const PARTS: usize = 24;
/// How many moments are tried as the ends of a duration.
const MOMENTS: usize = 32;
/// A series longer than this is summed up only as a whole.
pub(super) const SERIES: usize = 512;

/// The operands at hand, gathered once for all values.
pub(super) struct Operands<'p> {
    /// The values that the parent states and a child explains, with their keys.
    stated: FxHashMap<Kind, Vec<(u64, Decimal)>>,
    /// The first of them that are no percentages.
    parts: Vec<Decimal>,
    moments: Vec<(i128, &'p str)>,
    /// What the children's series come to: which and how.
    summed: FxHashMap<(Kind, Decimal), (&'static str, Box<str>)>,
}

impl<'p> Operands<'p> {
    /// Gathers what `parent` states and `table` explains.
    pub(super) fn of(
        parent: &'p Text<'_>,
        table: &Table,
        series: &FxHashMap<(Box<str>, Kind), Vec<Decimal>>,
    ) -> Self {
        let mut stated: FxHashMap<Kind, Vec<(u64, Decimal)>> = FxHashMap::default();
        let mut parts = Vec::new();
        for fact in &parent.reading.facts {
            let Some((kind, n)) = amount(&fact.value).filter(|_| table.explains(fact)) else { continue };
            stated.entry(kind).or_default().push((fact.key, n));
            if kind != Kind::Percent && parts.len() < PARTS {
                parts.push(n);
            }
        }
        let moments =
            parent.reading.facts.iter().filter_map(|f| moment(&f.value, f.span, parent.reading.text));
        let mut summed = FxHashMap::default();
        for ((label, kind), values) in series {
            for (n, how) in come_to(values) {
                summed.entry((*kind, n)).or_insert_with(|| (how, label.clone()));
            }
        }
        Operands { stated, parts, moments: moments.take(MOMENTS).collect(), summed }
    }

    /// How an amount follows from the others, if it does; `key` is its own.
    pub(super) fn explain(&self, kind: Kind, n: Decimal, key: u64) -> Option<String> {
        let stated = self.stated.get(&kind).map(Vec::as_slice).unwrap_or_default();
        let beside = stated.iter().filter(|(other, _)| *other != key).map(|(_, n)| *n);
        let beside: Vec<Decimal> = beside.take(2 * PAIRED).collect();
        from_pair(n, &beside)
            .or_else(|| from_all(n, &beside))
            .or_else(|| self.between_moments(kind, n))
            .or_else(|| if kind == Kind::Percent { share(n, &self.parts) } else { None })
            .or_else(|| self.summed.get(&(kind, n)).map(|(how, label)| format!("{how} of `{label}`")))
    }

    /// A duration between two moments of the same parent.
    fn between_moments(&self, kind: Kind, n: Decimal) -> Option<String> {
        let Kind::Measured(measure) = kind else { return None };
        if !measure.is_time() {
            return None;
        }
        let nanos = n.mul(Decimal::whole(1_000_000_000))?.to_whole()?;
        for (i, (a, from)) in self.moments.iter().enumerate() {
            for (b, to) in self.moments.iter().skip(i + 1) {
                if (a - b).abs() == nanos {
                    return Some(format!("from {from} to {to}"));
                }
            }
        }
        None
    }
}

fn moment<'t>(value: &Value, span: Span, text: &'t str) -> Option<(i128, &'t str)> {
    let at = match *value {
        Value::Instant(ns) | Value::Local(ns) => ns,
        Value::Date(day) => i128::from(day) * 86_400_000_000_000,
        Value::Time(ns, _) => i128::from(ns),
        _ => return None,
    };
    Some((at, span.of(text)))
}

/// A sum or difference of two values that stand in the same parent.
fn from_pair(n: Decimal, stated: &[Decimal]) -> Option<String> {
    let mut places: Vec<((i128, i32), usize)> =
        stated.iter().enumerate().map(|(i, value)| (value.parts(), i)).collect();
    places.sort_unstable();
    for (i, a) in stated.iter().enumerate().take(PAIRED) {
        // The first place after this one, and not too far from it, where the value stands.
        let place = |value: Option<Decimal>| {
            let wanted = (value?.parts(), i + 1);
            let at = places.partition_point(|p| *p < wanted);
            places.get(at).filter(|p| p.0 == wanted.0 && p.1 <= i + PAIRED).map(|p| p.1)
        };
        let added = place(n.sub(*a));
        let taken = [place(a.sub(n)), place(a.add(n))].into_iter().flatten().min();
        match (added, taken) {
            (Some(j), other) if other.is_none_or(|k| j <= k) => {
                return Some(format!("{a} + {}", stated.get(j)?));
            }
            (_, Some(j)) => {
                let b = stated.get(j)?;
                let (high, low) = if a > b { (a, b) } else { (b, a) };
                return Some(format!("{high} − {low}"));
            }
            _ => {}
        }
    }
    None
}

/// The sum of all values beside it.
fn from_all(n: Decimal, stated: &[Decimal]) -> Option<String> {
    if !(3..=ADDENDS).contains(&stated.len()) {
        return None;
    }
    let total = stated.iter().try_fold(Decimal::ZERO, |sum, x| sum.add(*x));
    (total == Some(n)).then(|| "the sum of the values beside it".to_owned())
}

/// A percentage that two numbers of the same parent give, to the digits that it shows.
fn share(n: Decimal, parts: &[Decimal]) -> Option<String> {
    let shown = n.to_f64();
    let (_, exponent) = n.parts();
    let half = 0.5 * 10f64.powi(exponent.min(0));
    for a in parts {
        for b in parts {
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

/// The span and the sum of one whole series.
fn come_to(values: &[Decimal]) -> impl Iterator<Item = (Decimal, &'static str)> {
    let several = values.len() >= 2;
    let ends = values.iter().min().zip(values.iter().max()).filter(|_| several);
    let span = ends.and_then(|(low, high)| high.sub(*low));
    let whole = several && values.len() < SERIES;
    let sum = values.iter().try_fold(Decimal::ZERO, |sum, x| sum.add(*x)).filter(|_| whole);
    span.map(|n| (n, "the span")).into_iter().chain(sum.map(|n| (n, "the sum")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(values: &[i128]) -> Vec<Decimal> {
        values.iter().map(|n| Decimal::whole(*n)).collect()
    }

    #[test]
    fn the_first_pair_that_gives_it() {
        let stated = whole(&[4, 10, 3, 7, 1]);
        let how = |n: i128| from_pair(Decimal::whole(n), &stated);
        assert_eq!(how(14).as_deref(), Some("4 + 10"));
        assert_eq!(how(6).as_deref(), Some("10 − 4"));
        assert_eq!(how(7).as_deref(), Some("4 + 3"));
        assert_eq!(how(8).as_deref(), Some("7 + 1"));
        assert_eq!(how(99), None);
    }

    #[test]
    fn one_value_is_no_pair() {
        assert_eq!(from_pair(Decimal::whole(8), &whole(&[4, 100])), None);
        assert_eq!(from_pair(Decimal::whole(8), &whole(&[4, 100, 4])).as_deref(), Some("4 + 4"));
    }

    #[test]
    fn what_a_series_comes_to() {
        let of = |values: &[i128]| come_to(&whole(values)).collect::<Vec<_>>();
        assert_eq!(of(&[5]), []);
        assert_eq!(of(&[2, 9]), [(Decimal::whole(7), "the span"), (Decimal::whole(11), "the sum")]);
    }
}
