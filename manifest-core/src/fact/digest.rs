//! Hashes, fingerprints, commit SHAs, hexadecimal literals.

use super::byte::{ALNUM, COLON, DIGIT, HYPHEN, LETTER, LOWER, UPPER, class};
use super::scan::Scan;
use super::token::Token;
use super::value::{Domain, Value};
use super::{Class, Fact, uuid};
use crate::text::Span;

/// `sha256:…`, `SHA256:…` and colon-separated pairs (a fingerprint, a serial, a MAC address).
pub(super) fn separated(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(COLON) {
        let surface = t.span().of(s.text);
        if let Some((algorithm, body)) = surface.split_once(':')
            && is_algorithm(algorithm)
            && body.len() >= 7
        {
            let start = t.start + algorithm.len() + 1;
            let mut end = start;
            while class(s.at(end)) & ALNUM != 0 || matches!(s.at(end), b'+' | b'/' | b'=' | b'-' | b'_') {
                end += 1;
            }
            let body = s.slice(start, end);
            if body.len() >= 7 && body.bytes().all(|b| b.is_ascii_hexdigit()) {
                uuid::push(s, Class::Digest, Span::new(t.start, end));
                return Some(end);
            }
            if body.len() >= 20 {
                s.push_text(Class::Digest, Span::new(t.start, end));
                return Some(end);
            }
        }
    }
    pairs(s, t)
}

/// Three groups of four hexadecimal digits: a MAC address as routers write it.
pub(super) fn dotted(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let body = s.bytes.get(t.start..t.end).filter(|b| b.len() == 14)?;
    let shape =
        body.iter().enumerate().all(|(i, b)| if i % 5 == 4 { *b == b'.' } else { b.is_ascii_hexdigit() });
    if !shape || !body.iter().any(u8::is_ascii_digit) {
        return None;
    }
    uuid::push(s, Class::Address, t.span());
    Some(t.end)
}

/// Two hexadecimal digits each, separated by colons or hyphens.
fn pairs(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let separator = s.at(t.start + 2);
    if !matches!(separator, b':' | b'-') {
        return None;
    }
    let mut i = t.start;
    let mut groups = 0;
    let mut letters = false;
    loop {
        let (a, b) = (s.at(i), s.at(i + 1));
        if !a.is_ascii_hexdigit() || !b.is_ascii_hexdigit() {
            return None;
        }
        letters |= a.is_ascii_alphabetic() || b.is_ascii_alphabetic();
        groups += 1;
        i += 2;
        if s.at(i) != separator || !s.at(i + 1).is_ascii_hexdigit() {
            break;
        }
        i += 1;
    }
    if !s.ends(i) || s.at(i) == b':' && s.at(i + 1) == b':' {
        return None;
    }
    // Six pairs are a MAC address; two or three without a letter are a time.
    if groups == 6 && (letters || separator == b':') {
        uuid::push(s, Class::Address, Span::new(t.start, i));
        return Some(i);
    }
    let fingerprint =
        separator == b':' && groups >= 2 && (letters && any_digit(s, t.start, i) || groups >= 8);
    if !fingerprint {
        return None;
    }
    uuid::push(s, Class::Digest, Span::new(t.start, i));
    Some(i)
}

fn any_digit(s: &Scan<'_>, start: usize, end: usize) -> bool {
    s.bytes.get(start..end).is_some_and(|b| b.iter().any(u8::is_ascii_digit))
}

/// A run of hexadecimal digits: 7 or more with a digit and a letter, or a literal `0x…`.
pub(super) fn digest(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if s.at(t.start) == b'0' && matches!(s.at(t.start + 1), b'x' | b'X') {
        let mut end = t.start + 2;
        while s.at(end).is_ascii_hexdigit() || s.at(end) == b'_' {
            end += 1;
        }
        if end > t.start + 2 && s.ends(end) {
            uuid::push(s, Class::Digest, Span::new(t.start, end));
            return Some(end);
        }
        return None;
    }
    let end = t.word;
    let run = s.bytes.get(t.start..end)?;
    if run.len() < 7 || !run.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    // A hyphen makes it a part of something else; a dot or a slash would have been a path.
    if t.end > end && t.has(HYPHEN) && s.at(end) == b'-' {
        return None;
    }
    let flags = run.iter().fold(0, |f, &b| f | class(b));
    let known = matches!(run.len(), 32 | 40 | 56 | 64 | 96 | 128);
    if flags & DIGIT == 0 && !known || flags & LETTER == 0 && !(known && run.len() >= 40) {
        return None;
    }
    // `12345e6` is a number with an exponent.
    if flags & LETTER == LOWER && run.iter().filter(|b| b.is_ascii_alphabetic()).eq([&b'e']) && run.len() < 12
    {
        let e = run.iter().position(|&b| b == b'e').unwrap_or(0);
        if e > 0 && (1..=2).contains(&(run.len() - e - 1)) {
            return None;
        }
    }
    let at = Span::new(t.start, end);
    let mixed = flags & LETTER == LETTER;
    if mixed && !known {
        return None;
    }
    let verbatim = Domain::Text.key(run);
    if flags & UPPER != 0 && !known && !named_hex(s, t.start) {
        // Capitals may be an opaque code as well: only a name makes them a number whose case does not count.
        return None;
    }
    let key = Domain::Hex.key(run.to_ascii_lowercase().as_slice());
    let mut fact = Fact::new(Class::Digest, at, key, Value::Hex);
    if flags & UPPER != 0 {
        fact.also = Some(verbatim);
    }
    s.push(fact);
    Some(end)
}

