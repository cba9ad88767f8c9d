//! What is audited: which text stands in place of which stretch.

use super::NothingToAudit;
use super::survey::{Point, Stretch, Survey};
use crate::transcript::{Compaction, Session, Summary, Tally, bytes};
use std::path::PathBuf;

/// A summary that the caller gives.
pub(crate) struct GivenSummary {
    /// Its file.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
}

/// What is audited.
#[derive(Debug)]
pub(crate) struct Target {
    /// How many compactions stand before the stretch.
    pub(crate) before: usize,
    /// All compactions of the session.
    pub(crate) points: Vec<Point>,
    /// The compaction, where one is recorded.
    pub(crate) point: Option<Point>,
    /// The file that the summary was taken from, where it was given.
    pub(crate) given: Option<PathBuf>,
    /// The summary; empty where none can be read.
    pub(crate) parent: String,
    /// The ledger that stands beside it, where one does.
    pub(crate) ledger: Option<String>,
    /// What the compaction kept word for word beside it.
    pub(crate) kept: Vec<String>,
    /// The line from which on the stretch was kept word for word.
    pub(crate) kept_from: Option<u64>,
    /// The compaction before, whose summary is a child.
    pub(crate) previous: Option<Compaction>,
    /// What stands before the summary.
    pub(crate) stretch: Stretch,
    /// What stands after it, up to the next compaction.
    pub(crate) rest: Option<Stretch>,
    /// Texts that the summarizer also saw.
    pub(crate) contexts: Vec<String>,
    /// What the first pass noticed.
    pub(crate) tally: Tally,
    /// Bytes of context that were not kept.
    pub(crate) context_left_out: u64,
}

impl Target {
    /// What stands beside the summary and is no prose of it: its ledger, and what the compaction kept.
    pub(crate) fn beside(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().chain(&self.ledger).map(String::as_str)
    }

    /// Takes what looks like a ledger for a part of the summary.
    pub(crate) fn ledger_as_prose(&mut self) {
        if let Some(ledger) = self.ledger.take() {
            self.parent = format!("{}\n\n{ledger}", self.parent);
        }
    }
}

/// Chooses what is audited.
pub(crate) fn choose(
    session: &Session,
    survey: Survey,
    number: Option<usize>,
    given: Option<GivenSummary>,
) -> Result<Target, NothingToAudit> {
    let file = session.path().display().to_string();
    let count = survey.points.len();
    let recorded = match (number, &given) {
        (Some(n), _) if n == 0 || n > count => {
            return Err(NothingToAudit::NoSuchCompaction { file, wanted: n, count });
        }
        (Some(n), _) => Some(n),
        (None, Some(_)) => None,
        (None, None) if count == 0 => {
            let stretch = survey.stretches.first().cloned().unwrap_or_default();
            return Err(NothingToAudit::NoCompaction {
                file,
                form: session.form().as_str(),
                units: super::number::of(stretch.units, "unit", "units"),
                bytes: bytes(stretch.bytes),
                passed_over: match survey.tally.long_lines {
                    0 => String::new(),
                    1 => ". One line above --max-line was passed over; it may hold one".to_owned(),
                    n => format!(". {n} lines above --max-line were passed over; one may hold one"),
                },
            });
        }
        (None, None) => Some(count),
    };
    let (wanted, previous) = match recorded {
        Some(_) => (survey.wanted, survey.previous),
        // All since the last compaction, which then is the one before.
        None => (None, survey.wanted),
    };
    let before = recorded.map_or(count, |n| n - 1);
    let stretch = survey.stretches.get(before).cloned().unwrap_or_default();
    if stretch.units == 0 && before > 0 && recorded.is_some() {
        return Err(NothingToAudit::NothingBetween { file, before, number: before + 1 });
    }
    if stretch.units == 0 {
        return Err(NothingToAudit::NothingBefore { file });
    }
    let mut contexts: Vec<String> =
        survey.contexts.into_iter().filter(|(at, _)| *at <= before).map(|(_, text)| text).collect();
    let mut kept = Vec::new();
    let mut kept_from = None;
    let mut parent = String::new();
    if let Some(compaction) = wanted {
        contexts.push(compaction.frame);
        kept = compaction.kept;
        kept_from = compaction.kept_from;
        if let Summary::Text(text) = compaction.summary {
            parent = text;
        }
    }
    contexts.extend(previous.iter().map(|p| p.frame.clone()));
    contexts.retain(|text| !text.trim().is_empty());
    let path = given.as_ref().map(|g| g.path.clone());
    if let Some(given) = given {
        given.text.trim().clone_into(&mut parent);
    }
    // Exact facts that were put beside the summary are no prose of it.
    let (text, beside) = manifest_core::split_ledger(&parent);
    let ledger = Some(beside.to_owned()).filter(|ledger| !ledger.is_empty());
    parent = text.to_owned();
    Ok(Target {
        before,
        point: recorded.and_then(|n| survey.points.get(n - 1).cloned()),
        rest: recorded.and_then(|n| survey.stretches.get(n).cloned()),
        points: survey.points,
        given: path,
        parent,
        ledger,
        kept,
        kept_from,
        previous,
        stretch,
        contexts,
        tally: survey.tally,
        context_left_out: survey.context_left_out,
    })
}
