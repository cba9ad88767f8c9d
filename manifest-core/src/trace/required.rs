//! Statements of the children that a strict policy wants kept: asks, prohibitions, consent and denial, open, failed
//! and unknown states, decisions and rejected alternatives with their reasons, exceptions.

use super::parent::{Index, Text};
use super::wording::core;
use crate::child::Role;
use crate::fact::statement::{Cues, Statement, cue_of, pair_cue};
use crate::text::{Span, words};
use rustc_hash::FxHashSet;

/// A statement of a child that the parent does not repeat.
#[derive(Clone, Debug)]
pub(crate) struct Unstated {
    /// Index of the child.
    pub(crate) child: usize,
    /// Where it stands in the child as given.
    pub(crate) span: Span,
    /// Its text.
    pub(crate) text: Box<str>,
}

/// More statements that the parent leaves out are not named: what says that one is missing has said enough.
const MOST: usize = 4096;

/// The statements that the parent leaves out, each wording once, where it stands first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unsaid {
    rows: Vec<Unstated>,
    known: FxHashSet<Box<str>>,
}

impl Unsaid {
    fn add(&mut self, row: Unstated) {
        if self.rows.len() < MOST && !self.known.contains(&row.text) {
            self.known.insert(row.text.clone());
            self.rows.push(row);
        }
    }

    /// The statements, in their order.
    pub(crate) fn into_rows(self) -> Vec<Unstated> {
        self.rows
    }
}

/// Share of a statement's words and facts that one sentence of the parent must hold to repeat it.
const REPEATED: f64 = 0.5;

/// Cues that make a statement one to keep.
const KEEP: Cues = Cues::PROHIBITION
    .with(Cues::DENIAL)
    .with(Cues::OPEN)
    .with(Cues::UNKNOWN)
    .with(Cues::FAILED)
    .with(Cues::ALTERNATIVE)
    .with(Cues::EXCEPTION)
    .with(Cues::CONSENT)
    .with(Cues::MUST);

/// A cue that must be kept, and the cues by any of which a parent may keep it.
const KEPT_BY: &[(Cues, Cues)] = &[
    (Cues::PROHIBITION, Cues::PROHIBITION.with(Cues::NEGATION).with(Cues::DENIAL).with(Cues::EXCEPTION)),
    (
        Cues::DENIAL,
        Cues::DENIAL.with(Cues::NEGATION).with(Cues::PROHIBITION).with(Cues::FAILED).with(Cues::ALTERNATIVE),
    ),
    (
        Cues::UNKNOWN,
        Cues::UNKNOWN.with(Cues::NEGATION).with(Cues::FAILED).with(Cues::OPEN).with(Cues::CONTRAST),
    ),
    (
        Cues::OPEN,
        Cues::OPEN
            .with(Cues::FUTURE)
            .with(Cues::NEGATION)
            .with(Cues::ASK)
            .with(Cues::UNKNOWN)
            .with(Cues::CONDITION),
    ),
    (Cues::EXCEPTION, Cues::EXCEPTION.with(Cues::NEGATION).with(Cues::CONTRAST).with(Cues::CONDITION)),
    (
        Cues::ALTERNATIVE,
        Cues::ALTERNATIVE.with(Cues::NEGATION).with(Cues::CONTRAST).with(Cues::DENIAL).with(Cues::CORRECTION),
    ),
];

/// The statements of one child that the parent does not repeat.
pub(crate) fn unstated(
    child: usize,
    role: Role,
    text: &Text<'_>,
    parent: &Text<'_>,
    index: &Index,
    other_script: bool,
    out: &mut Unsaid,
) {
    for statement in &text.statements.all {
        let asks = statement.cues.any(Cues::ASK)
            && (role == Role::User || statement.actor == Some(Role::User))
            || statement.speaker == Some(Role::User) && imperative(text, statement);
        let open = statement.cues.any(Cues::NEGATION) && ends_in_yet(text, statement);
        if !asks && !open && !statement.cues.any(KEEP) {
            continue;
        }
        let items = text.said_items(statement);
        if items.is_empty() {
            continue;
        }
        let repeated = Repeat { parent, index, other_script }.of(text, statement, &items, asks);
        if repeated.whole {
            continue;
        }
        for at in stretches(text, statement, asks, &repeated.best, index) {
            out.add(Unstated { child, span: text.reading.normal.source(at), text: text.shown(at).into() });
        }
    }
}

