//! Credentials within a URL.

use super::super::Class;
use super::super::lexicon::Words;
use super::super::scan::Scan;
use super::name::key;
use super::shape::is_shaped;
use super::value::{Place, is_credential, is_placeholder, is_strong};
use crate::text::Span;

/// A credential within a URL that begins at `start`: a password before the host, or a sensitive parameter. What else
/// the URL says is still told.
pub(in crate::fact) fn in_url(s: &mut Scan<'_>, start: usize, body: usize, end: usize) -> bool {
    let text = s.slice(body, end);
    let authority = text.split(['/', '?', '#']).next().unwrap_or(text);
    // What a mask hides is told as where a credential stands, so that both give one value.
    if let Some((user, _)) = authority.rsplit_once('@')
        && (is_mask(user) || user.split_once(':').is_some_and(|(_, password)| is_mask(password)))
    {
        s.push_text(Class::Url, Span::new(body + user.len() + 1, end));
        return true;
    }
    if let Some((user, _)) = authority.rsplit_once('@')
        && let Some((name, password)) = user.split_once(':')
        && password.len() > 1
        && (password == "pass" || !is_placeholder(password))
    {
        let from = body + name.len() + 1;
        let to = from + password.len();
        s.push_text(Class::Secret, Span::new(from, to));
        if to + 1 < end {
            s.push_text(Class::Url, Span::new(to + 1, end));
        }
        return true;
    }
    if let Some((user, _)) = authority.rsplit_once('@')
        && (is_shaped(user) || s.is(start, "http") && user.len() >= 20 && is_strong(user))
    {
        // A token in place of the user.
        s.push_text(Class::Secret, Span::new(body, body + user.len()));
        if body + user.len() + 1 < end {
            s.push_text(Class::Url, Span::new(body + user.len() + 1, end));
        }
        return true;
    }
    if let Some(at) = hook(authority, text) {
        s.push_text(Class::Url, Span::new(start, body + at));
        s.push_text(Class::Secret, Span::new(body + at, end));
        return true;
    }
    let Some(query) = text.find(['?', '#']) else { return false };
    let mut at = body + query + 1;
    let mut found = false;
    for pair in s.slice(at, end).split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && (is_given(name, value) || names_one(name) && is_mask(value))
        {
            if !found {
                s.push_text(Class::Url, Span::new(start, body + query));
                found = true;
            }
            if is_mask(value) {
                at += pair.len() + 1;
                continue;
            }
            let from = at + name.len() + 1;
            s.push_text(Class::Secret, Span::new(from, from + value.len()));
        }
        at += pair.len() + 1;
    }
    found
}

/// Credentials within a path: `…/password=…/…`. The path up to there is still told.
pub(in crate::fact) fn in_path(s: &mut Scan<'_>, start: usize, end: usize) -> bool {
    let text = s.slice(start, end);
    if !text.contains('=') {
        return false;
    }
    let mut at = start;
    let mut found = false;
    for part in text.split(['/', '?', '&']) {
        if let Some((name, value)) = part.split_once('=')
            && key(name).is_some()
            && is_given(name, value)
        {
            if !found && at > start + 2 {
                s.push_text(Class::Path, Span::new(start, at - 1));
            }
            found = true;
            let from = at + name.len() + 1;
            s.push_text(Class::Secret, Span::new(from, from + value.len()));
        }
        at += part.len() + 1;
    }
    found
}

/// Whether a value stands for a credential that somebody hid: `[secret]`, `***`, `xxxx`, `REDACTED`.
fn is_mask(value: &str) -> bool {
    let bracketed = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(name) = bracketed {
        return !name.is_empty() && !name.contains(['[', ']', ':']);
    }
    let repeated = value.len() >= 3 && ['*', '•', 'x', 'X'].iter().any(|c| value.chars().all(|v| v == *c));
    repeated || ["redacted", "masked", "hidden"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a parameter of a query may be a credential, by its name.
fn names_one(name: &str) -> bool {
    key(name).is_some() || SIGNATURES.has_folded(name)
}

/// Where the secret part of the path begins, of a URL that is itself the permission to post: hooks of chats and bots.
fn hook(host: &str, text: &str) -> Option<usize> {
    let at = match host {
        "hooks.slack.com" => text.find("/services/")? + "/services/".len(),
        "discord.com" | "discordapp.com" => text.find("/api/webhooks/")? + "/api/webhooks/".len(),
        "api.telegram.org" => text.find("/bot")? + "/bot".len(),
        _ => return None,
    };
    let rest = text.get(at..)?;
    (rest.len() >= 20 && !is_placeholder(rest) && rest.bytes().any(|b| b.is_ascii_digit())).then_some(at)
}

/// Whether a parameter of a query is a credential.
fn is_given(name: &str, value: &str) -> bool {
    match key(name) {
        Some(of) => is_credential(of, value, Place { literal: true, ..Place::default() }),
        None => {
            SIGNATURES.has_folded(name)
                && value.len() >= 8
                && value.bytes().any(|b| b.is_ascii_digit())
                && !is_placeholder(value)
        }
    }
}

/// Parameters that sign a request.
static SIGNATURES: Words<16> =
    Words::new("sig signature x-amz-signature x-goog-signature x-amz-credential key code");
