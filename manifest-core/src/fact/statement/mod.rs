//! Statements: what a clause says about its tokens. Subject and attribute are the clause's content words, values are
//! its facts; polarity, modality, scope and comparators come from closed classes.

mod comparator;
mod cue;
mod opposite;

pub(crate) use comparator::Comparator;
pub(crate) use cue::{Cues, gives_consent, of_pair as pair_cue, of_word as cue_of};
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
    /// Whether it is negated: an odd number of negations stands in one member of it ("no pause, no restart" has two
    /// members, "it is not the case that it did not" has one).
    pub(crate) negated: bool,
    /// What each negation turns, in order.
    pub(crate) turns: Vec<Turn>,
    /// Who speaks, where the clause opens with a speaker's name (`user:`).
    pub(crate) speaker: Option<Role>,
    /// Who acts, where the clause's first words name a speaker ("the user asked …").
    pub(crate) actor: Option<Role>,
}

/// One negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The stem of the next content word, or `None` where it turns the whole clause.
    pub(crate) stem: Option<u64>,
    /// Whether it turns no more than the phrase after it ("without a restart").
    pub(crate) phrase: bool,
    /// The member of the clause that it stands in: coordinated members are negated each for itself.
    member: u16,
}

/// Whether an odd number of negations stands in any member.
fn odd(turns: impl Iterator<Item = Turn>) -> bool {
    let (mut member, mut count, mut any) = (0, 0usize, false);
    for turn in turns {
        if turn.member != member {
            any |= count % 2 == 1;
            (member, count) = (turn.member, 0);
        }
        count += 1;
    }
    any || count % 2 == 1
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
                turns: Vec::new(),
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
        let body = statement.at.of(text);
        let asides = asides(body, statement.at.start);
        let (mut cues, pieces) = cue::of_pieces(body);
        let mut turns: Vec<Turn> =
            (0..pieces).map(|_| Turn { stem: None, phrase: false, member: 0 }).collect();
        let mut member = 0u16;
        let mut ended = statement.at.start;
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
            let gap = text.get(ended..word.at.start).unwrap_or_default();
            if gap != " " && gap.contains([',', ';', ':', '，', '、', '；'])
                || matches!(&*lower, "and" | "or" | "but" | "nor")
            {
                member = member.saturating_add(1);
            }
            ended = word.at.end;
            // An aside comments on the clause; it does not turn it.
            let aside = asides.iter().any(|a| a.contains(word.at));
            if aside && !inside {
                if word.content {
                    self.words.push(word);
                }
            } else if !inside {
                let own = if is_noun(&lower, &previous) || begins_a_name(&lower, text, word.at.end) {
                    Cues::default()
                } else if lower == "yet" && cues.any(Cues::NEGATION) {
                    // "Not sealed yet" is open; it is no contrast.
                    Cues::OPEN
                } else {
                    cue::of_word(&lower)
                };
                // "No, it was 11:42" puts right; it denies nothing.
                if lower == "no" && text[word.at.end..].starts_with(',') && index == 0 {
                    cues = cues.with(Cues::CORRECTION);
                } else {
                    let next = words.get(index + 1).map_or("", |w| w.at.of(text));
                    if own.any(Cues::NEGATION) && !cue::turns_nothing(&lower, next) {
                        let stem = turned(text, words.get(index + 1..).unwrap_or_default());
                        turns.push(Turn { stem, phrase: cue::turns_phrase(&lower), member });
                    }
                    cues = cues.with(own);
                }
                let pair = cue::of_pair(&previous, &lower);
                if pair.any(Cues::NEGATION)
                    && !own.any(Cues::NEGATION)
                    && !cue::of_word(&previous).any(Cues::NEGATION)
                {
                    let stem = turned(text, words.get(index + 1..).unwrap_or_default());
                    turns.push(Turn { stem, phrase: false, member });
                }
                cues = cues.with(pair);
                if index < 4 && statement.actor.is_none() {
                    statement.actor = role_of(&lower)
                        .filter(|_| acts(text, words.get(index + 1..).unwrap_or_default(), word));
                }
                // "No longer" negates; it measures nothing.
                if (word.content || is_state(&lower, &previous)) && !(&*lower == "longer" && previous == "no")
                {
                    self.words.push(word);
                }
            }
            std::mem::swap(&mut previous, &mut lower);
        }
        statement.cues = cues;
        statement.negated = odd(turns.iter().copied().filter(|t| !t.phrase));
        statement.turns = turns;
    }
}

/// What a negation turns: the next word but for small ones, if it stands near. "It is not the case that …" turns
/// everything.
fn turned(text: &str, after: &[Word]) -> Option<u64> {
    let small = |w: &str| {
        matches!(
            w,
            "the"
                | "a"
                | "an"
                | "be"
                | "been"
                | "being"
                | "yet"
                | "any"
                | "to"
                | "have"
                | "has"
                | "had"
                | "even"
                | "really"
                | "very"
                | "ever"
        )
    };
    let next = after.iter().take(5).find(|w| !small(w.at.of(text)))?;
    let whole = matches!(next.at.of(text), "case" | "true" | "longer");
    (!whole).then_some(next.stem)
}

