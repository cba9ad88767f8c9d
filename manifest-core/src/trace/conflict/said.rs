//! What one clause says, as far as another may contradict it.

use super::super::binding::{Family, family};
use super::super::parent::Text;
use super::super::resolve::is_identifier;
use super::super::table::label_of;
use super::super::wording::core;
use crate::fact::Class;
use crate::fact::statement::{Cues, Statement, cue_of};
use crate::text::{Sentence, Span};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// A clause of more items than this is a record, not a statement.
pub(super) const LONGEST: usize = 48;

#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) child: usize,
    /// The child that says the same last.
    pub(super) last: usize,
    pub(super) span: Span,
    pub(super) text: Box<str>,
    /// Content words outside of asides, sorted; with the words themselves for opposites.
    pub(super) words: Vec<u64>,
    pub(super) surface: Vec<(u64, Box<str>)>,
    /// Values that may differ.
    pub(super) values: Vec<Told>,
    /// Facts that belong to the frame: those that are no values of a family that differs.
    pub(super) times: Vec<u64>,
    pub(super) cues: Cues,
    pub(super) marks: Marks,
    /// Identifiers of its sentence outside of the clause, sorted: what a clause without a name of its own is about.
    pub(super) about: Vec<u64>,
}

impl Said {
    /// Whether its values are identifiers alone, and it says of none that something is it ("picked 4be19d2").
    pub(super) fn only_names(&self) -> bool {
        let names =
            |v: &Told| matches!(v.slot, Slot::Of(Family::Opaque | Family::Place, _)) && v.label.is_none();
        !self.values.is_empty() && !self.marks.has(Marks::TOLD) && self.values.iter().all(names)
    }
}

/// One value of a clause.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) slot: Slot,
    pub(super) key: u64,
    /// The key that it is bound to by a sign (`timeout = 30`).
    pub(super) label: Option<u64>,
    /// The words right before and after it.
    pub(super) beside: (Option<u64>, Option<u64>),
    /// Where it stands in the clause's text.
    pub(super) at: Span,
    /// The words of the member of the clause (from comma to comma) that it stands in, as a range into the surface words.
    pub(super) member: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Of(Family, Class),
    Name,
}

/// Which of several things hold of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// It is negated.
    pub(super) const NEGATED: Marks = Marks(1);
    /// Something around it negates or forbids.
    pub(super) const AROUND: Marks = Marks(2);
    /// A part of it stands in brackets.
    pub(super) const ASIDE: Marks = Marks(4);
    /// A value of it is what something *is*: a copula, `=` or `:` stands before it.
    pub(super) const TOLD: Marks = Marks(8);
    /// A moment to the second stands in it, as in a log.
    pub(super) const LOGGED: Marks = Marks(16);
    /// It opens with the name of who speaks it.
    pub(super) const SPOKEN: Marks = Marks(32);
    /// A tool put it out: what a later output says differently has changed.
    pub(super) const TOOL: Marks = Marks(64);

    pub(super) fn has(self, mark: Marks) -> bool {
        self.0 & mark.0 != 0
    }

    pub(super) fn set(&mut self, mark: Marks, on: bool) {
        self.0 = if on { self.0 | mark.0 } else { self.0 & !mark.0 };
    }
}

/// Facts of a sentence that are looked at for what it is about: a longer one is a record.
const NEAR: usize = 256;

