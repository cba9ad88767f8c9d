//! Names of code, and environment variables.

use super::Class;
use super::byte::{ALNUM, COLON, DIGIT, DOT, HYPHEN, LETTER, LOWER, UNDER, UPPER, class, is_word};
use super::layout::Fence;
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use super::{identifier, name, range, ticket};
use crate::text::Span;

/// `$NAME`, `${NAME}`.
pub(super) fn variable(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let start = i + 1 + usize::from(s.at(i + 1) == b'{');
    let mut end = start;
    while is_word(s.at(end)) {
        end += 1;
    }
    let name = s.slice(start, end);
    // `$XXX` is an amount that somebody masked.
    let masked = name.bytes().all(|b| Some(b) == name.bytes().next());
    if name.len() < 2 || masked || class(s.at(start)) & (LETTER | UNDER) == 0 {
        return None;
    }
    let class = if name.bytes().any(|b| b.is_ascii_lowercase()) { Class::Symbol } else { Class::EnvVar };
    s.push_text(class, Span::new(start, end));
    Some(end)
}

/// A name of code in a token of more than letters: `snake_case`, `a::b`, `f()`, `__x__`, `MAX_BATCH`.
pub(super) fn symbol(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(COLON)
        && let Some(end) = scoped(s, t)
    {
        return Some(end);
    }
    if t.has(DOT)
        && let Some(end) = dotted(s, t)
    {
        return Some(end);
    }
    let name = s.slice(t.start, t.word);
    if t.word != t.end && s.at(t.word) == b'-' {
        return kebab(s, t);
    }
    let joins = name.trim_end_matches('_').contains('_') && name.bytes().any(|b| class(b) & ALNUM != 0);
    if !joins || name.len() < 3 {
        return call(s, Token { end: t.word, ..t });
    }
    if name::is_spelled(name) {
        s.push_text(Class::Name, Span::new(t.start, t.word));
        return Some(t.word);
    }
    let has = |f: fn(&u8) -> bool| name.as_bytes().iter().any(f);
    let class = if !has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) {
        if is_environment(s, t.start, t.word) { Class::EnvVar } else { Class::Symbol }
    } else if has(u8::is_ascii_digit) && !is_typed(name) {
        Class::Identifier
    } else {
        Class::Symbol
    };
    if class == Class::Identifier && identifier::is_technical(name) {
        return Some(t.word);
    }
    let at = Span::new(t.start, t.word);
    if has(u8::is_ascii_digit)
        && let Some(end) = range::names(s, at)
    {
        return Some(end);
    }
    let i = s.push_text(class, at);
    if is_key(s, at)
        && let Some(fact) = s.facts.get_mut(i)
    {
        fact.marker = true;
    }
    Some(past_parens(s, t.word))
}

/// Whether the only digits of a name are those of a type or the like: `as_u64`, `to_utf8`.
fn is_typed(name: &str) -> bool {
    let digits = |p: &&str| p.bytes().any(|b| b.is_ascii_digit());
    name.split('_').filter(digits).all(identifier::is_technical)
}

/// Whether a name in small letters is the key of the value that follows it: then it labels that value. A key of a
/// boolean says all that the record does, and a name in capitals stands for itself.
fn is_key(s: &Scan<'_>, at: Span) -> bool {
    if !at.of(s.text).bytes().any(|b| b.is_ascii_lowercase()) {
        return false;
    }
    let mut i = at.end;
    while matches!(s.at(i), b'"' | b'\'' | b'\\' | b'`' | b'*') {
        i += 1;
    }
    i = s.skip_spaces(i);
    if !matches!(s.at(i), b':' | b'=') || matches!(s.at(i + 1), b':' | b'=' | b'>') {
        return false;
    }
    i = s.skip_spaces(i + 1);
    while matches!(s.at(i), b'"' | b'\'' | b'\\' | b'`' | b'[' | b'{' | b'*' | b' ') {
        i += 1;
    }
    let value = s.word_at(i);
    !matches!(value, "true" | "false" | "null" | "None" | "True" | "False" | "on" | "off" | "yes" | "no")
        && s.at(i) != b'\n'
}

/// How far around a name a word of the environment is looked for, in bytes.
const NEAR: usize = 120;

/// Whether a name in capitals is an environment variable: assigned at the head of a line, exported, or on a line that
/// speaks of the environment.
fn is_environment(s: &Scan<'_>, start: usize, end: usize) -> bool {
    if s.word_before(start) == "export" || start == s.line.content && s.at(end) == b'=' {
        return true;
    }
    let low = s.line.start.max(start.saturating_sub(NEAR));
    let tail = s.bytes.get(end..s.limit().min(end + NEAR)).unwrap_or_default();
    let high = end + tail.iter().position(|&b| b == b'\n').unwrap_or(tail.len());
    s.bytes.get(low..high).unwrap_or_default().windows(3).any(|w| w.eq_ignore_ascii_case(b"env"))
}

/// `a::b`, `std::fmt::Display`.
fn scoped(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let mut end = t.word;
    while s.is(end, "::") && class(s.at(end + 2)) & (LETTER | UNDER) != 0 {
        end += 2;
        while is_word(s.at(end)) {
            end += 1;
        }
    }
    if end == t.word {
        return None;
    }
    s.push_text(Class::Symbol, Span::new(t.start, end));
    Some(past_parens(s, end))
}

