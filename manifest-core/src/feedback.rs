//! What to tell the summarizer before its next attempt: what is missing, altered, invented, collapsed or stale, each
//! with its source text. Bounded; an identifier is never cut.

use crate::code::Code;
use crate::report::{ConflictState, Report};
use std::fmt::Write;

/// How many findings of one kind are spelled out; the rest are counted.
const SPELLED: usize = 24;
/// A clause longer than this is shortened in the middle, at spaces.
const LONGEST: usize = 240;

/// Writes the feedback of a report; empty on a commit.
pub(crate) fn write(report: &Report) -> String {
    let mut out = String::new();
    if report.verdict.is_commit() {
        return out;
    }
    section(
        &mut out,
        "Missing. State each exactly as given:",
        report.lost.iter().map(|l| format!("{} `{}` (child {})", l.kind, shorten(&l.text), l.child)),
    );
    section(
        &mut out,
        "Altered. Say what the source says:",
        report.orphans.iter().filter(|o| o.code == Code::StatementAltered).map(|o| {
            format!("`{}` – {}", shorten(&o.text), o.why.as_deref().map(shorten).unwrap_or_default())
        }),
    );
    section(
        &mut out,
        "Cited wrongly. Cite the children that say it, or take it out:",
        report.orphans.iter().filter(|o| o.code == Code::ClaimMiscited).map(|o| {
            format!("`{}` – {}", shorten(&o.text), o.why.as_deref().map(shorten).unwrap_or_default())
        }),
    );
    section(
        &mut out,
        "Not in the source. Take out, or replace by the source's own value:",
        report
            .orphans
            .iter()
            .filter(|o| !matches!(o.code, Code::StatementAltered | Code::ClaimMiscited))
            .map(|o| format!("{} `{}`", o.kind, shorten(&o.text))),
    );
    section(
        &mut out,
        "The sources disagree or changed. Keep both sides, or the latest with what it replaced:",
        report
            .conflicts
            .iter()
            .filter(|c| matches!(c.state, ConflictState::Collapsed | ConflictState::Stale))
            .map(|c| {
                c.sides
                    .iter()
                    .map(|s| format!("child {}: `{}`", s.child, shorten(&s.text)))
                    .collect::<Vec<_>>()
                    .join(" | ")
            }),
    );
    for reason in &report.reasons {
        let known = matches!(
            reason.code,
            Code::FactLost
                | Code::StatementAltered
                | Code::ClaimMiscited
                | Code::ReferentInvented
                | Code::ReferentOrphaned
                | Code::ConflictCollapsed
                | Code::StatementStale
        );
        if !known {
            let _ = writeln!(out, "{}: {}", reason.code, reason.message);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut count = 0usize;
    for line in lines {
        if count == 0 {
            let _ = writeln!(out, "{title}");
        }
        count += 1;
        if count <= SPELLED {
            let _ = writeln!(out, "- {line}");
        }
    }
    if count > SPELLED {
        let _ = writeln!(out, "- and {} more", count - SPELLED);
    }
}

/// Shortens a clause in the middle at spaces, so that no token is cut.
fn shorten(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.len() <= LONGEST {
        return flat;
    }
    let words: Vec<&str> = flat.split(' ').collect();
    let (mut head, mut tail) = (String::new(), Vec::new());
    let (mut i, mut j) = (0, words.len());
    while i < j && head.len() + words[i].len() < LONGEST / 2 {
        head.push_str(words[i]);
        head.push(' ');
        i += 1;
    }
    let mut bytes = 0;
    while j > i && bytes + words[j - 1].len() < LONGEST / 2 {
        bytes += words[j - 1].len() + 1;
        tail.push(words[j - 1]);
        j -= 1;
    }
    if i == 0 && tail.is_empty() {
        return flat;
    }
    tail.reverse();
    format!("{head}… {}", tail.join(" "))
}
