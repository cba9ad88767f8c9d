//! Phrases that the parent denies and every child affirms: "does not offer refunds" of children that offer refunds.
//!
//! A clause that a summary tells in its own words has no one clause beside it that it repeats, so what it turns is looked
//! for by the phrase: the word that the negation turns with the word that stands next to it. A phrase is told otherwise
//! only where a child affirms it among other words of the clause, and where no child turns, doubts or takes back
//! either word.

use super::parent::Text;
use super::statement::{Candidate, Difference};
use super::wording::core;
use crate::fact::statement::{Cues, Statement, Turn, opposed};
use crate::text::{Span, Word};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Share of the words around a phrase that stand in the clause that affirms it.
const SHARED: f64 = 0.6;
/// Fewest of them.
const LEAST: usize = 3;
/// Content words before and after a negation that say what is denied.
const BEFORE: usize = 2;
const AFTER: usize = 4;
/// Content words that a negation of a child may stand before a phrase and still turn it.
const REACH: usize = 4;
/// Content words around a phrase of a child that are set beside those around the negation.
const NEAR: usize = 16;
/// Most phrases of one word that are looked for: a word of more is what the text is about.
const MOST: usize = 8;
/// Bytes of the longest clause that is looked at: a longer one is data.
const LONG: usize = 4096;

/// What takes a clause out of the plain telling of what is so.
const NOT_SO: Cues = Cues::DENIAL
    .with(Cues::PROHIBITION)
    .with(Cues::FAILED)
    .with(Cues::UNKNOWN)
    .with(Cues::OPEN)
    .with(Cues::ALTERNATIVE)
    .with(Cues::CORRECTION);
/// What says of the parent's clause that it tells an outcome, not what is so.
const TURNED_OUT: Cues = Cues::DECISION.with(Cues::CHANGE).with(Cues::ATTEMPT).with(Cues::CORRECTION);

/// One phrase that the parent denies.
#[derive(Clone, Debug)]
struct Phrase {
    /// The clause in the parent: its number, and where it stands.
    statement: usize,
    at: Span,
    words: (u64, u64),
    /// The word that the negation turns: one of them, or the one before.
    turned: u64,
    /// Whether the clause tells of the past.
    past: bool,
    /// The words around the negation, each once.
    around: Vec<u64>,
    /// Number of the negation.
    negation: usize,
    source: Option<Candidate>,
}

/// The phrases that a parent denies, set beside the children as they go by.
#[derive(Clone, Debug, Default)]
pub(super) struct Denied {
    phrases: Vec<Phrase>,
    /// For each negation, whether a child turns or doubts one of its phrases.
    excused: Vec<bool>,
    /// Phrases by each of their words.
    of_word: FxHashMap<u64, Vec<u32>>,
}

impl Denied {
    /// The phrases that the parent denies.
    pub(super) fn of(parent: &Text<'_>) -> Self {
        let mut out = Denied::default();
        let folded = &*parent.reading.normal.text;
        let apart = |a: &Word, b: &Word| {
            folded.get(a.at.end..b.at.start).is_none_or(|gap| {
                gap.contains([',', ';', ':', '(', ')', '\n'])
                    || gap.split(' ').any(|w| matches!(w, "and" | "or" | "but"))
            })
        };
        for (number, statement) in parent.statements.all.iter().enumerate() {
            if statement.cues.any(TURNED_OUT) || statement.at.len() > LONG {
                continue;
            }
            let at = core(folded, statement.at);
            let words = parent.statements.words_of(statement);
            for stem in statement.turns.iter().filter_map(|turn| turn.stem) {
                let Some(turned) = words.iter().position(|word| word.stem == stem) else { continue };
                // Whether somebody has a thing is told by more than a mention of it.
                let Some(word) = words.get(turned).filter(|word| !is_had(parent, word)) else { continue };
                let past = is_past(parent, statement, word);
                let joined =
                    |from: usize| words.get(from).zip(words.get(from + 1)).is_some_and(|(a, b)| !apart(a, b));
                let first = (turned.saturating_sub(BEFORE)..turned).rev().take_while(|i| joined(*i)).last();
                let last =
                    (turned..turned + AFTER - 1).take_while(|i| joined(*i)).last().map_or(turned, |i| i + 1);
                let around = words.get(first.unwrap_or(turned)..=last).unwrap_or_default();
                let mut around: Vec<u64> = around.iter().map(|word| word.stem).collect();
                around.sort_unstable();
                around.dedup();
                for from in turned.saturating_sub(1)..(turned + 2).min(last) {
                    if let Some((a, b)) = words.get(from).zip(words.get(from + 1))
                        && !apart(a, b)
                    {
                        out.add(Phrase {
                            statement: number,
                            at,
                            words: (a.stem, b.stem),
                            turned: stem,
                            past,
                            around: around.clone(),
                            negation: out.excused.len(),
                            source: None,
                        });
                    }
                }
                out.excused.push(false);
            }
        }
        out
    }

