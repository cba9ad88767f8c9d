//! Figures as a person reads them.

/// With a separator every three digits.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A share in percent: exact at the ends, so that 0 % is none and 100 % is all.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    match share {
        _ if part == 0 => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        s if s < 1.0 => "< 1 %".to_owned(),
        s if s > 99.0 => "> 99 %".to_owned(),
        s => format!("{s:.0} %"),
    }
}

/// `n` of something, with its plural.
pub(crate) fn of(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A time without what a screen has no room for: `2026-03-01 10:00`.
pub(crate) fn time(at: &str) -> String {
    let head: String = crate::visible::plain(at).chars().take(16).collect();
    let iso = head.len() == 16 && head.as_bytes().get(10).is_some_and(|b| matches!(b, b'T' | b' '));
    if iso { head.replacen('T', " ", 1) } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(123_456), "123,456");
        assert_eq!(percent(0, 5), "0 %");
        assert_eq!(percent(1, 1000), "< 1 %");
        assert_eq!(percent(999, 1000), "> 99 %");
        assert_eq!(percent(5, 5), "100 %");
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(0, 0), "–");
        assert_eq!(of(1, "line", "lines"), "1 line");
        assert_eq!(time("2026-03-01T10:00:00.000Z"), "2026-03-01 10:00");
        assert_eq!(time("yesterday"), "yesterday");
    }
}
