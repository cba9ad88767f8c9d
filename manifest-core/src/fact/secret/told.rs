//! Passwords that a sentence tells: `the password is …`, `changed the password to …`, `with password …`.

use super::super::Class;
use super::super::scan::Scan;
use super::super::token::Token;
use super::name;
use super::rest_of_line;
use super::value::is_told;
use crate::text::Span;

/// How far behind the word its verb may stand, in bytes: `the password for the staging database on db-7 is …`.
const FAR: usize = 64;

/// The password that is told after the word for it.
pub(super) fn told(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let key = s.slice(t.start, t.word).eq_ignore_ascii_case("key");
    if !key && !name::is_password(s.slice(t.start, t.word)) || s.at(t.word) != b' ' {
        return None;
    }
    let (at, direct) = value_at(s, t)?;
    let mut start = at;
    while s.is(start, "**") {
        start += 2;
    }
    let quote = Some(s.at(start)).filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    start += usize::from(quote.is_some());
    let mut end = start;
    while end < s.limit()
        && match quote {
            Some(quote) => !matches!(s.at(end), b'\n') && s.at(end) != quote,
            None => !matches!(s.at(end), b' ' | b'\n' | b'\t' | b',' | b';' | b')' | b'"' | b'`' | b'|'),
        }
    {
        end += 1;
    }
    let mut end = s.floor(end);
    while end > start && quote.is_none() && matches!(s.before(end), b'.' | b':' | b'?' | b'*') {
        end -= 1;
    }
    let body = s.slice(start, end);
    let random = |b: &str| {
        b.len() >= 16 && b.bytes().any(|b| b.is_ascii_digit()) && b.bytes().any(|b| b.is_ascii_alphabetic())
    };
    let closed = quote.is_some() || closes(s, end);
    if !closed
        || key && !random(body)
        || direct && quote.is_none() && !body.bytes().any(|b| b.is_ascii_digit())
    {
        return None;
    }
    if !is_told(body, quote.is_some() && !direct) {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, end));
    Some(end)
}

/// Where the value stands: behind the verb, or right behind the word where `with` or a comma leads it.
fn value_at(s: &Scan<'_>, t: Token) -> Option<(usize, bool)> {
    let clause = rest_of_line(s, t.word, FAR);
    let clause = clause.split(['.', ';', '!', '?', ',']).next().unwrap_or_default();
    for verb in [" is now ", " is ", " was ", " to ", " will be "] {
        if let Some(found) = clause.find(verb) {
            // `the password needs to be reset`, `password that is used`.
            let between = clause.get(..found).unwrap_or_default();
            let words = between.split_whitespace().count();
            let led = words == 0
                || between.trim_start().starts_with("for ")
                || between.trim_start().starts_with("of ")
                || between.trim_start().starts_with("on ")
                || between.trim_start().starts_with("in ");
            if led && words <= 7 {
                return Some((t.word + found + verb.len(), false));
            }
        }
    }
    let lead = s.word_before(t.start);
    let direct = ["with", "and", "using", "the", "use"].iter().any(|w| w.eq_ignore_ascii_case(lead))
        || matches!(s.slice(t.start.saturating_sub(2), t.start), ", " | "/ ");
    direct.then_some((t.word + 1, true))
}

/// Whether the sentence ends behind a value, or goes on with a word that does not describe it.
pub(super) fn closes(s: &Scan<'_>, end: usize) -> bool {
    match s.at(end) {
        b' ' => {
            let next = s.word_at(end + 1);
            ["and", "for", "on", "but", "so", "in", "then", "now", "at", "until", "since", "not"]
                .contains(&next)
                || matches!(s.at(end + 1), b'(' | b'-')
        }
        b'.' | b'?' | b':' | b'*' => matches!(s.at(end + 1), b' ' | b'\n' | b'\r' | b'*' | b')' | b'"' | 0),
        _ => true,
    }
}
