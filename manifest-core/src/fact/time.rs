//! Times of day and zones.

use super::byte::is_word;
use super::lexicon::Lexicon;
use super::scan::Scan;
use super::token::Token;
use super::value::Value;
use super::{Class, Fact};
use crate::text::Span;

const SECOND: i64 = 1_000_000_000;

/// A time of day that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Nanoseconds since midnight; `None` where there is no such time (`25:61`), which then is only its text.
    pub(super) time: Option<i64>,
    /// Offset of its zone in seconds.
    pub(super) zone: Option<i32>,
    pub(super) end: usize,
}

/// A time of day: `14:02`, `05:06:07.123Z`, `2 pm`, `03:15 UTC`. `dated` says that a date stands before it: then two
/// digits and a colon are a time even where no clock shows it.
pub(super) fn read(s: &Scan<'_>, i: usize, dated: bool) -> Option<Clock> {
    let h = s.digits(i);
    if h == i || h - i > 2 {
        return None;
    }
    let hour: i64 = s.slice(i, h).parse().ok()?;
    if s.at(h) == b':' {
        return clock(s, hour, h, dated);
    }
    let (pm, end) = half_of_day(s, h)?;
    let hour = twelve(hour, pm)?;
    let zone = zone(s, end);
    Some(Clock { time: Some(hour * 3600 * SECOND), zone: zone.map(|z| z.0), end: zone.map_or(end, |z| z.1) })
}

/// `noon`, `midnight`.
pub(super) fn named(s: &mut Scan<'_>, t: Token, hour: u8) -> usize {
    s.push_value(Class::Time, t.span(), Value::Time(i64::from(hour) * 3600 * SECOND, None));
    t.end
}

/// The rest of a time after its hour and at its colon.
fn clock(s: &Scan<'_>, hour: i64, colon: usize, dated: bool) -> Option<Clock> {
    let pair = |j: usize| if s.digits(j) == j + 2 { s.slice(j, j + 2).parse::<i64>().ok() } else { None };
    let minute = pair(colon + 1)?;
    let mut end = colon + 3;
    let (mut second, mut fraction) = (0, 0);
    if s.at(end) == b':' && s.at(end + 1).is_ascii_digit() {
        second = pair(end + 1)?;
        end += 3;
        if matches!(s.at(end), b'.' | b',') && s.at(end + 1).is_ascii_digit() {
            let stop = s.digits(end + 1);
            let digits = s.slice(end + 1, stop.min(end + 10));
            fraction =
                digits.parse::<i64>().ok()? * 10i64.pow(9u32.checked_sub(u32::try_from(digits.len()).ok()?)?);
            end = stop;
        }
    }
    if s.at(end) == b':' && is_word(s.at(end + 1)) {
        return None;
    }
    let half = half_of_day(s, end).and_then(|(pm, e)| Some((twelve(hour, pm)?, e)));
    let (hour, end) = half.unwrap_or((hour, end));
    // `10:00-11:30` is a range; behind a date or seconds a hyphen begins an offset.
    let zone = zone(s, end).filter(|_| dated || end > colon + 3 || s.at(s.skip_spaces(end)) != b'-');
    if zone.is_none() && !s.ends(end) {
        return None;
    }
    // A leap second is written, so it is read.
    let shown = hour < 24 && minute < 60 && second < 61;
    if !shown && !dated {
        return None;
    }
    let time = shown.then_some(((hour * 60 + minute) * 60 + second) * SECOND + fraction);
    Some(Clock { time, zone: zone.map(|z| z.0), end: zone.map_or(end, |z| z.1) })
}

/// The hour of a clock of twelve hours.
fn twelve(hour: i64, pm: bool) -> Option<i64> {
    (1..=12).contains(&hour).then_some(hour % 12 + if pm { 12 } else { 0 })
}

/// `am` or `pm` after a time, and where it ends.
fn half_of_day(s: &Scan<'_>, end: usize) -> Option<(bool, usize)> {
    let j = s.skip_spaces(end);
    [("am", false), ("AM", false), ("a.m.", false), ("pm", true), ("PM", true), ("p.m.", true)]
        .into_iter()
        .find(|(name, _)| s.is(j, name) && s.ends(j + name.len()))
        .map(|(name, pm)| (pm, j + name.len()))
}

