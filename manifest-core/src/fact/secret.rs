//! Credentials: one fact, nothing inside.

use super::Class;
use super::byte::{ALNUM, LETTER, class, is_word};
use super::scan::{Scan, Token};
use crate::text::Span;

/// A value under a sensitive key: `password=…`, `"token":"…"`, `Authorization: Bearer …`.
pub(super) fn keyed(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = key_end(s, t);
    let name = s.slice(t.start, end);
    if name.len() < 3 || name.len() > 40 {
        return None;
    }
    if name.eq_ignore_ascii_case("bearer")
        || name.eq_ignore_ascii_case("basic") && s.word_before(t.start).eq_ignore_ascii_case("authorization")
    {
        return bearer(s, end);
    }
    if !is_sensitive(name) {
        return None;
    }
    let value = separator(s, end)?;
    // `Authorization: Bearer x`: the scheme is read next and takes the value.
    let scheme = s.word_at(value);
    if ["bearer", "basic", "token"].iter().any(|k| k.eq_ignore_ascii_case(scheme))
        && s.at(value + scheme.len()) == b' '
    {
        return bearer(s, value + scheme.len());
    }
    let stop = value_end(s, value);
    let body = s.slice(value, stop);
    if is_placeholder(body) {
        return None;
    }
    s.push_text(Class::Secret, Span::new(value, stop));
    Some(stop)
}

/// The end of the key: a word with hyphens.
fn key_end(s: &Scan<'_>, t: Token) -> usize {
    let mut end = t.word;
    while s.at(end) == b'-' && is_word(s.at(end + 1)) && end < t.end {
        end += 1;
        while is_word(s.at(end)) {
            end += 1;
        }
    }
    end
}

/// Where the value begins after `=`, `:`, `": "` and the like.
fn separator(s: &Scan<'_>, end: usize) -> Option<usize> {
    let mut i = end;
    while matches!(s.at(i), b'\\' | b'"' | b'\'') && i - end < 4 {
        i += 1;
    }
    i = s.skip_spaces(i);
    if s.is(i, ":=") || s.is(i, "=>") {
        i += 2;
    } else if matches!(s.at(i), b'=' | b':') && s.at(i + 1) != b'=' && s.at(i + 1) != b':' {
        i += 1;
    } else {
        return None;
    }
    i = s.skip_spaces(i);
    while matches!(s.at(i), b'\\' | b'"' | b'\'' | b'`') {
        i += 1;
    }
    Some(i)
}

fn value_end(s: &Scan<'_>, start: usize) -> usize {
    let quoted = matches!(s.before(start), b'"' | b'\'' | b'`');
    let mut i = start;
    while i < s.limit {
        match s.at(i) {
            b'"' | b'\'' | b'`' | b'\n' | b'\\' | b'\r' => break,
            b' ' | b',' | b';' | b')' | b'}' | b']' | b'&' | b'<' | b'\t' if !quoted => break,
            _ => i += 1,
        }
    }
    while i > start && !quoted && matches!(s.before(i), b'.' | b':' | b'!' | b'?') {
        i -= 1;
    }
    i
}

/// Whether the name of a key says that its value is a credential.
fn is_sensitive(name: &str) -> bool {
    let lower = name.to_ascii_lowercase().replace('-', "_");
    let whole = matches!(
        lower.as_str(),
        "password"
            | "passwd"
            | "pwd"
            | "passphrase"
            | "secret"
            | "token"
            | "apikey"
            | "api_key"
            | "authorization"
            | "credential"
            | "credentials"
            | "private_key"
            | "access_key"
            | "secret_key"
            | "client_secret"
            | "auth_token"
            | "access_token"
            | "refresh_token"
            | "id_token"
            | "session_token"
            | "bearer_token"
            | "cookie"
            | "set_cookie"
            | "x_api_key"
            | "apisecret"
            | "accesstoken"
            | "refreshtoken"
            | "clientsecret"
            | "privatekey"
            | "secretkey"
            | "accesskey"
            | "authtoken"
            | "sessiontoken"
    );
    if whole {
        return true;
    }
    [
        "_password",
        "_passwd",
        "_secret",
        "_token",
        "_api_key",
        "_apikey",
        "_private_key",
        "_secret_key",
        "_access_key",
        "_secret_access_key",
        "_passphrase",
        "_pwd",
    ]
    .iter()
    .any(|k| lower.ends_with(k))
        && !["max_token", "next_token", "page_token", "continuation_token", "csrf_token_name"]
            .contains(&lower.as_str())
}

