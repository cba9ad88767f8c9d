//! What is layout and no fact: line-number gutters, list ordinals, source markers, fences, the heads of diffs.

use super::scan::Scan;
use super::shape::Shape;
use super::{command, payload};
use crate::text::Span;

/// What is known of the line that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Where it starts.
    pub(super) start: usize,
    /// Where its content starts, past indentation, gutter and ordinal.
    pub(super) content: usize,
    /// The code fence that it stands in.
    pub(super) fence: Fence,
    /// The source marker at its head (`[m-101]`).
    pub(super) marker: Option<Span>,
    /// Whether it is a heading.
    pub(super) heading: bool,
    /// What it reads as, once somebody asked.
    pub(super) shape: Shape,
    /// The word that ends the heredoc that it is in.
    pub(super) heredoc: Option<Span>,
}

/// The code fence that a line stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fence {
    /// None.
    #[default]
    No,
    /// Code of any language.
    Code,
    /// Shell input.
    Shell,
}

/// The head under which transcripts write the call of a tool.
const CALL: &str = "[tool_call ";

/// How far a gutter looks for the number of the line before or after it.
const NEAR: usize = 4096;

/// Takes in the line that starts at `start`; returns where its tokens begin.
pub(super) fn line_start(s: &mut Scan<'_>, start: usize) -> usize {
    let mut i = s.skip_spaces(start);
    s.line = Line { start, content: i, fence: s.line.fence, heredoc: s.line.heredoc, ..Line::default() };
    if let Some(word) = s.line.heredoc {
        // What a command is fed is no command.
        let line = s.slice(i, s.line_end(i)).trim_end();
        if line == word.of(s.text) || line.starts_with("```") && s.line.fence != Fence::No {
            s.line.heredoc = None;
        } else {
            return payload::block(s, start).unwrap_or(i);
        }
    }
    match s.at(i) {
        b'`' if s.is(i, "```") => return fence(s, i),
        b'~' if s.is(i, "~~~") => return fence(s, i),
        b'0'..=b'9' => i = number_gutter(s, start, i).unwrap_or(i),
        b'[' if s.is(i, CALL) => i += CALL.len(),
        b'-' | b'+' | b'@' | b'd' => {
            if let Some(end) = diff_head(s, i) {
                s.line.content = end;
                return end;
            }
        }
        _ => {}
    }
    if s.line.fence == Fence::No {
        i = ordinal(s, i);
    }
    s.line.content = i;
    s.line.marker = marker(s, i);
    if let Some(end) = payload::block(s, start) {
        return end;
    }
    command::line(s, i)
}

/// A fence opens or closes.
fn fence(s: &mut Scan<'_>, i: usize) -> usize {
    // A fence that nothing closes opens nothing.
    if s.line.fence == Fence::No && !s.slice(i + 3, s.limit()).contains(s.slice(i, i + 3)) {
        return i + 3;
    }
    s.line.fence = match (s.line.fence, s.word_at(i + 3)) {
        (Fence::No, "bash" | "sh" | "shell" | "zsh" | "fish" | "powershell") => Fence::Shell,
        (Fence::No, _) => Fence::Code,
        _ => Fence::No,
    };
    s.line_end(i)
}

/// Past what a diff writes before a path or a hunk: `--- a/`, `+++ b/`, `diff --git a/`, `@@ -1,5 +1,6 @@`.
fn diff_head(s: &Scan<'_>, i: usize) -> Option<usize> {
    for head in ["--- a/", "+++ b/", "--- ", "+++ ", "diff --git a/"] {
        if s.is(i, head) {
            return Some(i + head.len());
        }
    }
    if !s.is(i, "@@ -") {
        return None;
    }
    let line = s.slice(i, s.line_end(i));
    let close = line.get(4..)?.find("@@")?;
    Some(i + 4 + close + 2)
}

/// The end of a line-number gutter: `12→`, or `12:`, `12|`, `12<tab>` where a neighbouring line has the next number.
fn number_gutter(s: &Scan<'_>, start: usize, i: usize) -> Option<usize> {
    let (number, end) = gutter(s, i)?;
    if s.is(end, "→") {
        return Some(end + "→".len());
    }
    let near = |j: Option<usize>| {
        let (n, e) = gutter(s, s.skip_spaces(j?))?;
        (s.at(e) == s.at(end)).then_some(n)
    };
    let next = near(line_after(s, end)).is_some_and(|n| n > number && n - number <= 3);
    let previous = near(line_before(s, start)).is_some_and(|n| n < number && number - n <= 3);
    (next || previous).then_some(end + 1)
}

/// The number of a gutter and where its separator stands.
fn gutter(s: &Scan<'_>, i: usize) -> Option<(u64, usize)> {
    let end = s.digits(i);
    if end == i || end - i > 7 {
        return None;
    }
    let separator = match s.at(end) {
        b'\t' => true,
        b'|' | b':' => !s.at(end + 1).is_ascii_digit() && s.at(end + 1) != b'/',
        _ => s.is(end, "→"),
    };
    separator.then(|| s.slice(i, end).parse().ok().map(|n| (n, end))).flatten()
}

