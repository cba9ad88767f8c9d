//! A question whose answer is one exact value: its clause, with the value masked.

use crate::fact::statement::Statement;
use crate::fact::{Class, Fact};
use crate::trace::{MASK, Text};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What stands where the value stood.
const GAP: &str = "____";

/// The longest clause that makes a question, in bytes: a longer one tells its reader nothing, and is no clause.
const LONGEST: usize = 400;

/// An exact-recall question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// The clause, with `____` where the value stood and secrets masked: `the deploy aborted with ____`.
    pub text: String,
    /// The class of the value.
    pub class: Class,
    /// What stands around the gap: stems of words and keys of facts.
    pub(super) context: Vec<u64>,
    /// Whether the clause is negated.
    pub(super) negated: bool,
}

impl Question {
    /// The question after one fact of a statement, if the statement says anything beside it.
    pub(super) fn after(fact: &Fact, statement: &Statement, text: &Text<'_>) -> Option<Question> {
        if !askable(statement) {
            return None;
        }
        let context = context(fact, statement, text);
        let written = masked(fact, statement, text);
        let (class, negated) = (fact.class, statement.negated);
        (!context.is_empty()).then_some(Question { text: written, class, context, negated })
    }
}

/// Whether a statement is short enough to ask about.
pub(super) fn askable(statement: &Statement) -> bool {
    statement.at.len() <= LONGEST
}

/// Equal for questions that ask the same: then no answer is the right one.
pub(super) fn asked_as(fact: &Fact, statement: &Statement, text: &Text<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    (fact.class, statement.negated, context(fact, statement, text)).hash(&mut hasher);
    hasher.finish()
}

fn context(fact: &Fact, statement: &Statement, text: &Text<'_>) -> Vec<u64> {
    let words = text.statements.words_of(statement).iter().filter(|word| !fact.at.overlaps(word.at));
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let facts = facts.iter().filter(|other| !fact.at.overlaps(other.at) && !fact.same(other));
    let mut context: Vec<u64> = words.map(|word| word.stem).chain(facts.map(|other| other.key)).collect();
    context.sort_unstable();
    context.dedup();
    context
}

fn masked(fact: &Fact, statement: &Statement, text: &Text<'_>) -> String {
    let folded = &*text.reading.normal.text;
    let mut out = String::new();
    let mut from = statement.at.start;
    for other in text.reading.facts.get(statement.facts.clone()).unwrap_or_default() {
        let instead = if other.same(fact) {
            GAP
        } else if other.class == Class::Secret {
            MASK
        } else {
            continue;
        };
        if other.at.start >= from {
            out.push_str(folded.get(from..other.at.start).unwrap_or_default());
            out.push_str(instead);
            from = other.at.end;
        }
    }
    out.push_str(folded.get(from..statement.at.end).unwrap_or_default());
    out.trim().to_owned()
}
