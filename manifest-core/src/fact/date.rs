//! Dates: in digits, with the name of a month, days of the week.

use super::byte::is_word;
use super::calendar::{civil, days};
use super::hook::{HOOKS, Hook};
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use super::value::Value;
use super::{Class, Fact, instant};
use crate::text::Span;

/// Years that a number of four digits may be.
const YEARS: std::ops::Range<i64> = 1900..2200;
/// A day of a month without a year exists in some year.
const LEAP: i64 = 2024;

/// `March 4, 2026`, `March 4`, `March 2026`, and a time after it.
pub(super) fn month_first(s: &mut Scan<'_>, t: Token, month: u8) -> Option<usize> {
    // `may` and `march` are words, `dec` and `sep` are names of code: those want their capital.
    if s.at(t.start).is_ascii_lowercase() && (t.len() < 4 || month == 3) {
        return None;
    }
    let dot = s.at(t.end) == b'.' && t.len() <= 4;
    let i = s.skip_spaces(if dot { t.end + 1 } else { t.end });
    if i == t.end || !s.at(i).is_ascii_digit() {
        return None;
    }
    let e = s.digits(i);
    if e - i == 4 {
        let year = year(s, i, e).filter(|_| s.ends(e) && s.at(e) != b'-')?;
        s.push_value(Class::Date, Span::new(t.start, e), Value::Month(i32::try_from(year).ok()?, month));
        return Some(e);
    }
    let day: u8 = s.slice(i, e).parse().ok()?;
    let end = past_ordinal(s, e);
    let goes_on = !s.ends(end)
        || matches!(s.at(end), b'.' | b':') && s.at(end + 1).is_ascii_digit()
        || s.at(end) == b'%';
    if e - i > 2 || goes_on {
        return None;
    }
    let (value, end) = with_year(s, month, day, end)?;
    Some(instant::push(s, fact(s, t.start, end, value)))
}

/// `Tuesday`; before a date it says nothing that the date does not (`Wed, 04 Mar 2026`).
pub(super) fn weekday(s: &mut Scan<'_>, t: Token, day: u8) -> Option<usize> {
    let next = s.skip_spaces(t.end + usize::from(s.at(t.end) == b','));
    if s.at(next).is_ascii_digit()
        && let Some(date) = read(s, next)
    {
        return Some(instant::push(s, date));
    }
    // `sun`, `sat` and `wed` are words: short, it is a day only where one is expected.
    let short = t.len() <= 5;
    if short && !(s.at(t.start + 1).is_ascii_lowercase() && BEFORE_DAYS.has_folded(s.word_before(t.start))) {
        return None;
    }
    s.push_value(Class::Date, t.span(), Value::Weekday(day));
    Some(t.end)
}

/// Words before the short name of a day.
static BEFORE_DAYS: Words<32> = Words::new("on every until by since from to through before after and");

/// A date in digits, or a day before its month.
pub(super) fn read(s: &Scan<'_>, i: usize) -> Option<Fact> {
    let e = s.digits(i);
    let (value, end) = match e - i {
        4 => year_first(s, i, e)?,
        1 | 2 => day_or_month_first(s, i, e)?,
        8 if s.at(e) == b'T' && s.at(e + 1).is_ascii_digit() => {
            let part = |a: usize, b: usize| s.slice(i + a, i + b).parse::<u64>().ok();
            (Value::Date(days(year(s, i, i + 4)?, part(4, 6)?, part(6, 8)?)?), e)
        }
        _ => return None,
    };
    Some(fact(s, i, end, value))
}

/// The fact of a date. With a year it also states the day of the month without one.
fn fact(s: &Scan<'_>, start: usize, end: usize, value: Value) -> Fact {
    let at = Span::new(start, end);
    if value == Value::Text {
        return s.text_fact(Class::Date, at);
    }
    let mut f = Fact::new(Class::Date, at, value.key(), value);
    if let Value::Date(days) = value
        && let Some((_, month, day)) = civil(days)
    {
        f.also = Some(Value::MonthDay(month.unsigned_abs(), day.unsigned_abs()).key());
    }
    f
}

fn year(s: &Scan<'_>, i: usize, e: usize) -> Option<i64> {
    s.slice(i, e).parse().ok().filter(|y| YEARS.contains(y))
}

