//! Mentions that stand for something named elsewhere: "a related error", "the second script", "she".

use super::parent::Text;
use super::vocabulary::Vocabulary;
use crate::fact::Class;
use crate::text::{Span, Word, words};

/// What a mention is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnaphorKind {
    /// A noun phrase that stands for an exact thing.
    Description,
    /// A pronoun.
    Pronoun,
}

/// A mention that nothing explains.
#[derive(Clone, Debug)]
pub(crate) struct Anaphor {
    /// What it is.
    pub(crate) kind: AnaphorKind,
    /// Where it stands in the parent's folded text.
    pub(crate) at: Span,
    /// Whether something explains it.
    pub(crate) resolved: bool,
    /// Index of its statement.
    pub(crate) statement: usize,
}

/// Words that bring in one more thing of a kind: it must be named somewhere.
const ANOTHER: &[&str] = &[
    "related",
    "similar",
    "another",
    "different",
    "other",
    "associated",
    "corresponding",
    "certain",
    "some",
];
/// Words that point back at something named before.
const SAME: &[&str] = &["same", "said", "aforementioned", "above"];
/// Words that pick one of a list.
const ORDINAL: &[&str] = &["second", "third", "fourth", "fifth", "sixth", "latter", "former"];
/// Nouns that an exact value usually stands behind: codes, names, numbers, places.
const EXACT: &[&str] = &[
    "error",
    "errors",
    "code",
    "codes",
    "id",
    "ids",
    "identifier",
    "identifiers",
    "file",
    "files",
    "path",
    "paths",
    "script",
    "scripts",
    "commit",
    "commits",
    "ticket",
    "tickets",
    "issue",
    "issues",
    "key",
    "keys",
    "flag",
    "flags",
    "version",
    "versions",
    "host",
    "hosts",
    "node",
    "nodes",
    "server",
    "servers",
    "service",
    "services",
    "value",
    "values",
    "number",
    "numbers",
    "port",
    "ports",
    "url",
    "address",
    "addresses",
    "command",
    "commands",
    "job",
    "jobs",
    "branch",
    "setting",
    "settings",
    "parameter",
    "parameters",
    "exception",
    "exceptions",
    "failure",
    "failures",
    "bug",
    "bugs",
    "test",
    "tests",
    "table",
    "tables",
    "migration",
    "migrations",
    "run",
    "runs",
    "step",
    "steps",
    "plan",
    "record",
    "records",
    "account",
    "accounts",
    "order",
    "orders",
    "reservation",
    "flight",
    "module",
    "function",
    "variable",
    "package",
];

/// The mentions of a parent that stand for something named elsewhere.
pub(crate) fn anaphors(parent: &Text<'_>, vocabulary: &Vocabulary) -> Vec<Anaphor> {
    let text = &*parent.reading.normal.text;
    let mut out = Vec::new();
    for (index, statement) in parent.statements.all.iter().enumerate() {
        let here = words(text, statement.at);
        let lower: Vec<String> = here.iter().map(|w| w.at.of(text).to_lowercase()).collect();
        for (i, word) in lower.iter().enumerate() {
            let article = matches!(word.as_str(), "a" | "an" | "the" | "another" | "some" | "this" | "that");
            if article && let Some(found) = description(parent, vocabulary, index, &here, &lower, i) {
                out.push(found);
            }
            if matches!(word.as_str(), "she" | "he" | "him" | "her")
                && let Some(at) = here.get(i).map(|w| w.at)
            {
                out.push(Anaphor {
                    kind: AnaphorKind::Pronoun,
                    at,
                    resolved: persons_before(parent, statement.sentence, at.start) != Persons::Several,
                    statement: index,
                });
            }
        }
    }
    out
}

fn description(
    parent: &Text<'_>,
    vocabulary: &Vocabulary,
    statement: usize,
    here: &[Word],
    lower: &[String],
    article: usize,
) -> Option<Anaphor> {
    let another = matches!(lower.get(article)?.as_str(), "another");
    let modifier = if another { article } else { article + 1 };
    let word = lower.get(modifier)?.as_str();
    let noun = lower.get(modifier + 1)?.as_str();
    let (first, last) = (here.get(article)?, here.get(modifier + 1)?);
    let at = Span::new(first.at.start, last.at.end);
    if parent.reading.facts.iter().any(|f| f.at.overlaps(at) && f.class != Class::Name)
        || !EXACT.contains(&noun)
    {
        return None;
    }
    let pair = (here.get(modifier)?.stem, last.stem);
    let named_here = parent.reading.facts.iter().any(|f| {
        f.whole.is_none() && f.at.start < at.start && !matches!(f.class, Class::Number | Class::RelativeTime)
    });
    // A description with its own value ("a related error, E2107") is explained by it.
    let named_after = parent.reading.facts.iter().any(|f| f.at.start >= at.end && f.at.start <= at.end + 3);
    let resolved = if another || ANOTHER.contains(&word) {
        vocabulary.holds_pair(pair.0, pair.1) || named_after
    } else if SAME.contains(&word) {
        named_here || vocabulary.holds_pair(pair.0, pair.1)
    } else if ORDINAL.contains(&word) {
        vocabulary.holds(pair.0)
    } else {
        return None;
    };
    Some(Anaphor { kind: AnaphorKind::Description, at, resolved, statement })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Persons {
    None,
    One,
    Several,
}

/// How many different names stand before a pronoun in its sentence.
fn persons_before(parent: &Text<'_>, sentence: usize, before: usize) -> Persons {
    let Some(at) = parent.reading.sentences.get(sentence).map(|s| s.at) else { return Persons::None };
    let mut names: Vec<u64> = parent
        .reading
        .facts
        .iter()
        .filter(|f| f.class == Class::Name && at.contains(f.at) && f.at.end <= before)
        .map(|f| f.key)
        .collect();
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => Persons::None,
        1 => Persons::One,
        _ => Persons::Several,
    }
}