/// How a statement of a child stands in the parent.
pub(crate) struct Repeat<'a, 't> {
    pub(crate) parent: &'a Text<'t>,
    pub(crate) index: &'a Index,
    /// Whether the child is written in another script, so that only its tokens can be compared.
    pub(crate) other_script: bool,
}

/// Whether one sentence of the parent repeats a statement, and what the nearest one holds of it, sorted.
struct Repeated {
    whole: bool,
    best: Vec<u64>,
}

/// Sentences of the parent that are looked at for one statement of a child: those that share the most with it.
const NEAREST: usize = 12;
/// An item in more clauses of the parent than this tells none of them apart.
const COMMON: usize = 256;

impl Repeat<'_, '_> {
    /// The sentences of the parent that share the most with a statement, the nearest first.
    pub(super) fn near(&self, items: &[u64]) -> Vec<usize> {
        let mut near: Vec<usize> = Vec::new();
        for item in items {
            let list = self.index.statements.get(item).map(Vec::as_slice).unwrap_or_default();
            for claim in list.iter().take(COMMON) {
                if let Some(claim) = self.parent.statements.all.get(*claim as usize) {
                    near.push(claim.sentence);
                }
            }
        }
        near.sort_unstable();
        let mut counted: Vec<(usize, usize)> =
            near.chunk_by(|a, b| a == b).map(|run| (run.len(), run.first().copied().unwrap_or(0))).collect();
        counted.sort_unstable_by_key(|(n, sentence)| (std::cmp::Reverse(*n), *sentence));
        counted.into_iter().take(NEAREST).map(|(_, sentence)| sentence).collect()
    }

    /// The clauses of one sentence of the parent, with their numbers.
    pub(super) fn clauses(&self, sentence: usize) -> impl Iterator<Item = (usize, &Statement)> {
        let all = &self.parent.statements.all;
        let first = all.partition_point(|c| c.sentence < sentence);
        all.iter().enumerate().skip(first).take_while(move |(_, c)| c.sentence == sentence)
    }

    /// Whether a sentence with the items `here`, sorted, holds enough of a statement to repeat it.
    pub(super) fn enough(&self, items: &[u64], here: &[u64]) -> bool {
        let held = items.iter().filter(|i| here.binary_search(i).is_ok()).count();
        self.other_script || held as f64 >= REPEATED * items.len() as f64
    }

    fn of(&self, text: &Text<'_>, statement: &Statement, items: &[u64], asks: bool) -> Repeated {
        // What is asked for is the act: where the verb is gone, so is the ask.
        let act = (asks && statement.speaker == Some(Role::User) && imperative(text, statement)).then(|| {
            let said = core(&text.reading.normal.text, statement.at);
            text.statements.words_of(statement).iter().find(|w| w.at.start >= said.start).map(|w| w.stem)
        });
        let act = act.flatten();
        let mut out = Repeated { whole: false, best: Vec::new() };
        let mut most = 0;
        for sentence in self.near(items) {
            let mut here: Vec<u64> = Vec::new();
            let mut cues = Cues::default();
            for (_, claim) in self.clauses(sentence) {
                here.extend(self.parent.items_of(claim));
                cues = cues.with(claim.cues);
            }
            // "53 mm (corrected from 49 mm)": an aside says what was given up.
            if statement.cues.any(Cues::ALTERNATIVE)
                && let Some(at) = self.parent.reading.sentences.get(sentence).map(|s| s.at)
                && cues_in(&self.parent.reading.normal.text, at).any(Cues::CORRECTION)
            {
                cues = cues.with(Cues::CORRECTION);
            }
            here.sort_unstable();
            let held = items.iter().filter(|i| here.binary_search(i).is_ok()).count();
            let enough = self.enough(items, &here);
            let unforced = self.other_script
                && statement.cues.any(Cues::MUST)
                && !cues.any(Cues::MUST.with(Cues::PROHIBITION));
            let acted = self.other_script || act.is_none_or(|verb| here.binary_search(&verb).is_ok());
            let kept = KEPT_BY.iter().all(|(cue, by)| !statement.cues.any(*cue) || cues.any(*by));
            out.whole |= enough && acted && !unforced && kept;
            if held > most {
                (most, out.best) = (held, here);
            }
        }
        out
    }
}