/// A day and month, with the year after it if there is one.
fn with_year(s: &Scan<'_>, month: u8, day: u8, end: usize) -> Option<(Value, usize)> {
    let y = s.skip_spaces(end + usize::from(s.at(end) == b','));
    let e = s.digits(y);
    let clock = s.at(e) == b':' && s.at(e + 1).is_ascii_digit();
    if y > end
        && e - y == 4
        && s.ends(e)
        && !clock
        && let Some(year) = year(s, y, e)
    {
        return Some((Value::Date(days(year, month.into(), day.into())?), e));
    }
    days(LEAP, month.into(), day.into())?;
    Some((Value::MonthDay(month, day), end))
}

fn past_ordinal(s: &Scan<'_>, e: usize) -> usize {
    if ["st", "nd", "rd", "th"].iter().any(|o| s.is(e, o)) { e + 2 } else { e }
}

/// `2026-03-04`, `2026/03/04`, `2026-03`, `2026年3月4日`.
fn year_first(s: &Scan<'_>, i: usize, e: usize) -> Option<(Value, usize)> {
    let year = s.slice(i, e).parse::<i64>().ok()?;
    if s.is(e, "年") {
        return dense(s, Some(year), e + "年".len());
    }
    let separator = s.at(e);
    let m = s.digits(e + 1);
    if !matches!(separator, b'-' | b'/') || m - e != 3 {
        return None;
    }
    let month: u64 = s.slice(e + 1, m).parse().ok()?;
    let d = s.digits(m + 1);
    if s.at(m) != separator || d == m + 1 {
        let bounded = s.ends(m) && !(matches!(s.at(m), b'-' | b'/' | b'.') && is_word(s.at(m + 1)));
        let whole = separator == b'-' && bounded && (1..=12).contains(&month) && YEARS.contains(&year);
        return whole.then_some((Value::Month(i32::try_from(year).ok()?, u8::try_from(month).ok()?), m));
    }
    let goes_on = matches!(s.at(d), b'-' | b'/' | b'.') && is_word(s.at(d + 1));
    if d - m != 3 || goes_on || !s.ends(d) && !matches!(s.at(d), b'T' | b't' | b'_') {
        return None;
    }
    let day: u64 = s.slice(m + 1, d).parse().ok()?;
    // A day that no calendar has is only its text.
    let value = days(year, month, day).map_or(Value::Text, Value::Date);
    (value != Value::Text || YEARS.contains(&year)).then_some((value, d))
}

/// What follows the year of `2026年3月4日`, or the whole of `3月4日`.
fn dense(s: &Scan<'_>, year: Option<i64>, i: usize) -> Option<(Value, usize)> {
    let i = s.skip_spaces(i);
    let m = s.digits(i);
    if m == i || !(s.is(m, "月") || s.is(m, "월")) {
        return None;
    }
    let month: u64 = s.slice(i, m).parse().ok()?;
    let month8 = u8::try_from(month).ok().filter(|m| (1..=12).contains(m))?;
    let after = m + "月".len();
    let j = s.skip_spaces(after);
    let d = s.digits(j);
    if d == j || !["日", "号", "일"].iter().any(|w| s.is(d, w)) {
        return Some((Value::Month(i32::try_from(year?).ok()?, month8), after));
    }
    let day: u64 = s.slice(j, d).parse().ok()?;
    let end = d + "日".len();
    let in_year = days(year.unwrap_or(LEAP), month, day)?;
    let of_any = Value::MonthDay(month8, u8::try_from(day).ok()?);
    Some((year.map_or(of_any, |_| Value::Date(in_year)), end))
}

fn day_or_month_first(s: &Scan<'_>, i: usize, e: usize) -> Option<(Value, usize)> {
    if s.is(e, "月") || s.is(e, "월") {
        return dense(s, None, i);
    }
    if matches!(s.at(e), b'/' | b'.') && s.at(e + 1).is_ascii_digit() {
        return numeric(s, i, e);
    }
    // `4 March 2026`, `4-Mar-2026`, `4/Mar/2026`, `4th of March`.
    let o = past_ordinal(s, e);
    let mut j = match s.at(o) {
        b'-' | b'/' => o + 1,
        b' ' => s.skip_spaces(o),
        b'.' if s.at(o + 1) == b' ' => s.skip_spaces(o + 1),
        _ => return None,
    };
    if s.is(j, "of ") {
        j += 3;
    }
    let word = s.word_at(j);
    let Some(Hook::Month(month)) = HOOKS.get_folded(word.as_bytes()) else { return None };
    let day: u8 = s.slice(i, e).parse().ok()?;
    let end = j + word.len();
    let small = word.bytes().next()?.is_ascii_lowercase() && (word.len() < 4 || month == 3);
    if !(1..=31).contains(&day) || !s.ends(end) || small {
        return None;
    }
    if matches!(s.at(end), b'-' | b'/') && s.digits(end + 1) == end + 5 {
        let year = year(s, end + 1, end + 5)?;
        return Some((Value::Date(days(year, month.into(), day.into())?), end + 5));
    }
    let dot = s.at(end) == b'.' && word.len() <= 4 && s.at(s.skip_spaces(end + 1)).is_ascii_digit();
    with_year(s, month, day, end + usize::from(dot))
}

