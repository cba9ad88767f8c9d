//! E-mail addresses.

use super::Class;
use super::byte::{ALNUM, LETTER, class};
use super::scan::Scan;
use super::token::Token;
use crate::text::Span;
use std::borrow::Cow;

/// `local@host.tld` at the head of the token.
pub(super) fn email(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    // `{closure@parent.rs:12:3}`.
    if s.before(t.start) == b'{' {
        return None;
    }
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
    if tld.len() < 2 || !tld.bytes().all(|b| class(b) & LETTER != 0) {
        return None;
    }
    // `git@host:team/repo` is where a repository is.
    if s.at(end) == b':' && class(s.at(end + 1)) & ALNUM != 0 && s.slice(end, t.end).contains('/') {
        s.push_text(Class::Url, t.span());
        return Some(t.end);
    }
    s.push_text(Class::Email, Span::new(t.start, end));
    Some(end)
}

/// The canonical text: the host in lower case.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    match surface.rsplit_once('@') {
        Some((local, host)) if host.bytes().any(|b| b.is_ascii_uppercase()) => {
            Cow::Owned(format!("{local}@{}", host.to_ascii_lowercase()))
        }
        _ => Cow::Borrowed(surface),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads};
    use crate::Class;

    #[test]
    fn addresses() {
        reads(
            Class::Email,
            &[
                ("mail a.b+c@acme.example, or 12x@b.example.", &["a.b+c@acme.example", "12x@b.example"]),
                ("<k@a.example>", &["k@a.example"]),
            ],
        );
        equal(&["kim@Acme.example", "kim@acme.example"]);
        none(Class::Email, &["a@b", "@acme/ui", "sha@1234567", "x @ y.example", "git@h.example:acme/r.git"]);
    }
}