/// The stretches of an unstated statement that say what is gone, each as short as says it.
fn stretches(text: &Text<'_>, statement: &Statement, asks: bool, held: &[u64], index: &Index) -> Vec<Span> {
    let folded = &*text.reading.normal.text;
    let has = |item: u64| held.binary_search(&item).is_ok();
    if !asks
        && statement.cues.any(Cues::EXCEPTION)
        && let Some(at) = exception(text, statement, &has)
    {
        return vec![at];
    }
    let first = text.segments.partition_point(|s| s.at.end <= statement.at.start);
    let segments = text.segments.iter().skip(first).take_while(|s| s.at.start < statement.at.end);
    let mut out: Vec<(Span, bool)> = Vec::new();
    for segment in segments.take(SEGMENTS) {
        let items = text.items(segment.words.clone(), segment.facts.clone());
        let told = !items.is_empty() && items.iter().all(|i| has(*i));
        let facts = text.reading.facts.get(segment.facts.clone()).unwrap_or_default();
        // A stretch whose own token is gone is told by the row of that token.
        let token = facts.iter().any(|f| f.whole.is_none() && !index.facts.contains_key(&f.key));
        let cued = cues_in(folded, segment.at).any(KEEP.with(Cues::NEGATION));
        match out.last_mut() {
            // What has no cue of its own goes on from what stands before it.
            Some((before, spare)) if !cued => {
                if !told && !token && !*spare {
                    before.end = segment.at.end;
                }
            }
            None if !cued && !asks => {}
            _ => out.push((segment.at, told)),
        }
    }
    let mut rows: Vec<Span> = out.iter().filter(|(_, told)| !told).map(|(at, _)| *at).collect();
    if rows.is_empty() {
        rows.push(statement.at);
    }
    rows.into_iter().map(|at| without_told_end(text, core(folded, balanced(folded, at)), index)).collect()
}

/// A stretch without the half of a bracket that it cuts.
fn balanced(text: &str, at: Span) -> Span {
    let body = at.of(text);
    let opens = body.rfind('(').filter(|i| !body[*i..].contains(')'));
    let at = Span::new(at.start, opens.filter(|i| *i > 0).map_or(at.end, |i| at.start + i));
    let body = at.of(text);
    let closes = body.find(')').filter(|i| !body[..*i].contains('('));
    Span::new(closes.filter(|i| i + 1 < body.len()).map_or(at.start, |i| at.start + i + 1), at.end)
}

/// The cues of the words in a stretch.
fn cues_in(text: &str, at: Span) -> Cues {
    let mut found = Cues::default();
    let mut previous = String::new();
    for word in words(text, at) {
        let lower = word.at.of(text).to_lowercase();
        found = found.with(cue_of(&lower)).with(pair_cue(&previous, &lower));
        previous = lower;
    }
    found
}

/// Segments of one statement that are looked at.
const SEGMENTS: usize = 32;

/// The exception alone, where the parent holds all that is said before it: from its word to the last thing that is gone.
fn exception(text: &Text<'_>, statement: &Statement, has: &impl Fn(u64) -> bool) -> Option<Span> {
    let folded = &*text.reading.normal.text;
    let cue = words(folded, statement.at)
        .into_iter()
        .find(|w| cue_of(&w.at.of(folded).to_lowercase()).any(Cues::EXCEPTION))?;
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let content = text.statements.words_of(statement).iter().map(|w| (w.at, w.stem));
    let mut gone = content
        .chain(facts.iter().map(|f| (f.at, f.key)))
        .filter(|(at, item)| !at.overlaps(cue.at) && !has(*item));
    let mut end = cue.at.end;
    let within = gone.all(|(at, _)| {
        end = end.max(at.end);
        at.start >= cue.at.end
    });
    within.then_some(Span::new(cue.at.start, end))
}

