//! Values under the names of credentials: `password=…`, `"token": "…"`, `Authorization: Bearer …`.

use super::super::Class;
use super::super::byte::{ALNUM, class, is_word};
use super::super::scan::Scan;
use super::super::token::Token;
use super::name::{self, Key, key};
use super::value::{self, Place, is_credential, is_placeholder, is_told};
use super::{before, below, rest_of_line, told};
use crate::text::Span;

/// How far behind `<password>` its closing tag may stand, in bytes.
const NEAR: usize = 4096;

/// Where a value begins, and how it stands.
struct Start {
    at: usize,
    /// The quote that opens it.
    quote: Option<u8>,
    /// Whether that quote is escaped.
    escaped: bool,
    spaced: bool,
    /// What binds it to its key.
    sign: u8,
}

/// A word that names a credential, or a `key` behind a word that makes it one.
pub(in crate::fact) fn word(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if s.slice(t.start, t.word).eq_ignore_ascii_case("key") && !name::makes_key(s.word_before(t.start)) {
        return None;
    }
    keyed(s, t).or_else(|| told::told(s, t)).or_else(|| before::before(s, t))
}

/// A word of letters right before a sign that binds a value to it: perhaps `dbPassword=`, `PGPASSWORD=`.
pub(in crate::fact) fn assigned(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let binds = matches!(s.at(t.end), b'=' | b':' | b'"' | b'\'' | b'\\' | b'>')
        || s.at(t.end) == b' ' && matches!(s.at(t.end + 1), b'=' | b':');
    if binds && t.len() >= 4 {
        return keyed(s, t);
    }
    // `Das Datenbankpasswort lautet …`: a compound is one word.
    let compound = s.at(t.end) == b' ' && t.len() > 8 && name::is_compound(s.slice(t.start, t.end));
    if compound { told::told(s, t) } else { None }
}

/// A value under a sensitive key.
pub(in crate::fact) fn keyed(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = key_end(s, t);
    let name = s.slice(t.start, end);
    let bound = separator(s, t.start, end).or_else(|| cell(s, end));
    if bound.is_none() && !matches!(s.at(end), b'"' | b'\'' | b'\n' | b'\\' | b',') {
        return None;
    }
    let phrase = name::is_phrase(s.slice(s.floor(t.start.saturating_sub(16)), t.start), name);
    let of = if name.eq_ignore_ascii_case("key") {
        Key::Token
    } else if phrase {
        Key::Password
    } else {
        key(name)?
    };
    let start = match bound {
        Some(start) => start,
        None => elsewhere(s, end)?,
    };
    if start.quote.is_none()
        && start.sign == b':'
        && let Some(at) = below::below(s, start.at, of)
    {
        s.awaited = at;
        return Some(start.at);
    }
    if of == Key::Token
        && let Some(end) = scheme(s, start.at)
    {
        return Some(end);
    }
    let upper = !name.bytes().any(|b| b.is_ascii_lowercase());
    let literal = upper && start.sign == b'=' && !start.spaced;
    let stop = value_end(s, &start, literal);
    let next = s.at(stop);
    if start.sign == b'|' && !is_cell(s, stop, s.slice(start.at, stop), of) {
        return None;
    }
    let place = Place {
        quoted: start.quote.is_some(),
        spaced: start.spaced,
        literal,
        code: s.line_is_code(),
        closed: start.sign != b'=' && matches!(next, b'\n' | 0 | b',' | b';') || is_setting(s, next),
    };
    let body = s.slice(start.at, stop);
    // `user.token(…)`, `f"{token}"`: what goes on behind the value makes it code.
    if !place.quoted && matches!(next, b'(' | b'<' | b'[') || !is_credential(of, body, place) {
        return None;
    }
    // A plain word of another language may say anything of the password.
    if (phrase || name::is_foreign(name)) && !literal && !is_told(body, false) {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start.at, stop));
    Some(stop)
}

