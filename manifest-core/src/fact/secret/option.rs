//! Credentials in the options of commands: `--password …`, `curl -u user:…`, `mysql -p…`.

use super::super::Class;
use super::super::scan::Scan;
use super::name::key;
use super::value::{Place, is_credential, is_placeholder, is_strong};
use super::{LONGEST, rest_of_line};
use crate::text::Span;

/// How far before an option its program may stand, in bytes.
const FAR: usize = 600;

/// The credential of the option whose name stands at `name`, and which begins at `start`. The option itself is told.
pub(in crate::fact) fn option(s: &mut Scan<'_>, start: usize, name: Span, in_command: bool) -> Option<usize> {
    let long = s.at(start + 1) == b'-';
    let text = name.of(s.text);
    let (value, name_end) =
        if long && key(text).is_some() { (named(s, name, in_command)?, name.end) } else { short(s, name)? };
    if name_end > start + 1 {
        s.push_text(Class::Flag, Span::new(start, name_end));
    }
    s.push_text(Class::Secret, value);
    Some(value.end)
}

/// The value of a long option that names a credential.
fn named(s: &mut Scan<'_>, name: Span, in_command: bool) -> Option<Span> {
    let assigned = s.at(name.end) == b'=';
    if !assigned && s.at(name.end) != b' ' {
        return None;
    }
    let value = word(s, name.end + 1)?;
    let body = value.of(s.text);
    let place = Place { literal: true, ..Place::default() };
    let of = key(name.of(s.text))?;
    let shown = assigned || in_command || is_strong(body);
    (shown && !body.starts_with('-') && is_credential(of, body, place)).then_some(value)
}

/// The argument that begins at `start`, without its quotes.
fn word(s: &Scan<'_>, start: usize) -> Option<Span> {
    let quote = s.at(start);
    if matches!(quote, b'"' | b'\'') {
        let line = rest_of_line(s, start + 1, LONGEST);
        let end = line.bytes().position(|b| b == quote)?;
        return Some(Span::new(start + 1, start + 1 + end));
    }
    let mut end = start;
    while end < s.limit()
        && !matches!(
            s.at(end),
            b' ' | b'\n' | b'\t' | b'\r' | b'"' | b'\'' | b'`' | b';' | b'|' | b'<' | b'>'
        )
    {
        end += 1;
    }
    let end = s.floor(end);
    let text = s.slice(start, end).trim_end_matches(['.', ',', ')', ':', '?']);
    (!text.is_empty()).then(|| Span::new(start, start + text.len()))
}

/// How a program takes a credential.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// The argument is one.
    Whole,
    /// What follows the first colon (or percent sign) of the argument.
    Pair,
    /// The rest of the option itself.
    Rest,
}

/// Short options by program.
const SHORT: [(&[&str], &[&str], Takes); 9] = [
    (&["curl", "curlie"], &["u", "user", "U", "proxy-user"], Takes::Pair),
    (&["http", "https", "httpie", "xh"], &["a", "auth"], Takes::Pair),
    (&["smbclient", "rpcclient"], &["U"], Takes::Pair),
    (&["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "mysqlimport"], &["p"], Takes::Rest),
    (&["7z", "7za"], &["p"], Takes::Rest),
    (&["sshpass"], &["p"], Takes::Rest),
    (&["sshpass", "mongo", "mongosh", "mongodump", "mongorestore"], &["p"], Takes::Whole),
    (&["redis-cli", "valkey-cli"], &["a"], Takes::Whole),
    (&["ldapsearch", "ldapmodify", "ldapadd"], &["w"], Takes::Whole),
];

/// The credential of a short option, by the program that takes it, and where the option's own name ends.
fn short(s: &Scan<'_>, name: Span) -> Option<(Span, usize)> {
    let text = name.of(s.text);
    let head = text.chars().next()?;
    if !matches!(head, 'u' | 'U' | 'p' | 'a' | 'w' | 'P') || text.len() > 64 {
        return None;
    }
    let low = s.line.start.max(name.start.saturating_sub(FAR));
    let before = s.text.get(s.floor(low)..name.start)?;
    let ran = |programs: &[&str]| {
        before
            .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '$' | '(' | ';' | '|'))
            .any(|w| programs.contains(&w.rsplit('/').next().unwrap_or(w)))
    };
    let argument = || match s.at(name.end) {
        b' ' | b'=' => word(s, name.end + 1),
        _ => None,
    };
    let login = head == 'p' && text == "p" && before.contains("login");
    for (programs, names, takes) in SHORT {
        let value = match takes {
            // What is attached begins behind the letter; quotes and signs are no part of the option's name.
            Takes::Rest if names.contains(&text.get(..1).unwrap_or_default()) && ran(programs) => {
                match word(s, name.start + 1) {
                    Some(attached) => attached,
                    None => continue,
                }
            }
            Takes::Whole if names.contains(&text) && ran(programs) => argument()?,
            Takes::Pair if names.contains(&text) && ran(programs) => {
                let all = argument()?;
                let colon = all.of(s.text).find([':', '%'])?;
                Span::new(all.start + colon + 1, all.end)
            }
            _ => continue,
        };
        let end = if takes == Takes::Rest { name.start + 1 } else { name.end };
        return taken(s, value).map(|value| (value, end));
    }
    if login { argument().and_then(|value| taken(s, value)).map(|value| (value, name.end)) } else { None }
}

/// The value, unless it only stands where one would.
fn taken(s: &Scan<'_>, value: Span) -> Option<Span> {
    let body = value.of(s.text);
    (body.len() >= 3 && !body.starts_with('-') && (body == "pass" || !is_placeholder(body))).then_some(value)
}
