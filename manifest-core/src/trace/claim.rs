//! The claims of a parent: what in it states something about the work.

use crate::fact::{Class, Fact, Group, Reading};
use crate::text::{SentenceKind, Span, words};
use std::ops::Range;

/// A sentence, a list item or an independent clause of a parent that states something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Where it stands in the text as given.
    pub(crate) span: Span,
    /// Its clauses, as a range into the reading's clauses: more than one where short ones stay together.
    pub(crate) clauses: Range<usize>,
    /// Index of its sentence in the reading.
    pub(crate) sentence: usize,
}

/// Fewest content words of a clause that is a claim by itself: with fewer, one word in common by chance would be
/// nearly half of it.
const CLAUSE_WORDS: usize = 3;
/// Fewest content words of a sentence that is a claim, unless it holds an exact fact.
const SENTENCE_WORDS: usize = 2;

/// The claims of `parent`, in order.
pub(crate) fn claims(parent: &Reading<'_>) -> Vec<Claim> {
    let text = &*parent.normal.text;
    let mut out = Vec::new();
    let mut facts = parent.facts.as_slice();
    for (sentence, s) in parent.sentences.iter().enumerate() {
        let before = facts.iter().take_while(|f| f.at.start < s.at.start).count();
        facts = facts.get(before..).unwrap_or_default();
        let within = facts.iter().take_while(|f| f.at.start < s.at.end).count();
        let (here, rest) = facts.split_at_checked(within).unwrap_or((facts, &[]));
        facts = rest;
        let exact = !here.is_empty();
        let said = s.at.of(text);
        if s.kind == SentenceKind::Heading || about_itself(said) || handle(said) || ledger(s.at, said, here) {
            continue;
        }
        let sizes: Vec<usize> = s
            .clauses
            .clone()
            .filter_map(|c| parent.clauses.get(c))
            .map(|c| words(text, c.at).iter().filter(|w| w.content).count())
            .collect();
        if sizes.iter().sum::<usize>() < SENTENCE_WORDS && !exact {
            continue;
        }
        for clauses in joined(&sizes) {
            let clauses = s.clauses.start + clauses.start..s.clauses.start + clauses.end;
            let ends = (parent.clauses.get(clauses.start), parent.clauses.get(clauses.end.wrapping_sub(1)));
            if let (Some(first), Some(last)) = ends {
                let at = Span::new(first.at.start, last.at.end);
                out.push(Claim { at, span: parent.normal.source(at), clauses, sentence });
            }
        }
    }
    out
}

/// Neighbouring clauses of one sentence, so joined that none is short by itself.
fn joined(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (i, n) in sizes.iter().enumerate() {
        size += n;
        if size >= CLAUSE_WORDS {
            out.push(start..i + 1);
            (start, size) = (i + 1, 0);
        }
    }
    if start < sizes.len() {
        match out.last_mut() {
            Some(last) => last.end = sizes.len(),
            None => out.push(start..sizes.len()),
        }
    }
    out
}

/// Names of the text that a claim stands in.
const PAPERS: [&str; 9] =
    ["summary", "recap", "overview", "digest", "synopsis", "compaction", "handoff", "outline", "notes"];
/// What only a text does.
const COVERS: [&str; 6] = ["covers", "summarizes", "summarises", "describes", "contains", "lists"];
/// What a text may do as well; with "this" before it, it is the one at hand.
const SHOWS: [&str; 16] = [
    "is",
    "was",
    "includes",
    "reflects",
    "captures",
    "preserves",
    "omits",
    "provides",
    "outlines",
    "follows",
    "has",
    "ends",
    "highlights",
    "focuses",
    "documents",
    "records",
];

