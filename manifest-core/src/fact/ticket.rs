//! Tickets and error codes.

use super::byte::{ALNUM, COLON, DIGIT, DOT, HYPHEN, SLASH, UNDER, UPPER, class, is_word};
use super::decimal::Decimal;
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use super::value::{Domain, Value};
use super::{Class, Fact};
use crate::text::Span;
use std::borrow::Cow;

/// `#4`, `#W123`; a colour is an identifier.
pub(super) fn hash(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if is_word(s.before(i)) || matches!(s.before(i), b'#' | b'&' | b'/') {
        return None;
    }
    let mut end = i + 1;
    while class(s.at(end)) & ALNUM != 0 {
        end += 1;
    }
    let body = s.slice(i + 1, end).as_bytes();
    if !body.iter().any(u8::is_ascii_digit) || !s.ends(end) {
        return None;
    }
    let colour = matches!(body.len(), 3 | 6 | 8)
        && body.iter().all(u8::is_ascii_hexdigit)
        && body.iter().any(u8::is_ascii_alphabetic);
    s.push_text(if colour { Class::Identifier } else { Class::Ticket }, Span::new(i, end));
    Some(end)
}

/// `PAY-119`, `CVE-2026-1234`; `E2107`, `E_QUOTA_4417`, `ERR_X`, `ENOENT`.
pub(super) fn ticket(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if !t.has(UPPER) {
        return None;
    }
    let text = s.slice(t.start, t.end);
    if is_error_code(text) {
        s.push_text(Class::ErrorCode, t.span());
        return Some(t.end);
    }
    if t.has(UNDER | DOT | COLON | SLASH) || !t.has(HYPHEN) || !t.has(DIGIT) || text.len() > 24 {
        return None;
    }
    let mut parts = text.split('-');
    let head = parts.next()?;
    let project = (2..=10).contains(&head.len())
        && head.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
        && head.bytes().all(|b| class(b) & (UPPER | DIGIT) != 0);
    let numbers = parts.clone().next().is_some()
        && parts.all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    if !project || !numbers || STANDARDS.has(head) {
        return None;
    }
    s.push_text(Class::Ticket, t.span());
    Some(t.end)
}

/// Heads of the names of standards and products that look like tickets.
static STANDARDS: Words<32> = Words::new("UTF ISO SHA MD AES RSA GPT HTTP TLS COVID IEEE BASE RFC");

/// Whether the token is an error code by its shape.
pub(super) fn is_error_code(text: &str) -> bool {
    let named = ["ERR_", "E_", "ERROR_"].iter().find_map(|head| text.strip_prefix(head));
    if let Some(rest) = named {
        return !rest.is_empty() && rest.bytes().all(|b| class(b) & (UPPER | DIGIT | UNDER) != 0);
    }
    let numbered = text
        .strip_prefix('E')
        .is_some_and(|rest| rest.len() >= 3 && rest.bytes().all(|b| b.is_ascii_digit()));
    numbered || is_errno(text)
}

/// Names of `errno.h` and of signals.
pub(super) fn is_errno(word: &str) -> bool {
    ERRNOS.has(word)
}

static ERRNOS: Words<128> = Words::new(
    "EACCES EADDRINUSE EAGAIN EBADF EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT EHOSTUNREACH EINTR EINVAL EIO \
     EISDIR ELOOP EMFILE ENAMETOOLONG ENETUNREACH ENFILE ENODEV ENOENT ENOMEM ENOSPC ENOTDIR ENOTEMPTY ENOTFOUND EPERM EPIPE \
     EROFS ETIMEDOUT EXDEV EAI_AGAIN SIGABRT SIGALRM SIGBUS SIGCHLD SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV \
     SIGSTOP SIGTERM SIGTRAP SIGUSR1 SIGUSR2 OOMKilled",
);

