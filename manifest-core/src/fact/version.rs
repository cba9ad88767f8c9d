//! Versions.

use super::Class;
use super::byte::{ALNUM, LETTER, class};
use super::scan::Scan;
use super::token::Token;
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

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn versions() {
        reads(
            Class::Version,
            &[
                ("Pinned to 2.14.3 because 2.14.4 breaks TLS.", &["2.14.3", "2.14.4"]),
                ("Release 2026.03.04 and v2, v1.2-rc.1+build.5", &["2026.03.04", "v2", "v1.2-rc.1+build.5"]),
                ("version 8.4 and release 7.1", &["8.4", "7.1"]),
                ("^1.2.3, ~1.2.4, 1.2.x, 3.0.0rc1", &["1.2.3", "1.2.4", "1.2.x", "3.0.0rc1"]),
                ("升级到2.14.3版本", &["2.14.3"]),
                ("(v2.1)", &["v2.1"]),
            ],
        );
        equal(&["v2.14.3", "2.14.3"]);
        unequal(&["2.14.3", "2.14.4", "2.14", "2.14.30"]);
        unequal(&["version 3.10", "version 3.1"]);
    }

    #[test]
    fn what_is_no_version() {
        none(
            Class::Version,
            &["1.5", "10.0.0.1", "v", "vol-9", "1.2.3.txt", "2.14", "a.b.c", "1,2,3", "v1234"],
        );
    }
}
