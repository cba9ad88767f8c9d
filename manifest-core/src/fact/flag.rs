//! Flags of command lines.

use super::byte::{ALNUM, HYPHEN, LETTER, class, is_word};
use super::scan::Scan;
use super::value::{Domain, Value};
use super::{Class, Fact};
use crate::text::Span;

/// A flag at a hyphen: `--retries 2`, `--name=value`, `-p ledger`.
pub(super) fn flag(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let b = s.before(i);
    if is_word(b) || b >= 0x80 || matches!(b, b'-' | b'/' | b'\\' | b'.' | b')' | b']' | b'<') {
        return None;
    }
    let long = s.at(i + 1) == b'-';
    let name = if long { i + 2 } else { i + 1 };
    if class(s.at(name)) & LETTER == 0 {
        return None;
    }
    let mut end = name;
    while class(s.at(end)) & (ALNUM | HYPHEN) != 0
        || matches!(s.at(end), b'_' | b'.') && is_word(s.at(end + 1))
    {
        end += 1;
    }
    while s.before(end) == b'-' {
        end -= 1;
    }
    let in_command = s.inside() == Some(Class::Command);
    if !long {
        // In prose a hyphen before a word is a dash or a bullet; a short flag is one or two letters.
        if end - name > 2 && !in_command || !in_command && !matches!(b, b' ' | b'`' | b'"' | b'(' | b'\'') {
            return None;
        }
        if !in_command && end - name > 1 && s.at(i.wrapping_sub(1)) != b'`' {
            return None;
        }
    }
    let value = value_end(s, name, end, long, in_command);
    let at = Span::new(i, value.map_or(end, |(_, e)| e));
    let whole = s.push_text(Class::Flag, at);
    if let Some((v, e)) = value {
        part(s, whole, Span::new(v, e));
    }
    Some(at.end)
}

/// Where the value of a flag stands, if it clearly has one.
fn value_end(s: &Scan<'_>, name: usize, end: usize, long: bool, in_command: bool) -> Option<(usize, usize)> {
    let assigned = s.at(end) == b'=';
    if !assigned && s.at(end) != b' ' {
        return None;
    }
    let start = end + 1;
    if assigned && matches!(s.at(start), b'"' | b'\'') {
        let q = s.at(start);
        let mut e = start + 1;
        while !matches!(s.at(e), 0 | b'\n') && s.at(e) != q {
            e += 1;
        }
        return (s.at(e) == q).then_some((start, e + 1));
    }
    let mut e = start;
    while !matches!(
        s.at(e),
        0 | b' ' | b'\n' | b'\t' | b'"' | b'\'' | b'`' | b';' | b')' | b'|' | b'>' | b'<' | b'&'
    ) {
        e += 1;
    }
    while e > start && matches!(s.before(e), b'.' | b',' | b':' | b'!' | b'?') {
        e -= 1;
    }
    if e == start {
        return None;
    }
    if assigned {
        return Some((start, e));
    }
    let word = s.slice(start, e);
    let number =
        word.bytes().all(|b| b.is_ascii_digit()) || word.bytes().next()?.is_ascii_digit() && word.len() < 8;
    if number && s.ends(e) {
        return Some((start, e));
    }
    let flag_name = s.slice(name, end);
    let plain = word
        .bytes()
        .all(|b| is_word(b) || matches!(b, b'-' | b'.' | b'/' | b':' | b',' | b'=' | b'@' | b'*'))
        && !word.starts_with(['-', '/', '.'])
        && !word.contains('/');
    let takes = if long {
        !is_switch(flag_name)
    } else {
        matches!(
            flag_name,
            "p" | "n"
                | "o"
                | "t"
                | "c"
                | "j"
                | "e"
                | "k"
                | "u"
                | "U"
                | "H"
                | "P"
                | "D"
                | "X"
                | "b"
                | "f"
                | "l"
                | "C"
                | "N"
                | "m"
                | "F"
                | "I"
                | "L"
        )
    };
    (in_command && plain && takes).then_some((start, e))
}

/// Flags that by convention take no value.
fn is_switch(name: &str) -> bool {
    name.starts_with("no-")
        || name.starts_with("all")
        || matches!(
            name,
            "release"
                | "verbose"
                | "quiet"
                | "force"
                | "dry-run"
                | "help"
                | "version"
                | "workspace"
                | "locked"
                | "offline"
                | "json"
                | "recursive"
                | "interactive"
                | "yes"
                | "watch"
                | "check"
                | "fix"
                | "debug"
                | "follow"
                | "hard"
                | "soft"
                | "staged"
                | "cached"
                | "oneline"
                | "stat"
                | "amend"
                | "lib"
                | "bins"
                | "tests"
                | "ignored"
                | "nocapture"
                | "exact"
                | "frozen"
                | "silent"
                | "global"
                | "save-dev"
                | "detach"
                | "rm"
                | "privileged"
                | "tty"
                | "init"
                | "wait"
                | "prune"
                | "tags"
                | "delete"
                | "force-with-lease"
        )
}

/// Adds the value of a flag as its part, where it is a number or a name.
fn part(s: &mut Scan<'_>, whole: usize, at: Span) {
    let text = at.of(s.text).trim_matches(['"', '\'']);
    let Some(offset) = at.of(s.text).find(text) else { return };
    let at = Span::new(at.start + offset, at.start + offset + text.len());
    let mut fact = if let Some(d) = super::decimal::Decimal::parse(text) {
        let v = Value::Number(d);
        Fact::new(Class::Number, at, v.key(), v)
    } else if text.contains('/') || super::path::extension(text).is_some_and(super::path::is_extension) {
        let key = Domain::Path.key(super::path::canonical(text).as_bytes());
        Fact::new(Class::Path, at, key, Value::Text)
    } else if text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().any(|b| b.is_ascii_alphabetic()) {
        Fact::new(Class::Identifier, at, Domain::Text.key(text.as_bytes()), Value::Text)
    } else {
        return;
    };
    fact.whole = Some(whole);
    s.push(fact);
}

/// The canonical text: `name value`, without quotes.
pub(super) fn canonical(surface: &str) -> String {
    match surface.split_once(['=', ' ']) {
        Some((name, value)) => format!("{name} {}", value.trim_matches(['"', '\''])),
        None => surface.to_owned(),
    }
}