/// Whether the word before says that hexadecimal digits follow.
fn named_hex(s: &Scan<'_>, i: usize) -> bool {
    let w = s.word_before(i);
    is_algorithm(w)
        || [
            "hash",
            "etag",
            "digest",
            "checksum",
            "fingerprint",
            "commit",
            "sha",
            "hex",
            "crc",
            "rev",
            "revision",
            "oid",
        ]
        .iter()
        .any(|k| w.eq_ignore_ascii_case(k))
}

/// Whether the word names a digest algorithm.
pub(super) fn is_algorithm(w: &str) -> bool {
    let w = w.to_ascii_lowercase();
    matches!(
        w.as_str(),
        "sha1"
            | "sha"
            | "sha224"
            | "sha256"
            | "sha384"
            | "sha512"
            | "sha-1"
            | "sha-256"
            | "sha-512"
            | "md5"
            | "blake3"
            | "blake2b"
            | "crc32"
            | "xxh64"
            | "sha3-256"
            | "etag"
            | "hash"
            | "digest"
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn hashes_and_literals() {
        reads(
            Class::Digest,
            &[
                ("Bisect stopped at 4e1d9ab; the parent c03f77e is clean.", &["4e1d9ab", "c03f77e"]),
                (
                    "image sha256:9f2c41d07b6e, hash=0f3a9c51d27e4b8861aa30c9",
                    &["sha256:9f2c41d07b6e", "0f3a9c51d27e4b8861aa30c9"],
                ),
                ("at 0x7ffd4a1c in f+0x3e8; reason 0x8BADF00D.", &["0x7ffd4a1c", "0x3e8", "0x8BADF00D"]),
                (
                    "fingerprint 16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48.",
                    &["16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48"],
                ),
                ("serial 4A:19:0C, pin 9A:0F", &["4A:19:0C", "9A:0F"]),
                ("abc1234..def5678", &["abc1234", "def5678"]),
                ("提交4e1d9ab已合并", &["4e1d9ab"]),
            ],
        );
    }

    #[test]
    fn case_folds_where_it_is_a_hash() {
        equal(&["etag DEADBEEF0042", "etag deadbeef0042", "deadbeef0042"]);
        equal(&["0xDEADBEEF", "0xdeadbeef"]);
        equal(&["CFCD208495D565EF66E7DFF9F98764DA", "cfcd208495d565ef66e7dff9f98764da"]);
        equal(&["16:27:AC:A5:76:28:2d:36:63:1b", "16:27:ac:a5:76:28:2d:36:63:1b"]);
        // Without a name capitals may be a code: that compares as it stands, with itself and with a hash of that text.
        unequal(&["code DEADBEEF0042", "deadbeef0042"]);
        equal(&["code DEADBEEF0042", "etag DEADBEEF0042"]);
    }

    #[test]
    fn the_name_of_the_algorithm_is_no_part_of_the_value() {
        equal(&["sha256:9f2c41d07b6e", "9f2c41d07b6e", "SHA256:9F2C41D07B6E"]);
        unequal(&["a81f0c27d4", "a81f0c27d5"]);
    }

    #[test]
    fn what_is_no_hash() {
        none(
            Class::Digest,
            &[
                "defaced facade",
                "added",
                "deadbeef",
                "1234567",
                "12345e6",
                "1234567e12",
                "abc123",
                "feedface-style",
                "10:20:30",
                "a1b2c3d-x",
                "1aBcDeF2345678",
            ],
        );
    }
}
