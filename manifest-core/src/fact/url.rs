//! URLs.

use super::byte::class;
use super::byte::{ALNUM, LETTER};
use super::scan::{Scan, Token};
use super::{Class, path, secret};
use crate::text::Span;

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
        return path::file_url(s, at);
    }
    if secret::in_url(s, body, end) {
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
    while i < s.limit {
        match s.at(i) {
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'<' | b'>' | b'`' | b'|' | b'{' | b'}' | b'^' | 0 => break,
            b'\\' => break,
            b'\'' if !s.at(i + 1).is_ascii_alphanumeric() => break,
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

/// The canonical text: scheme and host in lower case, no default port, no lone final slash.
pub(super) fn canonical(surface: &str) -> String {
    let Some((scheme, rest)) = surface.split_once("://") else { return surface.to_owned() };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(host_end);
    let scheme = scheme.to_ascii_lowercase();
    let (user, host) = host.rsplit_once('@').map_or(("", host), |(u, h)| (u, h));
    let mut host = host.to_lowercase();
    let default = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => "\0",
    };
    if let Some(h) = host.strip_suffix(default) {
        host = h.to_owned();
    }
    let tail = if tail == "/" { "" } else { tail };
    if user.is_empty() {
        format!("{scheme}://{host}{tail}")
    } else {
        format!("{scheme}://{user}@{host}{tail}")
    }
}
