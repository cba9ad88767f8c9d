//! Whether the parent (or the ledger beside it) states a value of the children.

use super::parent::{Index, Text};
use super::table::{Entry, Table};
use crate::fact::Class;
use crate::text::{Span, words};
use rustc_hash::FxHashSet;

/// A text that may state values: the parent, or the ledger.
pub(crate) struct Stater<'a, 't> {
    text: &'a Text<'t>,
    index: &'a Index,
    words: FxHashSet<u64>,
    lower: String,
    /// Whether the text is a ledger: a list of exact values, each as its child writes it.
    exact: bool,
}

impl<'a, 't> Stater<'a, 't> {
    /// Prepares a text.
    pub(crate) fn of(text: &'a Text<'t>, index: &'a Index) -> Self {
        let stems = text.words.iter().map(|w| w.stem).collect();
        Stater { text, index, words: stems, lower: text.reading.normal.text.to_lowercase(), exact: false }
    }

    /// Prepares a ledger.
    pub(crate) fn of_ledger(text: &'a Text<'t>, index: &'a Index) -> Self {
        Stater { exact: true, ..Stater::of(text, index) }
    }

    /// Whether the text states the value.
    pub(crate) fn states(&self, key: u64, entry: &Entry, table: &Table) -> bool {
        let by_second = entry.also().is_some_and(|also| self.index.facts.contains_key(&also));
        if self.index.facts.contains_key(&key) || self.index.also.contains(&key) || by_second {
            return true;
        }
        if self.exact && self.verbatim(&entry.text) {
            return true;
        }
        match entry.class {
            Class::Digest | Class::Uuid => self.short_digest(entry, table),
            Class::Name => !self.exact && self.name(entry),
            Class::Command => self.phrase(&entry.text, 0.8),
            Class::Quote => self.phrase(&entry.text, 0.9),
            Class::Payload => true,
            Class::Symbol => self.verbatim(&entry.text) || self.spelled_out(&entry.text),
            Class::Path
            | Class::Identifier
            | Class::Ticket
            | Class::ErrorCode
            | Class::EnvVar
            | Class::Url => self.verbatim(&entry.text),
            _ => false,
        }
    }

    /// A head of seven digits or more states a digest, if no other digest has the same head.
    fn short_digest(&self, entry: &Entry, table: &Table) -> bool {
        let full = entry.text.to_ascii_lowercase();
        self.text.reading.facts.iter().filter(|f| matches!(f.class, Class::Digest | Class::Identifier)).any(
            |f| {
                let head = f.at.of(&self.text.reading.normal.text).to_ascii_lowercase();
                head.len() >= 7
                    && full.len() > head.len()
                    && full.starts_with(&head)
                    && table
                        .iter()
                        .filter(|(_, e)| {
                            e.class == entry.class && e.text.to_ascii_lowercase().starts_with(&head)
                        })
                        .count()
                        == 1
            },
        )
    }

    /// The token as it stands, not as a part of a longer one.
    fn verbatim(&self, surface: &str) -> bool {
        let text = &*self.text.reading.normal.text;
        // Most values stand nowhere in the text: their words tell that sooner than a search does.
        if words(surface, Span::new(0, surface.len())).iter().any(|word| !self.words.contains(&word.stem)) {
            return false;
        }
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\\');
        text.match_indices(surface).any(|(at, _)| {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let mut after = text.get(at + surface.len()..).unwrap_or_default().chars();
            let next = after.next();
            // A point belongs to the token where a letter or digit follows it.
            let dotted =
                matches!(next, Some('.' | ':' | '@')) && after.next().is_some_and(char::is_alphanumeric);
            !before.is_some_and(|c| part(c) || c == '.') && !next.is_some_and(part) && !dotted
        })
    }

    /// The words of a name of code, told in prose in one sentence (`expires_at`: "it expires at …").
    fn spelled_out(&self, surface: &str) -> bool {
        let prose = !surface.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        let wanted: Vec<u64> = words(surface, Span::new(0, surface.len()))
            .iter()
            .filter(|w| w.content)
            .map(|w| w.stem)
            .collect();
        let folded = &*self.text.reading.normal.text;
        prose
            && !wanted.is_empty()
            && wanted.iter().all(|s| self.words.contains(s))
            && self.text.reading.sentences.iter().any(|sentence| {
                let here: FxHashSet<u64> = words(folded, sentence.at).iter().map(|w| w.stem).collect();
                wanted.iter().all(|s| here.contains(s))
            })
    }

    fn name(&self, entry: &Entry) -> bool {
        let stems = words(&entry.text, Span::new(0, entry.text.len()));
        if stems.is_empty() || stems.iter().any(|w| self.words.contains(&w.stem)) {
            return true;
        }
        let own = entry.text.to_lowercase();
        own.len() >= 5 && {
            let head: String = own.chars().take(own.chars().count().saturating_sub(3).max(5)).collect();
            self.lower.contains(&head)
        }
    }

    /// A share of the words stands in one sentence of the text.
    fn phrase(&self, surface: &str, share: f64) -> bool {
        let wanted: Vec<u64> = words(surface, Span::new(0, surface.len())).iter().map(|w| w.stem).collect();
        if wanted.is_empty() {
            return self.text.reading.normal.text.contains(surface);
        }
        if wanted.iter().filter(|s| self.words.contains(s)).count() as f64 + 1e-9
            < share * wanted.len() as f64
        {
            return false;
        }
        let folded = &*self.text.reading.normal.text;
        self.text.reading.sentences.iter().any(|sentence| {
            let here: FxHashSet<u64> = words(folded, sentence.at).iter().map(|w| w.stem).collect();
            wanted.iter().filter(|s| here.contains(s)).count() as f64 + 1e-9 >= share * wanted.len() as f64
        })
    }
}
