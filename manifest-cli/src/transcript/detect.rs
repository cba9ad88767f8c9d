//! Which form a source has, told by its first bytes.

use super::codex::is_item;
use super::heading::{Speaker, Style, heading};
use super::json::{inner, text};
use super::terminal::{Mark, mark};
use manifest_core::Role;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Bytes that are looked at.
pub(crate) const HEAD: usize = 1 << 20;
/// Records that are looked at.
const RECORDS: usize = 200;

/// The form of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Chat messages, one a line.
    Chat,
    /// Chat messages in one array of a document.
    ChatDocument,
    /// A Claude Code session.
    Claude,
    /// A Codex rollout; `true` where its messages stand in events only.
    Codex(bool),
    /// Turns under headings, or after `User:`.
    Markdown(Style),
    /// What a terminal showed of a session.
    Terminal,
    /// Lines of a log.
    Log,
    /// Any other text.
    Plain,
}

impl Form {
    /// The form as a person reads it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Form::Chat => "chat messages",
            Form::ChatDocument => "chat messages in one document",
            Form::Claude => "Claude Code session",
            Form::Codex(_) => "Codex rollout",
            Form::Markdown(Style::Prefix) => "text with turns",
            Form::Markdown(_) => "Markdown export",
            Form::Terminal => "terminal export",
            Form::Log => "log",
            Form::Plain => "plain text",
        }
    }

    /// Whether its units are messages, calls and outputs, not stretches of one text.
    pub(crate) fn has_messages(self) -> bool {
        !matches!(self, Form::Log | Form::Plain)
    }

    /// Whether a record of it is a line of text, not JSON.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Form::Markdown(_) | Form::Terminal | Form::Log | Form::Plain)
    }
}

/// The form that the head of a source shows; `whole` says that the head is all of it.
pub(crate) fn detect(head: &[u8], whole: bool) -> Form {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let start = head.iter().position(|b| !b.is_ascii_whitespace() && *b != 0).unwrap_or(head.len());
    let body = head.get(start..).unwrap_or_default();
    match body.first() {
        Some(b'{') => records(body, whole).unwrap_or_else(|| text_form(head)),
        Some(b'[') if is_array(body) => Form::ChatDocument,
        _ => {
            // A damaged first line does not hide a file of records.
            let damaged =
                body.split(|b| *b == b'\n').take(RECORDS).filter(|l| l.first() == Some(&b'{')).count();
            match records(body, whole) {
                Some(form) if damaged >= 1 && form != Form::ChatDocument => form,
                _ => text_form(head),
            }
        }
    }
}

/// Whether a body that begins with a bracket is a JSON array, and no line of a log (`[12:00] …`, `[INFO] …`).
fn is_array(body: &[u8]) -> bool {
    let next = body.iter().skip(1).find(|b| !b.is_ascii_whitespace());
    matches!(next, None | Some(b'{' | b']' | b'[' | b'"'))
}

/// The form of a file of JSON records, if it is one.
fn records(body: &[u8], whole: bool) -> Option<Form> {
    let mut votes: BTreeMap<u8, usize> = BTreeMap::new();
    let (mut parsed, mut items, mut events, mut cut) = (0usize, false, false, false);
    let mut lines = body.split(|b| *b == b'\n').take(RECORDS).peekable();
    while let Some(line) = lines.next() {
        let last = lines.peek().is_none();
        let Some(value) = inner(&mended(line)) else {
            if last && !whole {
                cut = true;
                // One long line: its head says what it is.
                if let Some(vote) = head_of(line) {
                    *votes.entry(vote).or_default() += 1;
                }
            }
            continue;
        };
        if !value.is_object() {
            continue;
        }
        parsed += 1;
        if let Some(vote) = vote(&value) {
            *votes.entry(vote).or_default() += 1;
        }
        items |= text(&value, "type") == Some("response_item");
        events |= text(&value, "type") == Some("event_msg");
    }
    if parsed <= 1 && is_document(body) {
        return Some(Form::ChatDocument);
    }
    let best = votes.iter().max_by_key(|(_, n)| **n).map(|(vote, _)| *vote);
    match best {
        Some(CLAUDE) => Some(Form::Claude),
        Some(CODEX) => Some(Form::Codex(events && !items)),
        Some(_) => Some(Form::Chat),
        None if parsed > 0 && !cut => None,
        None => None,
    }
}

const CLAUDE: u8 = 0;
const CODEX: u8 = 1;
const CHAT: u8 = 2;

