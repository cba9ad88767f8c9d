//! Dates, times and points in time.

use super::byte::{LETTER, class};
use super::calendar::{DAY, days};
use super::scan::{Scan, Token};
use super::value::Value;
use super::{Class, Fact};
use crate::text::Span;

/// A date that was read.
struct Read {
    value: Value,
    end: usize,
}

/// A date, time or point in time at a digit.
pub(super) fn digit(s: &mut Scan<'_>, start: usize) -> Option<usize> {
    if let Some(d) = date(s, start) {
        return Some(instant(s, start, d));
    }
    let (value, end) = time(s, start)?;
    push_time(s, Span::new(start, end), value);
    Some(end)
}

/// `March 4, 2026`, `March 4`, `March 2026`, `Tuesday`, with a time after it.
pub(super) fn month_first(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    if let Some(day) = weekday(word) {
        // `Wed, 04 Mar 2026 …`: the date says it all.
        let next = s.skip_spaces(if s.at(t.end) == b',' { t.end + 1 } else { t.end });
        if s.at(next).is_ascii_digit()
            && let Some(d) = date(s, next)
        {
            return Some(instant(s, next, d));
        }
        s.push_value(Class::Date, t.span(), Value::Weekday(day));
        return Some(t.end);
    }
    let month = month(word)?;
    let dot = s.at(t.end) == b'.' && word.len() <= 4;
    let i = s.skip_spaces(if dot { t.end + 1 } else { t.end });
    if i == t.end || !s.at(i).is_ascii_digit() {
        return None;
    }
    let e = s.digits(i);
    if e - i == 4 && s.ends(e) {
        let year: i64 = s.slice(i, e).parse().ok()?;
        if !(1900..2200).contains(&year) {
            return None;
        }
        s.push_value(Class::Date, Span::new(t.start, e), Value::Month(i32::try_from(year).ok()?, month));
        return Some(e);
    }
    if e - i > 2 {
        return None;
    }
    let day: u8 = s.slice(i, e).parse().ok()?;
    let end = ordinal_end(s, e);
    if !(1..=31).contains(&day)
        || !s.ends(end)
        || s.at(end) == b'.' && s.at(end + 1).is_ascii_digit()
        || s.at(end) == b':'
    {
        return None;
    }
    let d = with_year(s, month, day, end)?;
    Some(instant(s, t.start, d))
}

/// A day and month, with the year after it if there is one.
fn with_year(s: &Scan<'_>, month: u8, day: u8, end: usize) -> Option<Read> {
    let comma = if s.at(end) == b',' { end + 1 } else { end };
    let y = s.skip_spaces(comma);
    let e = s.digits(y);
    if y > end && e - y == 4 && s.ends(e) && !(s.at(e) == b':' && s.at(e + 1).is_ascii_digit()) {
        let year: i64 = s.slice(y, e).parse().ok()?;
        if (1900..2200).contains(&year) {
            return Some(Read { value: Value::Date(days(year, month.into(), day.into())?), end: e });
        }
    }
    // A leap year tells whether the day exists at all.
    days(2024, month.into(), day.into())?;
    Some(Read { value: Value::MonthDay(month, day), end })
}

fn ordinal_end(s: &Scan<'_>, e: usize) -> usize {
    if ["st", "nd", "rd", "th"].iter().any(|o| s.is(e, o)) { e + 2 } else { e }
}

/// A date in digits, or a day before its month.
fn date(s: &Scan<'_>, i: usize) -> Option<Read> {
    let e = s.digits(i);
    match e - i {
        4 => year_first(s, i, e),
        1 | 2 => day_or_month_first(s, i, e),
        8 if s.at(e) == b'T' && s.at(e + 1).is_ascii_digit() => {
            let part = |a: usize, b: usize| s.slice(i + a, i + b).parse::<u64>().ok();
            Some(Read {
                value: Value::Date(days(i64::try_from(part(0, 4)?).ok()?, part(4, 6)?, part(6, 8)?)?),
                end: e,
            })
        }
        _ => None,
    }
}

fn year_first(s: &Scan<'_>, i: usize, e: usize) -> Option<Read> {
    let year: i64 = s.slice(i, e).parse().ok()?;
    if s.is(e, "年") {
        return cjk(s, Some(year), e + "年".len());
    }
    let separator = s.at(e);
    if !matches!(separator, b'-' | b'/') {
        return None;
    }
    let m = s.digits(e + 1);
    if m - e - 1 != 2 {
        return None;
    }
    let month: u64 = s.slice(e + 1, m).parse().ok()?;
    if s.at(m) != separator || !s.at(m + 1).is_ascii_digit() {
        let month_only =
            separator == b'-' && (1..=12).contains(&month) && (1900..2200).contains(&year) && s.ends(m);
        let boundary = !matches!(s.at(m), b'-' | b'/') || !super::byte::is_word(s.at(m + 1));
        return (month_only && boundary).then(|| {
            Some(Read { value: Value::Month(i32::try_from(year).ok()?, u8::try_from(month).ok()?), end: m })
        })?;
    }
    let d = s.digits(m + 1);
    if d - m - 1 != 2 || s.at(d) == separator && s.at(d + 1).is_ascii_digit() {
        return None;
    }
    let day: u64 = s.slice(m + 1, d).parse().ok()?;
    let goes_on = !s.ends(d) && !matches!(s.at(d), b'T' | b't' | b'_');
    if goes_on {
        return None;
    }
    Some(Read { value: Value::Date(days(year, month, day)?), end: d })
}

