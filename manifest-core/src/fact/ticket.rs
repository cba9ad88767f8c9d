//! Tickets and error codes.

use super::Class;
use super::byte::{ALNUM, COLON, DIGIT, DOT, HYPHEN, SLASH, UNDER, UPPER, class, is_word};
use super::scan::{Scan, Token};
use crate::text::Span;

/// `#4`, `#W123`.
pub(super) fn hash(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if is_word(s.before(i)) || matches!(s.before(i), b'#' | b'&' | b'/') {
        return None;
    }
    let mut end = i + 1;
    while class(s.at(end)) & ALNUM != 0 {
        end += 1;
    }
    let body = s.slice(i + 1, end);
    if !body.bytes().any(|b| b.is_ascii_digit()) || !s.ends(end) {
        return None;
    }
    let colour = matches!(body.len(), 3 | 6 | 8)
        && body.bytes().all(|b| b.is_ascii_hexdigit())
        && body.bytes().any(|b| b.is_ascii_alphabetic());
    let class = if colour { Class::Identifier } else { Class::Ticket };
    s.push_text(class, Span::new(i, end));
    Some(end)
}

/// `PAY-119`, `CVE-2026-1234`, `E2107`, `E_QUOTA_4417`, `ERR_X`, `ENOENT`.
pub(super) fn ticket(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let text = s.slice(t.start, t.end);
    if is_error_code(text) {
        s.push_text(Class::ErrorCode, t.span());
        return Some(t.end);
    }
    if t.has(UNDER | DOT | COLON | SLASH) || !t.has(HYPHEN) {
        return None;
    }
    let mut parts = text.split('-');
    let head = parts.next()?;
    let project = (2..=10).contains(&head.len())
        && head.bytes().all(|b| class(b) & (UPPER | DIGIT) != 0)
        && head.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    let numbers =
        parts.clone().count() > 0 && parts.all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    if !project || !numbers || text.len() > 24 || is_standard(head) {
        return None;
    }
    s.push_text(Class::Ticket, t.span());
    Some(t.end)
}

/// Names of standards that look like tickets.
fn is_standard(head: &str) -> bool {
    matches!(
        head,
        "UTF" | "ISO" | "SHA" | "MD" | "AES" | "RSA" | "GPT" | "HTTP" | "TLS" | "COVID" | "IEEE" | "BASE"
    )
}

/// Whether the token is an error code by its shape.
pub(super) fn is_error_code(text: &str) -> bool {
    let b = text.as_bytes();
    let upper = |b: &[u8]| b.iter().all(|&c| class(c) & (UPPER | DIGIT | UNDER) != 0);
    if let Some(rest) =
        text.strip_prefix("ERR_").or_else(|| text.strip_prefix("E_")).or_else(|| text.strip_prefix("ERROR_"))
    {
        return !rest.is_empty() && upper(rest.as_bytes());
    }
    if let [b'E', rest @ ..] = b
        && rest.len() >= 3
        && rest.iter().all(u8::is_ascii_digit)
    {
        return true;
    }
    is_errno(text)
}

/// Names of `errno.h` and of signals.
pub(super) fn is_errno(w: &str) -> bool {
    matches!(
        w,
        "EACCES"
            | "EADDRINUSE"
            | "EAGAIN"
            | "EBADF"
            | "EBUSY"
            | "ECONNABORTED"
            | "ECONNREFUSED"
            | "ECONNRESET"
            | "EEXIST"
            | "EFAULT"
            | "EHOSTUNREACH"
            | "EINTR"
            | "EINVAL"
            | "EIO"
            | "EISDIR"
            | "ELOOP"
            | "EMFILE"
            | "ENAMETOOLONG"
            | "ENETUNREACH"
            | "ENFILE"
            | "ENODEV"
            | "ENOENT"
            | "ENOMEM"
            | "ENOSPC"
            | "ENOTDIR"
            | "ENOTEMPTY"
            | "ENOTFOUND"
            | "EPERM"
            | "EPIPE"
            | "EROFS"
            | "ETIMEDOUT"
            | "EXDEV"
            | "EAI_AGAIN"
            | "SIGABRT"
            | "SIGALRM"
            | "SIGBUS"
            | "SIGCHLD"
            | "SIGFPE"
            | "SIGHUP"
            | "SIGILL"
            | "SIGINT"
            | "SIGKILL"
            | "SIGPIPE"
            | "SIGQUIT"
            | "SIGSEGV"
            | "SIGSTOP"
            | "SIGTERM"
            | "SIGTRAP"
            | "SIGUSR1"
            | "SIGUSR2"
            | "OOMKilled"
    )
}
