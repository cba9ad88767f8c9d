//! Credentials that some text gave away: known again wherever they stand bare.

use super::super::{Class, Reading};
use super::value::is_strong;
use crate::text::Span;
use rustc_hash::FxHashMap;

/// More are not remembered.
const MOST: usize = 512;
/// Longer ones (blocks of keys) are not looked for word for word, in bytes.
const LONGEST: usize = 512;
/// What a text is searched by: so many first bytes. No remembered one is shorter.
const HEAD: usize = 6;

/// Credentials by their text. A plain word is none of them: it stands elsewhere as a word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// By their first bytes; the longest first, as one that is part of another must not cut it in two.
    texts: FxHashMap<[u8; HEAD], Vec<Box<str>>>,
    count: usize,
}

impl Known {
    /// Remembers the credentials of a reading.
    pub(crate) fn learn(&mut self, reading: &Reading<'_>) {
        for fact in reading.facts.iter().filter(|f| f.class == Class::Secret) {
            let text = fact.span.of(reading.text);
            let Some(head) = text.as_bytes().first_chunk::<HEAD>() else { continue };
            if self.count >= MOST || text.len() > LONGEST || !is_telling(text) {
                continue;
            }
            let same = self.texts.entry(*head).or_default();
            if !same.iter().any(|t| **t == *text) {
                same.push(text.into());
                same.sort_by_key(|t| std::cmp::Reverse(t.len()));
                self.count += 1;
            }
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether one stands in a text.
    pub(crate) fn within(&self, text: &str) -> bool {
        !self.spans(text).is_empty()
    }

    /// Where they stand in a text, in order and apart from each other.
    pub(crate) fn spans(&self, text: &str) -> Vec<Span> {
        let mut out: Vec<Span> = Vec::new();
        if self.is_empty() {
            return out;
        }
        let bytes = text.as_bytes();
        let word = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
        let mut i = 0;
        while let Some(head) = bytes.get(i..).and_then(<[u8]>::first_chunk::<HEAD>) {
            let begins = i == 0 || !word(i - 1) || !word(i);
            let found = if begins { self.texts.get(head) } else { None };
            let end =
                found.into_iter().flatten().map(|t| (t, i + t.len())).find(|(t, end)| {
                    bytes.get(i..*end) == Some(t.as_bytes()) && !(word(*end) && word(*end - 1))
                });
            match end {
                Some((_, end)) => {
                    out.push(Span::new(i, end));
                    i = end;
                }
                None => i += 1,
            }
        }
        out
    }

    /// A text with `mask` in place of each.
    pub(crate) fn mask(&self, text: &str, mask: &str) -> Option<String> {
        let spans = self.spans(text);
        if spans.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for span in spans {
            out.push_str(text.get(from..span.start).unwrap_or_default());
            out.push_str(mask);
            from = span.end;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Some(out)
    }
}

/// Whether a credential stands for nothing else where it stands again.
fn is_telling(text: &str) -> bool {
    is_strong(text) || text.len() >= 16 && !text.contains(' ') && text.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn known(text: &str) -> Known {
        let mut known = Known::default();
        known.learn(&read(text));
        known
    }

    #[test]
    fn a_credential_is_known_again_and_a_word_is_not() {
        let known = known("password=Tr0ub4dor3 and DB_PASS=swordfish");
        let text = "Tr0ub4dor3, xTr0ub4dor3, (Tr0ub4dor3) Tr0ub4dor33 swordfish";
        assert_eq!(known.mask(text, "***").as_deref(), Some("***, xTr0ub4dor3, (***) Tr0ub4dor33 swordfish"));
        assert_eq!(known.mask("nothing of it", "***"), None);
    }

    #[test]
    fn the_longer_one_goes_first() {
        let known = known("token=Zt81mQv0aX password=Zt81mQv0aX-Xw93");
        assert_eq!(known.mask("Zt81mQv0aX-Xw93 Zt81mQv0aX", "*").as_deref(), Some("* *"));
    }
}
