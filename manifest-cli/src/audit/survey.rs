//! The first pass: where the compactions are, and what stands between them.

use crate::transcript::{Compaction, Item, Kind, Session, Summary, Tally, TranscriptError, Unit};
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

/// Bytes of distinct context that are kept to excuse mentions; more is counted.
const CONTEXT: usize = 8 << 20;

/// What stands between two compactions.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Stretch {
    /// Messages, and calls with their results.
    pub(crate) units: u64,
    /// Bytes of their text.
    pub(crate) bytes: u64,
    /// First line of the source.
    pub(crate) first_line: u64,
    /// Last line of the source.
    pub(crate) last_line: u64,
    /// When the first was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_at: Option<String>,
    /// When the last was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_at: Option<String>,
}

impl Stretch {
    fn add(&mut self, unit: &Unit) {
        for part in unit.parts.iter().filter(|p| p.kind != Kind::Context) {
            self.bytes += part.text.len() as u64;
            if self.first_line == 0 {
                self.first_line = part.line;
            }
            let extra =
                if part.spread { memchr::memchr_iter(b'\n', part.text.as_bytes()).count() as u64 } else { 0 };
            self.last_line = self.last_line.max(part.line + extra);
            if let Some(at) = &part.at {
                self.first_at.get_or_insert_with(|| at.clone());
                self.last_at = Some(at.clone());
            }
        }
        self.units += 1;
    }
}

/// What is known of a compaction without its text.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Point {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Its line in the source.
    pub(crate) line: u64,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    /// Why it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trigger: Option<String>,
    /// Tokens before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pre_tokens: Option<u64>,
    /// Bytes of its summary; 0 where it cannot be read.
    pub(crate) summary_bytes: u64,
    /// Why there is no summary to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unreadable: Option<String>,
}

impl Point {
    fn of(compaction: &Compaction) -> Self {
        Point {
            number: compaction.number,
            line: compaction.line,
            at: compaction.at.clone(),
            trigger: compaction.trigger.clone(),
            pre_tokens: compaction.pre_tokens,
            summary_bytes: compaction.summary.text().map_or(0, |t| t.len() as u64),
            unreadable: match &compaction.summary {
                Summary::Text(_) => None,
                Summary::Empty => Some("empty".to_owned()),
                Summary::Opaque(what) => Some(what.clone()),
            },
        }
    }
}

/// What the first pass found.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// All compactions.
    pub(crate) points: Vec<Point>,
    /// What stands before each of them, and after the last: one more than there are compactions.
    pub(crate) stretches: Vec<Stretch>,
    /// The one looked for, or the last.
    pub(crate) wanted: Option<Compaction>,
    /// The one before it.
    pub(crate) previous: Option<Compaction>,
    /// Distinct context, each with how many compactions stood before it.
    pub(crate) contexts: Vec<(usize, String)>,
    /// Bytes of context that were not kept.
    pub(crate) context_left_out: u64,
    /// What the reading noticed.
    pub(crate) tally: Tally,
}

/// Reads the whole session once.
pub(crate) fn take(session: &mut Session, wanted: Option<usize>) -> Result<Survey, TranscriptError> {
    let mut survey = Survey { stretches: vec![Stretch::default()], ..Survey::default() };
    let mut seen = HashSet::new();
    let hasher = RandomState::new();
    let mut kept = 0;
    let tally = session.read(&mut |item| {
        match item {
            Item::Unit(unit) => {
                for part in unit.parts.iter().filter(|p| p.kind == Kind::Context) {
                    if !seen.insert(hasher.hash_one(&part.text)) {
                        continue;
                    }
                    if kept + part.text.len() > CONTEXT {
                        survey.context_left_out += part.text.len() as u64;
                    } else {
                        kept += part.text.len();
                        survey.contexts.push((survey.points.len(), part.text.clone()));
                    }
                }
                if !unit.is_context()
                    && let Some(stretch) = survey.stretches.last_mut()
                {
                    stretch.add(&unit);
                }
            }
            Item::Compaction(compaction) => {
                survey.points.push(Point::of(&compaction));
                survey.stretches.push(Stretch::default());
                match wanted {
                    Some(n) if compaction.number > n => {}
                    Some(n) if compaction.number + 1 < n => {}
                    _ => {
                        survey.previous = survey.wanted.take();
                        survey.wanted = Some(compaction);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    survey.tally = tally;
    Ok(survey)
}