/// `a.b.c`, `object.method()`; in running text, a dotted name is an identifier (a host, a key).
fn dotted(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let mut end = t.word;
    let mut parts = 1;
    while s.at(end) == b'.' && class(s.at(end + 1)) & (LETTER | UNDER) != 0 {
        end += 1;
        while is_word(s.at(end)) || s.at(end) == b'-' && is_word(s.at(end + 1)) {
            end += 1;
        }
        parts += 1;
    }
    let name = s.slice(t.start, end);
    let code = name.contains('_') || s.at(end) == b'(';
    let letters = name.split('.').all(|p| p.len() == 1);
    // Two words that met without a space after a full stop: the second has a capital.
    let capital = |p: &str| p.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    let sentence = !code && name.split('.').skip(1).any(capital);
    if parts < 2 || letters || sentence || ABBREVIATIONS.has(name) {
        return None;
    }
    let class = if code || s.line.fence != Fence::No { Class::Symbol } else { Class::Identifier };
    s.push_text(class, Span::new(t.start, end));
    Some(past_parens(s, end))
}

static ABBREVIATIONS: Words<16> = Words::new("e.g i.e a.k.a vs.the etc.and");

/// A hyphenated token with an underscore: `my_crate-sys`.
fn kebab(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let spelled = s.slice(t.start, t.end).split('-').any(name::is_spelled);
    let code = !spelled && t.has(UNDER) && !t.has(DIGIT) && t.only(LOWER | UPPER | UNDER | HYPHEN);
    code.then(|| {
        s.push_text(Class::Symbol, t.span());
        t.end
    })
}

/// A name of letters that is code by its shape: `camelCase`, an `errno`, or `f()`.
pub(super) fn letters(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let name = s.slice(t.start, t.end);
    let bytes = name.as_bytes();
    let camel = bytes.len() > 3
        && bytes.first().is_some_and(u8::is_ascii_lowercase)
        && bytes.iter().any(u8::is_ascii_uppercase)
        && !is_brand(name);
    if camel {
        s.push_text(Class::Symbol, t.span());
        return Some(past_parens(s, t.end));
    }
    if ticket::is_errno(name) {
        s.push_text(Class::ErrorCode, t.span());
        return Some(t.end);
    }
    call(s, t)
}

/// Whether a small letter before a capital is the brand of a product (`iPod`, `eBooks`) rather than a name of code.
fn is_brand(name: &str) -> bool {
    let tail = name.strip_prefix(['i', 'e']).unwrap_or_default();
    let plain = tail.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    plain && tail.starts_with(|c: char| c.is_ascii_uppercase()) || BRANDS.has(name)
}

static BRANDS: Words<16> = Words::new("iOS macOS iPadOS tvOS watchOS iMessage");

/// `f()`: the empty parentheses make a name of code of any word.
pub(super) fn call(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    // The call of a method on a value names nothing that the value's own name would not.
    (s.is(t.end, "()") && t.len() > 1 && s.before(t.start) != b'.').then(|| {
        s.push_text(Class::Symbol, t.span());
        t.end + 2
    })
}

fn past_parens(s: &Scan<'_>, end: usize) -> usize {
    if s.is(end, "()") { end + 2 } else { end }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::{Class, read};

    #[test]
    fn names_of_code() {
        reads(
            Class::Symbol,
            &[
                (
                    "Set **max_in_flight** to `64` and _never_ touch `__init_lock__`.",
                    &["max_in_flight", "__init_lock__"],
                ),
                ("std::fmt::Display for frame_decode+0x3e8", &["std::fmt::Display", "frame_decode"]),
                (
                    "call flush() and parseUrl, then self.retry_count",
                    &["flush", "parseUrl", "self.retry_count"],
                ),
                ("const MAX_BATCH: usize = 4096;", &["MAX_BATCH"]),
                (
                    "failed (auth_refresh, auth_logout, fx_round)",
                    &["auth_refresh", "auth_logout", "fx_round"],
                ),
            ],
        );
        equal(&["`flush()`", "flush()"]);
        unequal(&["max_idle", "max_open", "MAX_IDLE"]);
    }

    #[test]
    fn environment_variables() {
        reads(
            Class::EnvVar,
            &[
                (
                    "The worker reads PGBOUNCER_MAX_CLIENT_CONN from the environment",
                    &["PGBOUNCER_MAX_CLIENT_CONN"],
                ),
                ("echo $HOME ${APP_MODE}", &["HOME", "APP_MODE"]),
                ("APP_MODE=live", &["APP_MODE"]),
            ],
        );
    }

    #[test]
    fn a_key_labels_its_value() {
        let marked =
            |text: &str| read(text).facts.iter().find(|f| f.class == Class::Symbol).map(|f| f.marker);
        assert_eq!(marked("max_open = 50"), Some(true));
        assert_eq!(marked("{\"user_id\": \"kim_4397\"}"), Some(true));
        assert_eq!(marked("{\"dry_run\": true}"), Some(false));
        assert_eq!(marked("raise max_open to 80"), Some(false));
        assert_eq!(marked("MAX_BATCH = 50"), Some(false));
    }

    #[test]
    fn words_that_are_no_code() {
        none(
            Class::Symbol,
            &[
                "e.g. this",
                "iPhone",
                "an iPod",
                "anti-R_S_I_ one",
                "pays $XXX",
                "the end.Next one",
                "U.S. team",
                "a_",
                "well-known",
                "PostgreSQL",
                "JetStream",
                "McDonald",
            ],
        );
    }
}