/// `HTTP 503`, `exit code 3`, `exited with status 137`, `errno 13`, `signal 9`: a number that a word makes a code.
pub(super) fn status(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    let exit = word.len() >= 4 && word.get(..4).is_some_and(|w| w.eq_ignore_ascii_case("exit"));
    let mut i = t.end;
    if exit {
        let j = s.skip_spaces(i);
        let j = if s.is(j, "with ") { j + 5 } else { j };
        let noun = s.word_at(j);
        i = if matches!(noun, "code" | "status") { j + noun.len() } else { i };
        // `exit 3` is a code, `exited 3 times` is none.
        if i == t.end && word.len() > 4 {
            return None;
        }
    }
    i = s.skip_spaces(i + usize::from(matches!(s.at(i), b':' | b'=')));
    if s.is(i, "status ") || s.is(i, "error ") {
        i = s.skip_spaces(i + 6);
    }
    let end = s.digits(i + usize::from(s.at(i) == b'-'));
    let digits = s.slice(i, end);
    let length = digits.trim_start_matches('-').len();
    let http = word.eq_ignore_ascii_case("http");
    if i == t.end || !(1..=5).contains(&length) || http && length != 3 {
        return None;
    }
    if !s.ends(end) || matches!(s.at(end), b'.' | b':' | b'-') && s.at(end + 1).is_ascii_digit() {
        return None;
    }
    let at = Span::new(t.start, end);
    let mut f =
        Fact::new(Class::ErrorCode, at, Domain::Text.key(canonical(at.of(s.text)).as_bytes()), Value::Text);
    f.also = Decimal::parse(digits).map(|d| Value::Number(d).key());
    s.push(f);
    Some(end)
}

/// The canonical text: of a code by a word, that word and the number.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    if !surface.contains([' ', ':', '=']) {
        return Cow::Borrowed(surface);
    }
    let digits = surface.rsplit([' ', ':', '=']).next().unwrap_or(surface);
    let word = surface.split([' ', ':', '=']).next().unwrap_or(surface).to_ascii_lowercase();
    let word = if word.starts_with("exit") { "exit" } else { &word };
    Cow::Owned(format!("{word} {digits}"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn tickets() {
        reads(
            Class::Ticket,
            &[
                (
                    "PAY-119 at 14:02; see #4, (#17) and CVE-2026-1234.",
                    &["PAY-119", "#4", "#17", "CVE-2026-1234"],
                ),
                ("order #W5918442", &["#W5918442"]),
                ("项目PAY-119已关闭", &["PAY-119"]),
            ],
        );
        none(
            Class::Ticket,
            &["UTF-8", "GPT-4", "# 4", "&#39;", "VX-51-KILO", "colour #ff8800", "a#4", "K-118"],
        );
    }

    #[test]
    fn error_codes() {
        reads(
            Class::ErrorCode,
            &[
                (
                    "crashed with E2107 and E_QUOTA_4417: ERR_INCOMPLETE_CHUNKED",
                    &["E2107", "E_QUOTA_4417", "ERR_INCOMPLETE_CHUNKED"],
                ),
                ("error[E0308]: ECONNREFUSED, SIGKILL", &["E0308", "ECONNREFUSED", "SIGKILL"]),
                ("failed with HTTP 503; exit code 3", &["HTTP 503", "exit code 3"]),
                ("exited with status 137, errno 13", &["exited with status 137", "errno 13"]),
            ],
        );
        equal(&[
            "exit code 3",
            "Exit code 3",
            "exit status 3",
            "exit code: 3",
            "exit 3",
            "exited with code 3",
            "3",
        ]);
        equal(&["HTTP 503", "http 503", "503"]);
        unequal(&["exit code 3", "exit code 4", "HTTP 503"]);
        none(
            Class::ErrorCode,
            &[
                "E5",
                "HTTP 5030",
                "HTTP/2",
                "exited 3 times",
                "EUR",
                "an exit in 5 minutes",
                "the signal was 9 dB",
            ],
        );
    }
}