    fn add(&mut self, phrase: Phrase) {
        let place = u32::try_from(self.phrases.len()).unwrap_or(u32::MAX);
        let words = [phrase.words.0, phrase.words.1];
        if words.iter().any(|word| self.of_word.get(word).is_some_and(|list| list.len() >= MOST)) {
            return;
        }
        for word in words {
            self.of_word.entry(word).or_default().push(place);
        }
        self.phrases.push(phrase);
    }

    /// Looks at one child.
    pub(super) fn child(&mut self, child: usize, text: &Text<'_>) {
        if self.phrases.is_empty() {
            return;
        }
        for statement in text.statements.all.iter().filter(|s| s.at.len() <= LONG) {
            let words = text.statements.words_of(statement);
            let turned = |word: &Word| statement.turns.iter().any(|t| t.stem == Some(word.stem));
            // What a negation turns may be a small word, or a filler: it turns all of the clause then.
            let turns_all = |t: &Turn| t.stem.is_none_or(|stem| words.iter().all(|w| w.stem != stem));
            let whole = statement.turns.iter().any(turns_all);
            let not_so = whole || statement.cues.any(NOT_SO);
            let supposed = OnceCell::new();
            for (place, word) in words.iter().enumerate() {
                let Some(phrases) = self.of_word.get(&word.stem) else { continue };
                let next = words.get(place + 1);
                let near = words.get(place.saturating_sub(NEAR)..(place + NEAR).min(words.len()));
                let near = near.unwrap_or_default();
                for at in phrases {
                    let Some(phrase) = self.phrases.get_mut(*at as usize) else { continue };
                    let Some(excused) = self.excused.get_mut(phrase.negation).filter(|e| !**e) else {
                        continue;
                    };
                    let (first, second) = phrase.words;
                    let other = if first == word.stem { second } else { first };
                    let doubted = |w: &Word| w.stem == other && not_so || opposed(w.stem, other);
                    if turned(word) || near.iter().any(doubted) {
                        *excused = true;
                    } else if first == word.stem && next.is_some_and(|next| next.stem == second) {
                        let before = words.get(place.saturating_sub(REACH)..place).unwrap_or_default();
                        if before.iter().chain(next).any(turned) {
                            *excused = true;
                        } else if phrase.source.is_none()
                            && !*supposed
                                .get_or_init(|| is_supposed(statement.at.of(&text.reading.normal.text)))
                        {
                            phrase.source = phrase.affirmed(child, text, statement, near);
                        }
                    }
                }
            }
        }
    }

    /// The clauses of the parent that deny what the children affirm, with the first clause that does.
    pub(super) fn turned(&self) -> impl Iterator<Item = (usize, Span, &Candidate)> {
        self.phrases
            .iter()
            .filter(|phrase| self.excused.get(phrase.negation) == Some(&false))
            .filter_map(|phrase| Some((phrase.statement, phrase.at, phrase.source.as_ref()?)))
    }
}

impl Phrase {
    /// The clause of a child as the source, where it affirms the phrase among other words of the parent's clause.
    /// `words` are the words of the clause near the phrase.
    fn affirmed(
        &self,
        child: usize,
        text: &Text<'_>,
        source: &Statement,
        words: &[Word],
    ) -> Option<Candidate> {
        let folded = &*text.reading.normal.text;
        let turned = words.iter().find(|word| word.stem == self.turned)?;
        let mut not_so = Cues::MAY;
        if self.past {
            // What was not done may well have been due or promised.
            not_so = not_so.with(Cues::MUST).with(Cues::FUTURE).with(Cues::ATTEMPT);
        }
        if source.cues.any(not_so) || is_asked(text, source, turned, self.past) {
            return None;
        }
        let held = |stem: &&u64| words.iter().any(|word| word.stem == **stem);
        let shared = self.around.iter().filter(held).count();
        let likeness = shared as f64 / self.around.len().max(1) as f64;
        if shared < LEAST || likeness < SHARED {
            return None;
        }
        let at = core(folded, source.at);
        Some(Candidate {
            child,
            span: text.reading.normal.source(at),
            text: text.shown(at).into(),
            likeness,
            difference: Some(Difference::Polarity),
            here: None,
        })
    }
}

