//! Ranges: two ends of one kind.

use super::mark::Mark;
use super::number;
use super::quantity::{Measured, measure};
use super::scan::Scan;
use super::value::{Domain, Value};
use super::{Class, Fact, spoken};
use crate::text::Span;

/// What joins two ends.
#[derive(Clone, Copy, PartialEq)]
enum Join {
    /// A dash or dots: the second end must be the greater.
    Dash,
    /// A word.
    Word,
}

/// The range that begins with `first`, if what follows it is a second end; returns where to go on.
pub(super) fn measured(s: &mut Scan<'_>, first: Measured) -> Option<usize> {
    let (j, join) = connector(s, first.at.start, first.at.end)?;
    let second = measure(s, j)?;
    let (lo, hi) = alike(first, second)?;
    // What falls is a change, not a range; `10-20-30` and `010-0199` are names.
    let named = |m: Measured| {
        m.mark == Mark::None && s.at(m.at.start) == b'0' && s.at(m.at.start + 1).is_ascii_digit()
    };
    if lo.value.amount()? >= hi.value.amount()?
        || join == Join::Dash && (s.at(hi.at.end) == b'-' || named(lo) || named(hi))
    {
        return None;
    }
    let at = Span::new(lo.at.start, hi.at.end);
    push(s, at, lo.fact(), hi.fact());
    spoken::hear(s, hi.at.start);
    Some(at.end)
}

/// Both ends with one mark: the unit of the second is that of both, and so is the currency of the first.
fn alike(first: Measured, second: Measured) -> Option<(Measured, Measured)> {
    match (first.mark, second.mark) {
        (Mark::None, mark) => Some((first.marked(mark)?, second)),
        (Mark::Money(_), Mark::None) => Some((first, second.marked(first.mark)?)),
        (Mark::Percent, Mark::Percent) => Some((first, second)),
        (Mark::Money(a), Mark::Money(b)) => (a == b).then_some((first, second)),
        (Mark::Unit(_), Mark::Unit(_)) => match (first.value, second.value) {
            (Value::Quantity(_, a), Value::Quantity(_, b)) if a == b => Some((first, second)),
            _ => None,
        },
        _ => None,
    }
}

/// Adds a range and its ends.
pub(super) fn push(s: &mut Scan<'_>, at: Span, lo: Fact, hi: Fact) {
    let value = Value::Range(lo.key, hi.key);
    let whole = s.push(Fact::new(Class::Range, at, value.key(), value));
    for mut end in [lo, hi] {
        end.whole = Some(whole);
        s.push(end);
    }
}

/// Where the second end begins, and what joins the two.
fn connector(s: &Scan<'_>, start: usize, end: usize) -> Option<(usize, Join)> {
    let value = |j: usize| {
        s.at(j).is_ascii_digit()
            || number::in_words(s, j).is_some()
            || s.at(j) == b'$'
            || s.char_at(j).is_some_and(|c| super::mark::sign(c).is_some())
    };
    // A hyphen between spaces is a minus or a dash of the sentence.
    for dash in ["-", "–", "—", "..=", "...", "..", "~", " – ", "至", "到"] {
        if s.is(end, dash) {
            let j = end + dash.len();
            return value(j).then_some((j, Join::Dash));
        }
    }
    let word = s.word_before(start);
    for (between, leads) in
        [(" to ", ""), (" and ", "between"), (" through ", ""), (" bis ", ""), (" up to ", "from")]
    {
        if s.is(end, between) {
            let j = end + between.len();
            let led = leads.is_empty() || word.eq_ignore_ascii_case(leads);
            return (led && value(j)).then_some((j, Join::Word));
        }
    }
    None
}

/// A range of dates or times that begins with `first`, where a second one follows; `read` reads it. Returns where to go
/// on.
pub(super) fn dated(
    s: &mut Scan<'_>,
    first: Fact,
    read: impl Fn(&mut Scan<'_>, usize) -> Option<Fact>,
) -> Option<usize> {
    let (j, join) = connector(s, first.at.start, first.at.end)?;
    let second = read(s, j)?;
    if std::mem::discriminant(&first.value) != std::mem::discriminant(&second.value)
        || first.value == second.value
    {
        return None;
    }
    if join == Join::Dash && s.at(second.at.end) == b'-' {
        return None;
    }
    let at = Span::new(first.at.start, second.at.end);
    push(s, at, first, second);
    Some(at.end)
}

/// A range of numbered names: `2026_01 to 2026_06`.
pub(super) fn names(s: &mut Scan<'_>, first: Span) -> Option<usize> {
    let between = [" to ", " through ", "..", " – ", "–"].iter().find(|b| s.is(first.end, b))?;
    let t = s.token(first.end + between.len());
    let (a, b) = (first.of(s.text), s.slice(t.start, t.end));
    let stem = |x: &str| x.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = a.len() - stem(a);
    if digits == 0 || digits != b.len() - stem(b) || a.get(..stem(a)) != b.get(..stem(b)) || a >= b {
        return None;
    }
    let end =
        |at: Span| Fact::new(Class::Identifier, at, Domain::Text.key(at.of(s.text).as_bytes()), Value::Text);
    let (lo, hi) = (end(first), end(t.span()));
    push(s, Span::new(first.start, t.end), lo, hi);
    Some(t.end)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn writings_of_one_range() {
        equal(&["0.5–0.7", "between 0.5 and 0.7", "0.5-0.7", "from 0.5 to 0.7", "0.5..0.7", "0.50 – 0.70"]);
        equal(&["100-250 requests per minute", "100 to 250 requests per minute"]);
        equal(&["fifteen to thirty five years", "15–35 years"]);
        equal(&["3% to 5%", "3–5%", "from 3% to 5%"]);
        equal(&["$10-20", "$10–$20"]);
        equal(&["10–20 ms", "0.01 s to 0.02 s"]);
        unequal(&["0.5–0.7", "0.57", "0.5–0.8", "0.5–0.7 s"]);
    }

    #[test]
    fn the_ends_are_its_parts() {
        assert_eq!(
            all("from 3% to 5%"),
            [(Class::Range, "3% to 5%"), (Class::Percentage, "3%"), (Class::Percentage, "5%")]
        );
        assert_eq!(
            all("partitions 2026_01 to 2026_06"),
            [
                (Class::Range, "2026_01 to 2026_06"),
                (Class::Identifier, "2026_01"),
                (Class::Identifier, "2026_06")
            ]
        );
        reads(
            Class::Range,
            &[
                ("turns 41-60", &["41-60"]),
                ("10:00–11:30", &["10:00–11:30"]),
                ("10:00-11:30", &["10:00-11:30"]),
                ("2026-03-01 to 2026-03-05", &["2026-03-01 to 2026-03-05"]),
            ],
        );
    }

    #[test]
    fn two_numbers_that_are_no_range() {
        none(
            Class::Range,
            &[
                "a 9-3 win",
                "from 412 ms to 187 ms",
                "010-0199",
                "10-20-30",
                "5 - 3",
                "12 and 14",
                "3 s to 5 m",
                "ip-10-4-7-19",
                "2026-03-04",
                "0.5, 0.7",
            ],
        );
    }
}
