//! Names of code, and environment variables.

use super::Class;
use super::byte::{ALNUM, COLON, DIGIT, DOT, HYPHEN, LETTER, LOWER, UNDER, UPPER, class, is_word};
use super::layout::Fence;
use super::scan::{Scan, Token};
use crate::text::Span;

/// `$NAME`, `${NAME}`.
pub(super) fn variable(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let brace = s.at(i + 1) == b'{';
    let start = if brace { i + 2 } else { i + 1 };
    let mut end = start;
    while is_word(s.at(end)) {
        end += 1;
    }
    let name = s.slice(start, end);
    if name.len() < 2 || class(s.at(start)) & (LETTER | UNDER) == 0 {
        return None;
    }
    let class = if name.bytes().any(|b| b.is_ascii_lowercase()) { Class::Symbol } else { Class::EnvVar };
    s.push_text(class, Span::new(start, end));
    Some(end)
}

/// A name of code in a token of more than letters: `snake_case`, `a::b`, `f()`, `__x__`, `MAX_BATCH`.
pub(super) fn symbol(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(COLON) {
        return scoped(s, t);
    }
    if t.has(DOT) {
        return dotted(s, t);
    }
    let end = t.word;
    let name = s.slice(t.start, end);
    if end != t.end && t.has(HYPHEN) && s.at(end) == b'-' {
        return kebab(s, t);
    }
    if !name.contains('_') || !name.bytes().any(|b| class(b) & ALNUM != 0) {
        return call(s, Token { end, ..t });
    }
    let digits = name.bytes().any(|b| b.is_ascii_digit());
    let upper = !name.bytes().any(|b| b.is_ascii_lowercase());
    let class = if upper && name.bytes().any(|b| b.is_ascii_uppercase()) {
        if is_environment(s, t.start, end) { Class::EnvVar } else { Class::Symbol }
    } else if digits {
        Class::Identifier
    } else {
        Class::Symbol
    };
    if class == Class::Identifier
        && let Some(end) = super::range::names(s, Span::new(t.start, end))
    {
        return Some(end);
    }
    s.push_text(class, Span::new(t.start, end));
    Some(parens(s, end))
}

/// Whether a name in capitals is an environment variable: assigned at the head of a line, exported, or on a line that
/// speaks of the environment.
fn is_environment(s: &Scan<'_>, start: usize, end: usize) -> bool {
    if s.word_before(start) == "export" || start == s.line.content && s.at(end) == b'=' {
        return true;
    }
    let mut stop = end;
    while stop < s.limit && stop - end < 120 && s.at(stop) != b'\n' {
        stop += 1;
    }
    let near = s.bytes.get(s.line.start.max(start.saturating_sub(120))..stop).unwrap_or_default();
    near.windows(3).any(|w| w.eq_ignore_ascii_case(b"env"))
}

/// `a::b`, `std::fmt::Display`.
fn scoped(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let mut end = t.word;
    let mut scopes = 0;
    while s.is(end, "::") && class(s.at(end + 2)) & (LETTER | UNDER) != 0 {
        scopes += 1;
        end += 2;
        while is_word(s.at(end)) {
            end += 1;
        }
    }
    if scopes == 0 {
        return None;
    }
    s.push_text(Class::Symbol, Span::new(t.start, end));
    Some(parens(s, end))
}

/// `a.b.c`, `object.method()`: letters between dots, one part of them no plain word or a call after it.
fn dotted(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let mut end = t.word;
    let mut parts = 1;
    let mut code = s.slice(t.start, end).contains('_');
    while s.at(end) == b'.' && class(s.at(end + 1)) & (LETTER | UNDER) != 0 {
        let start = end + 1;
        end = start;
        while is_word(s.at(end)) || s.at(end) == b'-' && is_word(s.at(end + 1)) {
            end += 1;
        }
        code |= s.slice(start, end).contains('_');
        parts += 1;
    }
    if parts < 2 {
        return None;
    }
    let name = s.slice(t.start, end);
    let called = s.at(end) == b'(';
    let short = name.split('.').all(|p| p.len() == 1)
        || matches!(name, "e.g" | "i.e" | "a.m" | "p.m" | "U.S" | "vs.the");
    if short {
        return None;
    }
    // Two words that met without a space after a full stop: the second has a capital.
    let sentence = name.split('.').skip(1).any(|p| p.bytes().next().is_some_and(|b| b.is_ascii_uppercase()))
        && !code
        && !called;
    if sentence {
        return None;
    }
    let class = if code || called || s.line.fence != Fence::No { Class::Symbol } else { Class::Identifier };
    s.push_text(class, Span::new(t.start, end));
    Some(parens(s, end))
}

/// A hyphenated token whose first part has an underscore.
fn kebab(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if !t.has(UNDER) || t.has(DIGIT) || !t.only(LOWER | UPPER | UNDER | HYPHEN) {
        return None;
    }
    s.push_text(Class::Symbol, t.span());
    Some(t.end)
}

/// A name of letters that is code by its shape: `camelCase`, or `f()`.
pub(super) fn letters(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let name = s.slice(t.start, t.end);
    let b = name.as_bytes();
    let camel = b.first().is_some_and(u8::is_ascii_lowercase)
        && b.iter().any(u8::is_ascii_uppercase)
        && b.len() > 3
        && !is_brand(name);
    if camel {
        s.push_text(Class::Symbol, t.span());
        return Some(parens(s, t.end));
    }
    if super::ticket::is_errno(name) {
        s.push_text(Class::ErrorCode, t.span());
        return Some(t.end);
    }
    call(s, t)
}

/// `f()`: the empty parentheses make a name of code of any word.
pub(super) fn call(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if !s.is(t.end, "()") || t.len() < 2 {
        return None;
    }
    s.push_text(Class::Symbol, t.span());
    Some(t.end + 2)
}

fn parens(s: &Scan<'_>, end: usize) -> usize {
    if s.is(end, "()") { end + 2 } else { end }
}

fn is_brand(name: &str) -> bool {
    matches!(
        name,
        "iPhone" | "iPad" | "iOS" | "macOS" | "eBay" | "iCloud" | "iMac" | "iPadOS" | "tvOS" | "watchOS"
    )
}