/// `03/04/2026`, `4.3.2026`.
fn numeric(s: &Scan<'_>, i: usize, e: usize) -> Option<(Value, usize)> {
    let separator = s.at(e);
    let m = s.digits(e + 1);
    if m - e > 3 || s.at(m) != separator {
        return None;
    }
    let y = s.digits(m + 1);
    if y - m != 5 || !s.ends(y) || matches!(s.at(y), b'/' | b'-' | b'.') && is_word(s.at(y + 1)) {
        return None;
    }
    let (a, b): (u64, u64) = (s.slice(i, e).parse().ok()?, s.slice(e + 1, m).parse().ok()?);
    let year = year(s, m + 1, y)?;
    let value = match day_first(s, separator, y, a, b) {
        Some(true) => days(year, b, a).map(Value::Date)?,
        Some(false) => days(year, a, b).map(Value::Date)?,
        // Both orders name a day and nothing tells which: the text is all there is.
        None => days(year, a, b).or_else(|| days(year, b, a)).map(|_| Value::Text)?,
    };
    Some((value, y))
}

/// Whether the day stands first: by the separator, by what can be a month, by a note (`DD/MM`). `None` where nothing
/// tells.
fn day_first(s: &Scan<'_>, separator: u8, end: usize, a: u64, b: u64) -> Option<bool> {
    if separator == b'.' || a > 12 {
        return Some(true);
    }
    if b > 12 || a == b {
        return Some(a == b);
    }
    let note = s.slice(end, s.floor(end + 24)).to_ascii_uppercase();
    match (note.find("DD/MM"), note.find("MM/DD")) {
        (Some(d), Some(m)) => Some(d < m),
        (d, m) if d.is_some() || m.is_some() => Some(d.is_some()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn writings_of_one_date() {
        equal(&[
            "2026-03-04",
            "2026/03/04",
            "March 4, 2026",
            "4 March 2026",
            "Mar 4 2026",
            "4th of March 2026",
            "4-Mar-2026",
            "4.3.2026",
            "04.03.2026",
            "2026年3月4日",
            "Wed, 04 Mar 2026",
            "March 4th, 2026",
            "04/03/2026 (DD/MM)",
            "03/04/2026 (MM/DD)",
        ]);
        equal(&["2026-05-29", "May 29", "29 May", "5月29日", "May 29th"]);
        equal(&["2026-03", "March 2026", "2026年3月"]);
        unequal(&["May 29", "May 28", "June 29"]);
        unequal(&["2026-03-04", "2025-03-04", "2026-03-05", "2026-03"]);
    }

    #[test]
    fn the_order_of_day_and_month() {
        unequal(&["03/04/2026 (DD/MM)", "March 4, 2026"]);
        equal(&["25/12/2026", "12/25/2026"]);
        // Nothing tells: equal only to the same text.
        unequal(&["03/04/2026", "March 4, 2026"]);
        equal(&["03/04/2026", "03/04/2026"]);
    }

    #[test]
    fn days_that_do_not_exist_are_their_text() {
        reads(Class::Date, &[("on 2026-02-30", &["2026-02-30"]), ("2026-13-01", &["2026-13-01"])]);
        unequal(&["2026-02-30", "2026-03-02"]);
    }

    #[test]
    fn what_is_no_date() {
        none(
            Class::Date,
            &[
                "2026.03.04",
                "build 20260814",
                "5 may be enough",
                "march on",
                "it may 4 times",
                "2026-03-04-07",
                "10/12",
                "the sun sat",
                "the Sun rose",
                "SUN",
                "1/2/3",
                "may 5%",
            ],
        );
        reads(
            Class::Date,
            &[("Tuesday's load", &["Tuesday"]), ("on Fri.", &["Fri"]), ("monday", &["monday"])],
        );
    }
}
