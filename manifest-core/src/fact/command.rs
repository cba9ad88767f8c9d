//! Whole command lines.

use super::byte::{ALNUM, LETTER, class, is_word};
use super::hook::Hook;
use super::layout::Fence;
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use super::{Class, quote};
use crate::text::Span;
use std::borrow::Cow;

/// What a command outside of a fence is fed is no longer, in bytes.
const HEREDOC: usize = 4 * 1024;
/// A command in running text is no longer, in bytes.
const LONGEST: usize = 600;

/// Opens a command that fills the line whose content starts at `i`: after a prompt, or in a fence of shell code.
/// Returns where its tokens begin.
pub(super) fn line(s: &mut Scan<'_>, i: usize) -> usize {
    let start = match (s.line.fence, prompt(s, i)) {
        (_, Some(start)) => start,
        (Fence::Shell, None) if s.at(i) != b'#' => i,
        _ => return i,
    };
    let begins = class(s.at(start)) & ALNUM != 0 || matches!(s.at(start), b'.' | b'/' | b'~' | b'_');
    let body = s.slice(start, s.line_end(start));
    let body = body.split(" # ").next().unwrap_or(body).trim_end();
    // One short word, or a price, is no command.
    let amount = body.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    if !begins || body.len() < 2 || amount {
        return i;
    }
    s.line.heredoc = heredoc(s, start, start + body.len());
    open(s, start, start + body.len());
    start
}

/// The word that ends what the command is fed with `<<WORD`.
fn heredoc(s: &Scan<'_>, start: usize, end: usize) -> Option<Span> {
    let at = start + s.slice(start, end).find("<<")? + 2;
    let from = (at..at + 4).find(|&i| is_word(s.at(i)))?;
    let mut to = from;
    while is_word(s.at(to)) {
        to += 1;
    }
    let word = Span::new(from, to);
    // A fence ends it at the latest; elsewhere it must end soon.
    let rest = s.slice(end, s.floor(end + HEREDOC));
    let ends = s.line.fence != Fence::No || rest.lines().any(|line| line.trim() == word.of(s.text));
    ends.then_some(word)
}

/// Where a prompt at the head of the line ends: `$ `, `user@host:~$ `.
fn prompt(s: &Scan<'_>, i: usize) -> Option<usize> {
    if s.is(i, "$ ") {
        return Some(s.skip_spaces(i + 1));
    }
    let mut j = i;
    while j - i < 60 && (is_word(s.at(j)) || matches!(s.at(j), b'@' | b'-' | b'.' | b':' | b'~' | b'/')) {
        j += 1;
    }
    let shell = matches!(s.at(j), b'$' | b'#' | b'%') && s.at(j + 1) == b' ' && s.slice(i, j).contains('@');
    shell.then(|| s.skip_spaces(j + 1))
}

fn open(s: &mut Scan<'_>, start: usize, end: usize) {
    let fact = s.text_fact(Class::Command, Span::new(start, end));
    s.open(fact);
}

/// Opens a command that begins with the program word `t`; its words are then read as its parts.
pub(super) fn words(s: &mut Scan<'_>, t: Token, hook: Hook) {
    if s.at(t.end) != b' ' || s.inside() == Some(Class::Command) {
        return;
    }
    let before = s.before(t.start);
    let quoted = matches!(before, b'`' | b'"' | b'\'');
    let end = if quoted { quote::end(s, t.start, before) } else { clause_end(s, t.start) };
    let (flags, arguments) = evidence(s.slice(t.start, end));
    let heads = quoted || t.start == s.line.content || matches!(before, b'(' | b'[') || led(s, t.start);
    let command = match hook {
        Hook::Program if quoted => arguments > 0 && s.at(end) == before,
        Hook::Program => flags > 0 && (heads || arguments > 1),
        _ => flags > 0 && heads,
    };
    if command {
        open(s, t.start, end);
    }
}

/// Whether the clause begins at `i`, or a word that announces a command stands before it.
fn led(s: &Scan<'_>, i: usize) -> bool {
    let clause = s.before(i) == b' ' && matches!(s.before(i - 1), b':' | b'.' | b';' | b',' | b'|' | b'&');
    clause || LEADS.has_folded(s.word_before(i))
}

static LEADS: Words<64> = Words::new(
    "run ran running rerun reran command executed execute executing via with using invoked invoke was sudo then and by use \
     used try tried called call",
);

/// How many flags, and how many arguments, a command line has.
fn evidence(body: &str) -> (usize, usize) {
    let words = body.split_ascii_whitespace().skip(1);
    let letter = |b: &u8| class(*b) & LETTER != 0;
    let flag = |w: &&str| {
        matches!(w.as_bytes(), [b'-', x, ..] if letter(x))
            || matches!(w.as_bytes(), [b'-', b'-', x, ..] if letter(x))
    };
    (words.clone().filter(flag).count(), words.count())
}

