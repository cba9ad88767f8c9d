//! UUIDs.

use super::byte::is_word;
use super::scan::{Scan, Token};
use super::value::Domain;
use super::value::Value;
use super::{Class, Fact};
use crate::text::Span;

/// A UUID at the head of the token: 8-4-4-4-12 hexadecimal digits.
pub(super) fn uuid(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.len() < 36 {
        return None;
    }
    let end = t.start + 36;
    let body = s.bytes.get(t.start..end)?;
    let shape = body
        .iter()
        .enumerate()
        .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() });
    // What goes on with a hyphen or a letter is another token; a file name may follow with a dot.
    if !shape || is_word(s.at(end)) || s.at(end) == b'-' && is_word(s.at(end + 1)) {
        return None;
    }
    if s.at(end) == b'.' && is_word(s.at(end + 1)) {
        return None;
    }
    push(s, Class::Uuid, Span::new(t.start, end));
    Some(end)
}

/// Adds a fact whose value is its hexadecimal digits.
pub(super) fn push(s: &mut Scan<'_>, class: Class, at: Span) {
    let canonical = hex(at.of(s.text));
    let key = Domain::Hex.key(canonical.as_bytes());
    s.push(Fact::new(class, at, key, Value::Hex));
}

/// The digits of a token, in lower case, without separators and prefix.
pub(super) fn hex(surface: &str) -> String {
    let body = surface
        .rsplit_once(':')
        .filter(|(a, b)| !a.contains(':') && b.len() > 2 && super::digest::is_algorithm(a));
    let body = body.map_or(surface, |(_, b)| b);
    let body = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")).unwrap_or(body);
    body.bytes().filter(u8::is_ascii_hexdigit).map(|b| char::from(b.to_ascii_lowercase())).collect()
}