/// Whether a sentence speaks of the summary that it stands in.
fn about_itself(sentence: &str) -> bool {
    let words: Vec<String> = sentence
        .split_ascii_whitespace()
        .take(8)
        .map(|w| w.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_ascii_lowercase())
        .collect();
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let Some(paper) = words.iter().position(|w| PAPERS.contains(&w.as_str())) else { return false };
    let verb = word(paper + 1);
    match word(0) {
        "here" | "here's" | "below" | "following" | "above" | "attached" => true,
        "this" if word(1) == "is" => matches!(word(2), "a" | "an" | "the" | "my" | "your"),
        // "The summary covers …", but not "the summary endpoint returns …" nor "the outline was approved".
        "this" => paper <= 2 && (COVERS.contains(&verb) || SHOWS.contains(&verb)),
        "the" => paper <= 2 && COVERS.contains(&verb),
        _ => paper == 0 && verb == "of",
    }
}

/// Whether a line is a handle: what stands in a rendered summary to lead back to what was left out.
fn handle(line: &str) -> bool {
    let line = line.trim_matches(|c| matches!(c, '[' | '(' | '<' | '`' | ' '));
    line.starts_with("manifest:")
        || line.starts_with("manifest recover ")
        || line.starts_with("manifest trace ")
        || line.trim_end_matches([']', ')', '>']).ends_with(" more facts in the leaves")
}

/// Whether a line is one of a ledger: a heading, and nothing but facts.
fn ledger(at: Span, line: &str, facts: &[Fact]) -> bool {
    let Some((heading, list)) = line.split_once(": ") else { return false };
    let groups =
        Group::ALL.iter().any(|g| g.heading().trim_end() == line.get(..=heading.len()).unwrap_or(""));
    if !groups && !Class::ALL.iter().any(|c| c.as_str() == heading) {
        return false;
    }
    let mut start = at.start + heading.len() + 2;
    list.split([' ', ',']).all(|part| {
        let part = Span::new(start, start + part.len());
        start = part.end + 1;
        // A value may hold a space itself, and stands in its fact then.
        part.is_empty() || facts.iter().any(|f| f.at.overlaps(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn of(text: &str) -> Vec<String> {
        let r = read(text);
        claims(&r).iter().map(|c| c.span.of(text).to_owned()).collect()
    }

    #[test]
    fn what_states_something_is_a_claim() {
        let text = "## Decisions\nThis summary covers the first day.\nOutcome:\n- The team kept Redis as its cache; Kafka was dropped \
                    because of its cost.\n- ok\nThe deploy of the payment service failed, and it was rolled back by Lena at noon.";
        assert_eq!(
            of(text),
            [
                "The team kept Redis as its cache",
                "Kafka was dropped because of its cost.",
                "The deploy of the payment service failed",
                "it was rolled back by Lena at noon.",
            ]
        );
    }

    #[test]
    fn lines_of_a_ledger_and_handles_are_no_claims() {
        let text = "error_code: E_QUOTA_4417, E_DISK_12\npath: src/main.rs, /etc/hosts.conf\n\
                    [manifest recover 3f9a for 41 more facts]\npath: the new road leads past the old mill.";
        assert_eq!(of(text), ["path: the new road leads past the old mill."]);
    }

    #[test]
    fn a_short_clause_stays_with_its_neighbour() {
        assert_eq!(of("He left and she stayed behind with the children.").len(), 1);
        assert_eq!(joined(&[1, 4, 1]).first(), Some(&(0..3)));
        assert_eq!(joined(&[4, 1, 4]), [0..1, 1..3]);
        assert_eq!(joined(&[1, 1]).first(), Some(&(0..2)));
        assert!(joined(&[]).is_empty());
    }

    #[test]
    fn sentences_about_the_summary_itself() {
        for own in [
            "This summary covers the migration.",
            "Here is a summary of the conversation:",
            "The summary lists all open points.",
            "Below is the requested overview.",
            "Summary of the session",
            "This is a recap of the meeting.",
        ] {
            assert!(about_itself(own), "{own}");
        }
        for work in [
            "The summary endpoint returns 500 for empty carts.",
            "This release covers the summary page.",
            "The team wrote a summary.",
            "A digest mismatch stopped the upload.",
            "The overview page was removed.",
            "The deploy failed.",
        ] {
            assert!(!about_itself(work), "{work}");
        }
    }
}
