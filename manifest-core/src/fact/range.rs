//! Ranges: two ends of one kind.

use super::quantity::{Mark, Measured, measure};
use super::scan::Scan;
use super::value::Value;
use super::{Class, Fact};
use crate::text::Span;

/// The range that begins with `first`, if what follows it is a second end; returns where to go on.
pub(super) fn from(s: &mut Scan<'_>, first: Measured) -> Option<usize> {
    let end = first.at.end;
    let (j, dash) = connector(s, first.at.start, end)?;
    let second = measure(s, j)?;
    // The unit of the second end is that of both.
    let lo = match (first.mark, second.mark) {
        (Mark::None, Mark::None) => first,
        (Mark::None, m) | (Mark::Money(_), m @ Mark::None) if first.mark == Mark::None => first.marked(m)?,
        (Mark::Money(c), Mark::None) => return emit(s, first, second.marked(Mark::Money(c))?),
        (Mark::Percent, Mark::Percent) | (Mark::Money(_), Mark::Money(_)) => first,
        (Mark::Unit(_), Mark::Unit(_)) => {
            let (Value::Quantity(_, a), Value::Quantity(_, b)) = (first.value, second.value) else {
                return None;
            };
            if a != b {
                return None;
            }
            first
        }
        _ => return None,
    };
    let rises = match (lo.value.amount(), second.value.amount()) {
        (Some(a), Some(b)) => a < b,
        _ => false,
    };
    if dash && !rises {
        return None;
    }
    // `10-20-30` is a name, not a range.
    if dash && s.at(second.at.end) == b'-' {
        return None;
    }
    emit(s, lo, second)
}

fn emit(s: &mut Scan<'_>, lo: Measured, hi: Measured) -> Option<usize> {
    let at = Span::new(lo.at.start, hi.at.end);
    let value = Value::Range(lo.value.key(), hi.value.key());
    let whole = s.push(Fact::new(Class::Range, at, value.key(), value));
    for m in [lo, hi] {
        let mut f = m.fact();
        f.whole = Some(whole);
        s.push(f);
    }
    Some(at.end)
}

/// Where the second end begins, and whether a dash joins the two.
fn connector(s: &Scan<'_>, start: usize, end: usize) -> Option<(usize, bool)> {
    for dash in ["-", "–", "—", "..=", "..", "~", " – ", " — ", " - "] {
        if s.is(end, dash) {
            let j = end + dash.len();
            let value = s.at(j).is_ascii_digit() || s.at(j) == b'$' || s.at(j) >= 0x80;
            // `5 - 3` is a difference.
            return (value && dash != " - ").then_some((j, true));
        }
    }
    let word = s.word_before(start);
    for (between, after) in
        [(" to ", "from"), (" and ", "between"), (" through ", ""), (" up to ", "from"), (" bis ", "")]
    {
        if s.is(end, between) {
            let j = end + between.len();
            let leads = after.is_empty() || word.eq_ignore_ascii_case(after);
            return (leads && (s.at(j).is_ascii_digit() || s.at(j) == b'$')).then_some((j, false));
        }
    }
    None
}

/// A range of names: `2026_01 to 2026_06`. The first end is the last fact.
pub(super) fn names(s: &mut Scan<'_>, first: Span) -> Option<usize> {
    if !s.is(first.end, " to ") {
        return None;
    }
    let t = s.token(first.end + 4);
    let (a, b) = (first.of(s.text), s.slice(t.start, t.end));
    let stem = |x: &str| x.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = |x: &str| x.len() - stem(x);
    if digits(a) == 0 || digits(a) != digits(b) || a.get(..stem(a)) != b.get(..stem(b)) || a >= b {
        return None;
    }
    let at = Span::new(first.start, t.end);
    let key = |x: &str| super::value::Domain::Text.key(x.as_bytes());
    let value = Value::Range(key(a), key(b));
    let whole = s.push(Fact::new(Class::Range, at, value.key(), value));
    for part in [first, t.span()] {
        let mut f = Fact::new(Class::Identifier, part, key(part.of(s.text)), Value::Text);
        f.whole = Some(whole);
        s.push(f);
    }
    Some(at.end)
}
