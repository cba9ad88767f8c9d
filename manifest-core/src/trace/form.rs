//! What a parent is, before what it says: empty, no summary at all, wrapped once more, grown, broken off.

use super::parent::{Text, masked};
use crate::text::{SentenceKind, Span};
use rustc_hash::FxHashMap;

/// A fault of the parent as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormFault {
    /// Nothing stands in it.
    Empty,
    /// It is not a summary of the children; why.
    NotASummary(&'static str),
    /// It is longer than what it replaces: bytes of parent and children.
    NoProgress(usize, usize),
    /// It wraps an earlier summary once more; the line that is repeated.
    Renested(String),
    /// It ends in the middle of something; where it ends.
    Truncated(String),
}

/// A parent over this share of its children's bytes makes no progress …
const PROGRESS: f64 = 1.25;
/// … unless it is this short.
const SHORT: usize = 150;

/// What the tracer knows of the parent beside its text.
pub(crate) struct Support {
    /// Bytes of all children.
    pub(crate) children_bytes: usize,
    /// Share of the parent's content words that the children hold.
    pub(crate) words: f64,
    /// Facts of the parent that a child holds.
    pub(crate) facts: usize,
    /// Facts of the children.
    pub(crate) children_facts: usize,
    /// Claims of the parent that have a source.
    pub(crate) traceable: usize,
    /// Claims of the parent.
    pub(crate) claims: usize,
    /// Whether children and parent are written in one script.
    pub(crate) one_script: bool,
    /// Longest run of one repeated line in any child.
    pub(crate) nesting: usize,
    /// Whether the parent's last line is a line of a child: it ends as that one does.
    pub(crate) ends_as_a_child: bool,
}

/// The faults of a parent, gravest first.
pub(crate) fn faults(parent: &Text<'_>, support: &Support) -> Vec<FormFault> {
    let text = parent.reading.text;
    let mut out = Vec::new();
    if text.trim().is_empty() {
        return vec![FormFault::Empty];
    }
    if let Some(why) = not_a_summary(parent, support) {
        out.push(FormFault::NotASummary(why));
    }
    if text.len() > SHORT && text.len() as f64 > PROGRESS * support.children_bytes as f64 {
        out.push(FormFault::NoProgress(text.len(), support.children_bytes));
    }
    if let Some((line, run)) = nesting(text)
        && run > support.nesting.max(1)
    {
        let start = text.find(line).unwrap_or_default();
        out.push(FormFault::Renested(masked(&parent.reading, Span::new(start, start + line.len()))));
    }
    if let Some(tail) = truncated(text).filter(|_| !support.ends_as_a_child) {
        let end = text.trim_end().len();
        out.push(FormFault::Truncated(masked(&parent.reading, Span::new(end - tail.len(), end))));
    }
    out
}

