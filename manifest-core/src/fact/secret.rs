//! Credentials: one fact, nothing inside.

use super::Class;
use super::byte::{ALNUM, class, is_word};
use super::hook::{HOOKS, Hook};
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use crate::text::Span;

/// No key block is longer, in bytes.
const LONGEST_KEY: usize = 16 * 1024;
/// Shorter values are no credentials.
const SHORTEST: usize = 4;

/// A value under a sensitive key: `password=…`, `"token":"…"`, `Authorization: Bearer …`.
pub(super) fn keyed(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = key_end(s, t);
    let name = s.slice(t.start, end);
    let (value, quoted, spaced) = separator(s, end)?;
    if !is_sensitive(name) {
        return None;
    }
    // `Authorization: Bearer x`: the scheme takes the value.
    let scheme = s.word_at(value);
    if ["bearer", "basic", "token"].iter().any(|k| k.eq_ignore_ascii_case(scheme))
        && s.at(value + scheme.len()) == b' '
    {
        return bearer(s, value + scheme.len());
    }
    let stop = value_end(s, value, quoted);
    let body = s.slice(value, stop);
    // After a colon and a space running text may go on: there a plain word is a credential only under the name of a
    // password, and as the last word.
    let prose = spaced && !quoted && body.bytes().all(|b| b.is_ascii_lowercase());
    if is_placeholder(body) || prose && !(is_password(name) && matches!(s.at(stop), b'\n' | 0 | b',' | b';'))
    {
        return None;
    }
    s.push_text(Class::Secret, Span::new(value, stop));
    Some(stop)
}

/// The end of the key: words joined by hyphens.
fn key_end(s: &Scan<'_>, t: Token) -> usize {
    let mut end = t.word;
    while end < t.end && s.at(end) == b'-' && is_word(s.at(end + 1)) {
        end += 1;
        while is_word(s.at(end)) {
            end += 1;
        }
    }
    end
}

/// Where the value begins after `=`, `:`, `": "` and the like; whether it is quoted, and whether a space stands before
/// it.
fn separator(s: &Scan<'_>, end: usize) -> Option<(usize, bool, bool)> {
    let mut i = end;
    while matches!(s.at(i), b'\\' | b'"' | b'\'') && i - end < 4 {
        i += 1;
    }
    i = s.skip_spaces(i);
    if s.is(i, ":=") || s.is(i, "=>") {
        i += 2;
    } else if matches!(s.at(i), b'=' | b':') && !matches!(s.at(i + 1), b'=' | b':') {
        i += 1;
    } else {
        return None;
    }
    let value = s.skip_spaces(i);
    let mut j = value;
    while matches!(s.at(j), b'\\' | b'"' | b'\'' | b'`') {
        j += 1;
    }
    Some((j, j > value, value > i))
}

fn value_end(s: &Scan<'_>, start: usize, quoted: bool) -> usize {
    let mut i = start;
    loop {
        match s.at(i) {
            0 if i >= s.limit() => break,
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
    if !(3..=40).contains(&name.len()) {
        return false;
    }
    if HOOKS.get_folded(name.as_bytes()) == Some(Hook::Sensitive) {
        return true;
    }
    let lower = name.to_ascii_lowercase().replace('-', "_");
    let tails = [
        "_password",
        "_passwd",
        "_pwd",
        "_passphrase",
        "_secret",
        "_token",
        "api_key",
        "_apikey",
        "private_key",
        "secret_key",
        "access_key",
        "access_key_id",
        "set_cookie",
        "_credentials",
        "signing_key",
        "encryption_key",
    ];
    tails.iter().any(|tail| lower.ends_with(tail)) && !COUNTS.has(&lower)
}

/// Keys that only look sensitive.
static COUNTS: Words<16> =
    Words::new("max_token next_token page_token continuation_token stop_token pad_token eos_token");

fn is_password(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["password", "passwd", "pwd", "passphrase"].iter().any(|p| lower.ends_with(p))
}

/// Whether the value is no credential: a count, a type, a variable, something already masked.
fn is_placeholder(body: &str) -> bool {
    let mut bytes = body.bytes();
    body.len() < SHORTEST
        || body.len() < 8 && bytes.clone().all(|b| b.is_ascii_digit())
        || body.starts_with(['$', '<', '[', '{', '*', '%', '('])
        || bytes.all(|b| matches!(b, b'*' | b'x' | b'X' | b'.' | b'-' | b'_'))
        || [
            "redacted",
            "process.env",
            "os.environ",
            "env.",
            "env(",
            "vault:",
            "secrets.",
            "secretref",
            "arn:",
        ]
        .iter()
        .any(|head| body.get(..head.len()).is_some_and(|h| h.eq_ignore_ascii_case(head)))
        || PLACEHOLDERS.has_folded(body)
}

static PLACEHOLDERS: Words<64> = Words::new(
    "string required optional missing invalid expired rotated revoked true false undefined null none number boolean option \
     unknown placeholder config settings unset empty hidden masked present absent valid enabled disabled str self",
);

/// The credential after `Bearer`.
pub(super) fn bearer(s: &mut Scan<'_>, end: usize) -> Option<usize> {
    let start = s.skip_spaces(end);
    let mut i = start;
    while class(s.at(i)) & ALNUM != 0 || matches!(s.at(i), b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=') {
        i += 1;
    }
    while i > start && matches!(s.before(i), b'.' | b'-') {
        i -= 1;
    }
    let body = s.slice(start, i);
    if start == end || body.len() < 8 || !body.bytes().any(|b| b.is_ascii_digit()) && body.len() < 20 {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, i));
    Some(i)
}

/// Heads of keys that clouds and forges give out, and how much follows at least.
const SHAPES: [(&str, usize); 21] = [
    ("AKIA", 12),
    ("ASIA", 12),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 20),
    ("sk_live_", 12),
    ("rk_live_", 12),
    ("sk_test_", 12),
    ("xoxb-", 12),
    ("xoxp-", 12),
    ("xapp-", 12),
    ("AIza", 30),
    ("npm_", 30),
    ("hf_", 20),
    ("pypi-", 30),
    ("dop_v1_", 20),
    ("SG.", 30),
];

