//! Secrets never reach the screen, the JSON or an error.

use manifest_core::{Class, read};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What a secret is replaced by.
const MASK: &str = "[secret]";

/// Masks the secrets that are known from the texts, and those that a piece shows by itself.
#[derive(Debug, Default)]
pub(crate) struct Mask {
    /// Longest first: a secret that is part of another one must not cut it in two.
    known: BTreeSet<(Reverse<usize>, String)>,
}

impl Mask {
    /// Learns the secrets of a text. A piece cut out of it may not show what they are.
    pub(crate) fn learn(&mut self, text: &str) {
        for fact in read(text).facts {
            if fact.class == Class::Secret {
                self.add(fact.span.of(text));
            }
        }
    }

    /// Learns one secret.
    pub(crate) fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        // A plain word is a credential where its key stands, and a word everywhere else.
        let word = secret.len() < 20 && secret.bytes().all(|b| b.is_ascii_alphabetic());
        if secret.len() >= 4 && !word {
            self.known.insert((Reverse(secret.len()), secret.to_owned()));
        }
    }

    /// `text` without secrets and without what a terminal would obey.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (_, secret) in &self.known {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), MASK);
            }
        }
        let spans: Vec<(usize, usize)> = read(&out)
            .facts
            .iter()
            .filter(|f| f.class == Class::Secret)
            .map(|f| (f.span.start, f.span.end))
            .collect();
        for (start, end) in spans.into_iter().rev() {
            if out.get(start..end).is_some_and(|s| s != MASK) {
                out.replace_range(start..end, MASK);
            }
        }
        crate::visible::plain(&out)
    }

    /// [`Mask::apply`] line by line.
    pub(crate) fn apply_lines(&self, text: &str) -> String {
        text.lines().map(|line| self.apply(line)).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_stays_masked_in_a_piece_of_its_text() {
        let text = "export API_KEY=sk-proj-Zt81mQv0aXw93LkRbY72hGdE and go";
        let mut mask = Mask::default();
        mask.learn(text);
        let piece = "uses sk-proj-Zt81mQv0aXw93LkRbY72hGdE here";
        let shown = mask.apply(piece);
        assert!(!shown.contains("Zt81mQv0"), "{shown}");
        assert!(Mask::default().apply(text).contains("export"), "the rest stays");
        assert!(!Mask::default().apply(text).contains("Zt81mQv0"));
    }

    #[test]
    fn what_a_terminal_would_obey_is_gone() {
        assert_eq!(crate::visible::plain("a\x1b[31mb\u{202e}c\td"), "a [31mbc d");
    }
}