fn not_a_summary(parent: &Text<'_>, support: &Support) -> Option<&'static str> {
    let bodies: Vec<&str> = parent
        .reading
        .sentences
        .iter()
        .filter(|s| s.kind != SentenceKind::Heading)
        .map(|s| s.at.of(&parent.reading.normal.text).trim())
        .filter(|s| s.chars().any(char::is_alphanumeric))
        .collect();
    if bodies.is_empty() {
        // Headings with nothing under them.
        return (support.children_facts > 0 || support.children_bytes > 0)
            .then_some("headings with nothing under them");
    }
    if bodies.iter().all(|b| is_nothing(b)) {
        return Some("every section says that there is nothing");
    }
    if repeats(&bodies) {
        return Some("one line repeated over and over");
    }
    // Not one of many exact facts is told: whatever it says, nobody can go on from it.
    if support.facts == 0 && support.children_facts >= MANY && support.one_script {
        return Some("it states none of the children's exact facts");
    }
    // Nothing in it comes from the children: an error text, a greeting, a placeholder, somebody else's summary.
    if support.facts == 0
        && support.traceable == 0
        && support.one_script
        && support.claims > 0
        && support.words < UNSUPPORTED
    {
        return Some("nothing in it comes from the children");
    }
    None
}

/// Children with this many exact facts are not summed up without one of them.
const MANY: usize = 24;

/// Below this share of content words that occur anywhere in the children, a text without a single fact or traceable
/// claim is not about them. A word or two in common is chance.
const UNSUPPORTED: f64 = 0.2;

/// Whether a line is a filled-in blank: `(none)`, `n/a`, `-`.
fn is_nothing(line: &str) -> bool {
    let word = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let word = word.rsplit(':').next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    matches!(
        word,
        "none"
            | "n/a"
            | "na"
            | "nothing"
            | "null"
            | "nil"
            | "empty"
            | "tbd"
            | "unknown"
            | "not applicable"
            | "no items"
            | "keine"
            | "aucun"
            | "aucune"
            | "ninguno"
            | "无"
            | "没有"
            | "なし"
            | "없음"
    )
}

fn repeats(bodies: &[&str]) -> bool {
    if bodies.len() < 6 {
        return false;
    }
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for body in bodies {
        *counts.entry(body).or_default() += 1;
    }
    counts.values().max().is_some_and(|most| *most * 2 > bodies.len() && *most >= 5)
}

/// The longest run of one line repeated directly below itself with growing indentation, a wrapped summary's mark.
pub(crate) fn nesting(text: &str) -> Option<(&str, usize)> {
    let mut best: Option<(&str, usize)> = None;
    let mut run = 1;
    let mut previous: Option<(&str, usize)> = None;
    for line in text.lines() {
        let body = line.trim();
        if body.is_empty() {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        match previous {
            Some((above, depth)) if above == body && indent >= depth && body.len() >= 8 => run += 1,
            _ => run = 1,
        }
        previous = Some((body, indent));
        if best.is_none_or(|(_, most)| run > most) {
            best = Some((body, run));
        }
    }
    best
}

/// The end of a text that breaks off: in the middle of a character, a fence, a bracket or a word.
fn truncated(text: &str) -> Option<&str> {
    let tail = text.trim_end();
    let last = tail.lines().next_back().unwrap_or_default();
    let fences = tail.lines().filter(|l| l.trim_start().starts_with("```")).count();
    if tail.ends_with('\u{fffd}') || fences % 2 == 1 {
        return Some(last);
    }
    // A list or a sentence that ends in a connective goes on somewhere.
    let word = last.rsplit([' ', '\t']).next().unwrap_or_default();
    let dangling = last.len() > 40
        && matches!(
            word,
            "and"
                | "or"
                | "the"
                | "a"
                | "an"
                | "of"
                | "to"
                | "with"
                | "because"
                | "in"
                | "for"
                | "from"
                | "und"
                | "et"
                | "y"
        );
    let comma = last.len() > 40 && last.ends_with([',', '(', '[', '{']);
    (dangling || comma).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_counts_only_growing_indentation() {
        assert_eq!(nesting("Earlier context:\n  Earlier context:\n    x"), Some(("Earlier context:", 2)));
        assert_eq!(nesting("one\ntwo\none").map(|n| n.1), Some(1));
        assert_eq!(nesting(""), None);
    }

    #[test]
    fn blanks() {
        for line in ["(none)", "- N/A", "Errors: none", "-- nothing --", "无"] {
            assert!(is_nothing(line), "{line}");
        }
        assert!(!is_nothing("none of the tests passed"));
    }

    #[test]
    fn broken_off() {
        assert!(truncated("Channel \u{fffd}").is_some());
        assert!(truncated("```rust\nfn main() {").is_some());
        assert!(truncated("The migration was applied and the replica caught up with the").is_some());
        assert!(truncated("The migration was applied.").is_none());
    }

    #[test]
    fn no_fault_prints_a_credential() {
        let secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh";
        let line = format!("The key of the importer is key={secret} and it failed with");
        for parent in [line.clone(), format!("{line}\n  {line}\n    {line}")] {
            let report = crate::check(&["The importer failed."], &parent, &crate::Policy::remediation());
            assert!(report.reasons.iter().any(|r| r.message.contains("[secret]")), "{:?}", report.reasons);
            let printed = format!("{:?} {}", report.reasons, report.feedback());
            assert!(!printed.contains(secret), "{printed}");
        }
    }
}