/// Whether a word is what somebody has: "does not have any plants".
fn is_had(text: &Text<'_>, word: &Word) -> bool {
    let at = text.words.partition_point(|w| w.at.start < word.at.start);
    let before = text.words.get(at.saturating_sub(2)..at).unwrap_or_default();
    before.iter().any(|w| matches!(w.at.of(&text.reading.normal.text), "have" | "has" | "had" | "having"))
}

/// Whether what a negation turns is of the past, as far as the small words around it say.
fn is_past(text: &Text<'_>, clause: &Statement, turned: &Word) -> bool {
    let folded = &*text.reading.normal.text;
    let any = |at: Span, past: &[&str]| {
        let mut words = at.of(folded).split(|c: char| !c.is_alphanumeric());
        words.any(|word| past.iter().any(|p| word.eq_ignore_ascii_case(p)))
    };
    let at = text.words.partition_point(|w| w.at.start < turned.at.start);
    let near = text.words.get(at.saturating_sub(3)).map_or(turned.at.start, |w| w.at.start);
    any(clause.at, &["did", "didn", "was", "wasn", "were", "weren", "had", "hadn", "been"])
        || any(Span::new(near.max(clause.at.start), turned.at.start), &["has", "hasn", "have", "haven"])
}

/// Whether a word is something to do rather than something done: it opens its clause; and of the past, whether "to" or
/// "can" stands before it.
fn is_asked(text: &Text<'_>, clause: &Statement, word: &Word, past: bool) -> bool {
    let folded = &*text.reading.normal.text;
    let at = text.words.partition_point(|w| w.at.start < word.at.start);
    let before = at.checked_sub(1).and_then(|i| text.words.get(i)).filter(|w| clause.at.contains(w.at));
    let Some(before) = before else { return true };
    let gap = folded.get(before.at.end..word.at.start).unwrap_or_default();
    let last = before.at.of(folded).to_ascii_lowercase();
    gap.contains([':', '\n', '*'])
        || matches!(&*last, "please" | "let" | "let's" | "s" | "us" | "then")
        || past && matches!(&*last, "to" | "can" | "could")
}

/// Whether a clause asks or supposes, and so says of nothing that it is so.
fn is_supposed(clause: &str) -> bool {
    clause.trim_end().ends_with(['?', '？'])
        || clause.split_ascii_whitespace().any(|word| {
            ["if", "unless", "whether", "wenn", "ob", "si"].iter().any(|cue| word.eq_ignore_ascii_case(cue))
        })
}

#[cfg(test)]
mod tests {
    use super::super::statement::tests::altered;

    #[test]
    fn what_a_child_affirms_and_the_parent_denies() {
        let child =
            "Keeper: Hello! We offer guided tours to visitors of the mill, and there is a small shop.";
        let denies = "The keeper explains that the mill does not offer guided tours.";
        assert_eq!(altered(child, denies).len(), 1);
        assert!(altered(child, "The keeper explains that the mill does offer guided tours.").is_empty());
        let none = "It has a spare impeller, no coated shaft seal, and a drain.";
        assert_eq!(altered("The pump comes with a coated shaft seal from Delft.", none).len(), 1);
    }

    #[test]
    fn what_a_child_turns_itself_is_excused() {
        let denies = "The keeper explains that the mill does not offer guided tours.";
        for also in [
            "Since May we do not offer them.",
            "Guided tours are no longer held.",
            "The guided tours failed in June.",
            "No, er, guided tours any more.",
        ] {
            let child = format!("We offer guided tours to visitors of the mill. {also}");
            assert!(altered(&child, denies).is_empty(), "{also}");
        }
    }

    #[test]
    fn a_word_of_many_phrases_leaves_the_others_alone() {
        let mut parent = "The mill does not offer guided tours. ".repeat(20);
        parent.push_str("The ferry does not carry large wheeled carts.");
        let child = "We offer guided tours of the mill. The ferry does carry large wheeled carts.";
        let found = altered(child, &parent);
        assert!(found.iter().any(|text| text.contains("carts")), "{found:?}");
    }

    #[test]
    fn what_is_asked_supposed_or_promised_is_not_so() {
        let denies = "The agent did not run the pressure tests.";
        for child in [
            "Run the pressure tests after the refill, agent.",
            "Please run the pressure tests, agent.",
            "The agent tried to run the pressure tests.",
            "Can the agent run the pressure tests?",
            "If the agent can run the pressure tests, tell me.",
            "The agent needs to run the pressure tests.",
            "The pressure tests of the agent take an hour.",
        ] {
            assert!(altered(child, denies).is_empty(), "{child}");
        }
        assert_eq!(altered("At noon the agent was able and ran the pressure tests.", denies).len(), 1);
    }
}
