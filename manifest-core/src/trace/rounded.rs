//! Amounts that a parent states in fewer digits than a child: `94 s` for 94.071 seconds, `about two minutes` for 127 s.

use super::bare::literal;
use super::derive::{Kind, amount};
use super::parent::Text;
use crate::fact::{Class, Fact, amount_before_unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Digits that a rounded amount shows at least, unless the parent says that it is one.
const DIGITS: usize = 2;
/// Digits from which the number of a child may stand without its unit.
const TELLING: usize = 3;
/// How many amounts are looked at for one of a child: those that begin nearest below it.
const NEAR: usize = 16;

/// What a rounded amount may stand for.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
    fact: usize,
}

/// The rounded amounts of a parent, ticked off while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounded {
    /// By what they measure, in the order of their lower ends.
    wanted: FxHashMap<Kind, Vec<Interval>>,
    found: FxHashSet<usize>,
}

impl Rounded {
    /// Watches the measured amounts of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut out = Rounded::default();
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            if !matches!(fact.class, Class::Quantity | Class::Percentage) {
                continue;
            }
            let Some((kind, base)) = amount(&fact.value) else { continue };
            let Some((written, digits, decimals)) = shown(&parent.reading.normal.text, fact) else {
                continue;
            };
            if written <= 0.0 || digits < DIGITS && !is_about(&parent.reading.normal.text, fact) {
                continue;
            }
            let half = 0.5 * 10f64.powi(-decimals);
            let scale = base.to_f64() / written;
            let mut watch = |kind: Kind, middle: f64, half: f64| {
                let interval = Interval { from: middle - half, to: middle + half, fact: i };
                out.wanted.entry(kind).or_default().push(interval);
            };
            watch(kind, base.to_f64(), half * scale);
            if digits >= TELLING {
                watch(Kind::Plain, written, half);
            }
        }
        for list in out.wanted.values_mut() {
            list.sort_by(|a, b| a.from.total_cmp(&b.from));
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, text: &Text<'_>) {
        if self.wanted.is_empty() {
            return;
        }
        for fact in &text.reading.facts {
            let Some((kind, n)) = amount(&fact.value) else { continue };
            // A whole number without a unit is no measurement.
            if kind == Kind::Plain && n.to_whole().is_some() {
                continue;
            }
            let Some(list) = self.wanted.get(&kind) else { continue };
            let n = n.to_f64();
            let below = list.partition_point(|interval| interval.from <= n);
            let near = list.iter().take(below).rev().take(NEAR);
            self.found.extend(near.filter(|interval| n <= interval.to).map(|interval| interval.fact));
        }
    }

    /// Whether a child states an amount of which a fact of the parent is the rounded one.
    pub(crate) fn explains(&self, fact: usize) -> bool {
        self.found.contains(&fact)
    }
}

/// The number of an amount as it is written, its digits, and how many of them are decimals.
fn shown(text: &str, fact: &Fact) -> Option<(f64, usize, i32)> {
    let surface = fact.at.of(text);
    let Some(at) = surface.bytes().position(|b| b.is_ascii_digit()) else {
        return amount_before_unit(surface).map(|n| (n.to_f64(), 1, 0));
    };
    let (number, end) = literal(surface.as_bytes(), at)?;
    // "1.5k seconds" hides digits before the point too.
    if surface.get(end..)?.trim_start().split(' ').nth(1).is_some() {
        return None;
    }
    let written = surface.get(at..end)?;
    let digits = written.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((number.to_f64(), digits, i32::try_from(decimals).ok()?))
}

/// Whether the parent says that an amount is not exact.
fn is_about(text: &str, fact: &Fact) -> bool {
    let before = text.get(..fact.at.start).unwrap_or_default().trim_end();
    if before.ends_with(['~', '≈']) || fact.at.of(text).starts_with(['~', '≈']) {
        return true;
    }
    let word = before.trim_end_matches('.').rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    matches!(
        word.to_lowercase().as_str(),
        "about"
            | "around"
            | "roughly"
            | "approximately"
            | "approx"
            | "circa"
            | "ca"
            | "nearly"
            | "almost"
            | "some"
            | "over"
            | "etwa"
            | "rund"
            | "environ"
            | "unos"
    )
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn orphans(child: &str, parent: &str) -> Vec<String> {
        check(&[child], parent, &Policy::remediation()).orphans.into_iter().map(|o| o.text).collect()
    }

    #[test]
    fn an_amount_in_fewer_digits() {
        let child = "Wall time: 94.071 seconds";
        assert!(orphans(child, "The wall time was 94 s.").is_empty());
        assert!(orphans(child, "The wall time was 94.1 s.").is_empty());
        assert_eq!(orphans(child, "The wall time was 95 s."), ["95 s"]);
        assert_eq!(orphans(child, "The wall time was 94.2 s."), ["94.2 s"]);
        assert_eq!(orphans("It took 1486 seconds.", "It took about 1.5k seconds."), ["1.5k seconds"]);
        assert_eq!(orphans("Wall time: 94 s", "The wall time was 94.1 s."), ["94.1 s"]);
    }

    #[test]
    fn one_digit_stands_for_others_only_where_it_says_so() {
        let child = "test result: ok, finished in 127.31s";
        assert!(orphans(child, "The tests take about two minutes.").is_empty());
        assert_eq!(orphans(child, "The tests take about three minutes."), ["three minutes"]);
        assert_eq!(orphans(child, "The tests take two minutes."), ["two minutes"]);
    }

    #[test]
    fn a_column_in_fewer_digits() {
        let table = "time        flow       p99_ms\n14:44:00    35.6       3581.9\n";
        assert!(orphans(table, "At 14:44:00 the p99 was 3582 ms.").is_empty());
        assert_eq!(orphans("at row 3582 of 4000", "The p99 was 3581 ms."), ["p99", "3581 ms"]);
    }
}
