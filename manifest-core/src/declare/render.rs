//! The one text of a summary: what is audited, stored, and put before the next model.

use super::{Conflict, Declaration, NamedChild};
use crate::fact::Class;
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
    /// Where each declared claim stands in it, with the children that it cites.
    pub cited: Vec<Cited>,
    /// Where the facts stand of which a field names the kind, with that kind.
    pub kinds: Vec<(Span, Class)>,
    /// The children that the summary says it was made from; empty if it does not say.
    pub children: Vec<NamedChild>,
}

/// A claim of the parent, and the children that it cites.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cited {
    /// Where it stands in the parent.
    pub span: Span,
    /// Indexes of the children, from 0.
    pub children: Vec<usize>,
}

impl Cited {
    /// A claim that cites these children, counted from 0.
    pub fn new(span: Span, children: impl Into<Vec<usize>>) -> Self {
        Cited { span, children: children.into() }
    }
}

impl Declaration<'_> {
    /// The text that is audited and stored: the texts, then one list item for each claim that is no sentence of them, for each conflict, for each fact with a subject
    /// (`subject: value`), and for each other fact that is no word of texts and claims. Empty for a summary that declares none of
    /// them.
    pub fn render(&self) -> Rendered {
        let prose = self.texts().join("\n\n");
        let sentences = sentences(&prose);
        let mut list = List { text: prose.clone(), begun: false };
        let cited = self.claims().iter().map(|claim| {
            let text = one_line(claim.text);
            let span = match sentences.get(text.as_str()) {
                Some(&start) => Span::new(start, start + text.len()),
                None => list.item(&text),
            };
            Cited { span, children: claim.children.to_vec() }
        });
        let cited = cited.collect();
        let prose = list.text.clone();
        let words = words(&prose);
        for conflict in self.conflicts() {
            list.item(&conflict_line(conflict));
        }
        let (mut facts, mut kinds) = (Vec::new(), Vec::new());
        let mut bound: FxHashMap<String, Span> = FxHashMap::default();
        for fact in self.facts() {
            let value = one_line(&fact.text);
            let span = match (&fact.subject, words.get(fact.text.trim())) {
                // A value that stands in the prose is not bound to this subject by that.
                (Some(subject), _) => {
                    let line = format!("{}: {value}", one_line(subject));
                    let place = *bound.entry(line).or_insert_with_key(|line| list.item(line));
                    Span::new(place.end.saturating_sub(value.len()), place.end)
                }
                (None, Some(&start)) => Span::new(start, start + value.len()),
                (None, None) => list.item(&value),
            };
            facts.push(span);
            kinds.extend(fact.kind.map(|kind| (span, kind)));
        }
        Rendered { text: list.text, facts, cited, kinds, children: self.children().to_vec() }
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

/// The sentences of a text, as far as a full stop and a space or the end of a line tell, with the first place of each.
fn sentences(text: &str) -> FxHashMap<&str, usize> {
    let mut sentences = FxHashMap::default();
    let mut start = 0;
    let ends = text.match_indices(['.', '!', '?', '\n']).map(|(at, _)| at + 1);
    for end in ends.chain([text.len()]) {
        let rest = text.get(end..).unwrap_or_default();
        if !rest.is_empty()
            && !rest.starts_with(char::is_whitespace)
            && !text.get(..end).is_some_and(|text| text.ends_with('\n'))
        {
            continue;
        }
        let piece = text.get(start..end).unwrap_or_default();
        let indent = piece.len() - piece.trim_start().len();
        sentences.entry(piece.trim()).or_insert(start + indent);
        start = end;
    }
    sentences
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