/// Where the value begins in the next cell of a table: `| Password | … |`.
fn cell(s: &Scan<'_>, end: usize) -> Option<Start> {
    let bar = s.skip_spaces(end);
    (s.at(bar) == b'|' && s.at(bar + 1) == b' ').then(|| begin(s, bar + 1, b'|'))
}

/// Whether a password that nothing else can be fills its cell.
fn is_cell(s: &Scan<'_>, stop: usize, body: &str, of: Key) -> bool {
    let mut i = stop;
    while matches!(s.at(i), b' ' | b'`' | b'*' | b'"') && i - stop < 64 {
        i += 1;
    }
    of == Key::Password && matches!(s.at(i), b'|' | b'\n' | 0) && is_told(body, false)
}

/// The end of the key: words joined by hyphens, dots and underscores.
fn key_end(s: &Scan<'_>, t: Token) -> usize {
    let mut end = t.word;
    while end < t.end && matches!(s.at(end), b'-' | b'.') && is_word(s.at(end + 1)) {
        end += 1;
        while is_word(s.at(end)) {
            end += 1;
        }
    }
    end
}

/// Where the value begins after `=`, `:`, `": "`, `=>`, or in the element `<password>…<`.
fn separator(s: &Scan<'_>, start: usize, end: usize) -> Option<Start> {
    if s.at(end) == b'>' && s.before(start) == b'<' && rest_of_line(s, end, NEAR).contains("</") {
        return Some(Start { at: end + 1, quote: Some(b'<'), escaped: false, spaced: false, sign: b'>' });
    }
    let mut i = end;
    while matches!(s.at(i), b'\\' | b'"' | b'\'' | b'`' | b'*') && i - end < 4 {
        i += 1;
    }
    i = s.skip_spaces(i);
    let sign = s.at(i);
    if s.is(i, ":=") || s.is(i, "=>") {
        i += 2;
    } else if matches!(sign, b'=' | b':') && !matches!(s.at(i + 1), b'=' | b':') {
        i += 1;
    } else {
        return None;
    }
    Some(begin(s, i, sign))
}

/// Where a value begins behind a sign that ends at `i`.
fn begin(s: &Scan<'_>, i: usize, sign: u8) -> Start {
    let mut value = s.skip_spaces(i);
    let spaced = value > i;
    // `**Password:** x`, `password: **x**`.
    while s.is(value, "**") {
        value = s.skip_spaces(value + 2);
    }
    let mut at = value;
    // `b"…"`, `r'…'`, `f"…"`.
    if matches!(s.at(at), b'b' | b'r' | b'f' | b'u') && matches!(s.at(at + 1), b'"' | b'\'') {
        at += 1;
    }
    let escaped = s.at(at) == b'\\' && matches!(s.at(at + 1), b'"' | b'\'');
    let mut quote = None;
    while matches!(s.at(at), b'\\' | b'"' | b'\'' | b'`') {
        quote = Some(s.at(at)).filter(|b| *b != b'\\').or(quote);
        at += 1;
    }
    // A quote that nothing closes on its line opens nothing.
    let closes = |quote: &u8| {
        let rest = s.bytes.get(at..).unwrap_or_default();
        rest.iter().find(|b| **b == *quote || **b == b'\n') == Some(quote)
    };
    let quote = quote.filter(closes);
    Start { at, quote, escaped, spaced, sign }
}

/// The value of a pair whose name is a value itself: `{"name": "DB_PASSWORD", "value": "…"}`, and the same in YAML.
fn elsewhere(s: &Scan<'_>, end: usize) -> Option<Start> {
    let mut i = end;
    while matches!(s.at(i), b'"' | b'\'' | b'\\' | b',' | b' ' | b'\n' | b'\t') && i - end < 48 {
        i += 1;
    }
    if !s.is(i, "value") {
        return None;
    }
    separator(s, i, i + "value".len())
}

