//! What the reading noticed, in few lines.

use super::number::{count, of};
use crate::transcript::{Seen, Tally};
use std::collections::BTreeMap;

/// One line a matter, the gravest first.
pub(crate) fn notes(tally: &Tally) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(line) = tally.truncated {
        out.push(format!("line {} breaks off: the file ends inside of it", count(line)));
    }
    let broken = tally.broken - u64::from(tally.truncated.is_some() && tally.broken > 0);
    if broken > 0
        && let Some(first) = tally.broken_lines.first()
    {
        let what = of(tally.broken, "line", "lines");
        out.push(format!("{what} could not be read (line {}: {})", count(first.line), first.reason));
    }
    if !tally.unknown.is_empty() {
        out.push(format!("kept as text, of unknown types: {}", names(&tally.unknown)));
    }
    if !tally.opaque.is_empty() {
        out.push(format!("not text, not read: {}", names(&tally.opaque)));
    }
    let mut apart = Vec::new();
    if tally.side_chain > 0 {
        apart.push(of(tally.side_chain, "record of sub-tasks", "records of sub-tasks"));
    }
    if tally.repeated > 0 {
        apart.push(of(tally.repeated, "repeated record", "repeated records"));
    }
    let skipped: u64 = tally.skipped.values().map(|s| s.count).sum();
    if skipped > 0 {
        apart.push(of(skipped, "record without text of its own", "records without text of their own"));
    }
    if !apart.is_empty() {
        out.push(format!("left aside: {}", apart.join(", ")));
    }
    let mut mended = Vec::new();
    if tally.invalid_utf8 > 0 {
        mended.push(of(tally.invalid_utf8, "stretch of invalid UTF-8", "stretches of invalid UTF-8"));
    }
    if tally.lone_surrogates > 0 {
        mended.push(of(tally.lone_surrogates, "half surrogate", "half surrogates"));
    }
    if tally.nul_bytes > 0 {
        mended.push(of(tally.nul_bytes, "NUL byte", "NUL bytes"));
    }
    if !mended.is_empty() {
        out.push(format!("mended: {}", mended.join(", ")));
    }
    let mut loose = Vec::new();
    if tally.calls_without_result > 0 {
        loose.push(of(tally.calls_without_result, "call without a result", "calls without a result"));
    }
    if tally.results_without_call > 0 {
        loose.push(of(tally.results_without_call, "result without a call", "results without a call"));
    }
    if !loose.is_empty() {
        out.push(loose.join(", "));
    }
    out
}

/// The most frequent names.
fn names(table: &BTreeMap<String, Seen>) -> String {
    let mut all: Vec<(&String, u64)> = table.iter().map(|(name, seen)| (name, seen.count)).collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let more = all.len().saturating_sub(3);
    let mut shown: Vec<String> =
        all.iter().take(3).map(|(name, n)| format!("{name} ({})", count(*n))).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    crate::visible::plain(&shown.join(", "))
}
