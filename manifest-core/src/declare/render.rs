//! The one text of a summary: what is audited, stored, and put before the next model.

use super::{Conflict, Declaration};
use crate::text::Span;
use rustc_hash::FxHashMap;

/// What a summary declares, as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Where each declared fact stands in it, in the order of the fields.
    pub facts: Vec<Span>,
}

impl Declaration<'_> {
    /// The text that is audited and stored: the texts, then one list item for each conflict and for each fact that is
    /// no word of the texts. Empty for a summary that declares none of them.
    pub fn render(&self) -> Rendered {
        let prose = self.texts().join("\n\n");
        let words = words(&prose);
        let mut list = List { text: prose.clone(), begun: false };
        for conflict in self.conflicts() {
            list.item(&conflict_line(conflict));
        }
        let facts = self.facts().iter().map(|fact| {
            let value = fact.text.trim();
            match words.get(value) {
                Some(&start) => Span::new(start, start + value.len()),
                None => list.item(&one_line(value)),
            }
        });
        let facts = facts.collect();
        Rendered { text: list.text, facts }
    }
}

/// A text with a list at its end.
struct List {
    text: String,
    begun: bool,
}

impl List {
    /// Adds an item; gives its place.
    fn item(&mut self, line: &str) -> Span {
        if !self.text.is_empty() {
            self.text.push_str(if self.begun { "\n" } else { "\n\n" });
        }
        self.begun = true;
        self.text.push_str("- ");
        let start = self.text.len();
        self.text.push_str(line);
        Span::new(start, self.text.len())
    }
}

fn conflict_line(conflict: &Conflict) -> String {
    let sides: Vec<String> = conflict.sides.iter().map(|side| one_line(side)).collect();
    let attribute = conflict.attribute.iter().map(|attribute| format!(" {}", one_line(attribute)));
    let about: String = std::iter::once(one_line(&conflict.subject)).chain(attribute).collect();
    format!("{about}: {} (conflicting)", sides.join(" vs "))
}

/// The words of a text without the punctuation around them, with the first place of each.
fn words(text: &str) -> FxHashMap<&str, usize> {
    let mut words = FxHashMap::default();
    let mut at = 0;
    for piece in text.split(char::is_whitespace) {
        let word = piece.trim_start_matches(PUNCTUATION);
        let start = at + (piece.len() - word.len());
        words.entry(word.trim_end_matches(PUNCTUATION)).or_insert(start);
        // Every white space is passed over by its own length.
        at += piece.len();
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    words
}

const PUNCTUATION: &[char] =
    &[',', '.', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '`', '*'];

/// A value on one line, so that it cannot become a heading or a list of its own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
