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

/// How many facts before a place may overlap it.
const NEAR: usize = 8;

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
///
/// `source` gives the text that a statement of the parent repeats, if one does.
pub(crate) fn anaphors<'s>(
    parent: &Text<'_>,
    vocabulary: &Vocabulary,
    source: impl Fn(usize) -> Option<&'s str>,
) -> Vec<Anaphor> {
    let text = &*parent.reading.normal.text;
    let mut out = Vec::new();
    // Where the parent first names something.
    let named = parent
        .reading
        .facts
        .iter()
        .find(|f| f.whole.is_none() && !matches!(f.class, Class::Number | Class::RelativeTime));
    let named = named.map_or(usize::MAX, |f| f.at.start);
    for (index, statement) in parent.statements.all.iter().enumerate() {
        let here = words(text, statement.at);
        let lower: Vec<String> = here.iter().map(|w| w.at.of(text).to_lowercase()).collect();
        for (i, word) in lower.iter().enumerate() {
            let article = matches!(word.as_str(), "a" | "an" | "the" | "another" | "some" | "this" | "that");
            if article && let Some(found) = description(parent, vocabulary, named, &here, &lower, i) {
                out.push(Anaphor { statement: index, ..found });
            }
            if matches!(word.as_str(), "she" | "he" | "him" | "her")
                && let Some(at) = here.get(i).map(|w| w.at)
            {
                let mut found = Anaphor { kind: AnaphorKind::Pronoun, at, resolved: true, statement: index };
                found.resolved = !source(index).is_some_and(|s| hides_actor(parent, &found, s, vocabulary));
                out.push(found);
            }
        }
    }
    out
}

fn description(
    parent: &Text<'_>,
    vocabulary: &Vocabulary,
    named: usize,
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
    let facts = &parent.reading.facts;
    let first_after = facts.partition_point(|f| f.at.start < at.end);
    let (before, after) = facts.split_at(first_after);
    if !EXACT.contains(&noun)
        || before.iter().rev().take(NEAR).any(|f| f.at.overlaps(at) && f.class != Class::Name)
    {
        return None;
    }
    let pair = (here.get(modifier)?.stem, last.stem);
    let named_here = named < at.start;
    // A description with its own value ("a related error, E2107") is explained by it.
    let named_after = after.first().is_some_and(|f| f.at.start <= at.end + 3);
    let resolved = if another || ANOTHER.contains(&word) {
        vocabulary.holds_pair(pair.0, pair.1) || named_after
    } else if SAME.contains(&word) {
        named_here || vocabulary.holds_pair(pair.0, pair.1)
    } else if ORDINAL.contains(&word) {
        vocabulary.holds(pair.0)
    } else {
        return None;
    };
    Some(Anaphor { kind: AnaphorKind::Description, at, resolved, statement: 0 })
}

/// Whether a pronoun hides who acted: the source names somebody who stands in the pronoun's sentence beside the one
/// that the sentence is about ("A paired with B; she merged it", where the source says that B did).
fn hides_actor(parent: &Text<'_>, pronoun: &Anaphor, source: &str, vocabulary: &Vocabulary) -> bool {
    let folded = &*parent.reading.normal.text;
    let statement = parent.statements.all.get(pronoun.statement);
    let Some(sentence) = statement.and_then(|s| parent.reading.sentences.get(s.sentence)) else {
        return false;
    };
    let of_source = words(source, Span::new(0, source.len()));
    if of_source.iter().any(|w| is_pronoun(&w.at.of(source).to_lowercase())) {
        return false;
    }
    let before = words(folded, Span::new(sentence.at.start, pronoun.at.start));
    let Some((subject, rest)) = before.split_first() else { return false };
    let capital = |text: &str| text.starts_with(char::is_uppercase);
    if !capital(subject.at.of(folded)) || !vocabulary.is_proper(subject.stem) {
        return false;
    }
    let acts_there = |stem: u64| of_source.iter().any(|w| w.stem == stem && capital(w.at.of(source)));
    if acts_there(subject.stem) {
        return false;
    }
    // The other one stands with the subject: "A and B", "A told B", "A paired with B".
    rest.iter().take(3).enumerate().any(|(between, word)| {
        let joint = between.checked_sub(1).and_then(|i| rest.get(i)).map(|w| w.at.of(folded));
        let joined = match between {
            1 => joint.is_some_and(|w| w.len() > 2 && w.chars().all(char::is_lowercase)),
            2 => joint.is_some_and(|w| matches!(w, "with" | "by" | "and")),
            _ => false,
        };
        joined
            && word.stem != subject.stem
            && capital(word.at.of(folded))
            && vocabulary.is_proper(word.stem)
            && acts_there(word.stem)
    })
}

fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "she" | "he" | "him" | "her" | "his" | "hers" | "they" | "them" | "their" | "i" | "we" | "you"
    )
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn pronouns(child: &str, parent: &str) -> Vec<String> {
        let rows = check(&[child], parent, &Policy::remediation()).orphans.into_iter();
        rows.filter(|o| o.kind == "pronoun").map(|o| o.text).collect()
    }

    #[test]
    fn a_pronoun_after_two_people_hides_who_acted() {
        let child = "Orla sat with Ruben. Ruben closed the main valve.";
        assert_eq!(pronouns(child, "Orla sat with Ruben; he closed the main valve."), ["he"]);
    }

    #[test]
    fn a_pronoun_for_the_one_spoken_of_is_plain() {
        let child = "Orla sat with Ruben. Orla closed the main valve.";
        assert!(pronouns(child, "Orla sat with Ruben; she closed the main valve.").is_empty());
        let alone = "Orla reached Lisbon. Orla closed the main valve.";
        assert!(pronouns(alone, "Orla reached Lisbon; she closed the main valve.").is_empty());
    }

    #[test]
    fn a_pronoun_of_the_source_is_copied() {
        let text =
            "Tessa Lind, a Silver member, asked for a refund of VX204 to OSL. She wants more than a voucher.";
        assert!(pronouns(text, text).is_empty());
    }
}