impl Statement {
    /// Whether the clause is negated as far as another clause speaks of the same: an odd number of its negations turns
    /// something that the other holds too. `shared` are the items of the other clause, sorted.
    pub(crate) fn negated_over(&self, shared: &[u64]) -> bool {
        let held = |t: &Turn| t.stem.is_none_or(|stem| shared.binary_search(&stem).is_ok());
        odd(self.turns.iter().copied().filter(held))
    }
}

/// The parenthesised stretches of a clause that says something outside of them too.
fn asides(body: &str, start: usize) -> Vec<Span> {
    let mut out = Vec::new();
    let mut open = None;
    for (i, c) in body.char_indices() {
        match c {
            '(' | '（' => open = open.or(Some(i)),
            ')' | '）' => {
                if let Some(from) = open.take() {
                    out.push(Span::new(start + from, start + i + c.len_utf8()));
                }
            }
            _ => {}
        }
    }
    let outside = |(i, c): (usize, char)| {
        c.is_alphanumeric() && !out.iter().any(|a| (a.start..a.end).contains(&(start + i)))
    };
    if body.char_indices().any(outside) { out } else { Vec::new() }
}

/// The comparator that a statement puts on one of its facts, and the stretch from the one to the other.
pub(crate) fn comparator_of(text: &str, statement: &Statement, fact: &Fact) -> Option<(Comparator, Span)> {
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
    let before = text.get(from..fact.at.start)?.to_ascii_lowercase();
    let after = text.get(fact.at.end..to.max(fact.at.end))?.to_ascii_lowercase();
    let (comparator, lead, tail) = comparator::of_value(&before, &after)?;
    Some((comparator, Span::new(fact.at.start.saturating_sub(lead), fact.at.end + tail)))
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while at > 0 && !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn push_lower(out: &mut String, word: &str) {
    if word.is_ascii() {
        let start = out.len();
        out.push_str(word);
        if let Some(added) = out.get_mut(start..) {
            added.make_ascii_lowercase();
        }
    } else {
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Whether a "no" is the head of a name (`-- no-transaction`, `no-cache`, "a no-op"), and denies nothing.
fn begins_a_name(word: &str, text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let next = rest.strip_prefix('-').unwrap_or_default();
    matches!(word, "no" | "non")
        && next.starts_with(|c: char| c.is_ascii_alphabetic())
        && !next.starts_with("one")
}

/// Whether a word that may be an act is a thing here: "the plan", "its draft".
fn is_noun(word: &str, previous: &str) -> bool {
    matches!(word, "plan" | "plans" | "draft" | "proposal" | "goal" | "task")
        && matches!(
            previous,
            "the"
                | "a"
                | "an"
                | "this"
                | "that"
                | "its"
                | "his"
                | "her"
                | "our"
                | "my"
                | "your"
                | "their"
                | "each"
        )
}

/// Whether a small word tells a state: "is on", "turned off", "went down".
fn is_state(word: &str, previous: &str) -> bool {
    matches!(word, "done" | "ready" | "over")
        || matches!(word, "on" | "off" | "up" | "down" | "in" | "out")
            && matches!(
                previous,
                "is" | "are"
                    | "was"
                    | "were"
                    | "be"
                    | "been"
                    | "turned"
                    | "switched"
                    | "set"
                    | "goes"
                    | "went"
                    | "stays"
                    | "stayed"
                    | "remains"
                    | "remained"
                    | "came"
                    | "comes"
            )
}

/// Whether a word that names a role is the one that acts: an act, an auxiliary or what is theirs follows.
fn acts(text: &str, after: &[Word], role: Word) -> bool {
    let gap = |from: usize| text.get(role.at.end..from).unwrap_or_default();
    let Some(next) = after.first() else { return false };
    let word = next.at.of(text).to_lowercase();
    // "User Interface", "user ids": a name or a noun, not an actor.
    let act = Cues::ASK
        .with(Cues::CONSENT)
        .with(Cues::DENIAL)
        .with(Cues::CHANGE)
        .with(Cues::SOURCE)
        .with(Cues::ATTEMPT);
    role.at.of(text).ends_with("'s")
        || gap(next.at.start).contains("'s")
        || cue::of_word(&word).any(act)
        || word.ends_with("ed")
        || matches!(
            word.as_str(),
            "is" | "was"
                | "has"
                | "had"
                | "will"
                | "would"
                | "did"
                | "does"
                | "can"
                | "could"
                | "must"
                | "may"
                | "should"
                | "then"
                | "also"
                | "never"
                | "not"
                | "gave"
                | "saw"
                | "told"
                | "took"
                | "made"
                | "let"
                | "sent"
                | "wrote"
                | "found"
                | "kept"
                | "left"
                | "put"
                | "forbade"
                | "chose"
                | "said"
                | "wants"
                | "likes"
        )
}

/// The role that a word names as an actor.
fn role_of(word: &str) -> Option<Role> {
    match word.trim_end_matches("'s") {
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