/// What follows the year of `2026年3月4日`, or the month of `3月4日`.
fn cjk(s: &Scan<'_>, year: Option<i64>, i: usize) -> Option<Read> {
    let i = s.skip_spaces(i);
    let m = s.digits(i);
    if m == i || !s.is(m, "月") {
        return None;
    }
    let month: u64 = s.slice(i, m).parse().ok()?;
    let j = s.skip_spaces(m + "月".len());
    let d = s.digits(j);
    let month8 = u8::try_from(month).ok().filter(|m| (1..=12).contains(m))?;
    if d == j || !(s.is(d, "日") || s.is(d, "号")) {
        let year = i32::try_from(year?).ok()?;
        return Some(Read { value: Value::Month(year, month8), end: m + "月".len() });
    }
    let day: u64 = s.slice(j, d).parse().ok()?;
    let end = d + "日".len();
    if let Some(y) = year {
        Some(Read { value: Value::Date(days(y, month, day)?), end })
    } else {
        days(2024, month, day)?;
        Some(Read { value: Value::MonthDay(month8, u8::try_from(day).ok()?), end })
    }
}

fn day_or_month_first(s: &Scan<'_>, i: usize, e: usize) -> Option<Read> {
    if s.is(e, "月") {
        return cjk(s, None, i);
    }
    let separator = s.at(e);
    if matches!(separator, b'/' | b'.') && s.at(e + 1).is_ascii_digit() {
        let m = s.digits(e + 1);
        if m - e > 3 || s.at(m) != separator {
            return None;
        }
        let y = s.digits(m + 1);
        if y - m - 1 != 4 || !s.ends(y) || matches!(s.at(y), b'/' | b'-') {
            return None;
        }
        let (a, b): (u64, u64) = (s.slice(i, e).parse().ok()?, s.slice(e + 1, m).parse().ok()?);
        let year: i64 = s.slice(m + 1, y).parse().ok()?;
        let (month, day) = match order(s, separator, y, a, b) {
            Some(true) => (b, a),
            Some(false) => (a, b),
            None => {
                // Both orders name a day and nothing tells which: the text is all there is.
                days(year, a, b).or_else(|| days(year, b, a))?;
                return Some(Read { value: Value::Text, end: y });
            }
        };
        return Some(Read { value: Value::Date(days(year, month, day)?), end: y });
    }
    // `4 March 2026`, `4-Mar-2026`, `4th of March`.
    let o = ordinal_end(s, e);
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
    let month = month(word)?;
    let day: u8 = s.slice(i, e).parse().ok()?;
    let mut end = j + word.len();
    if !(1..=31).contains(&day) || !s.ends(end) {
        return None;
    }
    // `5 may be`: the month must look like one.
    if word.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) && matches!(word, "may" | "mar" | "march")
    {
        return None;
    }
    if matches!(s.at(end), b'-' | b'/') && s.digits(end + 1) - end == 5 {
        let y = s.digits(end + 1);
        let year: i64 = s.slice(end + 1, y).parse().ok()?;
        return Some(Read { value: Value::Date(days(year, month.into(), day.into())?), end: y });
    }
    if s.at(end) == b'.' && word.len() <= 4 && s.at(s.skip_spaces(end + 1)).is_ascii_digit() {
        end += 1;
    }
    with_year(s, month, day, end)
}

/// Whether the day stands first; `None` where both orders are possible and nothing tells.
fn order(s: &Scan<'_>, separator: u8, end: usize, a: u64, b: u64) -> Option<bool> {
    if separator == b'.' || a > 12 {
        return Some(true);
    }
    if b > 12 {
        return Some(false);
    }
    let note = s.slice(end, floor(s, end + 24)).to_ascii_uppercase();
    match (note.find("DD/MM"), note.find("MM/DD")) {
        (Some(d), Some(m)) => Some(d < m),
        (Some(_), None) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => (a == b).then_some(true),
    }
}

/// The last character boundary at or before `i`.
fn floor(s: &Scan<'_>, i: usize) -> usize {
    let mut i = i.min(s.limit);
    while !s.text.is_char_boundary(i) {
        i -= 1;
    }
    i
}

