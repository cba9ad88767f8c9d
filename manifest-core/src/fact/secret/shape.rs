//! Credentials by their own shape: keys of clouds and forges, web tokens, private keys.

use super::super::Class;
use super::super::byte::{ALNUM, class};
use super::super::scan::Scan;
use super::super::token::Token;
use super::value::{is_named, is_placeholder};
use crate::text::Span;

/// No key block is longer, in bytes.
const LONGEST_KEY: usize = 16 * 1024;
/// How far behind the id of an access key its secret is looked for, in bytes.
const BESIDE: usize = 200;
/// The length of such a secret.
const SECRET: usize = 40;

/// Heads of keys that are given out, and how much follows at least.
const SHAPES: [(&str, usize); 58] = [
    ("AKIA", 12),
    ("ASIA", 12),
    ("ABIA", 16),
    ("ACCA", 16),
    ("LTAI", 16),
    ("AIza", 30),
    ("ya29.", 20),
    ("GOCSPX-", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gldt-", 16),
    ("glrt-", 16),
    ("glptt-", 16),
    ("glsa_", 20),
    ("glc_", 20),
    ("sk-", 20),
    ("gsk_", 20),
    ("xai-", 20),
    ("hf_", 20),
    ("r8_", 20),
    ("nvapi-", 20),
    ("pplx-", 20),
    ("sk_live_", 12),
    ("rk_live_", 12),
    ("sk_test_", 12),
    ("rk_test_", 12),
    ("whsec_", 20),
    ("xoxb-", 12),
    ("xoxp-", 12),
    ("xoxa-", 12),
    ("xoxr-", 12),
    ("xoxs-", 12),
    ("xoxe-", 12),
    ("xapp-", 12),
    ("npm_", 30),
    ("pypi-", 30),
    ("rubygems_", 30),
    ("dop_v1_", 20),
    ("doo_v1_", 20),
    ("dor_v1_", 20),
    ("dckr_pat_", 20),
    ("SG.", 30),
    ("shpat_", 20),
    ("shpss_", 20),
    ("hvs.", 20),
    ("hvb.", 20),
    ("lin_api_", 20),
    ("figd_", 20),
    ("sntrys_", 20),
    ("tskey-", 20),
    ("sbp_", 20),
    ("PMAK-", 20),
    ("ATATT3", 40),
];

/// A key by its head.
pub(in crate::fact) fn shaped(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.len() < 15 {
        return None;
    }
    let text = s.slice(t.start, t.end);
    let end =
        if is_shaped(text) || text.starts_with("AGE-SECRET-KEY-1") { t.end } else { web_token(s, t.start)? };
    s.push_text(Class::Secret, Span::new(t.start, end));
    if text.starts_with("AKIA") || text.starts_with("ASIA") {
        s.paired_until = end + BESIDE;
    }
    Some(end)
}

/// Whether a text has the head of a key that is given out, and what looks like chance behind it.
pub(super) fn is_shaped(text: &str) -> bool {
    let body = |b: u8| class(b) & ALNUM != 0 || matches!(b, b'_' | b'-' | b'.');
    SHAPES.iter().any(|(head, least)| {
        text.strip_prefix(head).is_some_and(|rest| {
            rest.len() >= *least
                && rest.bytes().all(body)
                && rest.bytes().any(|b| b.is_ascii_digit())
                && (head.contains(['_', '-', '.'])
                    || *least > 16
                    || !rest.bytes().any(|b| b.is_ascii_lowercase()))
                && !is_named(rest)
                && !is_placeholder(rest)
                && varied(rest)
        })
    })
}

/// Whether more than a few characters take turns.
fn varied(text: &str) -> bool {
    let mut seen = 0u128;
    for b in text.bytes().filter(u8::is_ascii) {
        seen |= 1 << b;
    }
    seen.count_ones() > 4
}

/// The secret that stands beside the id of an access key: forty characters of base64 that look like chance.
pub(in crate::fact) fn paired(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let encoded = |b: u8| class(b) & ALNUM != 0 || matches!(b, b'/' | b'+');
    if encoded(s.before(i)) || !encoded(s.at(i)) {
        return None;
    }
    let end = (i..=i + SECRET).find(|&j| !encoded(s.at(j)))?;
    let body = s.slice(i, end);
    let has = |f: fn(&u8) -> bool| body.as_bytes().iter().any(f);
    if body.len() != SECRET
        || !has(u8::is_ascii_lowercase)
        || !has(u8::is_ascii_uppercase)
        || is_placeholder(body)
    {
        return None;
    }
    s.push_text(Class::Secret, Span::new(i, end));
    s.paired_until = 0;
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

/// A private key: all of its block.
pub(in crate::fact) fn key_block(s: &mut Scan<'_>, i: usize) -> Option<usize> {
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
        // Cut off: what is left of it is still secret.
        None => i + cut_end(rest, 16 + head.len()),
    };
    // A mention of the marker, or a constant of code, has no key behind it.
    let body = rest.get(16 + head.len()..).unwrap_or_default();
    let body = body.trim_start_matches([' ', '\n', '\r', '\t']);
    let body = body.strip_prefix("\\r").unwrap_or(body);
    let body = body.trim_start_matches("\\n").trim_start_matches([' ', '\n']);
    let encoded =
        body.bytes().take_while(|b| class(*b) & ALNUM != 0 || matches!(b, b'+' | b'/' | b'=' | b':')).count();
    if encoded < 8 {
        return None;
    }
    s.push_text(Class::Secret, Span::new(i, end));
    Some(end)
}

/// Where a key block ends that was cut off: before the first line that is no base64 and no header.
fn cut_end(block: &str, head: usize) -> usize {
    let mut end = head;
    for line in block.get(head..).unwrap_or_default().split_inclusive('\n') {
        let text = line.trim_end();
        let encoded = text
            .bytes()
            .all(|b| class(b) & ALNUM != 0 || matches!(b, b'+' | b'/' | b'=' | b'\\' | b'>' | b'|'));
        let header = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:"].iter().any(|h| text.starts_with(h));
        if end > head + 2 && text.is_empty() || !encoded && !header {
            // The first part of it may stand on the line itself.
            let part = text.split([' ', '"', '\'']).next().unwrap_or_default();
            return end + if end == head || part.len() > 40 { part.len() } else { 0 };
        }
        end += line.len();
    }
    end
}
