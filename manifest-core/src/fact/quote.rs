//! Quoted strings.

use super::Class;
use super::byte::is_word;
use super::layout::Fence;
use super::scan::Scan;
use super::{path, single_spaced};
use crate::text::Span;
use std::borrow::Cow;

/// Longer quotes are blocks of their own.
const LONGEST: usize = 600;

/// A quote character: opens a quoted string of running text, or is skipped. What is quoted is read as its parts.
pub(super) fn open(s: &mut Scan<'_>, i: usize) -> usize {
    let quote = s.at(i);
    if quote == b'\'' && is_word(s.before(i)) {
        return past_suffix(s, i);
    }
    if quote == b'`'
        || is_word(s.before(i))
        || s.line.fence != Fence::No
        || s.line.heredoc.is_some()
        || matches!(s.inside(), Some(Class::Command | Class::Quote))
    {
        return i + 1;
    }
    let Some(end) = close_at(s, i, quote) else { return i + 1 };
    let at = Span::new(i + 1, end);
    let text = at.of(s.text);
    let lone_file = path::is_file(text) && !text.contains(' ');
    if text.trim().chars().nth(1).is_none() || lone_file || is_data(s, i, end) {
        return i + 1;
    }
    let fact = s.text_fact(Class::Quote, at);
    s.open(fact);
    i + 1
}

/// Past an apostrophe and the suffix that it begins (`'s`, `n't`).
fn past_suffix(s: &Scan<'_>, i: usize) -> usize {
    let suffix = s.word_at(i + 1);
    if suffix.len() < 4 && s.ends(i + 1 + suffix.len()) { i + 1 + suffix.len() } else { i + 1 }
}

/// Whether the string is data rather than a quote: a key or a value of a record, an argument of code.
fn is_data(s: &mut Scan<'_>, i: usize, end: usize) -> bool {
    let before = s.before(i);
    let bound =
        matches!(before, b'=' | b':' | b'{' | b'[' | b'\\') || before == b'(' && is_word(s.before(i - 1));
    bound || s.at(end + 1) == b':' || s.line_is_record() || s.line_is_code()
}

/// Where the quote that opens at `i` closes, on its line or the next.
fn close_at(s: &Scan<'_>, i: usize, quote: u8) -> Option<usize> {
    if matches!(s.at(i + 1), b' ' | b'\n' | 0) {
        return None;
    }
    let mut breaks = 0;
    for end in i + 1..i + LONGEST {
        match s.at(end) {
            0 => return None,
            b'\n' => {
                breaks += 1;
                if breaks > 1 || quote == b'\'' || s.at(end + 1) == b'\n' {
                    return None;
                }
            }
            b if b == quote && !is_word(s.at(end + 1)) && !matches!(s.before(end), b' ' | b'\n' | b'\\') => {
                return Some(end);
            }
            _ => {}
        }
    }
    None
}

/// Where the quote that began before `i` ends: at its mark, or at the end of the line, or where no quote is so long.
pub(super) fn end(s: &Scan<'_>, i: usize, quote: u8) -> usize {
    let mut end = i;
    while end - i < LONGEST && !matches!(s.at(end), 0 | b'\n') && s.at(end) != quote {
        end += 1;
    }
    s.floor(end)
}

/// A composite is closed: a quote that one fact fills says nothing more than that fact.
pub(super) fn close(s: &mut Scan<'_>, i: usize) {
    let Some(whole) = s.facts.get(i) else { return };
    if whole.class != Class::Quote || s.facts.get(i + 1).is_none_or(|part| part.at != whole.at) {
        return;
    }
    let outer = whole.whole;
    s.facts.remove(i);
    for fact in s.facts.iter_mut().skip(i) {
        fact.whole = match fact.whole {
            Some(w) if w == i => outer,
            Some(w) if w > i => Some(w - 1),
            other => other,
        };
    }
}

/// The canonical text: single spaces, without the full stop or comma that the sentence put inside.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    match single_spaced(surface) {
        Cow::Borrowed(t) => Cow::Borrowed(t.trim_end_matches(['.', ','])),
        Cow::Owned(t) => Cow::Owned(t.trim_end_matches(['.', ',']).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, none, reads};
    use crate::{Class, read};

    #[test]
    fn quotes_of_prose() {
        reads(
            Class::Quote,
            &[
                ("She said \"ship it now\" twice.", &["ship it now"]),
                ("the status “ready to go” and ‘not yet’", &["ready to go", "not yet"]),
                ("(\"so be it.\")", &["so be it."]),
                ("it's Noor's \"own way\", isn't it", &["own way"]),
            ],
        );
        equal(&["\"ship it now\"", "“ship it now.”", "\"ship  it\nnow\""]);
    }

    #[test]
    fn what_is_quoted_is_its_part() {
        let text = "He wrote \"wait 30 s for db-3\" there";
        assert_eq!(
            all(text),
            [(Class::Quote, "wait 30 s for db-3"), (Class::Quantity, "30 s"), (Class::Identifier, "db-3")]
        );
        assert_eq!(read(text).facts[2].whole, Some(0));
        assert_eq!(all("idle > '30 days'"), [(Class::Quantity, "30 days")]);
    }

    #[test]
    fn strings_of_data_and_code_are_no_quotes() {
        none(
            Class::Quote,
            &[
                "{\"a\": \"b c\", \"d\": [\"e f\"]}",
                "  \"key\": \"some value\",",
                "name=\"some value\"",
                "print(\"hello there\")",
                "```py\nx = \"hello there\"\n```",
                "the nodes' own and the users' wish",
                "5\" and 6\" pipes",
                "tool x: {\"status\": \"not found\", \"n\": 3}",
            ],
        );
    }
}