/// Adds a date, or the point in time that it forms with the time after it; returns where to go on.
fn instant(s: &mut Scan<'_>, start: usize, d: Read) -> usize {
    let date_at = Span::new(start, d.end);
    let between = match s.at(d.end) {
        b'T' | b't' | b'_' => d.end + 1,
        b',' => s.skip_spaces(d.end + 1),
        b' ' => {
            let j = s.skip_spaces(d.end);
            if s.is(j, "at ") { j + 3 } else { j }
        }
        _ => d.end,
    };
    let days = match d.value {
        Value::Date(days) => Some(days),
        _ => None,
    };
    if between > d.end
        && let Some((value, end)) = time(s, between)
        && let Value::Time(ns, zone) = value
    {
        let Some(days) = days else {
            push_date(s, date_at, d.value);
            push_time(s, Span::new(between, end), value);
            return end;
        };
        let local = i128::from(days) * DAY + i128::from(ns);
        let at = Span::new(start, end);
        let whole = match zone {
            Some(z) => {
                let v = Value::Instant(local - i128::from(z) * 1_000_000_000);
                let mut f = Fact::new(Class::Instant, at, v.key(), v);
                f.also = Some(Value::Local(local).key());
                s.push(f)
            }
            None => s.push_value(Class::Instant, at, Value::Local(local)),
        };
        let parts = s.facts.len();
        push_date(s, date_at, d.value);
        push_time(s, Span::new(between, end), value);
        for f in s.facts.iter_mut().skip(parts) {
            f.whole = Some(whole);
        }
        return end;
    }
    push_date(s, date_at, d.value);
    d.end
}

fn push_date(s: &mut Scan<'_>, at: Span, value: Value) {
    if value == Value::Text {
        s.push_text(Class::Date, at);
        return;
    }
    let mut f = Fact::new(Class::Date, at, value.key(), value);
    if let Value::Date(days) = value
        && let Some((_, m, d)) = super::calendar::civil(days)
    {
        f.also = Some(Value::MonthDay(m.unsigned_abs(), d.unsigned_abs()).key());
    }
    s.push(f);
}

fn push_time(s: &mut Scan<'_>, at: Span, value: Value) {
    let mut f = Fact::new(Class::Time, at, value.key(), value);
    if let Value::Time(ns, Some(_)) = value {
        f.also = Some(Value::Time(ns, None).key());
    }
    s.push(f);
}

/// A time of day: `14:02`, `05:06:07.123Z`, `2 pm`, `03:15 UTC`.
fn time(s: &Scan<'_>, i: usize) -> Option<(Value, usize)> {
    let h = s.digits(i);
    if h == i || h - i > 2 {
        return None;
    }
    let mut hour: i64 = s.slice(i, h).parse().ok()?;
    let (mut minute, mut second, mut fraction) = (0, 0, 0);
    let mut end = h;
    let pair = |j: usize| -> Option<i64> {
        let e = s.digits(j);
        if e - j == 2 { s.slice(j, e).parse::<i64>().ok().filter(|n| *n < 60) } else { None }
    };
    let clock = s.at(h) == b':';
    if clock {
        minute = pair(h + 1)?;
        end = h + 3;
        if s.at(end) == b':' && s.at(end + 1).is_ascii_digit() {
            second = pair(end + 1)?;
            end += 3;
            if matches!(s.at(end), b'.' | b',') && s.at(end + 1).is_ascii_digit() {
                let f = s.digits(end + 1);
                let digits = s.slice(end + 1, f.min(end + 10));
                let scale = 10i64.pow(9 - u32::try_from(digits.len()).ok()?);
                fraction = digits.parse::<i64>().ok()? * scale;
                end = f;
            }
        }
        if s.at(end) == b':' && super::byte::is_word(s.at(end + 1)) {
            return None;
        }
    }
    let half = half_of_day(s, end);
    match half {
        Some((pm, e)) if (1..=12).contains(&hour) => {
            hour = hour % 12 + if pm { 12 } else { 0 };
            end = e;
        }
        _ if !clock => return None,
        _ => {}
    }
    if hour > 23 {
        return None;
    }
    let zone = zone(s, end);
    if zone.is_none() && !s.ends(end) {
        return None;
    }
    let ns = ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction;
    match zone {
        Some((z, e)) => Some((Value::Time(ns, Some(z)), e)),
        None => Some((Value::Time(ns, None), end)),
    }
}

fn half_of_day(s: &Scan<'_>, end: usize) -> Option<(bool, usize)> {
    let j = s.skip_spaces(end);
    for (name, pm) in
        [("am", false), ("AM", false), ("a.m.", false), ("pm", true), ("PM", true), ("p.m.", true)]
    {
        if s.is(j, name) && s.ends(j + name.len()) {
            return Some((pm, j + name.len()));
        }
    }
    None
}

