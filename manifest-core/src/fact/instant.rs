//! Points in time: a date with a time of day, and epochs.

use super::calendar::DAY;
use super::scan::Scan;
use super::value::Value;
use super::{Class, Fact, date, range, time};
use crate::text::Span;

/// A date, time or point in time at a digit.
pub(super) fn digit(s: &mut Scan<'_>, start: usize) -> Option<usize> {
    if let Some(date) = date::read(s, start) {
        return Some(push(s, date));
    }
    let clock = time::read(s, start, false)?;
    let first = time::fact(s, start, clock);
    let read = |s: &mut Scan<'_>, j: usize| time::read(s, j, false).map(|c| time::fact(s, j, c));
    if let Some(end) = range::dated(s, first.clone(), read) {
        return Some(end);
    }
    let end = first.at.end;
    s.push(first);
    Some(end)
}

/// Adds a date, or the point in time that it forms with the time after it; returns where to go on.
pub(super) fn push(s: &mut Scan<'_>, date: Fact) -> usize {
    let end = date.at.end;
    let clock_at = match s.at(end) {
        b'T' | b't' | b'_' => end + 1,
        b',' => s.skip_spaces(end + 1),
        b':' if s.digits(end + 1) == end + 3 => end + 1,
        b' ' => {
            let j = s.skip_spaces(end);
            if s.is(j, "at ") { j + 3 } else { j }
        }
        _ => end,
    };
    let clock = if clock_at > end { time::read(s, clock_at, true) } else { None };
    let Some(clock) = clock else {
        if let Some(end) = range::dated(s, date.clone(), |s, j| date::read(s, j)) {
            return end;
        }
        s.push(date);
        return end;
    };
    let at = Span::new(date.at.start, clock.end);
    let mut time = time::fact(s, clock_at, clock);
    let mut date = date;
    let local = match (date.value, clock.time) {
        (Value::Date(days), Some(ns)) => Some(i128::from(days) * DAY + i128::from(ns)),
        (Value::Date(_) | Value::Text, _) => None,
        // A day without a year makes no point in time; the two stand side by side.
        _ => {
            s.push(date);
            s.push(time);
            return at.end;
        }
    };
    let whole = match (local, clock.zone) {
        (Some(local), Some(zone)) => {
            let value = Value::Instant(local - i128::from(zone) * 1_000_000_000);
            let mut f = Fact::new(Class::Instant, at, value.key(), value);
            f.also = Some(Value::Local(local).key());
            f
        }
        (Some(local), None) => {
            let value = Value::Local(local);
            Fact::new(Class::Instant, at, value.key(), value)
        }
        (None, _) => s.text_fact(Class::Instant, at),
    };
    let whole = s.push(whole);
    date.whole = Some(whole);
    time.whole = Some(whole);
    s.push(date);
    s.push(time);
    at.end
}

/// The point in time that a count of seconds, or of their thousandths, millionths and billionths, since 1970 names, in
/// nanoseconds; for the years 2001 to 2099, in which the number of digits tells the unit.
pub(super) fn epoch(digits: &str) -> Option<i128> {
    let scale = match digits.len() {
        10 => 1_000_000_000,
        13 => 1_000_000,
        16 => 1_000,
        19 => 1,
        _ => return None,
    };
    let ns = digits.parse::<i128>().ok()?.checked_mul(scale)?;
    (1_000_000_000_000_000_000..4_102_444_800_000_000_000).contains(&ns).then_some(ns)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, of, unequal};
    use crate::{Class, read};

    #[test]
    fn one_instant() {
        equal(&[
            "2026-03-04T05:06:07Z",
            "2026-03-04 05:06:07 UTC",
            "2026-03-04T06:06:07+01:00",
            "2026-03-04T00:06:07 EST",
            "20260304T05:06:07Z",
            "4 Mar 2026 05:06:07 GMT",
            "March 4, 2026 at 5:06:07 am UTC",
            "2026-03-04T05:06:07.000Z",
            "04/Mar/2026:05:06:07 +0000",
        ]);
        equal(&["2026-03-04T05:06:07Z", "2026-03-04 05:06:07"]);
        unequal(&["2026-03-04T05:06:07Z", "2026-03-04T05:06:08Z", "2026-03-04T05:06:07+01:00"]);
    }

    #[test]
    fn date_and_time_are_its_parts() {
        let text = "cut at 2026-03-04T05:06:07Z.";
        assert_eq!(
            all(text),
            [
                (Class::Instant, "2026-03-04T05:06:07Z"),
                (Class::Date, "2026-03-04"),
                (Class::Time, "05:06:07Z")
            ]
        );
        assert!(read(text).facts[1..].iter().all(|f| f.whole == Some(0)));
    }

    #[test]
    fn a_time_that_no_clock_shows_is_one_text() {
        let text = "\"2024-05-07T38:40:38\"";
        assert_eq!(all(text)[0], (Class::Instant, "2024-05-07T38:40:38"));
        unequal(&["2024-05-07T38:40:38", "2024-05-07T18:40:38"]);
    }

    #[test]
    fn epochs() {
        equal(&["2026-01-01T00:00:00Z", "1767225600", "1767225600000", "ts=1767225600"]);
        assert_eq!(of(Class::Instant, "expires_at=1767225600"), ["1767225600"]);
        assert_eq!(of(Class::Number, "account 1767225600"), ["1767225600"]);
        assert_eq!(of(Class::Instant, "id 100200301"), Vec::<&str>::new());
    }
}