/// The identifiers that stand in a clause's sentence and not in the clause.
fn about(text: &Text<'_>, statement: &Statement) -> Vec<u64> {
    let sentences = &text.reading.sentences;
    let next = sentences.partition_point(|sentence| sentence.at.start <= statement.at.start);
    let Some(sentence) = next.checked_sub(1).and_then(|n| sentences.get(n)) else { return Vec::new() };
    let facts = &text.reading.facts;
    let from = facts.partition_point(|fact| fact.at.start < sentence.at.start);
    let within =
        facts.get(from..).unwrap_or_default().iter().take(NEAR).take_while(|f| f.at.start < sentence.at.end);
    let outside =
        within.filter(|f| !statement.at.overlaps(f.at) && f.whole.is_none() && is_identifier(f.class));
    let mut keys: Vec<u64> = outside.take(LONGEST).map(|fact| fact.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Equal for clauses that say the same.
pub(super) fn fingerprint(said: &Said) -> u64 {
    let mut hasher = FxHasher::default();
    said.words.hash(&mut hasher);
    for value in &said.values {
        value.key.hash(&mut hasher);
    }
    said.marks.has(Marks::NEGATED).hash(&mut hasher);
    hasher.finish()
}

/// What a clause says. `given_up` are the facts that others took the place of: they are not said, but taken back.
pub(super) fn said(
    child: usize,
    text: &Text<'_>,
    statement: &Statement,
    given_up: &FxHashSet<usize>,
) -> Option<Said> {
    // A clause this long is a record; reading it would cost more than it tells.
    if statement.words.len() + statement.facts.len() > 4 * LONGEST {
        return None;
    }
    let folded = &*text.reading.normal.text;
    let asides = asides(folded, statement.at);
    let body = after_speaker(folded, statement.at);
    // A record of fields or a line of code is compared with no other: whose fields they are stands elsewhere.
    if is_code(statement.at.of(folded)) {
        return None;
    }
    let told_by = source_end(text, Span::new(body, statement.at.end));
    let outside = |at: Span| at.start >= body && !asides.iter().any(|a| a.contains(at));
    let mut words = Vec::new();
    let mut surface = Vec::new();
    let mut starts = Vec::new();
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    // A command is an act: run once more with another value it contradicts nothing.
    let flags = facts.iter().filter(|f| f.class == Class::Flag).take(2).count();
    if flags == 2 || facts.iter().any(|f| f.class == Class::Command) {
        return None;
    }
    // A name is a value of its own, not two things in common.
    let named = |at: Span| facts.iter().any(|f| f.class == Class::Name && f.at.contains(at));
    for word in text.statements.words_of(statement).iter().filter(|w| outside(w.at) && !named(w.at)) {
        // Who says it is no part of what is said.
        if word.at.end <= told_by {
            continue;
        }
        words.push(word.stem);
        surface.push((word.stem, word.at.of(folded).to_lowercase().into()));
        starts.push(word.at.start);
    }
    let mut values = Vec::new();
    let mut times = Vec::new();
    let (mut logged, mut told) = (false, false);
    for (number, fact) in (statement.facts.start..).zip(facts) {
        if !outside(fact.at) || given_up.contains(&number) {
            continue;
        }
        if fact.whole.is_some() && !matches!(fact.class, Class::Number | Class::Version | Class::Quantity) {
            continue;
        }
        let slot = match fact.class {
            Class::Date | Class::Time | Class::Instant => {
                times.push(fact.key);
                logged |= fact.class != Class::Date && fact.at.len() >= 8;
                Slot::Of(Family::Moment, fact.class)
            }
            Class::Name => Slot::Name,
            Class::Path if is_worked_on(folded, fact.at) => {
                words.push(fact.key);
                surface.push((fact.key, fact.at.of(folded).into()));
                continue;
            }
            // The name of a setting is what a value is of, and a file that was worked on what the act is on.
            Class::Symbol | Class::EnvVar | Class::Flag => {
                words.push(fact.key);
                surface.push((fact.key, fact.at.of(folded).into()));
                continue;
            }
            class => match family(class) {
                Some(family) => Slot::Of(family, class),
                None => continue,
            },
        };
        told |= slot != Slot::Name && follows_copula(folded, fact.at);
        let label = label_of(folded, fact).map(folded_hash);
        let beside = beside(text, statement.at, fact.at);
        let part = member(folded, statement.at, fact.at);
        let member = starts.partition_point(|s| *s < part.start)..starts.partition_point(|s| *s < part.end);
        values.push(Told { slot, key: fact.key, label, beside, at: fact.span, member });
    }
    words.sort_unstable();
    words.dedup();
    let items = words.len() + values.len();
    if !(1..=LONGEST).contains(&items) {
        return None;
    }
    let told_at = core(folded, statement.at);
    let span = text.reading.normal.source(told_at);
    for value in &mut values {
        value.at =
            Span::new(value.at.start.saturating_sub(span.start), value.at.end.saturating_sub(span.start));
    }
    let mut marks = Marks::default();
    marks.set(Marks::NEGATED, statement.negated);
    marks.set(Marks::ASIDE, !asides.is_empty());
    marks.set(Marks::TOLD, told);
    marks.set(Marks::LOGGED, logged);
    marks.set(Marks::SPOKEN, body > statement.at.start);
    Some(Said {
        child,
        last: child,
        span,
        text: text.shown(told_at).into(),
        words,
        surface,
        values,
        times,
        cues: statement.cues,
        about: about(text, statement),
        marks,
    })
}

/// The words right before and after a value of a clause.
fn beside(text: &Text<'_>, clause: Span, value: Span) -> (Option<u64>, Option<u64>) {
    let after = text.words.partition_point(|w| w.at.start < value.end);
    let before = text.words.partition_point(|w| w.at.end <= value.start);
    let stem = |place: usize| text.words.get(place).filter(|w| clause.contains(w.at)).map(|w| w.stem);
    (before.checked_sub(1).and_then(stem), stem(after))
}

/// A hash of a word, whatever its case.
fn folded_hash(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    word.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

/// The member of a clause, from comma to comma, that a value stands in.
fn member(text: &str, clause: Span, value: Span) -> Span {
    let before = text.get(clause.start..value.start).unwrap_or_default();
    let after = text.get(value.end..clause.end).unwrap_or_default();
    let start = before.rfind(", ").map_or(clause.start, |at| clause.start + at);
    let end = after.find(", ").map_or(clause.end, |at| value.end + at);
    Span::new(start, end.max(start))
}

/// Whether a clause is a record or a line of code: an eighth of it, and six characters at least, are brackets, quotes and
/// signs.
fn is_code(clause: &str) -> bool {
    let is_sign = |b: &u8| {
        matches!(
            b,
            b'{' | b'}'
                | b'['
                | b']'
                | b'('
                | b')'
                | b'<'
                | b'>'
                | b'&'
                | b';'
                | b'='
                | b'|'
                | b'\\'
                | b'"'
                | b'`'
        )
    };
    let signs = clause.as_bytes().iter().filter(|b| is_sign(b)).count();
    signs >= 6 && 8 * signs >= clause.len() || clause.as_bytes().windows(2).any(|two| two == b"\":")
}

/// Whether a copula or a sign of assignment stands right before a value.
fn follows_copula(text: &str, at: Span) -> bool {
    let before = text.get(..at.start).unwrap_or_default().trim_end_matches([' ', '`', '*', '"', '\'', '$']);
    if before.ends_with(['=', ':', '：', '是', '为']) {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(
        word.to_ascii_lowercase().as_str(),
        "is" | "are" | "was" | "were" | "be" | "now" | "equals" | "became" | "becomes" | "to" | "at"
    )
}

/// Whether what stands at `at` is the subject of an act in the passive: "… has been updated", "… was deleted".
fn is_worked_on(text: &str, at: Span) -> bool {
    let after = text.get(at.end..).unwrap_or_default().trim_start_matches(['`', '"', '\'', '*']);
    let mut words = after.split(' ').skip(1);
    let verb = after.starts_with(' ').then(|| words.next()).flatten();
    match (verb, words.next()) {
        (Some("has" | "have"), Some("been")) => true,
        (Some("was" | "were"), Some(act)) => {
            act.trim_end_matches(|c: char| !c.is_alphanumeric()).ends_with("ed")
        }
        _ => false,
    }
}

/// Whether a text is a conversation: several of its sentences open with the name of who speaks them.
pub(super) fn is_dialogue(text: &Text<'_>) -> bool {
    let folded = &*text.reading.normal.text;
    let spoken = |s: &&Sentence| after_speaker(folded, s.at) > s.at.start;
    text.reading.sentences.iter().filter(spoken).take(3).count() == 3
}

/// Where a clause begins after the name of who speaks it (`Grad E: …`, `Turn 4 Sales Agent: …`).
fn after_speaker(text: &str, at: Span) -> usize {
    let body = at.of(text);
    let Some(colon) = body.find(": ") else { return at.start };
    let name = &body[..colon];
    // "Ana Ruiz (Head of Sales): …": an office in brackets belongs to the name.
    let name =
        name.split_once(" (").filter(|(_, office)| office.ends_with(')')).map_or(name, |(name, _)| name);
    let capital =
        name.split_whitespace().all(|w| w.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    let known = matches!(name.to_ascii_lowercase().as_str(), "user" | "assistant" | "tool" | "system");
    if name.len() <= 40
        && !name.contains(['=', '/', '_'])
        && (capital && name.split_whitespace().count() >= 2 || known)
    {
        at.start + colon + 2
    } else {
        at.start
    }
}

/// Where the words end that name who says a clause ("the vendor says that", "according to the page,").
fn source_end(text: &Text<'_>, at: Span) -> usize {
    let folded = &*text.reading.normal.text;
    let by_source = opens_by_source(at.of(folded));
    let first = text.words.partition_point(|word| word.at.start < at.start);
    let words = text.words.get(first..).unwrap_or_default().iter().take_while(|word| at.contains(word.at));
    for word in words.take(6) {
        let here = word.at.of(folded).to_lowercase();
        let comma = || folded.get(word.at.end..).is_some_and(|rest| rest.starts_with(','));
        if tells(&here) || by_source && comma() {
            return word.at.end;
        }
    }
    at.start
}

/// Whether a word tells that something is said, and is no part of it.
fn tells(word: &str) -> bool {
    !matches!(word, "according" | "per" | "measured" | "measures" | "logged" | "logs" | "lists" | "listed")
        && cue_of(word).any(Cues::SOURCE)
}

fn opens_by_source(clause: &str) -> bool {
    let clause = clause.trim_start();
    let opens = |with: &str| clause.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    opens("according to ") || opens("per ")
}

/// Parenthesised stretches: they say where a statement is from, not what it says.
fn asides(text: &str, at: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut open = None;
    for (i, c) in at.of(text).char_indices() {
        match c {
            '(' | '（' | '[' => open = open.or(Some(at.start + i)),
            ')' | '）' | ']' => {
                if let Some(start) = open.take() {
                    out.push(Span::new(start, at.start + i + c.len_utf8()));
                }
            }
            _ => {}
        }
    }
    out
}