/// A credential by its own shape: cloud and forge keys, JSON web tokens.
pub(super) fn shaped(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.len() < 15 {
        return None;
    }
    let text = s.slice(t.start, t.end);
    let body = |b: u8| class(b) & ALNUM != 0 || matches!(b, b'_' | b'-' | b'.');
    let known = SHAPES.iter().any(|(head, least)| {
        text.strip_prefix(head).is_some_and(|rest| {
            rest.len() >= *least
                && rest.bytes().all(body)
                && rest.bytes().any(|b| b.is_ascii_digit())
                && (*least != 12
                    || head.contains(['_', '-'])
                    || !rest.bytes().any(|b| b.is_ascii_lowercase()))
        })
    });
    let end = if known { t.end } else { web_token(s, t.start)? };
    s.push_text(Class::Secret, Span::new(t.start, end));
    Some(end)
}

/// The end of three parts of base64url, the first of them an encoded `{"`.
fn web_token(s: &Scan<'_>, start: usize) -> Option<usize> {
    if !s.is(start, "eyJ") {
        return None;
    }
    let mut end = start;
    while class(s.at(end)) & ALNUM != 0 || matches!(s.at(end), b'_' | b'-' | b'.') {
        end += 1;
    }
    let text = s.slice(start, end).trim_end_matches(['.', '-']);
    let parts = text.split('.').count() == 3 && text.split('.').all(|p| p.len() > 4);
    (parts && text.len() > 40).then_some(start + text.len())
}

/// A credential within a URL that begins at `start`: a password before the host, or a sensitive parameter. What else
/// the URL says is still told.
pub(super) fn in_url(s: &mut Scan<'_>, start: usize, body: usize, end: usize) -> bool {
    let text = s.slice(body, end);
    let authority = text.split(['/', '?', '#']).next().unwrap_or(text);
    if let Some((user, _)) = authority.rsplit_once('@')
        && let Some((name, password)) = user.split_once(':')
        && password.len() > 1
        && !password.starts_with(['$', '<', '{', '*', '['])
    {
        let from = body + name.len() + 1;
        let to = from + password.len();
        s.push_text(Class::Secret, Span::new(from, to));
        if to + 1 < end {
            s.push_text(Class::Url, Span::new(to + 1, end));
        }
        return true;
    }
    let Some(query) = text.find('?') else { return false };
    let mut at = body + query + 1;
    let mut found = false;
    for pair in s.slice(at, end).split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && (is_sensitive(name) || SIGNATURES.has_folded(name))
            && value.len() >= 8
        {
            if !found {
                s.push_text(Class::Url, Span::new(start, body + query));
                found = true;
            }
            let from = at + name.len() + 1;
            s.push_text(Class::Secret, Span::new(from, from + value.len()));
        }
        at += pair.len() + 1;
    }
    found
}

/// Parameters that sign a request.
static SIGNATURES: Words<16> =
    Words::new("sig signature x-amz-signature x-goog-signature x-amz-credential key code");

