//! Versions.

use super::Class;
use super::byte::{ALNUM, LETTER, class};
use super::scan::{Scan, Token};
use crate::text::Span;

/// `2.14.3`, `v2`, `v1.2-rc.1`, `2026.03.04`, and two parts after `version`.
pub(super) fn version(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let v = matches!(s.at(t.start), b'v' | b'V') && s.at(t.start + 1).is_ascii_digit();
    let digits = if v { t.start + 1 } else { t.start };
    if !s.at(digits).is_ascii_digit() {
        return None;
    }
    let mut i = s.digits(digits);
    let mut dots = 0;
    while s.at(i) == b'.' && s.at(i + 1).is_ascii_digit() {
        dots += 1;
        i = s.digits(i + 1);
    }
    let wild = s.at(i) == b'.' && matches!(s.at(i + 1), b'x' | b'*') && s.ends(i + 2);
    if wild && dots > 0 {
        i += 2;
        dots += 1;
    }
    if dots < 2 && !v && !(dots == 1 && named(s, t.start)) {
        return None;
    }
    if dots == 0 && i - digits > 3 {
        return None;
    }
    i = pre_release(s, i);
    if !s.ends(i) || s.at(i) == b'/' || i < t.end && !s.at(i).is_ascii_punctuation() {
        return None;
    }
    // What goes on is a file name or another token.
    if i < t.end && matches!(s.at(i), b'.' | b'-' | b'_') {
        return None;
    }
    s.push_text(Class::Version, Span::new(t.start, i));
    Some(i)
}

/// The end of a pre-release or build part: `-rc.1`, `rc1`, `b2`, `+build.5`.
fn pre_release(s: &Scan<'_>, i: usize) -> usize {
    let mut end = i;
    if matches!(s.at(end), b'-' | b'+') && class(s.at(end + 1)) & ALNUM != 0 {
        end += 1;
    } else if !["rc", "a", "b", "alpha", "beta", "dev", "post"]
        .iter()
        .any(|p| s.is(i, p) && s.at(i + p.len()).is_ascii_digit())
    {
        return i;
    }
    while class(s.at(end)) & ALNUM != 0
        || matches!(s.at(end), b'.' | b'-' | b'+') && class(s.at(end + 1)) & ALNUM != 0
    {
        end += 1;
    }
    let tail = s.slice(i, end);
    if tail.bytes().any(|b| class(b) & LETTER != 0) || tail.starts_with('+') { end } else { i }
}

fn named(s: &Scan<'_>, i: usize) -> bool {
    let w = s.word_before(i);
    ["version", "release", "v", "python", "ruby", "node", "java", "go", "php", "api"]
        .iter()
        .any(|k| w.eq_ignore_ascii_case(k))
}

/// The canonical text: without the `v`.
pub(super) fn canonical(surface: &str) -> &str {
    match surface.strip_prefix(['v', 'V']) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => rest,
        _ => surface,
    }
}
