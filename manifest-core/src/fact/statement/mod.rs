//! Statements: what a clause says about its tokens. Subject and attribute are the clause's content words, values are
//! its facts; polarity, modality, scope and comparators come from closed classes.

mod comparator;
mod cue;
mod opposite;

pub(crate) use comparator::Comparator;
pub(crate) use cue::Cues;
pub(crate) use opposite::{negates_by_prefix, opposed};

use super::{Class, Fact, Reading};
use crate::child::Role;
use crate::text::{SentenceKind, Span, Word};
use std::ops::Range;

/// What one clause says.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Where the clause stands in the folded text.
    pub(crate) at: Span,
    /// Index of its sentence.
    pub(crate) sentence: usize,
    /// Its content words outside of facts, as a range into [`Statements::words`].
    pub(crate) words: Range<usize>,
    /// Its facts (with their parts), as a range into the reading's facts.
    pub(crate) facts: Range<usize>,
    /// The closed-class cues in it.
    pub(crate) cues: Cues,
    /// Whether an odd number of negations stands in it.
    pub(crate) negated: bool,
    /// Who speaks, where the clause opens with a speaker's name (`user:`).
    pub(crate) speaker: Option<Role>,
    /// Who acts, where the clause's first words name a speaker ("the user asked …").
    pub(crate) actor: Option<Role>,
}

/// The statements of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// One a clause, in order.
    pub(crate) all: Vec<Statement>,
    /// The content words that the statements point into.
    pub(crate) words: Vec<Word>,
}

impl Statements {
    /// Reads the statements of a text whose facts, clauses and words are known.
    pub(crate) fn of(reading: &Reading<'_>, words: &[Word]) -> Self {
        let text = &*reading.normal.text;
        let mut out = Statements::default();
        let mut next_fact = 0;
        let mut next_word = 0;
        let mut speaker: Option<(usize, Role)> = None;
        for clause in &reading.clauses {
            let kind = reading.sentences.get(clause.sentence).map(|s| s.kind);
            if kind == Some(SentenceKind::Heading) {
                continue;
            }
            while reading.facts.get(next_fact).is_some_and(|f| f.at.start < clause.at.start) {
                next_fact += 1;
            }
            let first = next_fact;
            let mut last = first;
            while reading.facts.get(last).is_some_and(|f| f.at.start < clause.at.end) {
                last += 1;
            }
            let facts = &reading.facts[first..last];
            let said = spoken_by(clause.at.of(text));
            if let Some(role) = said {
                speaker = Some((clause.sentence, role));
            } else if speaker.is_some_and(|(sentence, _)| sentence != clause.sentence) {
                speaker = None;
            }
            let mut statement = Statement {
                at: clause.at,
                sentence: clause.sentence,
                words: out.words.len()..out.words.len(),
                facts: first..last,
                cues: Cues::default(),
                negated: false,
                speaker: speaker.map(|(_, role)| role),
                actor: None,
            };
            while words.get(next_word).is_some_and(|w| w.at.start < clause.at.start) {
                next_word += 1;
            }
            let first_word = next_word;
            while words.get(next_word).is_some_and(|w| w.at.start < clause.at.end) {
                next_word += 1;
            }
            out.read_words(text, &mut statement, facts, words.get(first_word..next_word).unwrap_or_default());
            statement.words.end = out.words.len();
            out.all.push(statement);
        }
        out
    }

    /// The content words of one statement.
    pub(crate) fn words_of(&self, statement: &Statement) -> &[Word] {
        self.words.get(statement.words.clone()).unwrap_or_default()
    }

    fn read_words(&mut self, text: &str, statement: &mut Statement, facts: &[Fact], words: &[Word]) {
        let (mut cues, mut negations) = cue::of_pieces(statement.at.of(text));
        let mut previous = String::new();
        let mut lower = String::new();
        let mut fact = 0;
        for (index, word) in words.iter().copied().enumerate() {
            while facts.get(fact).is_some_and(|f| f.at.end <= word.at.start) {
                fact += 1;
            }
            // A part may end before its whole does: look a few facts ahead.
            let inside =
                facts[fact.min(facts.len())..].iter().take_while(|f| f.at.start <= word.at.start).any(|f| {
                    f.at.contains(word.at) && !matches!(f.class, Class::Quote | Class::Command | Class::Name)
                });
            lower.clear();
            push_lower(&mut lower, word.at.of(text));
            if !inside {
                let own = cue::of_word(&lower);
                // "No, it was 11:42" puts right; it denies nothing.
                if lower == "no" && text[word.at.end..].starts_with(',') && index == 0 {
                    cues = cues.with(Cues::CORRECTION);
                } else {
                    if own.any(Cues::NEGATION) {
                        negations += 1;
                    }
                    cues = cues.with(own);
                }
                let pair = cue::of_pair(&previous, &lower);
                if pair.any(Cues::NEGATION)
                    && !own.any(Cues::NEGATION)
                    && !cue::of_word(&previous).any(Cues::NEGATION)
                {
                    negations += 1;
                }
                cues = cues.with(pair);
                if index < 4 && statement.actor.is_none() {
                    statement.actor = role_of(&lower);
                }
                if word.content {
                    self.words.push(word);
                }
            }
            std::mem::swap(&mut previous, &mut lower);
        }
        statement.cues = cues;
        statement.negated = negations % 2 == 1;
    }
}

/// The comparator that a statement puts on one of its facts.
pub(crate) fn comparator_of(text: &str, statement: &Statement, fact: &Fact) -> Option<Comparator> {
    if !matches!(
        fact.class,
        Class::Quantity
            | Class::Number
            | Class::Percentage
            | Class::Money
            | Class::Version
            | Class::Time
            | Class::Date
            | Class::Instant
    ) {
        return None;
    }
    let from =
        floor_boundary(text, fact.at.start.saturating_sub(28).max(statement.at.start.min(fact.at.start)));
    let to = floor_boundary(text, (fact.at.end + 14).min(text.len()));
    let before = text.get(from..fact.at.start)?.to_lowercase();
    let after = text.get(fact.at.end..to.max(fact.at.end))?.to_lowercase();
    comparator::of_value(&before, &after)
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while at > 0 && !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn push_lower(out: &mut String, word: &str) {
    if word.is_ascii() {
        out.extend(word.bytes().map(|b| char::from(b.to_ascii_lowercase())));
    } else {
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// The role that a word names as an actor.
fn role_of(word: &str) -> Option<Role> {
    match word {
        "user" | "users" | "customer" | "client" | "operator" => Some(Role::User),
        "assistant" | "agent" | "model" => Some(Role::Assistant),
        "tool" => Some(Role::Tool),
        _ => None,
    }
}

/// The speaker that a clause opens with: `user: …`, `Assistant: …`, `tool: …`.
fn spoken_by(clause: &str) -> Option<Role> {
    let head = clause.get(..clause.find(':')?)?;
    if head.len() > 48 {
        return None;
    }
    let name = head.trim_matches(|c: char| !c.is_alphanumeric());
    match name.to_ascii_lowercase().as_str() {
        "user" | "human" => Some(Role::User),
        "assistant" | "agent" | "ai" => Some(Role::Assistant),
        "tool" => Some(Role::Tool),
        "system" => Some(Role::System),
        other if other.starts_with("tool ") && !other[5..].contains(' ') => Some(Role::Tool),
        _ => None,
    }
}