/// The offset of a zone after a time, in seconds, and where it ends.
fn zone(s: &Scan<'_>, end: usize) -> Option<(i32, usize)> {
    if matches!(s.at(end), b'Z' | b'z') && s.ends(end + 1) {
        return Some((0, end + 1));
    }
    let j = s.skip_spaces(end);
    let sign = match s.at(j) {
        b'+' => 1,
        b'-' => -1,
        _ => 0,
    };
    if sign != 0 && j - end <= 1 {
        let e = s.digits(j + 1);
        let (h, m, stop) = match e - j - 1 {
            4 => (s.slice(j + 1, j + 3), s.slice(j + 3, j + 5), e),
            2 if s.at(e) == b':' && s.digits(e + 1) == e + 3 => {
                (s.slice(j + 1, e), s.slice(e + 1, e + 3), e + 3)
            }
            2 if j == end => (s.slice(j + 1, e), "0", e),
            _ => return None,
        };
        let (h, m): (i32, i32) = (h.parse().ok()?, m.parse().ok()?);
        return (h < 15 && m < 60 && s.ends(stop)).then_some((sign * (h * 3600 + m * 60), stop));
    }
    let word = s.word_at(j);
    let hours = match word {
        "UTC" | "GMT" | "WET" => 0,
        "CET" | "BST" | "MEZ" => 2,
        "CEST" | "EET" | "MESZ" | "SAST" => 4,
        "EEST" | "MSK" => 6,
        "IST" => 11,
        "SGT" | "HKT" | "AWST" => 16,
        "JST" | "KST" => 18,
        "AEST" => 20,
        "AEDT" => 22,
        "EST" | "CDT" => -10,
        "EDT" => -8,
        "CST" | "MDT" => -12,
        "MST" | "PDT" => -14,
        "PST" => -16,
        _ => return None,
    };
    let stop = j + word.len();
    // `UTC+2`.
    if matches!(word, "UTC" | "GMT") && matches!(s.at(stop), b'+' | b'-') && s.at(stop + 1).is_ascii_digit() {
        let e = s.digits(stop + 1);
        let h: i32 = s.slice(stop + 1, e).parse().ok()?;
        let (m, e) = if s.at(e) == b':' && s.digits(e + 1) == e + 3 {
            (s.slice(e + 1, e + 3).parse().ok()?, e + 3)
        } else {
            (0, e)
        };
        let z = (h * 3600 + m * 60) * if s.at(stop) == b'-' { -1 } else { 1 };
        return (h < 15).then_some((z, e));
    }
    s.ends(stop).then_some((hours * 1800, stop))
}

/// The number of a month by its English name or abbreviation.
fn month(word: &str) -> Option<u8> {
    if !(3..=9).contains(&word.len()) || class(word.bytes().next()?) & LETTER == 0 {
        return None;
    }
    Some(match word {
        "January" | "Jan" | "january" | "jan" => 1,
        "February" | "Feb" | "february" | "feb" => 2,
        "March" | "Mar" | "march" | "mar" => 3,
        "April" | "Apr" | "april" | "apr" => 4,
        "May" | "may" => 5,
        "June" | "Jun" | "june" | "jun" => 6,
        "July" | "Jul" | "july" | "jul" => 7,
        "August" | "Aug" | "august" | "aug" => 8,
        "September" | "Sep" | "Sept" | "september" | "sep" => 9,
        "October" | "Oct" | "october" | "oct" => 10,
        "November" | "Nov" | "november" | "nov" => 11,
        "December" | "Dec" | "december" | "dec" => 12,
        _ => return None,
    })
}

/// The number of a weekday, Monday = 1; abbreviations only with a capital.
fn weekday(word: &str) -> Option<u8> {
    Some(match word {
        "Monday" | "Mon" | "monday" => 1,
        "Tuesday" | "Tue" | "Tues" | "tuesday" => 2,
        "Wednesday" | "Wed" | "wednesday" => 3,
        "Thursday" | "Thu" | "Thurs" | "thursday" => 4,
        "Friday" | "Fri" | "friday" => 5,
        "Saturday" | "Sat" | "saturday" => 6,
        "Sunday" | "Sun" | "sunday" => 7,
        _ => return None,
    })
}

/// The point in time that a number of seconds or milliseconds since 1970 names, in nanoseconds, for numbers of the
/// years 2001 to 2100.
pub(super) fn epoch(digits: &str) -> Option<i128> {
    let n: i128 = digits.parse().ok()?;
    let ns = match digits.len() {
        10 => n * 1_000_000_000,
        13 => n * 1_000_000,
        16 => n * 1_000,
        19 => n,
        _ => return None,
    };
    (1_000_000_000_000_000_000..4_102_444_800_000_000_000).contains(&ns).then_some(ns)
}
