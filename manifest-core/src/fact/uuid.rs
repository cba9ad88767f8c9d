//! UUIDs, and how values of hexadecimal digits compare.

use super::byte::is_word;
use super::scan::Scan;
use super::token::Token;
use super::value::{Domain, Value};
use super::{Class, Fact, digest};
use crate::text::Span;

/// A UUID at the head of the token: 8-4-4-4-12 hexadecimal digits. What goes on with a hyphen, a letter or a dot is
/// another token.
pub(super) fn uuid(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = t.start + 36;
    let body = s.bytes.get(t.start..end)?;
    if s.at(t.start + 8) != b'-' {
        return None;
    }
    let shape = body.iter().enumerate().all(|(i, b)| match i {
        8 | 13 | 18 | 23 => *b == b'-',
        _ => b.is_ascii_hexdigit(),
    });
    let goes_on = is_word(s.at(end)) || matches!(s.at(end), b'-' | b'.') && is_word(s.at(end + 1));
    if !shape || goes_on {
        return None;
    }
    push(s, Class::Uuid, Span::new(t.start, end));
    Some(end)
}

/// Adds a fact whose value is its hexadecimal digits.
pub(super) fn push(s: &mut Scan<'_>, class: Class, at: Span) {
    // Longer values than a digest's would be payloads; a few more bytes are cut from the key, not from the value.
    let mut canonical = [0u8; 160];
    let mut n = 0;
    for (slot, digit) in canonical.iter_mut().zip(digits(at.of(s.text))) {
        *slot = digit;
        n += 1;
    }
    let key = Domain::Hex.key(canonical.get(..n).unwrap_or_default());
    s.push(Fact::new(class, at, key, Value::Hex));
}

/// The digits of a token in lower case, without separators, prefix and the name of an algorithm.
fn digits(surface: &str) -> impl Iterator<Item = u8> {
    let body = match surface.split_once(':') {
        Some((name, body)) if body.len() > 2 && digest::is_algorithm(name) => body,
        _ => surface,
    };
    let body = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")).unwrap_or(body);
    body.bytes().filter(u8::is_ascii_hexdigit).map(|b| b.to_ascii_lowercase())
}

/// The canonical text of a value of hexadecimal digits.
pub(super) fn canonical(surface: &str) -> String {
    digits(surface).map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, reads, unequal};
    use crate::Class;

    #[test]
    fn uuids_by_value() {
        equal(&[
            "3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2",
            "3F9A1C20-7B44-4E0D-9D1E-55AA10C7E8B2",
            "{3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2}",
            "3f9a1c20-7b44-4e0d-\n  9d1e-55aa10c7e8b2",
            "3f9a1c207b444e0d9d1e55aa10c7e8b2",
        ]);
        unequal(&["3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2", "3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b3"]);
        reads(
            Class::Uuid,
            &[("作业7c1f0a52-93be-4d0e-8a77-51d2c0e4b9aa失败", &["7c1f0a52-93be-4d0e-8a77-51d2c0e4b9aa"])],
        );
    }

    #[test]
    fn nothing_is_read_inside() {
        assert_eq!(
            all("Session file 00b8018e-2cd7-4e0b-9695-acef9cb0bbdc.jsonl is"),
            [(Class::Path, "00b8018e-2cd7-4e0b-9695-acef9cb0bbdc.jsonl")]
        );
        assert_eq!(all("id:3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2,").len(), 1);
    }
}