/// A private key: all of its block.
pub(super) fn key_block(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.is(i, "-----BEGIN ") {
        return None;
    }
    let rest = s.slice(i, s.floor(i + LONGEST_KEY));
    let head = rest.get(11..)?.split("-----").next()?;
    if !head.contains("PRIVATE KEY") || head.len() > 60 {
        return None;
    }
    let close = format!("-----END {head}-----");
    let end = match rest.find(&close) {
        Some(e) => i + e + close.len(),
        // Cut off: what is left of it is still secret, up to the next empty line.
        None => i + rest.find("\n\n").unwrap_or(rest.len()),
    };
    s.push_text(Class::Secret, Span::new(i, end));
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, none, of, reads};
    use crate::{Class, read};

    #[test]
    fn values_under_sensitive_keys() {
        reads(
            Class::Secret,
            &[
                ("{\"token\":\"deadbeef12345678\",\"bucket\":\"exp-77\"}", &["deadbeef12345678"]),
                ("{\"args\":\"{\\\"api_key\\\":\\\"Zx81Qr55\\\"}\"}", &["Zx81Qr55"]),
                ("DB_PASSWORD=hunter2x and PORT=7001", &["hunter2x"]),
                ("password: swordfish\nuser: kim", &["swordfish"]),
                ("aws_secret_access_key = abCD/12+ef==", &["abCD/12+ef=="]),
                ("X-Api-Key: 77aa88bb", &["77aa88bb"]),
                ("Authorization: Bearer tk_live_EXAMPLE_0a1b2c3d4e5f.", &["tk_live_EXAMPLE_0a1b2c3d4e5f"]),
                ("clientSecret: 'q8W-e9R_t0'", &["q8W-e9R_t0"]),
            ],
        );
        assert_eq!(
            of(Class::Identifier, "{\"token\":\"deadbeef12345678\",\"bucket\":\"exp-77\"}"),
            ["exp-77"]
        );
    }

    #[test]
    fn secrets_by_their_shape() {
        let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{}", "a1B2c3D4".repeat(4));
        reads(
            Class::Secret,
            &[
                ("Pasted key AKIAEXAMPLE00000000. Migrate", &["AKIAEXAMPLE00000000"]),
                ("ghp_0a1b2c3d4e5f6g7h8i9j0k1l", &["ghp_0a1b2c3d4e5f6g7h8i9j0k1l"]),
                (&format!("jwt {jwt} end"), &[&jwt]),
                ("postgres://app:s3cr3t@db.acme.example:5432/pay", &["s3cr3t"]),
                ("https://x.example/f?id=4&token=abcd1234efgh", &["abcd1234efgh"]),
            ],
        );
        let text =
            "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJB\nAKj34\n-----END RSA PRIVATE KEY-----\nend";
        assert_eq!(all(text).len(), 1);
        let cut = "-----BEGIN PRIVATE KEY-----\nMIIBOgIBAAJB\n\nnode-4";
        assert_eq!(all(cut).iter().map(|f| f.0).collect::<Vec<_>>(), [Class::Secret, Class::Identifier]);
    }

    #[test]
    fn what_is_no_secret() {
        none(
            Class::Secret,
            &[
                "the rollback token is VX-51-KILO",
                "Lena revoked token tkn_live_88.",
                "Tokens must be at least 32 bytes",
                "auth: token TTL 900 s",
                "max_tokens=4096, total_tokens: 512",
                "password=$DB_PASSWORD token=<redacted> secret: [REDACTED]",
                "token: expired",
                "The secret: always test first",
                "api_key: string",
                "password=******",
                "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
            ],
        );
    }

    #[test]
    fn a_secret_has_no_canonical_text_and_no_id() {
        let r = read("password=hunter2x");
        assert_eq!((r.canonical(&r.facts[0]).as_ref(), r.id(&r.facts[0])), ("", None));
    }

    #[test]
    fn nothing_around_a_secret_prints_it() {
        for text in [
            "Run `psql password=Tr0ub4dor3xyz` on db-7.",
            "ran psql password=Tr0ub4dor3xyz -c 'select 1' on db-7",
            "it said \"password=Tr0ub4dor3xyz is wrong\" on db-7",
        ] {
            let r = read(text);
            assert!(r.facts.iter().any(|f| f.class == Class::Secret), "{text}");
            assert!(r.facts.iter().any(|f| f.span.of(text) == "db-7"), "{text}");
            for f in r.facts.iter().filter(|f| f.class != Class::Secret) {
                assert!(!f.span.of(text).contains("Tr0ub4dor3xyz"), "{} in {text}", f.class);
                assert!(f.whole.is_none_or(|w| w < r.facts.len()));
            }
        }
    }
}
