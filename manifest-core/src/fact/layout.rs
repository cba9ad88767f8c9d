//! What is layout and no fact: line-number gutters, list ordinals, source markers, fences.

use super::scan::Scan;
use super::{command, payload};
use crate::text::Span;

/// What is known of the line that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Where it starts.
    pub(super) start: usize,
    /// Where its content starts, past indentation, gutter and ordinal.
    pub(super) content: usize,
    /// Inside a code fence.
    pub(super) fence: Fence,
    /// The source marker at its head (`[m-101]`).
    pub(super) marker: Option<Span>,
    /// Whether it looks like JSON.
    pub(super) json: bool,
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
    /// Shell input after prompts, and output.
    Console,
}

/// Takes in the line that starts at `start`; returns where its tokens begin.
pub(super) fn line_start(s: &mut Scan<'_>, start: usize) -> usize {
    let mut i = s.skip_spaces(start);
    s.line = Line { start, content: i, fence: s.line.fence, marker: None, json: false };
    if i >= s.limit {
        return i.max(start);
    }
    if s.is(i, "```") || s.is(i, "~~~") {
        return fence(s, i);
    }
    if s.at(i).is_ascii_digit() {
        i = number_gutter(s, start, i).unwrap_or(i);
    }
    i = ordinal(s, i);
    s.line.content = i;
    s.line.json = looks_like_json(s, i);
    s.line.marker = marker(s, i);
    if let Some(end) = payload::block(s, start) {
        return end;
    }
    command::line(s, i)
}

/// A fence opens or closes.
fn fence(s: &mut Scan<'_>, i: usize) -> usize {
    let lang = s.word_at(i + 3);
    s.line.fence = match (s.line.fence, lang) {
        (Fence::No, "bash" | "sh" | "shell" | "zsh" | "fish" | "powershell" | "ps1") => Fence::Shell,
        (Fence::No, "console" | "terminal") => Fence::Console,
        (Fence::No, _) => Fence::Code,
        _ => Fence::No,
    };
    let mut end = i + 3;
    while !matches!(s.at(end), b'\n' | 0) {
        end += 1;
    }
    end
}

/// The end of a line-number gutter: `12→`, or `12:`, `12|`, `12<tab>` where a neighbouring line has the next number.
fn number_gutter(s: &Scan<'_>, start: usize, i: usize) -> Option<usize> {
    let (number, end) = gutter_at(s, i)?;
    if s.is(end, "→") {
        return Some(end + "→".len());
    }
    let follows = |n: u64| n > number && n - number <= 3;
    let next = line_after(s, end).and_then(|j| gutter_at(s, s.skip_spaces(j)));
    let previous = line_before(s, start).and_then(|j| gutter_at(s, s.skip_spaces(j)));
    let same = |other: usize| s.at(other) == s.at(end);
    let run = next.is_some_and(|(n, e)| follows(n) && same(e))
        || previous.is_some_and(|(n, e)| n < number && number - n <= 3 && same(e));
    run.then_some(end + 1)
}

/// The number of a gutter and where its separator stands.
fn gutter_at(s: &Scan<'_>, i: usize) -> Option<(u64, usize)> {
    let end = s.digits(i);
    if end == i || end - i > 7 {
        return None;
    }
    let number: u64 = s.slice(i, end).parse().ok()?;
    let separator = match s.at(end) {
        b'\t' => true,
        b'|' | b':' => !s.at(end + 1).is_ascii_digit() && s.at(end + 1) != b'/',
        _ => s.is(end, "→"),
    };
    separator.then_some((number, end))
}

fn line_after(s: &Scan<'_>, i: usize) -> Option<usize> {
    let rest = s.bytes.get(i..s.limit)?;
    // A gutter's next line is near; a long line without one is none.
    let n = rest.iter().take(4096).position(|&b| b == b'\n')?;
    Some(i + n + 1)
}

fn line_before(s: &Scan<'_>, start: usize) -> Option<usize> {
    let end = start.checked_sub(1)?;
    let low = end.saturating_sub(4096);
    let head = s.bytes.get(low..end)?;
    match head.iter().rposition(|&b| b == b'\n') {
        Some(n) => Some(low + n + 1),
        None if low == 0 => Some(0),
        None => None,
    }
}

/// The end of a list ordinal or bullet (`1. `, `2) `, `- `) or of heading hashes.
fn ordinal(s: &Scan<'_>, mut i: usize) -> usize {
    while s.at(i) == b'>' && s.at(i + 1) == b' ' {
        i = s.skip_spaces(i + 1);
    }
    let hashes = (i..i + 6).take_while(|&k| s.at(k) == b'#').count();
    if hashes > 0 && s.at(i + hashes) == b' ' {
        i = s.skip_spaces(i + hashes);
    } else if matches!(s.at(i), b'-' | b'*' | b'+') && s.at(i + 1) == b' ' {
        i = s.skip_spaces(i + 1);
    }
    let emphasis = if s.is(i, "**") { 2 } else { 0 };
    let end = s.digits(i + emphasis);
    if (1..=3).contains(&(end - i - emphasis))
        && matches!(s.at(end), b'.' | b')')
        && matches!(s.at(end + 1), b' ' | b'*')
    {
        return end + 1;
    }
    i
}

/// The source marker at the head of a line: one short bracketed label that is no date and no ticket.
fn marker(s: &Scan<'_>, i: usize) -> Option<Span> {
    if s.at(i) != b'[' {
        return None;
    }
    let mut end = i + 1;
    while end - i < 40
        && (s.at(end).is_ascii_alphanumeric() || matches!(s.at(end), b'-' | b'_' | b':' | b'.' | b' '))
    {
        end += 1;
    }
    let label = s.slice(i + 1, end);
    let named = label.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    (s.at(end) == b']' && named && s.at(end + 1) == b' ').then(|| Span::new(i, end + 1))
}

/// Whether the line reads as JSON: it opens as an object or array, or holds `":`.
fn looks_like_json(s: &Scan<'_>, i: usize) -> bool {
    match s.at(i) {
        b'{' => matches!(s.at(s.skip_spaces(i + 1)), b'"' | b'\n' | 0 | b'}' | b'\\'),
        b'[' => matches!(s.at(s.skip_spaces(i + 1)), b'"' | b'{' | b'[' | b'\n' | b']'),
        b'"' => true,
        _ => false,
    }
}