fn value_end(s: &Scan<'_>, start: &Start, literal: bool) -> usize {
    let mut i = start.at;
    while i < s.limit() {
        let b = s.at(i);
        let ends = match start.quote {
            Some(quote) => b == quote || b == b'\n' || b == b'\\' && (start.escaped || s.at(i + 1) == b'n'),
            None if literal => {
                matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'\\' | b';' | b'|')
            }
            None => matches!(
                b,
                b'"' | b'\''
                    | b'`'
                    | b'\n'
                    | b'\\'
                    | b'\r'
                    | b' '
                    | b','
                    | b';'
                    | b')'
                    | b'}'
                    | b']'
                    | b'&'
                    | b'<'
                    | b'\t'
                    | b'|'
            ),
        };
        if ends {
            break;
        }
        // An escaped quote is a part of the value.
        i += if start.quote.is_some() && b == b'\\' { 2 } else { 1 };
    }
    let mut i = s.floor(i);
    while i > start.at
        && start.quote.is_none()
        && matches!(s.before(i), b'.' | b':' | b'!' | b'?' | b'*' | b',')
    {
        // `Pa55word!`: the mark is a part of what would be a word without it.
        if s.before(i) == b'!' && s.at(i) != b' ' && value::is_strong(s.slice(start.at, i - 1)) {
            break;
        }
        i -= 1;
    }
    i
}

/// Whether the line is one of settings: the value fills it, and a line beside it has a user, a host or the like.
fn is_setting(s: &Scan<'_>, next: u8) -> bool {
    if !matches!(next, b'\n' | 0 | b'\r') {
        return false;
    }
    let is_one = |line: &str| {
        let line = line.trim();
        let name = line.split(['=', ':']).next().unwrap_or_default().trim();
        line.len() > name.len() && SETTINGS.iter().any(|n| name.eq_ignore_ascii_case(n))
            || line.starts_with('[') && line.ends_with(']')
    };
    let start = s.line.start;
    let before = s.slice(s.floor(start.saturating_sub(160)), start.saturating_sub(1));
    let after = s.line_end(start);
    let after = s.slice(after + 1, s.floor(after + 160));
    before.rsplit('\n').next().is_some_and(is_one) || after.split('\n').next().is_some_and(is_one)
}

const SETTINGS: [&str; 14] = [
    "user", "username", "login", "host", "hostname", "port", "database", "dbname", "db", "url", "server",
    "email", "name", "account",
];

/// A value that a scheme leads: `Authorization: Bearer …`, `Basic …`.
fn scheme(s: &mut Scan<'_>, at: usize) -> Option<usize> {
    let scheme = s.word_at(at);
    let end = at + scheme.len();
    if s.at(end) != b' ' {
        return None;
    }
    if ["bearer", "token", "apikey"].iter().any(|k| k.eq_ignore_ascii_case(scheme)) {
        return bearer(s, end);
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let start = s.skip_spaces(end);
    let stop = encoded_end(s, start);
    let body = s.slice(start, stop);
    let has = |f: fn(&u8) -> bool| body.as_bytes().iter().any(f);
    let pair = has(u8::is_ascii_digit) || has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    if body.len() < 8 || !pair || is_placeholder(body) {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, stop));
    Some(stop)
}

fn encoded_end(s: &Scan<'_>, start: usize) -> usize {
    let mut i = start;
    while class(s.at(i)) & ALNUM != 0 || matches!(s.at(i), b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=') {
        i += 1;
    }
    while i > start && matches!(s.before(i), b'.' | b'-') {
        i -= 1;
    }
    i
}

/// The credential after `Bearer`.
pub(in crate::fact) fn bearer(s: &mut Scan<'_>, end: usize) -> Option<usize> {
    let start = s.skip_spaces(end);
    let i = encoded_end(s, start);
    let body = s.slice(start, i);
    let digits = body.bytes().any(|b| b.is_ascii_digit());
    let capitals = body.bytes().filter(u8::is_ascii_uppercase).count();
    if start == end
        || body.len() < 8
        || !digits && (body.len() < 20 || capitals < 3)
        || is_placeholder(body)
        || value::is_named(body)
        || key(body).is_some() && body.contains('_')
        || body.bytes().all(|b| b.is_ascii_digit()) && body.len() < 12
    {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, i));
    Some(i)
}