/// Offsets of the zones that logs and people name, in half hours.
static ZONES: Lexicon<i32, 64> = Lexicon::new(&[
    ("UTC GMT WET", 0),
    ("CET BST MEZ WEST", 2),
    ("CEST EET MESZ SAST", 4),
    ("EEST MSK", 6),
    ("IST", 11),
    ("SGT HKT AWST", 16),
    ("JST KST", 18),
    ("AEST", 20),
    ("AEDT", 22),
    ("NZST", 24),
    ("EDT", -8),
    ("EST CDT", -10),
    ("CST MDT", -12),
    ("MST PDT", -14),
    ("PST", -16),
]);

/// The offset of a zone after a time, in seconds, and where it ends.
fn zone(s: &Scan<'_>, end: usize) -> Option<(i32, usize)> {
    if matches!(s.at(end), b'Z' | b'z') && s.ends(end + 1) {
        return Some((0, end + 1));
    }
    let j = s.skip_spaces(end);
    if matches!(s.at(j), b'+' | b'-') && j - end <= 1 {
        return offset(s, j, j == end);
    }
    let word = s.word_at(j);
    let half_hours = ZONES.get(word.as_bytes())?;
    let stop = j + word.len();
    if half_hours == 0 && matches!(s.at(stop), b'+' | b'-') && s.at(stop + 1).is_ascii_digit() {
        return offset(s, stop, true);
    }
    s.ends(stop).then_some((half_hours * 1800, stop))
}

/// `+02:00`, `-0700`, and where hours alone are allowed, `+2`.
fn offset(s: &Scan<'_>, i: usize, hours_alone: bool) -> Option<(i32, usize)> {
    let sign = if s.at(i) == b'-' { -1 } else { 1 };
    let e = s.digits(i + 1);
    let (hours, minutes, stop) = match e - i - 1 {
        4 => (s.slice(i + 1, i + 3), s.slice(i + 3, e), e),
        1 | 2 if s.at(e) == b':' && s.digits(e + 1) == e + 3 => {
            (s.slice(i + 1, e), s.slice(e + 1, e + 3), e + 3)
        }
        1 | 2 if hours_alone => (s.slice(i + 1, e), "0", e),
        _ => return None,
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 15 && minutes < 60 && s.ends(stop)).then_some((sign * (hours * 3600 + minutes * 60), stop))
}

/// The fact of a time of day. With a zone it also states the time without one.
pub(super) fn fact(s: &Scan<'_>, start: usize, c: Clock) -> Fact {
    let at = Span::new(start, c.end);
    let Some(ns) = c.time else { return s.text_fact(Class::Time, at) };
    let value = Value::Time(ns, c.zone);
    let mut f = Fact::new(Class::Time, at, value.key(), value);
    f.also = c.zone.map(|_| Value::Time(ns, None).key());
    f
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn writings_of_one_time() {
        equal(&["14:02", "2:02 pm", "2:02 PM", "14:02:00"]);
        equal(&["14:00", "2 pm", "2pm", "2 p.m."]);
        equal(&["00:15", "12:15 am"]);
        equal(&["noon", "12:00", "12 pm"]);
        equal(&["midnight", "00:00", "12 am"]);
        equal(&["03:15 UTC", "03:15Z", "03:15 GMT", "03:15+00:00", "03:15"]);
        unequal(&["03:15 UTC", "03:15 PST", "03:16"]);
        unequal(&["05:06:07", "05:06:07.5"]);
    }

    #[test]
    fn what_is_no_time() {
        none(Class::Time, &["16:9", "1:6:0", "ratio 4:3", "25:00", "12:60", "post.rs:21:09", "14:2"]);
        reads(Class::Time, &[("at 9:05, then", &["9:05"]), ("[23:59:59.999]", &["23:59:59.999"])]);
    }
}
