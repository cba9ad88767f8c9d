//! Statements that forbid, refuse or allow, where the grammar leaves no doubt: nobody but the caller can give them up.
//!
//! Only clear forms count: a negated imperative, a modal or a predicate that forbids, "no … without somebody's yes", and
//! what the user is told to have refused or approved. What a tool prints binds nobody.

mod form;
#[cfg(test)]
mod tests;

use self::form::{Form, QUOTES, form};
use super::parent::{MASK, Text};
use super::required::Repeat;
use super::wording::core;
use crate::child::Role;
use crate::fact::Known;
use crate::fact::statement::Cues;
use crate::ledger::RULES;
use crate::text::{Span, words};
use rustc_hash::FxHashMap;

/// One statement that forbids, refuses or allows.
#[derive(Clone, Debug)]
pub(crate) struct Mandate {
    /// Index of the child that says it first.
    pub(crate) child: usize,
    /// Where it stands in the child as given.
    pub(crate) span: Span,
    /// Its text at that span, secrets masked.
    pub(crate) text: Box<str>,
    /// Whether the user says it.
    pub(crate) by_user: bool,
    /// Whether one sentence of the parent repeats it.
    pub(crate) stated: bool,
    /// How often it was said.
    pub(crate) count: usize,
}

impl Mandate {
    /// Its text on one line, without marks of emphasis.
    pub(crate) fn written(&self) -> String {
        self.text.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The longest clause that is kept; a longer one is cut at a word.
const LONGEST: usize = 160;
/// A clause of more bytes than this goes without what a colon in it explains.
const EXPLAINED: usize = 100;
/// How many of one table are kept: text that holds more of them is a list of rules, and stands in a document.
const MOST: usize = 4096;

/// The mandates of the children, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mandates {
    all: Vec<Mandate>,
    number: FxHashMap<Vec<u64>, usize>,
}

impl Mandates {
    /// Reads one child; `told` says whether its role is known, `negating` which clauses of the parent stand under a
    /// negation that is not their own.
    pub(crate) fn child(
        &mut self,
        child: usize,
        (role, told): (Role, bool),
        text: &Text<'_>,
        repeat: &Repeat<'_, '_>,
        negating: &[bool],
    ) {
        for statement in &text.statements.all {
            let role = statement.speaker.unwrap_or(role);
            let told = told || statement.speaker.is_some();
            let Some(form) = form(text, statement, role, told) else { continue };
            let items = text.said_items(statement);
            if items.len() < 2 || self.all.len() >= MOST {
                continue;
            }
            if let Some(known) = self.number.get(&items).and_then(|n| self.all.get_mut(*n)) {
                known.count += 1;
                known.by_user |= role == Role::User;
                continue;
            }
            let folded = &*text.reading.normal.text;
            let at = shortened(folded, quoted(folded, core(folded, statement.at)));
            let stated = repeat.keeps(&items, form, negating);
            self.number.insert(items, self.all.len());
            self.all.push(Mandate {
                child,
                span: text.reading.normal.source(at),
                text: text.shown(at).into(),
                by_user: role == Role::User,
                stated,
                count: 1,
            });
        }
    }

    /// All of them, in the order of the text, without the credentials that are known by the end.
    pub(crate) fn into_all(mut self, known: &Known) -> Vec<Mandate> {
        for mandate in &mut self.all {
            if let Some(hidden) = known.mask(&mandate.text, MASK) {
                mandate.text = hidden.into();
            }
        }
        self.all
    }
}

/// A clause of a line of rules of a ledger, as it is quoted there: without the heading, the marks and the number of its leaf.
fn quoted(folded: &str, at: Span) -> Span {
    let line = folded.get(..at.start).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1);
    if !folded.get(line..).is_some_and(|line| line.starts_with(RULES)) {
        return at;
    }
    let clause = at.of(folded);
    let start = clause.find('"').map_or(0, |quote| quote + 1);
    let end = clause.get(start..).and_then(|rest| rest.find('"')).map_or(clause.len(), |quote| start + quote);
    Span::new(at.start + start, at.start + end)
}

/// A clause without what a colon explains and cut at a word, where it is long.
fn shortened(folded: &str, at: Span) -> Span {
    // The end of somebody's speech that began in another clause.
    let at = Span::new(
        at.start,
        at.start + at.of(folded).trim_end_matches(|c| c == '.' || QUOTES.contains(&c)).len(),
    );
    let colon = at.of(folded).find(": ").map(|colon| Span::new(at.start, at.start + colon));
    let at = colon.filter(|head| at.len() > EXPLAINED && words(folded, *head).len() >= 4).unwrap_or(at);
    if at.len() <= LONGEST {
        return at;
    }
    let ends = words(folded, at).into_iter().map(|word| word.at.end);
    Span::new(at.start, ends.take_while(|end| end - at.start <= LONGEST).last().unwrap_or(at.start))
}

impl Repeat<'_, '_> {
    /// Whether one sentence of the parent repeats a mandate, and forbids or allows as it does. `negating` says which
    /// clauses stand under a heading, or beside a clause, that forbids.
    fn keeps(&self, statement: &[u64], form: Form, negating: &[bool]) -> bool {
        let forbids = Cues::NEGATION
            .with(Cues::PROHIBITION)
            .with(Cues::DENIAL)
            .with(Cues::EXCEPTION)
            .with(Cues::ALTERNATIVE)
            .with(Cues::OPEN);
        let allows = Cues::CONSENT.with(Cues::DECISION).with(Cues::ASK);
        self.near(statement).into_iter().any(|sentence| {
            let (mut here, mut kept) = (Vec::new(), false);
            for (number, claim) in self.clauses(sentence) {
                here.extend(self.parent.items_of(claim));
                kept |= match form {
                    Form::Forbids => claim.cues.any(forbids) || negating.get(number) == Some(&true),
                    Form::Allows => claim.cues.any(allows) || claim.actor == Some(Role::User),
                };
            }
            here.sort_unstable();
            kept && self.enough(statement, &here)
        })
    }
}
