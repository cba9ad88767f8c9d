//! URLs.

use super::byte::class;
use super::byte::{ALNUM, LETTER};
use super::scan::Scan;
use super::token::Token;
use super::{Class, path, secret};
use crate::text::Span;
use std::borrow::Cow;

/// A URL at the head of the token: a scheme, `://`, and what follows up to the punctuation that closes a phrase.
pub(super) fn url(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let mut scheme = t.start;
    while class(s.at(scheme)) & ALNUM != 0 || matches!(s.at(scheme), b'+' | b'.' | b'-') {
        scheme += 1;
    }
    if scheme - t.start < 2 || class(s.at(t.start)) & LETTER == 0 || !s.is(scheme, "://") {
        return None;
    }
    let body = scheme + 3;
    let end = end_of(s, body);
    if end <= body {
        return None;
    }
    let at = Span::new(t.start, end);
    if s.slice(t.start, scheme).eq_ignore_ascii_case("file") {
        return Some(path::file_url(s, at));
    }
    if secret::in_url(s, t.start, body, end) {
        return Some(end);
    }
    s.push_text(Class::Url, at);
    Some(end)
}

/// Where a URL ends whose host begins at `body`: at a space, a quote, an angle bracket, punctuation of a dense script,
/// or a closing bracket that it did not open; without the punctuation that ends the sentence.
fn end_of(s: &Scan<'_>, body: usize) -> usize {
    let mut depth = [0i32; 2];
    let mut i = body;
    while i < s.limit() {
        match s.at(i) {
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'<' | b'>' | b'`' | b'|' | b'{' | b'}' | b'^' | b'\\'
            | 0 => break,
            b'\'' if !s.at(i + 1).is_ascii_alphanumeric() => break,
            // `user:***@host`: a password that somebody hid.
            b'*' | 0xe2 if let Some(host) = after_mask(s, i) => {
                i = host;
                continue;
            }
            b'*' if s.at(i + 1) == b'*' => break,
            b'(' => depth[0] += 1,
            b'[' => depth[1] += 1,
            b')' => {
                depth[0] -= 1;
                if depth[0] < 0 {
                    break;
                }
            }
            b']' => {
                depth[1] -= 1;
                if depth[1] < 0 {
                    break;
                }
            }
            b if b >= 0x80 => match s.char_at(i) {
                Some(c) if c.is_alphanumeric() => {
                    i += c.len_utf8();
                    continue;
                }
                _ => break,
            },
            _ => {}
        }
        i += 1;
    }
    while i > body && matches!(s.before(i), b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_') {
        i -= 1;
    }
    i
}

/// Where the `@` stands that follows a mask of stars or dots, which begins at `i` behind a colon or slash.
fn after_mask(s: &Scan<'_>, i: usize) -> Option<usize> {
    let mask = s.char_at(i).filter(|c| matches!(c, '*' | '•') && matches!(s.before(i), b':' | b'/'))?;
    let mut end = i;
    while end < s.limit() && s.char_at(end) == Some(mask) {
        end += mask.len_utf8();
    }
    (s.at(end) == b'@').then_some(end)
}

/// The canonical text: scheme and host in lower case, no default port, no lone final slash.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = surface.split_once("://") else { return Cow::Borrowed(surface) };
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let default = |port: &str, name: &str| authority.ends_with(port) && scheme.eq_ignore_ascii_case(name);
    let port = if default(":443", "https") {
        4
    } else if default(":80", "http") {
        3
    } else {
        0
    };
    let small = |t: &str| !t.bytes().any(|b| b.is_ascii_uppercase() || b >= 0x80);
    if port == 0 && tail != "/" && small(scheme) && small(authority) {
        return Cow::Borrowed(surface);
    }
    let authority = authority.get(..authority.len() - port).unwrap_or(authority);
    let host = authority.rfind('@').map_or(0, |i| i + 1);
    let (user, host) = authority.split_at(host);
    let tail = if tail == "/" { "" } else { tail };
    Cow::Owned(format!("{}://{user}{}{tail}", scheme.to_ascii_lowercase(), host.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, reads, unequal};
    use crate::Class;

    #[test]
    fn where_a_url_ends() {
        reads(
            Class::Url,
            &[
                (
                    "Docs: https://docs.acme.example/a_(b)?x=1&y=%20z#frag.",
                    &["https://docs.acme.example/a_(b)?x=1&y=%20z#frag"],
                ),
                ("<https://docs.acme.example/a_(b)>", &["https://docs.acme.example/a_(b)"]),
                ("[runbook](https://wiki.acme.example/run/42), then", &["https://wiki.acme.example/run/42"]),
                ("{\"url\":\"https://a.example/x\"}", &["https://a.example/x"]),
                ("见https://a.example/x。好", &["https://a.example/x"]),
                (
                    "**https://a.example/x** and 'https://b.example'",
                    &["https://a.example/x", "https://b.example"],
                ),
                (
                    "s3://exp-77/raw/part-0.csv; git+ssh://git@h.example/r.git",
                    &["s3://exp-77/raw/part-0.csv", "git+ssh://git@h.example/r.git"],
                ),
            ],
        );
        assert_eq!(all("https://a.example/3f9a1c20/v2/x.rs:12").len(), 1);
    }

    #[test]
    fn what_a_mask_hides_leaves_the_url_that_a_credential_leaves() {
        let given = "postgresql://rw:Tr0ub4dor3xyz@10.4.7.19:5432/ledger";
        let url = |text: &str| {
            let of_text = |f: &crate::Fact| f.span.of(text).to_owned();
            crate::read(text).facts.iter().find(|f| f.class == Class::Url).map(of_text)
        };
        for mask in ["[secret]", "***", "••••", "xxxx", "REDACTED"] {
            let masked = given.replace("Tr0ub4dor3xyz", mask);
            assert_eq!(url(&masked), url(given), "{masked}");
            assert_eq!(url(&masked).as_deref(), Some("10.4.7.19:5432/ledger"), "{masked}");
        }
        let token = "https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b";
        assert_eq!(url("https://[secret]@github.com/a/b"), url(token));
        let query = "https://x.example/f?password=hunter2x&day=3";
        assert_eq!(url("https://x.example/f?password=[secret]&day=3"), url(query));
        unequal(&["pg://rw:[secret]@db.example/a", "pg://rw:[secret]@db.example/b"]);
        // Bold type is no mask.
        assert_eq!(url("**see https://a.example/x:** it is down").as_deref(), Some("https://a.example/x"));
    }

    #[test]
    fn hosts_have_no_case_and_paths_do() {
        equal(&["https://Wiki.Acme.example/Run", "HTTPS://wiki.acme.example:443/Run"]);
        equal(&["http://a.example", "http://a.example/", "http://a.example:80"]);
        unequal(&["https://a.example/Run", "https://a.example/run", "http://a.example/run"]);
    }
}
