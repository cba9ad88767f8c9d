//! E-mail addresses.

use super::Class;
use super::byte::{ALNUM, LETTER, class};
use super::scan::{Scan, Token};
use crate::text::Span;

/// `local@host.tld` at the head of the token.
pub(super) fn email(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let surface = t.span().of(s.text);
    let at = surface.find('@')?;
    let local = surface.get(..at)?;
    if local.is_empty()
        || !local.bytes().all(|b| class(b) & ALNUM != 0 || matches!(b, b'.' | b'_' | b'-' | b'+' | b'%'))
    {
        return None;
    }
    let host = t.start + at + 1;
    let mut end = host;
    while class(s.at(end)) & ALNUM != 0
        || matches!(s.at(end), b'.' | b'-') && class(s.at(end + 1)) & ALNUM != 0
    {
        end += 1;
    }
    let (_, tld) = s.slice(host, end).rsplit_once('.')?;
    if tld.len() < 2
        || !tld.bytes().all(|b| class(b) & LETTER != 0)
        || s.at(end) == b':' && s.at(end + 1) == b'/'
    {
        return None;
    }
    s.push_text(Class::Email, Span::new(t.start, end));
    Some(end)
}

/// The canonical text: the host in lower case.
pub(super) fn canonical(surface: &str) -> String {
    match surface.rsplit_once('@') {
        Some((local, host)) => format!("{local}@{}", host.to_ascii_lowercase()),
        None => surface.to_owned(),
    }
}
