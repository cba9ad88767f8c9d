//! Statements of the children that a strict policy wants kept: asks, prohibitions, consent and denial, open, failed
//! and unknown states, decisions and rejected alternatives with their reasons, exceptions.

use super::parent::{Index, Text};
use crate::child::Role;
use crate::fact::statement::{Cues, Statement};
use crate::text::Span;

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
    (Cues::ALTERNATIVE, Cues::ALTERNATIVE.with(Cues::NEGATION).with(Cues::CONTRAST).with(Cues::DENIAL)),
];

/// The statements of one child that the parent does not repeat.
pub(crate) fn unstated(
    child: usize,
    role: Role,
    text: &Text<'_>,
    parent: &Text<'_>,
    index: &Index,
    other_script: bool,
    out: &mut Vec<Unstated>,
) {
    for statement in &text.statements.all {
        let asks = statement.cues.any(Cues::ASK)
            && (role == Role::User || statement.actor == Some(Role::User))
            || statement.speaker == Some(Role::User) && imperative(text, statement);
        if !asks && !statement.cues.any(KEEP) {
            continue;
        }
        // An instruction inside a tool's output is no observation.
        let items = text.items_of(statement);
        if items.is_empty() {
            continue;
        }
        if !repeated(statement, &items, parent, index, other_script) {
            let at = trimmed(&text.reading.normal.text, statement.at);
            out.push(Unstated { child, span: text.reading.normal.source(at), text: text.shown(at).into() });
        }
    }
}

fn repeated(
    statement: &Statement,
    items: &[u64],
    parent: &Text<'_>,
    index: &Index,
    other_script: bool,
) -> bool {
    // Sentences of the parent that share anything with it.
    let mut near: Vec<usize> = Vec::new();
    for item in items {
        for claim in index.statements.get(item).map(Vec::as_slice).unwrap_or_default() {
            if let Some(claim) = parent.statements.all.get(*claim as usize) {
                near.push(claim.sentence);
            }
        }
    }
    near.sort_unstable();
    near.dedup();
    near.iter().any(|sentence| {
        let mut here: Vec<u64> = Vec::new();
        let mut cues = Cues::default();
        for claim in parent.statements.all.iter().filter(|c| c.sentence == *sentence) {
            here.extend(parent.items_of(claim));
            cues = cues.with(claim.cues);
        }
        here.sort_unstable();
        let held = items.iter().filter(|i| here.binary_search(i).is_ok()).count();
        let enough = other_script || held as f64 >= REPEATED * items.len() as f64;
        let must =
            other_script && statement.cues.any(Cues::MUST) && !cues.any(Cues::MUST.with(Cues::PROHIBITION));
        enough && !must && KEPT_BY.iter().all(|(cue, by)| !statement.cues.any(*cue) || cues.any(*by))
    })
}

/// Whether a clause opens with a bare verb: no article, pronoun or noun phrase before it. Judged by what it does not open with.
fn imperative(text: &Text<'_>, statement: &Statement) -> bool {
    let body = statement.at.of(&text.reading.normal.text);
    let body = body.split_once(':').map_or(body, |(_, rest)| rest).trim_start();
    let first = body.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    first.chars().all(|c| c.is_lowercase())
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

fn trimmed(text: &str, at: Span) -> Span {
    let body = at.of(text);
    let start = at.start + (body.len() - body.trim_start().len());
    let end = start + body.trim().trim_end_matches(['.', '。', ';', ',']).len();
    Span::new(start, end)
}
