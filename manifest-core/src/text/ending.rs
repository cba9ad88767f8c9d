//! Where a sentence ends: which full stops are ends, and which stand in abbreviations, ordinals and names.

use super::Span;
use super::line::ordinal;
use super::stop::{Abbreviation, abbreviation, opens, unspaced};

/// A run of full stops with what closes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The full stops.
    at: Span,
    /// Past the quotes, brackets and emphasis that close with the sentence.
    pub(super) end: usize,
    /// Whether it is of a script that puts no space after it.
    wide: bool,
}

impl Stop {
    /// The stop that begins at `i`, before `limit`.
    pub(super) fn at(text: &str, i: usize, limit: usize) -> Option<Stop> {
        let (mut j, mut wide) = (i, false);
        for c in text.get(i..limit)?.chars() {
            match c {
                '.' | '!' | '?' | '…' | '‽' => {}
                ':' if j == i => {
                    j += 1;
                    break;
                }
                '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '؟' | '۔' | '։' | '።' | '။' | '།' | '។' =>
                {
                    wide = true;
                }
                _ => break,
            }
            j += c.len_utf8();
        }
        let closers = text.get(j..limit).unwrap_or_default().chars().take_while(|&c| {
            matches!(
                c,
                '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '*' | '_' | '`'
            )
        });
        let end = j + closers.map(char::len_utf8).sum::<usize>();
        (j > i).then_some(Stop { at: Span::new(i, j), end, wide })
    }

    /// Whether it ends the sentence that began at `start`, in a stretch that goes on to `limit`.
    pub(super) fn ends(self, text: &str, start: usize, limit: usize) -> bool {
        let rest = text.get(self.end..limit).unwrap_or_default();
        let next = rest.trim_start();
        let Some(first) = next.chars().next() else { return true };
        let marks = self.at.of(text);
        if self.wide {
            return true;
        }
        if next.len() == rest.len() {
            // No space: another script may follow directly, anything else is inside something.
            return unspaced(first) && marks != ":";
        }
        if marks == ":" {
            return numbered(next);
        }
        if self.end > self.at.end && first.is_lowercase() {
            return false;
        }
        if marks != "." {
            // An ellipsis goes on with a small letter; a question mark does not.
            return !(first.is_lowercase() && marks.starts_with(['.', '…']));
        }
        point(text.get(start..self.at.start).unwrap_or_default(), next, first)
    }
}

/// Whether `next` begins with the ordinal of a list inside running text: `1. Basic`.
fn numbered(next: &str) -> bool {
    next.starts_with(|c: char| c.is_ascii_digit())
        && ordinal(next.as_bytes()).is_some_and(|(n, _)| {
            let after = next.get(n + 1..).unwrap_or_default();
            after.starts_with(char::is_whitespace) && after.trim_start().starts_with(char::is_uppercase)
        })
}

/// Whether a single full stop between `before`, the sentence so far, and `next` ends it.
fn point(before: &str, next: &str, first: char) -> bool {
    let apart = |c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“' | '[' | '/');
    let word = before.rsplit(apart).next().unwrap_or_default();
    if word.is_empty() {
        return true;
    }
    if before.trim_start().len() == word.len() && word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit())
    {
        return false;
    }
    let follow: String = next.chars().take_while(|c| c.is_alphabetic()).take(12).collect();
    match abbreviation(word) {
        Abbreviation::Title => false,
        Abbreviation::Number => !first.is_ascii_digit() && first.is_uppercase(),
        Abbreviation::Last => first.is_uppercase() && opens(&follow),
        Abbreviation::None => {
            let initial = word.chars().nth(1).is_none() && word.starts_with(char::is_uppercase);
            if initial {
                return opens(&follow);
            }
            // A small letter may begin a sentence of a chat, after a plain word only.
            !first.is_lowercase() || word.chars().nth(2).is_some() && word.chars().all(char::is_lowercase)
        }
    }
}

/// Bytes at which a stretch of prose may end or nest; lead bytes of other scripts stand for their full stops.
pub(super) const CLASS: [u8; 256] = {
    let mut t = [0_u8; 256];
    t[b'.' as usize] = 1;
    t[b'!' as usize] = 1;
    t[b'?' as usize] = 1;
    t[b':' as usize] = 1;
    t[b'(' as usize] = b'(';
    t[b')' as usize] = b')';
    // Lead bytes of …, ։, ؟, ۔, Indic, Ethiopic, Khmer, Tibetan and CJK stops.
    t[0xD6] = 1;
    t[0xD8] = 1;
    t[0xDB] = 1;
    t[0xE0] = 1;
    t[0xE1] = 1;
    t[0xE2] = 1;
    t[0xE3] = 1;
    t[0xEF] = 1;
    t
};