/// A stretch without the tokens at its end that the parent states anyway.
fn without_told_end(text: &Text<'_>, at: Span, index: &Index) -> Span {
    let folded = &*text.reading.normal.text;
    let after = text.reading.facts.partition_point(|f| f.at.start < at.end);
    let last = text.reading.facts.iter().take(after).rev().take(4).find(|f| f.whole.is_none());
    let Some(last) =
        last.filter(|f| f.at.end >= at.end && f.at.start > at.start && index.facts.contains_key(&f.key))
    else {
        return at;
    };
    let mut cut = core(folded, Span::new(at.start, last.at.start));
    while let Some((_, word)) = cut.of(folded).rsplit_once(' ').filter(|(_, w)| is_small(w)) {
        cut = core(folded, Span::new(cut.start, cut.end - word.len()));
    }
    let left = words(folded, cut).iter().filter(|w| w.content).count();
    if left >= 2 { cut } else { at }
}

fn is_small(word: &str) -> bool {
    matches!(
        word,
        "to" | "on" | "at" | "of" | "the" | "for" | "in" | "by" | "from" | "with" | "is" | "a" | "an"
    )
}

/// Whether a negated clause waits for something: "no source is connected yet".
fn ends_in_yet(text: &Text<'_>, statement: &Statement) -> bool {
    let body = core(&text.reading.normal.text, statement.at).of(&text.reading.normal.text);
    body.rsplit(' ').next().is_some_and(|w| w.eq_ignore_ascii_case("yet"))
}

/// Whether a clause opens with a bare verb: no article, pronoun or noun phrase before it. Judged by what it does not open with.
fn imperative(text: &Text<'_>, statement: &Statement) -> bool {
    let body = statement.at.of(&text.reading.normal.text);
    let body = body.split_once(':').map_or(body, |(_, rest)| rest).trim_start();
    let first = body.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    first.chars().all(char::is_lowercase)
        && first.len() > 2
        && !matches!(
            first,
            "the"
                | "this"
                | "that"
                | "these"
                | "those"
                | "there"
                | "my"
                | "our"
                | "your"
                | "his"
                | "her"
                | "its"
                | "their"
                | "you"
                | "she"
                | "they"
                | "what"
                | "when"
                | "where"
                | "why"
                | "how"
                | "who"
                | "which"
                | "and"
                | "but"
                | "yes"
                | "thanks"
                | "thank"
                | "hello"
                | "hey"
                | "not"
                | "i'm"
                | "it's"
                | "for"
                | "with"
                | "from"
                | "because"
                | "since"
                | "okay"
                | "sure"
        )
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn lost(child: &str, parent: &str) -> Vec<String> {
        let report = check(&[child], parent, &Policy::exact());
        report.lost.into_iter().filter(|row| row.kind == "statement").map(|row| row.text).collect()
    }

    #[test]
    fn the_stretch_that_is_gone() {
        assert_eq!(
            lost("Log in tank.txt, the seal is unverified.", "The log is tank.txt."),
            ["the seal is unverified"]
        );
        assert_eq!(
            lost("user: drain the west tank, keep loss under 5 litres.", "The crew met."),
            ["drain the west tank"]
        );
        assert_eq!(lost("No meter is fitted yet.", "A report is wanted."), ["No meter is fitted yet"]);
    }

    #[test]
    fn an_exception_alone() {
        assert_eq!(lost("Open the gate to all except guests.", "Open the gate to all."), ["except guests"]);
        assert_eq!(lost("Only the west pump takes salt.", "The west pump takes salt."), ["Only"]);
    }

    #[test]
    fn an_ask_is_its_act() {
        assert_eq!(
            lost("user: count the spare seals", "The user asked to burn the spare seals."),
            ["count the spare seals"]
        );
        assert!(lost("user: count the spare seals", "Counted the spare seals.").is_empty());
    }
}
