//! Civil dates and their rendering.

use jiff::civil::Date;

/// Nanoseconds of a day.
pub(super) const DAY: i128 = 86_400_000_000_000;

/// Days from 1970-01-01 to a day of the calendar, or `None` where there is no such day.
pub(super) fn days(year: i64, month: u64, day: u64) -> Option<i32> {
    let date =
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let span = date.since(Date::constant(1970, 1, 1)).ok()?;
    Some(span.get_days())
}

/// Year, month and day of a day counted from 1970-01-01.
pub(super) fn civil(days: i32) -> Option<(i16, i8, i8)> {
    let span = jiff::Span::new().try_days(days).ok()?;
    let d = Date::constant(1970, 1, 1).checked_add(span).ok()?;
    Some((d.year(), d.month(), d.day()))
}

/// `2026-03-04`.
pub(super) fn render_date(days: i32) -> String {
    match civil(days) {
        Some((y, m, d)) => format!("{y:04}-{m:02}-{d:02}"),
        None => format!("day {days}"),
    }
}

/// `05:06:07`, with a fraction where there is one.
pub(super) fn render_time(ns: i64) -> String {
    let (s, f) = (ns / 1_000_000_000, ns % 1_000_000_000);
    let t = format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    if f == 0 {
        return t;
    }
    let f = format!("{f:09}");
    format!("{t}.{}", f.trim_end_matches('0'))
}

/// `2026-03-04T05:06:07` of nanoseconds since 1970-01-01T00:00:00.
pub(super) fn render(ns: i128) -> String {
    let day = i32::try_from(ns.div_euclid(DAY)).unwrap_or(i32::MAX);
    let time = i64::try_from(ns.rem_euclid(DAY)).unwrap_or(0);
    format!("{}T{}", render_date(day), render_time(time))
}

/// `Z`, `+02:00`.
pub(super) fn render_offset(seconds: i32) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let a = seconds.abs();
    format!("{}{:02}:{:02}", if seconds < 0 { '-' } else { '+' }, a / 3600, a / 60 % 60)
}
