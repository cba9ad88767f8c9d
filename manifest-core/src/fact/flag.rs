//! Flags of command lines.

use super::byte::{ALNUM, HYPHEN, LETTER, class, is_word};
use super::lexicon::Words;
use super::scan::Scan;
use super::{Class, secret};
use crate::text::Span;
use std::borrow::Cow;

/// A flag at a hyphen: `--retries 2`, `--name=value`, `-p ledger`. What its value holds is then read as its parts.
pub(super) fn flag(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let before = s.before(i);
    let long = s.at(i + 1) == b'-';
    let name = i + 1 + usize::from(long);
    if class(s.at(name)) & LETTER == 0
        || !s.begins(i)
        || matches!(before, b'-' | b'/' | b'\\' | b'.' | b')' | b']' | b'<' | b'>' | b'=' | b':')
    {
        return None;
    }
    let mut end = name;
    while class(s.at(end)) & (ALNUM | HYPHEN) != 0
        || matches!(s.at(end), b'_' | b'.') && is_word(s.at(end + 1))
    {
        end += 1;
    }
    while s.before(end) == b'-' {
        end -= 1;
    }
    let in_command = s.inside() == Some(Class::Command);
    if let Some(end) = secret::option(s, i, Span::new(name, end), in_command) {
        return Some(end);
    }
    // In prose a hyphen before a word is a dash or a bullet: there a short flag is one letter, or stands in ticks.
    let quoted = matches!(before, b'`' | b'"' | b'\'');
    let most = if quoted { 2 } else { usize::from(matches!(before, b' ' | b'(')) };
    let shown = end - name <= most && s.ends(end);
    if !long && !in_command && !shown {
        return None;
    }
    let value = value(s, Span::new(name, end), long, in_command);
    let fact = s.text_fact(Class::Flag, Span::new(i, value.map_or(end, |v| v.end)));
    if let Some(value) = value {
        s.open(fact);
        return Some(value.start);
    }
    s.push(fact);
    Some(end)
}

/// Where the value of a flag stands, if it clearly has one.
fn value(s: &Scan<'_>, name: Span, long: bool, in_command: bool) -> Option<Span> {
    let assigned = s.at(name.end) == b'=';
    if !assigned && s.at(name.end) != b' ' {
        return None;
    }
    let start = name.end + 1;
    let quote = s.at(start);
    if matches!(quote, b'"' | b'\'') && (assigned || in_command) {
        let end = super::quote::end(s, start + 1, quote);
        return (s.at(end) == quote).then_some(Span::new(start, end + 1));
    }
    let mut end = start;
    while !matches!(
        s.at(end),
        0 | b' ' | b'\n' | b'\t' | b'"' | b'\'' | b'`' | b';' | b')' | b'|' | b'>' | b'<' | b'&'
    ) {
        end += 1;
    }
    let end = s.floor(end);
    // `-v 2>&1`: the number is that of a stream.
    if s.at(end) == b'>' && !assigned {
        return None;
    }
    let word = s.slice(start, end).trim_end_matches(['.', ',', ':', '!', '?']);
    let at = Span::new(start, start + word.len());
    let first = *word.as_bytes().first()?;
    if assigned || first.is_ascii_digit() && word.len() < 12 && s.ends(at.end) {
        return Some(at);
    }
    let plain = !matches!(first, b'-' | b'.') && word.bytes().all(|b| is_word(b) || b"-./:,=@*".contains(&b));
    let takes =
        if long { !is_switch(name.of(s.text)) && !word.contains('/') } else { VALUED.has(name.of(s.text)) };
    (in_command && plain && takes).then_some(at)
}

/// Short flags that take a value in most programs.
static VALUED: Words<64> = Words::new("p n o t c j e k u U H P D X b f l C N m F I L");

/// Whether the long flag takes no value by convention.
fn is_switch(name: &str) -> bool {
    name.starts_with("no-") || name.starts_with("all") || SWITCHES.has(name)
}

static SWITCHES: Words<256> = Words::new(
    "release verbose quiet force dry-run help version workspace locked offline json recursive interactive yes watch check fix \
     debug follow hard soft staged cached oneline stat amend lib bins tests ignored nocapture exact frozen silent global \
     save-dev detach rm privileged tty init wait prune tags delete force-with-lease fail-fast list raw abort continue update \
     draft squash merge rebase create-namespace atomic headless coverage production strict compressed archive",
);

/// The canonical text: `name value`, without quotes.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    match surface.split_once(['=', ' ']) {
        Some((name, value)) => Cow::Owned(format!("{name} {}", value.trim_matches(['"', '\'']))),
        None => Cow::Borrowed(surface),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::{Class, read};

    #[test]
    fn flags_with_their_values() {
        reads(
            Class::Flag,
            &[
                (
                    "ran: cargo run -p ledger --no-fail-fast --retries 2",
                    &["-p ledger", "--no-fail-fast", "--retries 2"],
                ),
                ("use `--max-wait=30s` or `-v`.", &["--max-wait=30s", "-v"]),
                ("$ cargo build -v 2>&1", &["-v"]),
                ("pass --release to it", &["--release"]),
                ("$ git commit -m \"fix it\" --amend", &["-m \"fix it\"", "--amend"]),
                ("$ tar -xzf a.tar.gz", &["-xzf"]),
                ("$ curl -H 'Accept: x' --data @in.json", &["-H 'Accept: x'", "--data @in.json"]),
            ],
        );
        equal(&["--retries 2", "--retries=2", "`--retries 2`"]);
        unequal(&["--retries 2", "--retries 3", "--retries"]);
    }

    #[test]
    fn what_the_value_holds_is_its_part() {
        let text = "$ curl -d '{\"id\": \"inv-331\"}' --since=2026-03-04 --retries 2";
        let r = read(text);
        for part in ["inv-331", "2026-03-04", "2"] {
            let f = r.facts.iter().find(|f| f.span.of(text) == part);
            let whole = f.and_then(|f| f.whole).and_then(|w| r.facts.get(w));
            assert_eq!(whole.map(|w| w.class), Some(Class::Flag), "{part}");
        }
    }

    #[test]
    fn dashes_are_no_flags() {
        none(
            Class::Flag,
            &[
                "a - b",
                "well-known",
                "x -> y",
                "--",
                "---",
                "one--two",
                "- item",
                "-word and",
                "<!-- note -->",
                "e-mail",
                "-5",
                "a/-b",
            ],
        );
    }
}