/// Where a command in running text ends: at the end of the line, at the punctuation of a sentence, or before a word
/// that goes on with the sentence.
fn clause_end(s: &Scan<'_>, start: usize) -> usize {
    let mut i = start;
    let mut words = 0;
    let mut quote = 0;
    while i < s.limit().min(start + LONGEST) {
        let b = s.at(i);
        match b {
            b'\n' => break,
            _ if quote != 0 => quote = if b == quote { 0 } else { quote },
            b'`' => break,
            b'"' => quote = b,
            b'\'' if !is_word(s.before(i)) => quote = b,
            b'.' | b',' | b';' | b'!' | b'?' | b':' | b')'
                if matches!(s.at(i + 1), b' ' | b'\n' | b')' | 0) =>
            {
                break;
            }
            b' ' => {
                words += 1;
                let next = s.word_at(i + 1);
                let after = i + 1 + next.len();
                let whole = s.ends(after) && !matches!(s.at(after), b'/' | b'.' | b'-' | b'=' | b':');
                let dash = ["— ", "– ", "- ", "(", "-> ", "→"].iter().any(|d| s.is(i + 1, d));
                if dash || words > 1 && whole && RESUMES.has(next) {
                    break;
                }
            }
            b if b >= 0x80 && s.char_at(i).is_some_and(|c| matches!(c, '。' | '，' | '；' | '、')) => {
                break;
            }
            _ => {}
        }
        i += 1;
    }
    while i > start && matches!(s.before(i), b' ' | b'.' | b',' | b';' | b':') {
        i -= 1;
    }
    s.floor(i)
}

/// Words that go on with a sentence after a command.
static RESUMES: Words<256> = Words::new(
    "and but then which that with because after before so passed failed fails passes is was are were to in on for or when \
     while returned returns exited gave gives shows showed succeeded took takes again now did does it the as from at if instead \
     finished completed reported printed by worked works has had would will until since without we i he she they",
);

/// The canonical text: single spaces.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    super::single_spaced(surface)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, none, reads};
    use crate::{Class, read};

    #[test]
    fn commands_in_prose_and_in_fences() {
        reads(
            Class::Command,
            &[
                (
                    "The run that passed was: cargo nextest run -p ledger --retries 2",
                    &["cargo nextest run -p ledger --retries 2"],
                ),
                ("I ran `git push --force` and it failed", &["git push --force"]),
                ("`docker compose up`", &["docker compose up"]),
                ("cargo test --all and it passed", &["cargo test --all"]),
                ("$ ls -la /srv # list\nout", &["ls -la /srv"]),
                (
                    "```bash\nmake all\n# comment\n./run.sh --fast\n```\nmake all",
                    &["make all", "./run.sh --fast"],
                ),
                (
                    "```sh\npython3 - <<'E'\nimport sys, json\nE\nmake all\n```",
                    &["python3 - <<'E'", "make all"],
                ),
                ("ops@db-3:~$ systemctl restart pay", &["systemctl restart pay"]),
                ("Then kubectl get pods -n pay, which hung.", &["kubectl get pods -n pay"]),
                ("git commit -m \"fix: a, b\" worked", &["git commit -m \"fix: a, b\""]),
            ],
        );
    }

    #[test]
    fn parts_of_a_command() {
        let text = "ran: cargo run -p ledger --retries 2 -- ./in.csv";
        let r = read(text);
        assert_eq!(all(text)[0], (Class::Command, "cargo run -p ledger --retries 2 -- ./in.csv"));
        assert!(r.facts[1..].iter().all(|f| f.whole.is_some()), "{:?}", all(text));
        assert!(
            all(text).contains(&(Class::Flag, "--retries 2"))
                && all(text).contains(&(Class::Path, "./in.csv"))
        );
    }

    #[test]
    fn words_that_are_no_commands() {
        none(
            Class::Command,
            &[
                "12:01 cargo test: 3 failed",
                "we make sure that",
                "find the cause - quickly",
                "go to the -x axis",
                "pytest output",
                "the git history and the docker image",
                "$ 5",
                "test the build",
                "```text\nmake all\n```",
                "just one - maybe two",
            ],
        );
    }

    #[test]
    fn spaces_do_not_count() {
        let key = |t: &str| read(t).facts[0].key;
        assert_eq!(key("$ git  push   --force"), key("$ git push --force"));
        assert_ne!(key("$ git push --force"), key("$ git push"));
    }
}