fn line_after(s: &Scan<'_>, i: usize) -> Option<usize> {
    let n = s.bytes.get(i..)?.iter().take(NEAR).position(|&b| b == b'\n')?;
    Some(i + n + 1)
}

fn line_before(s: &Scan<'_>, start: usize) -> Option<usize> {
    let end = start.checked_sub(1)?;
    let low = end.saturating_sub(NEAR);
    match s.bytes.get(low..end)?.iter().rposition(|&b| b == b'\n') {
        Some(n) => Some(low + n + 1),
        None => (low == 0).then_some(0),
    }
}

/// Past quote marks, heading hashes, a bullet, a list ordinal (`1. `, `2) `, `(3) `).
fn ordinal(s: &mut Scan<'_>, mut i: usize) -> usize {
    while s.is(i, "> ") {
        i = s.skip_spaces(i + 1);
    }
    let hashes = (i..i + 6).take_while(|&k| s.at(k) == b'#').count();
    if hashes > 0 && s.at(i + hashes) == b' ' {
        s.line.heading = true;
        i = s.skip_spaces(i + hashes);
    } else if matches!(s.at(i), b'-' | b'*' | b'+') && s.at(i + 1) == b' ' {
        i = s.skip_spaces(i + 1);
    }
    let open = i + if s.is(i, "**") { 2 } else { 0 };
    let digits = open + usize::from(s.at(open) == b'(');
    let end = s.digits(digits);
    let closed = if digits > open { s.at(end) == b')' } else { matches!(s.at(end), b'.' | b')') };
    let listed = (1..=3).contains(&(end - digits)) && closed && matches!(s.at(end + 1), b' ' | b'*' | b'\t');
    if listed {
        s.line.heading |= is_title(s.slice(end + 1, s.line_end(end)));
        end + 1
    } else {
        i
    }
}

/// Most words of the title of a numbered section.
const TITLE: usize = 6;

/// Whether what follows a list's number is the title of a section (`Primary Request and Intent:`): a few words, the long
/// ones with capitals, and a colon behind the last.
fn is_title(rest: &str) -> bool {
    let Some(title) = rest.trim_matches([' ', '*', '\t']).strip_suffix(':') else { return false };
    let mut words = title.split_ascii_whitespace();
    let capital = |word: &str| word.len() <= 3 || word.starts_with(|c: char| c.is_uppercase());
    title.len() <= 64 && words.clone().count() <= TITLE && words.all(capital)
}

/// The source marker at the head of a line: one short bracketed label that begins with a letter.
fn marker(s: &Scan<'_>, i: usize) -> Option<Span> {
    if s.at(i) != b'[' || !s.at(i + 1).is_ascii_alphabetic() {
        return None;
    }
    let mut end = i + 1;
    while end - i < 40
        && (s.at(end).is_ascii_alphanumeric() || matches!(s.at(end), b'-' | b'_' | b':' | b'.' | b' '))
    {
        end += 1;
    }
    (s.at(end) == b']' && s.at(end + 1) == b' ').then(|| Span::new(i, end + 1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::all;
    use crate::{Class, read};

    #[test]
    fn gutters_ordinals_and_hunks_are_no_facts() {
        for text in [
            "   12→fn main\n   13→end",
            "12: first\n13: second",
            "  1\tfirst\n  2\tsecond",
            "7| first\n8| second",
            "1. Stop\n2. Go\n3) Wait\n**4.** Done\n(5) Rest\n**(6)** End",
            "## 3. Plan\n> 1. quoted",
            "@@ -10,7 +10,9 @@ fn main",
        ] {
            assert_eq!(all(text), [], "{text:?}");
        }
    }

    #[test]
    fn what_looks_like_layout_and_is_none() {
        assert_eq!(all("10:00 pending"), [(Class::Time, "10:00")]);
        assert_eq!(all("12: the only line"), [(Class::Number, "12")]);
        assert_eq!(all("2026. was long"), [(Class::Number, "2026")]);
        assert_eq!(all("+++ b/src/x.rs"), [(Class::Path, "src/x.rs")]);
    }

    #[test]
    fn a_marker_can_be_cited() {
        let r = read("[m-101] Cache TTL is 600 [m-207].");
        let marked: Vec<_> = r.facts.iter().map(|f| (f.at.of(r.text), f.marker)).collect();
        assert!(marked.contains(&("m-101", true)) && marked.contains(&("m-207", false)), "{marked:?}");
        assert!(read("[2026-05-15] renewed").facts.iter().all(|f| !f.marker));
        assert!(read("[#4] edit").facts.iter().all(|f| !f.marker));
    }
}
