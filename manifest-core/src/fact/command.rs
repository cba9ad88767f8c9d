//! Whole command lines.

use super::byte::{ALNUM, LETTER, class, is_word};
use super::layout::Fence;
use super::scan::{Scan, Token};
use super::value::{Domain, Value};
use super::{Class, Fact};
use crate::text::Span;

/// Opens a command that fills the line whose content starts at `i`: after a prompt, or in a fence of shell code.
/// Returns where its tokens begin.
pub(super) fn line(s: &mut Scan<'_>, i: usize) -> usize {
    let mut end = i;
    while !matches!(s.at(end), b'\n' | 0) {
        end += 1;
    }
    if end == 0 && s.at(0) == 0 {
        return i;
    }
    let prompt = prompt(s, i);
    let start = match (s.line.fence, prompt) {
        (Fence::Shell | Fence::Console | Fence::No | Fence::Code, Some(p)) => p,
        (Fence::Shell, None) if s.at(i) != b'#' => i,
        _ => return i,
    };
    let Some(end) = line_end(s, start, end) else { return i };
    if !starts_like_program(s, start) {
        return i;
    }
    open(s, start, end);
    start
}

/// Where a prompt at the head of the line ends: `$ `, `user@host:~$ `.
fn prompt(s: &Scan<'_>, i: usize) -> Option<usize> {
    if s.is(i, "$ ") || s.is(i, "% ") {
        return Some(s.skip_spaces(i + 1));
    }
    let mut j = i;
    let mut at = false;
    while j - i < 60 && (is_word(s.at(j)) || matches!(s.at(j), b'@' | b'-' | b'.' | b':' | b'~' | b'/')) {
        at |= s.at(j) == b'@';
        j += 1;
    }
    (at && matches!(s.at(j), b'$' | b'#') && s.at(j + 1) == b' ').then(|| s.skip_spaces(j + 1))
}

/// The end of the command on a line: before a trailing comment and trailing space.
fn line_end(s: &Scan<'_>, start: usize, end: usize) -> Option<usize> {
    let body = s.slice(start, end);
    let body = match body.find(" # ") {
        Some(i) => body.get(..i)?,
        None => body,
    };
    let body = body.trim_end();
    (body.len() >= 2).then_some(start + body.len())
}

fn starts_like_program(s: &Scan<'_>, i: usize) -> bool {
    class(s.at(i)) & ALNUM != 0 || matches!(s.at(i), b'.' | b'/' | b'~' | b'_')
}

fn open(s: &mut Scan<'_>, start: usize, end: usize) {
    let at = Span::new(start, end);
    let key = Domain::Text.key(canonical(at.of(s.text)).as_bytes());
    s.open(Fact::new(Class::Command, at, key, Value::Text));
}

/// A command that begins with the program word `t`; opens it and lets the pass go on inside. Always `None`: the word
/// itself is read next.
pub(super) fn words(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if s.inside() == Some(Class::Command) || s.at(t.word) != b' ' {
        return None;
    }
    let word = s.slice(t.start, t.word);
    let strength = program(word)?;
    // The word must begin a clause, a quote or a listed run.
    let before = s.before(t.start);
    let quoted = matches!(before, b'`' | b'"' | b'\'');
    let heads =
        quoted || t.start == s.line.content || matches!(before, b'(' | b'[') || after_lead(s, t.start);
    let end = if quoted { quote_end(s, t.start, before)? } else { clause_end(s, t.start) };
    let body = s.slice(t.start, end);
    let (flags, args) = evidence(body);
    let enough = match strength {
        Strength::Sure if quoted => args > 0,
        Strength::Sure => flags > 0 && (heads || args > 1),
        Strength::Word => flags > 0 && heads,
    };
    if !enough {
        return None;
    }
    open(s, t.start, end);
    None
}

/// Whether a word of announcement stands before: `run:`, `ran`, `command`, `via`, `with`.
fn after_lead(s: &Scan<'_>, i: usize) -> bool {
    if s.before(i) == b' ' && i >= 2 && matches!(s.before(i - 1), b':' | b'.' | b';' | b',' | b'|' | b'&') {
        return true;
    }
    let w = s.word_before(i).to_ascii_lowercase();
    matches!(
        w.as_str(),
        "run"
            | "ran"
            | "running"
            | "command"
            | "executed"
            | "execute"
            | "executing"
            | "via"
            | "with"
            | "using"
            | "invoked"
            | "invoke"
            | "was"
            | "sudo"
            | "then"
            | "and"
            | "by"
            | "use"
            | "used"
            | "try"
            | "tried"
            | "rerun"
            | "reran"
    )
}

/// How many flags, and how many arguments, a command line has.
fn evidence(body: &str) -> (usize, usize) {
    let mut flags = 0;
    let mut args = 0;
    for w in body.split_ascii_whitespace().skip(1) {
        args += 1;
        let b = w.as_bytes();
        if matches!(b, [b'-', x, ..] if class(*x) & LETTER != 0)
            || matches!(b, [b'-', b'-', x, ..] if class(*x) & LETTER != 0)
        {
            flags += 1;
        }
    }
    (flags, args)
}