/// The form that one record speaks for.
fn vote(value: &Value) -> Option<u8> {
    let kind = text(value, "type");
    if kind.is_some() && value.get("payload").is_some_and(Value::is_object) {
        return Some(CODEX);
    }
    let claude = ["sessionId", "session_id", "parentUuid", "leafUuid", "isSidechain"];
    if kind.is_some()
        && (claude.iter().any(|key| value.get(*key).is_some())
            || value.get("message").is_some_and(Value::is_object))
    {
        return Some(CLAUDE);
    }
    if text(value, "role").is_some() || value.get("messages").is_some_and(Value::is_array) {
        return Some(CHAT);
    }
    match kind {
        Some("compact_boundary" | "file-history-snapshot" | "queue-operation") => Some(CLAUDE),
        Some("system") if text(value, "subtype").is_some() => Some(CLAUDE),
        Some(kind) if is_item(kind) => Some(CHAT),
        _ => None,
    }
}

/// The form that the beginning of a record speaks for, where the record is longer than the head.
fn head_of(line: &[u8]) -> Option<u8> {
    let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
    if has(b"\"payload\"") {
        Some(CODEX)
    } else if has(b"\"sessionId\"") || has(b"\"parentUuid\"") {
        Some(CLAUDE)
    } else if has(b"\"role\"") {
        Some(CHAT)
    } else {
        None
    }
}

/// Whether a body that begins with a brace is one document with its messages in an array.
fn is_document(body: &[u8]) -> bool {
    let (mut depth, mut string, mut escape) = (0u32, false, false);
    let mut begun = 0;
    for (i, byte) in body.iter().enumerate() {
        match byte {
            _ if escape => escape = false,
            b'\\' if string => escape = true,
            b'"' => {
                if !string {
                    begun = i + 1;
                } else if depth == 1 {
                    let key = body.get(begun..i).unwrap_or_default();
                    let rest = body.get(i + 1..).unwrap_or_default();
                    let mut next = rest.iter().filter(|b| !b.is_ascii_whitespace());
                    if matches!(key, b"messages" | b"input")
                        && next.next() == Some(&b':')
                        && next.next() == Some(&b'[')
                    {
                        return true;
                    }
                }
                string = !string;
            }
            b'{' | b'[' if !string => depth += 1,
            b'}' | b']' if !string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            }
            _ => {}
        }
    }
    false
}

/// A line without the NUL bytes around it.
fn mended(line: &[u8]) -> Cow<'_, str> {
    let mut line = line;
    while let [0 | b'\r', rest @ ..] | [rest @ .., 0 | b'\r'] = line {
        line = rest;
    }
    String::from_utf8_lossy(line)
}

/// The form of a text.
fn text_form(head: &[u8]) -> Form {
    let head = String::from_utf8_lossy(head);
    let mut styles: BTreeMap<Style, (usize, bool, bool)> = BTreeMap::new();
    let (mut lines, mut stamped) = (0usize, 0usize);
    let (mut agent, mut output) = (0usize, 0usize);
    for line in head.lines().take(20_000) {
        if line.trim().is_empty() {
            continue;
        }
        lines += 1;
        stamped += usize::from(is_log_line(line));
        match mark(line) {
            Some(Mark::Agent(_)) => agent += 1,
            Some(Mark::Output(_)) => output += 1,
            _ => {}
        }
        if let Some(found) = heading(line) {
            let seen = styles.entry(found.style).or_default();
            seen.0 += 1;
            seen.1 |= found.speaker == Speaker::Role(Role::User);
            seen.2 |= found.speaker == Speaker::Role(Role::Assistant);
        }
    }
    let best =
        styles.iter().filter(|(_, (_, user, assistant))| *user && *assistant).max_by_key(|(_, seen)| seen.0);
    match best {
        _ if agent >= 1 && output >= 1 => Form::Terminal,
        Some((style, _)) => Form::Markdown(*style),
        None if lines > 0 && stamped * 2 >= lines => Form::Log,
        None => Form::Plain,
    }
}

/// Whether a line begins as a line of a log does: with a time, or a level.
fn is_log_line(line: &str) -> bool {
    let text = line.trim_start_matches(['[', '<', '(', '{', '"', ' ']);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let next = text.as_bytes().get(digits);
    let timed = match digits {
        // 2026-03-01, 12:00:00, 1709283600.123
        4 => matches!(next, Some(b'-' | b'/' | b'.')),
        2 => next == Some(&b':'),
        10..=19 => true,
        _ => false,
    };
    let word = text.split([' ', ']', ':', '\t']).next().unwrap_or_default();
    timed
        || matches!(word, "INFO" | "WARN" | "WARNING" | "ERROR" | "DEBUG" | "TRACE" | "FATAL" | "NOTICE")
        || matches!(
            word,
            "Jan" | "Feb" | "Mar" | "Apr" | "May" | "Jun" | "Jul" | "Aug" | "Sep" | "Oct" | "Nov" | "Dec"
        )
}