/// Whether the value is no credential: a count, a type, a variable, something already masked.
fn is_placeholder(body: &str) -> bool {
    if body.len() < 6 || body.bytes().all(|b| b.is_ascii_digit()) {
        // A short value of letters and digits may be a weak password; a short word is a description.
        let weak = body.len() >= 4
            && body.bytes().any(|b| b.is_ascii_digit())
            && body.bytes().any(|b| b.is_ascii_alphabetic());
        return !weak;
    }
    let lower = body.to_ascii_lowercase();
    body.starts_with(['$', '<', '[', '{', '*', '%', '('])
        || lower.starts_with("redacted")
        || body.bytes().all(|b| matches!(b, b'*' | b'x' | b'X' | b'.' | b'-'))
        || matches!(
            lower.as_str(),
            "string"
                | "required"
                | "optional"
                | "missing"
                | "invalid"
                | "expired"
                | "rotated"
                | "revoked"
                | "true"
                | "false"
                | "undefined"
                | "process"
                | "number"
                | "boolean"
                | "option"
                | "unknown"
                | "placeholder"
                | "changeme_here"
                | "environ"
                | "config"
                | "settings"
        )
        || lower.starts_with("process.env")
        || lower.starts_with("os.environ")
        || lower.starts_with("env.")
        || lower.starts_with("vault:")
}

/// The token after `Bearer`.
fn bearer(s: &mut Scan<'_>, end: usize) -> Option<usize> {
    let start = s.skip_spaces(end);
    if start == end {
        return None;
    }
    let mut i = start;
    while class(s.at(i)) & ALNUM != 0 || matches!(s.at(i), b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=') {
        i += 1;
    }
    while i > start && matches!(s.before(i), b'.' | b'-') {
        i -= 1;
    }
    let body = s.slice(start, i);
    if body.len() < 8 || !body.bytes().any(|b| b.is_ascii_digit()) && body.len() < 16 {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, i));
    Some(i)
}

/// A credential by its own shape: cloud and forge keys, JSON web tokens.
pub(super) fn shaped(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let text = s.slice(t.start, t.end);
    let tail = |n: usize| text.len() - n;
    let long = |prefix: &str, least: usize| {
        text.strip_prefix(prefix).is_some_and(|r| {
            r.len() >= least && r.bytes().all(|b| class(b) & ALNUM != 0 || matches!(b, b'_' | b'-' | b'.'))
        })
    };
    let aws = (text.starts_with("AKIA") || text.starts_with("ASIA"))
        && tail(4) >= 12
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let key = aws
        || long("ghp_", 20)
        || long("gho_", 20)
        || long("ghs_", 20)
        || long("github_pat_", 20)
        || long("glpat-", 16)
        || long("sk-", 20)
        || long("sk_live_", 12)
        || long("rk_live_", 12)
        || long("sk_test_", 12)
        || long("xoxb-", 12)
        || long("xoxp-", 12)
        || long("xapp-", 12)
        || long("AIza", 30)
        || long("npm_", 30)
        || long("hf_", 20)
        || long("pypi-", 30)
        || long("dop_v1_", 20)
        || is_web_token(text);
    if !key {
        return None;
    }
    s.push_text(Class::Secret, t.span());
    Some(t.end)
}

/// Three base64url parts, the first of them an encoded `{"`.
fn is_web_token(text: &str) -> bool {
    text.starts_with("eyJ")
        && text.split('.').count() == 3
        && text.len() > 40
        && text
            .split('.')
            .all(|p| p.len() > 4 && p.bytes().all(|b| class(b) & ALNUM != 0 || matches!(b, b'_' | b'-')))
}

/// A password in the authority of a URL: the rest of the URL is still told.
pub(super) fn in_url(s: &mut Scan<'_>, body: usize, end: usize) -> bool {
    let host = s.slice(body, end);
    let authority = host.find(['/', '?', '#']).map_or(host, |i| host.get(..i).unwrap_or(host));
    let Some((user, _)) = authority.rsplit_once('@') else { return false };
    let Some((name, password)) = user.split_once(':') else { return false };
    if password.is_empty() || is_placeholder(password) && password.len() < 3 {
        return false;
    }
    let start = body + name.len() + 1;
    s.push_text(Class::Secret, Span::new(start, start + password.len()));
    let rest = Span::new(start + password.len() + 1, end);
    if class(s.at(rest.start)) & LETTER != 0 || s.at(rest.start).is_ascii_digit() {
        s.push_text(Class::Url, rest);
    }
    true
}

/// A private key: all of its block.
pub(super) fn key_block(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.is(i, "-----BEGIN ") {
        return None;
    }
    let rest = s.text.get(i..s.limit)?;
    let head = rest.get(11..)?.split("-----").next()?;
    if !head.contains("PRIVATE KEY") || head.len() > 60 {
        return None;
    }
    let close = format!("-----END {head}-----");
    let end = match rest.find(&close) {
        Some(e) => i + e + close.len(),
        // Cut off: what is left of it is still secret, to the end of its lines.
        None => i + rest.find("\n\n").unwrap_or(rest.len()),
    };
    s.push_text(Class::Secret, Span::new(i, end));
    Some(end)
}
