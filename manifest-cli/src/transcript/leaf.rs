//! Units cut to leaves: on the bounds of parts and lines, never inside a token.

use super::item::{Kind, Part, Unit};
use manifest_core::Role;

/// One leaf: a stretch of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leaf<'u> {
    /// Its text.
    pub(crate) text: &'u str,
    /// The part that it is a stretch of.
    pub(crate) part: &'u Part,
    /// The number of its unit.
    pub(crate) unit: u64,
    /// The first line of the source that it stands on.
    pub(crate) line: u64,
}

impl Leaf<'_> {
    /// Who said it.
    pub(crate) fn role(&self) -> Role {
        self.part.role
    }

    /// What it is.
    pub(crate) fn kind(&self) -> Kind {
        self.part.kind
    }
}

/// The leaves of a unit, each of about `max` bytes. A token longer than that stays whole, and its leaf is larger.
pub(crate) fn leaves(unit: &Unit, max: usize) -> Vec<Leaf<'_>> {
    let mut out = Vec::new();
    for part in &unit.parts {
        let mut line = part.line;
        for text in cut(&part.text, max.max(1)) {
            if !text.trim().is_empty() {
                out.push(Leaf { text, part, unit: unit.number, line });
            }
            if part.spread {
                line += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
            }
        }
    }
    out
}

/// Stretches of about `max` bytes that together are `text`.
fn cut(text: &str, max: usize) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while rest.len() > max {
        let at = bound(rest, max);
        if at >= rest.len() {
            break;
        }
        let (head, tail) = rest.split_at(at);
        out.push(head);
        rest = tail;
    }
    if !rest.is_empty() {
        out.push(rest);
    }
    out
}

/// Where to cut `text`: behind the last good bound within `max` bytes, or behind the first one after it.
fn bound(text: &str, max: usize) -> usize {
    let window = floor(text, max);
    let head = text.get(..window).unwrap_or_default();
    // A line in the second half of the window is best; then the end of a sentence; then the space of a word.
    if let Some(at) = head.rfind('\n').filter(|at| *at >= window / 2) {
        return at + 1;
    }
    if let Some(at) = head.rfind(". ").filter(|at| *at >= window / 2) {
        return at + 2;
    }
    if let Some(at) = head.rfind('\n').filter(|at| *at > 0) {
        return at + 1;
    }
    if let Some(at) = last_break(head) {
        return at;
    }
    // A token that is longer than a leaf.
    let tail = text.get(window..).unwrap_or_default();
    first_break(tail).map_or(text.len(), |at| window + at)
}

/// Whether a token can end before `next` and behind `before`.
fn breaks(before: char, next: char) -> bool {
    if before.is_whitespace() {
        // `10 000 B`: a number goes on over its space.
        return !next.is_whitespace();
    }
    matches!(before, '。' | '！' | '？' | '、' | '；' | '，')
        || (matches!(before, ',' | ';' | '}' | ']' | '>') && matches!(next, '"' | '{' | '[' | '<'))
}

/// The last place in `text` where a token ends, not between a number and what belongs to it.
fn last_break(text: &str) -> Option<usize> {
    let mut next: Option<(usize, char)> = None;
    let mut spare = None;
    for (i, c) in text.char_indices().rev() {
        if let Some((at, following)) = next
            && breaks(c, following)
        {
            let before = text.get(..i).and_then(|t| t.trim_end().chars().next_back());
            if !before.is_some_and(|b| b.is_ascii_digit()) || !c.is_whitespace() {
                return Some(at);
            }
            spare = spare.or(Some(at));
        }
        // A long run of numbers is cut between two of them in the end.
        if spare.is_some_and(|at| at > i + 512) {
            return spare;
        }
        next = Some((i, c));
    }
    spare
}

/// The first place in `text` where a token ends.
fn first_break(text: &str) -> Option<usize> {
    let mut before: Option<char> = None;
    for (i, c) in text.char_indices() {
        if before.is_some_and(|b| breaks(b, c)) {
            return Some(i);
        }
        before = Some(c);
    }
    None
}

/// The character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(text: &str, spread: bool) -> Unit {
        let mut part = Part::new(Kind::Said, Role::User, text, 10);
        part.spread = spread;
        Unit { number: 7, parts: vec![part] }
    }

    #[test]
    fn leaves_are_the_text_and_know_their_lines() {
        let lines: Vec<String> = (0..500).map(|i| format!("line {i} of the log\n")).collect();
        let text = lines.concat();
        let unit = unit(&text, true);
        let leaves = leaves(&unit, 1000);
        assert!(leaves.len() > 8);
        assert_eq!(leaves.iter().map(|l| l.text).collect::<String>(), text);
        for leaf in &leaves {
            assert!(leaf.text.len() <= 1000 && leaf.text.ends_with('\n'));
            let n: u64 = leaf.text.split(' ').nth(1).unwrap().parse().unwrap();
            assert_eq!(leaf.line, 10 + n);
            assert_eq!(leaf.unit, 7);
        }
    }

    #[test]
    fn no_leaf_ends_inside_a_token() {
        let words: Vec<String> = (0..400).map(|i| format!("/srv/app/file-{i}.rs took 12 ms;")).collect();
        let text = words.join(" ");
        for max in [50, 64, 100, 333] {
            let unit = unit(&text, false);
            let leaves = leaves(&unit, max);
            assert_eq!(leaves.iter().map(|l| l.text).collect::<String>(), text);
            for leaf in &leaves {
                let t = leaf.text.trim_end();
                assert!(!t.ends_with("12"), "{t:?}");
                assert!(t.starts_with("/srv") || t.starts_with("took") || t.starts_with("12"), "{t:?}");
                assert_eq!(leaf.line, 10);
            }
        }
    }

    #[test]
    fn a_token_longer_than_a_leaf_stays_whole() {
        let blob = "QUJD".repeat(5_000);
        let text = format!("data {blob} end of it");
        let unit_ = unit(&text, false);
        assert!(leaves(&unit_, 100).iter().any(|l| l.text.contains(&blob)));
        let minified = format!("[{}]", vec!["{\"id\":12345}"; 1000].join(","));
        let unit_ = unit(&minified, false);
        let leaves = leaves(&unit_, 200);
        assert!(leaves.len() > 30);
        assert!(leaves.iter().all(|l| l.text.matches("\"id\"").count() == l.text.matches("12345}").count()));
    }

    #[test]
    fn cutting_is_linear_and_ends_on_any_text() {
        for text in
            ["", " ", "\n\n\n", "é", &"1 ".repeat(50_000), &"\u{3000}".repeat(5_000), &"、".repeat(5_000)]
        {
            let unit = unit(text, true);
            for max in [0, 1, 2, 3, 100] {
                let total: usize = cut(text, max.max(1)).iter().map(|t| t.len()).sum();
                assert_eq!(total, text.len());
                leaves(&unit, max);
            }
        }
    }
}