/// What a binary file looks like, if the head is one.
pub(crate) fn binary(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 8] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"%PDF", "a PDF"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\x7fELF", "a program"),
        (b"\xfd7zXZ\0", "an xz archive (unpack it first)"),
        (b"BZh", "a bzip2 archive (unpack it first)"),
    ];
    if let Some((_, what)) = known.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(what);
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("UTF-16 text (convert it first: `iconv -f UTF-16 -t UTF-8`)");
    }
    let sample = head.get(..head.len().min(64 << 10)).unwrap_or_default();
    let odd = sample.iter().filter(|b| **b < 9 || (14..27).contains(*b) || (28..32).contains(*b)).count();
    let nul = memchr::memchr_iter(0, sample).count();
    let bad: usize = sample.utf8_chunks().map(|c| c.invalid().len()).sum();
    // NUL bytes alone are judged when the file was read: a crash leaves them around sound records.
    ((odd - nul) * 10 > sample.len() || bad * 4 > sample.len()).then_some("binary data")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Form {
        detect(text.as_bytes(), true)
    }

    #[test]
    fn forms_of_records() {
        assert_eq!(form(r#"{"role":"user","content":"hi"}"#), Form::Chat);
        assert_eq!(form("[\n {\"role\":\"user\"}]"), Form::ChatDocument);
        assert_eq!(form("{\n  \"model\": \"m\",\n  \"messages\": [\n"), Form::ChatDocument);
        assert_eq!(form(r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#), Form::ChatDocument);
        assert_eq!(form("{\"messages\":[{\"role\":\"user\"}]}\n{\"messages\":[]}\n"), Form::Chat);
        assert_eq!(
            form(r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"x"}}"#),
            Form::Claude
        );
        assert_eq!(form("{\"type\":\"summary\",\"summary\":\"t\",\"leafUuid\":\"u\"}"), Form::Claude);
        assert_eq!(form(r#"{"timestamp":"t","type":"session_meta","payload":{}}"#), Form::Codex(false));
        assert_eq!(
            form(r#"{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"x"}}"#),
            Form::Codex(true)
        );
        let half = r#"{"role":"user","content":"half \ud83d of it"}"#;
        assert_eq!(form(&format!("{half}\n{half}\n")), Form::Chat);
        assert_eq!(form("{\"broken\n{\"role\":\"user\",\"content\":\"x\"}\n"), Form::Chat);
        assert_eq!(form("garbage\n{\"role\":\"user\",\"content\":\"x\"}\n"), Form::Chat);
        assert_eq!(form("\0\0\0{\"role\":\"user\",\"content\":\"x\"}\n"), Form::Chat);
    }

    #[test]
    fn forms_of_texts() {
        assert_eq!(form("# Chat\n\n## User\nhi\n\n## Assistant\nyes\n"), Form::Markdown(Style::Hash(2)));
        assert_eq!(form("user: hi\nassistant: yes\n"), Form::Markdown(Style::Prefix));
        assert_eq!(form("2026-03-01T10:00:00Z INFO x\n2026-03-01T10:00:01Z WARN y\n"), Form::Log);
        assert_eq!(form("[12:00:01] start\n[12:00:02] stop\n"), Form::Log);
        assert_eq!(form("{\"level\":\"info\",\"msg\":\"x\"}\n{\"level\":\"warn\"}\n"), Form::Plain);
        assert_eq!(form("just notes\nuser: one line\n"), Form::Plain);
        assert_eq!(form(""), Form::Plain);
    }

    #[test]
    fn one_long_record_is_known_by_its_head() {
        let long = format!(
            r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":"{}"#,
            "x".repeat(5000)
        );
        assert_eq!(detect(long.as_bytes(), false), Form::Claude);
    }

    #[test]
    fn binaries_are_named() {
        assert_eq!(binary(b"\x89PNG\r\n\x1a\n"), Some("a PNG image"));
        assert!(binary(&(0..=255u8).cycle().take(4096).collect::<Vec<_>>()).is_some());
        assert_eq!(binary("日本語のテキスト\n".repeat(9).as_bytes()), None);
        assert_eq!(binary(b"\x1b[31mred\x1b[0m text\n"), None);
        assert_eq!(binary(b"text with \xff one bad byte"), None);
        assert_eq!(binary(&[0; 4096]), None);
    }
}
