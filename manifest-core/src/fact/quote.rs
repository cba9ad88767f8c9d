//! Quoted strings.

use super::byte::is_word;
use super::layout::Fence;
use super::scan::Scan;
use super::value::{Domain, Value};
use super::{Class, Fact, path};
use crate::text::Span;

/// A quote character: opens a quoted string of running text, or is skipped.
pub(super) fn open(s: &mut Scan<'_>, i: usize) -> usize {
    let q = s.at(i);
    // An apostrophe within or after a word: skip its suffix.
    if q == b'\'' && is_word(s.before(i)) {
        let mut end = i + 1;
        while end < i + 4 && s.at(end).is_ascii_alphabetic() {
            end += 1;
        }
        return if s.ends(end) { end.max(i + 1) } else { i + 1 };
    }
    if q == b'`' || is_word(s.before(i)) || s.before(i) == b'\\' || s.line.fence != Fence::No || s.line.json {
        return i + 1;
    }
    let Some(end) = close_at(s, i, q) else { return i + 1 };
    let body = Span::new(i + 1, end);
    let text = body.of(s.text);
    let chars = text.trim().chars().count();
    if chars < 2 || s.inside() == Some(Class::Command) || s.inside() == Some(Class::Quote) {
        return i + 1;
    }
    // A key or a value of JSON, an attribute of a tag, an argument of code.
    let before = s.bytes.get(s.line.start..i).unwrap_or_default().iter().rev().find(|b| **b != b' ').copied();
    let after = s.at(s.skip_spaces(end + 1));
    let data = after == b':' && s.at(end + 1) == b':'
        || matches!(before, Some(b'=' | b'{' | b'['))
        || before == Some(b':') && matches!(s.before(i), b':')
        || matches!(s.before(i), b'(') && is_word(s.before(i.saturating_sub(1)));
    if data || path::extension(text).is_some_and(path::is_extension) && !text.contains(' ') {
        return i + 1;
    }
    let key = Domain::Quote.key(canonical(text).as_bytes());
    s.open(Fact::new(Class::Quote, body, key, Value::Text));
    i + 1
}

/// Where the quote that opens at `i` closes, within the line or the next.
fn close_at(s: &Scan<'_>, i: usize, q: u8) -> Option<usize> {
    if matches!(s.at(i + 1), b' ' | b'\n' | 0) {
        return None;
    }
    let mut end = i + 1;
    let mut breaks = 0;
    while end - i < 600 {
        let b = s.at(end);
        match b {
            0 => return None,
            b'\n' => {
                breaks += 1;
                if breaks > 1 || s.at(end + 1) == b'\n' || q == b'\'' {
                    return None;
                }
            }
            b'\\' => end += 1,
            _ if b == q && !is_word(s.at(end + 1)) && !matches!(s.before(end), b' ' | b'\n') => {
                return Some(end);
            }
            _ => {}
        }
        end += 1;
    }
    None
}

/// A composite is closed: a quote that one fact fills says nothing more than that fact.
pub(super) fn close(s: &mut Scan<'_>, i: usize) {
    let Some(whole) = s.facts.get(i) else { return };
    if whole.class != Class::Quote || s.facts.len() != i + 2 {
        return;
    }
    let (at, outer) = (whole.at, whole.whole);
    if let Some(part) = s.facts.get_mut(i + 1)
        && part.at == at
    {
        part.whole = outer;
        s.facts.remove(i);
    }
}

/// The canonical text: single spaces, without the full stop that the sentence put inside.
pub(super) fn canonical(surface: &str) -> String {
    let t = surface.split_whitespace().collect::<Vec<_>>().join(" ");
    t.trim_end_matches(['.', ',']).to_owned()
}