fn quote_end(s: &Scan<'_>, i: usize, quote: u8) -> Option<usize> {
    let mut end = i;
    while !matches!(s.at(end), 0 | b'\n') {
        if s.at(end) == quote {
            return Some(end);
        }
        end += 1;
    }
    None
}

/// Where a command in running text ends: at the end of the line, at the punctuation of a sentence, or before a word
/// that goes on with the sentence.
fn clause_end(s: &Scan<'_>, start: usize) -> usize {
    let mut i = start;
    let mut words = 0;
    let mut flagged = false;
    let mut quote = 0u8;
    while i < s.limit {
        let b = s.at(i);
        if quote != 0 {
            if b == quote {
                quote = 0;
            } else if b == b'\n' {
                break;
            }
            i += 1;
            continue;
        }
        match b {
            b'\n' | b'`' => break,
            b'"' | b'\'' => quote = b,
            b'.' | b',' | b';' | b'!' | b'?' | b':' | b')'
                if matches!(s.at(i + 1), b' ' | b'\n' | 0 | b')') =>
            {
                break;
            }
            b' ' => {
                words += 1;
                let next = s.word_at(i + 1);
                flagged |= s.at(i + 1) == b'-';
                let whole = s.ends(i + 1 + next.len())
                    && !matches!(s.at(i + 1 + next.len()), b'/' | b'.' | b'-' | b'=' | b':');
                if words > 1 && whole && resumes(next)
                    || s.is(i + 1, "— ")
                    || s.is(i + 1, "– ")
                    || s.is(i + 1, "(")
                    || s.is(i + 1, "- ")
                {
                    break;
                }
            }
            _ => {}
        }
        i += 1;
    }
    let _ = flagged;
    while i > start && matches!(s.before(i), b' ' | b'.' | b',' | b';' | b':') {
        i -= 1;
    }
    i
}

/// Words that go on with a sentence after a command.
fn resumes(w: &str) -> bool {
    matches!(
        w,
        "and"
            | "but"
            | "then"
            | "which"
            | "that"
            | "with"
            | "because"
            | "after"
            | "before"
            | "so"
            | "passed"
            | "failed"
            | "fails"
            | "passes"
            | "is"
            | "was"
            | "are"
            | "were"
            | "to"
            | "in"
            | "on"
            | "for"
            | "or"
            | "when"
            | "while"
            | "returned"
            | "returns"
            | "exited"
            | "gave"
            | "gives"
            | "shows"
            | "showed"
            | "succeeded"
            | "took"
            | "takes"
            | "again"
            | "now"
            | "did"
            | "does"
            | "it"
            | "the"
            | "as"
            | "from"
            | "at"
            | "if"
            | "instead"
            | "finished"
            | "completed"
            | "reported"
            | "printed"
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Strength {
    /// A program and no common word.
    Sure,
    /// A program that is a common word too.
    Word,
}

fn program(w: &str) -> Option<Strength> {
    if w.len() < 2 || w.len() > 14 {
        return None;
    }
    Some(match w {
        "cargo" | "git" | "npm" | "npx" | "yarn" | "pnpm" | "python" | "python3" | "pip" | "pip3" | "uv"
        | "pytest" | "cmake" | "docker" | "kubectl" | "helm" | "terraform" | "aws" | "gcloud" | "az"
        | "psql" | "mysql" | "sqlite3" | "curl" | "wget" | "ssh" | "scp" | "rsync" | "grep" | "rg"
        | "sed" | "awk" | "ls" | "cp" | "mv" | "rm" | "mkdir" | "chmod" | "chown" | "sudo" | "systemctl"
        | "journalctl" | "apt" | "dnf" | "yum" | "bash" | "sh" | "zsh" | "gradle" | "mvn" | "javac"
        | "rustc" | "rustup" | "ffmpeg" | "openssl" | "nix" | "bazel" | "deno" | "bun" | "tsc" | "eslint"
        | "jest" | "vitest" | "mypy" | "ruff" | "conda" | "podman" | "gh" | "tar" | "jq" | "dig" | "nmap"
        | "ansible" | "pg_dump" | "pg_restore" | "redis" | "mongosh" | "gcc" | "clang" | "ninja" | "tox"
        | "poetry" | "rake" | "bundle" | "iptables" | "strace" | "crontab" | "launchctl" | "xcodebuild"
        | "gofmt" => Strength::Sure,
        "go" | "make" | "node" | "java" | "ruby" | "perl" | "find" | "cat" | "head" | "tail" | "kill"
        | "test" | "just" | "black" | "ps" | "df" | "du" | "top" | "less" | "sort" | "cut" | "echo"
        | "export" | "source" | "touch" | "ping" | "host" | "service" | "brew" | "mount" | "watch"
        | "time" | "cd" | "diff" | "patch" | "yes" | "tree" | "which" => Strength::Word,
        _ => return None,
    })
}

/// The canonical text: single spaces.
pub(super) fn canonical(surface: &str) -> String {
    surface.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
