//! Long opaque bodies: base64, hexadecimal dumps.

use super::Class;
use super::byte::{ALNUM, class};
use super::scan::{Scan, Token};
use crate::text::Span;

/// Shorter bodies may be digests and tokens.
const LEAST: usize = 100;

/// One run of base64 or hexadecimal digits, longer than any digest.
pub(super) fn payload(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = run(s, t.start);
    if end - t.start < LEAST || !is_body(s.bytes.get(t.start..end)?) {
        return None;
    }
    // The body may go on in the next lines.
    let mut all = end;
    while s.at(all) == b'\n' {
        let next = s.skip_spaces(all + 1);
        let e = run(s, next);
        if e - next < 16
            || !matches!(s.at(e), b'\n' | 0 | b'"' | b'\'')
            || s.bytes.get(next..e).is_none_or(|b| !is_body(b))
        {
            break;
        }
        all = e;
    }
    s.push_text(Class::Payload, Span::new(t.start, all));
    Some(all)
}

fn run(s: &Scan<'_>, mut i: usize) -> usize {
    while class(s.at(i)) & ALNUM != 0 || matches!(s.at(i), b'+' | b'/' | b'=' | b'_' | b'-') {
        i += 1;
    }
    i
}

/// Whether the run reads as an encoded body: digits and letters mixed throughout, not words with hyphens.
fn is_body(b: &[u8]) -> bool {
    let digits = b.iter().filter(|c| c.is_ascii_digit()).count();
    let upper = b.iter().filter(|c| c.is_ascii_uppercase()).count();
    let lower = b.iter().filter(|c| c.is_ascii_lowercase()).count();
    let hex = b.iter().all(u8::is_ascii_hexdigit);
    let marks = b.len() - digits - upper - lower;
    digits * 50 > b.len() && (hex || upper * 20 > b.len() && lower * 20 > b.len()) && marks * 8 < b.len()
}

/// Lines of base64 from the line at `start`: two or more of one width.
pub(super) fn block(s: &mut Scan<'_>, start: usize) -> Option<usize> {
    let first = s.skip_spaces(start);
    let e = run(s, first);
    let width = e - first;
    if !(60..=LEAST).contains(&width) || s.at(e) != b'\n' || !is_body(s.bytes.get(first..e)?) {
        return None;
    }
    let mut end = e;
    let mut lines = 1;
    while s.at(end) == b'\n' {
        let next = s.skip_spaces(end + 1);
        let e = run(s, next);
        if e == next || e - next > width || !matches!(s.at(e), b'\n' | 0) {
            break;
        }
        if e - next < width && !(e - next).is_multiple_of(4) {
            break;
        }
        lines += 1;
        end = e;
        if e - next < width {
            break;
        }
    }
    if lines < 2 {
        return None;
    }
    s.push_text(Class::Payload, Span::new(first, end));
    Some(end)
}
