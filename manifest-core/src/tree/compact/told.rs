//! What a run tells to whoever listens: its caller's function, and `tracing` where that feature is on.

#[cfg(feature = "tracing")]
use super::event::How;
use super::event::Step;
use super::{Outcome, Place};
use crate::report::Report;
use std::future::Future;

/// Facts of one judgement that are told where content is captured.
#[cfg(feature = "tracing")]
const FACTS: usize = 32;

/// A run as a span.
#[cfg(feature = "tracing")]
pub(super) fn run<F: Future>(
    head: &str,
    leaves: usize,
    nodes: usize,
    depth: u32,
    run: F,
) -> impl Future<Output = F::Output> + use<F> {
    use tracing::Instrument;
    let span = tracing::info_span!(target: "manifest", "manifest.compact", head, leaves, nodes, depth);
    run.instrument(span)
}

/// One node as a span.
#[cfg(feature = "tracing")]
pub(super) fn node<F: Future>(place: Place, node: F) -> impl Future<Output = F::Output> + use<F> {
    use tracing::Instrument;
    let Place { level, position } = place;
    node.instrument(tracing::info_span!(target: "manifest", "manifest.node", level, position))
}

/// One call of the summarizer as a span.
#[cfg(feature = "tracing")]
pub(super) fn summarize<F: Future>(attempt: u32, call: F) -> impl Future<Output = F::Output> + use<F> {
    use tracing::Instrument;
    call.instrument(tracing::info_span!(target: "manifest", "manifest.summarize", attempt))
}

/// One step as an event.
#[cfg(feature = "tracing")]
pub(super) fn step(step: &Step) {
    match step {
        Step::Begun { place: Place { level, position }, done, planned } => {
            tracing::event!(name: "manifest.node.begun", target: "manifest", tracing::Level::DEBUG, level, position, done, planned);
        }
        Step::Forgotten { place: Place { level, position }, why } => {
            tracing::event!(name: "manifest.node.forgotten", target: "manifest", tracing::Level::WARN, level, position, why);
        }
        Step::Judged { place: Place { level, position }, attempt } => {
            let verdict = attempt.verdict.kind.as_str();
            let retry = attempt.verdict.retry;
            let codes: Vec<&str> = attempt.codes.iter().map(|code| code.as_str()).collect();
            let codes = codes.join(" ");
            let (lost, mended) = (attempt.lost, attempt.mended);
            tracing::event!(name: "manifest.node.judged", target: "manifest", tracing::Level::INFO, level, position, verdict, retry, codes, lost, mended);
        }
        Step::Committed { place: Place { level, position }, id, how } => {
            let how = how_told(*how);
            tracing::event!(name: "manifest.node.committed", target: "manifest", tracing::Level::INFO, level, position, %id, how);
        }
    }
}

/// The facts that a judgement found lost, by their text: credentials are masked in it already.
#[cfg(feature = "tracing")]
pub(super) fn lost(place: Place, report: &Report) {
    let Place { level, position } = place;
    for row in report.lost.iter().take(FACTS) {
        let (fact, kind, child) = (row.text.as_str(), row.kind, row.child);
        tracing::event!(name: "manifest.fact.lost", target: "manifest", tracing::Level::INFO, level, position, fact, kind, child);
    }
}

/// The end of a run as an event.
#[cfg(feature = "tracing")]
pub(super) fn ended<E: std::error::Error + 'static>(outcome: Result<&Outcome, &super::CompactError<E>>) {
    let outcome = match outcome {
        Ok(Outcome::Unchanged { .. }) => "unchanged",
        Ok(Outcome::Committed { .. }) => "committed",
        Ok(Outcome::Flattened { .. }) => "flattened",
        Ok(Outcome::Halted { .. }) => "halted",
        Ok(Outcome::Refused { .. }) => "refused",
        Err(super::CompactError::Summarizer { .. }) => "failed: summarizer",
        Err(super::CompactError::HeadMoved { .. }) => "failed: head moved",
        Err(super::CompactError::Plan { .. }) => "failed: plan",
        Err(super::CompactError::Pin(_)) => "failed: pin",
        Err(super::CompactError::Tree(_)) => "failed: tree",
    };
    tracing::event!(name: "manifest.compact.ended", target: "manifest", tracing::Level::INFO, outcome);
}

#[cfg(feature = "tracing")]
fn how_told(how: How) -> &'static str {
    match how {
        How::Known => "known",
        How::FirstDraft => "first draft",
        How::Retried => "retried",
        How::Mended => "mended",
        How::Observed => "observed",
    }
}

#[cfg(not(feature = "tracing"))]
mod silent {
    //! The same, told to nobody.
    use super::{Future, Outcome, Place, Report, Step};

    pub(in super::super) fn run<F: Future>(_: &str, _: usize, _: usize, _: u32, run: F) -> F {
        run
    }

    pub(in super::super) fn node<F: Future>(_: Place, node: F) -> F {
        node
    }

    pub(in super::super) fn summarize<F: Future>(_: u32, call: F) -> F {
        call
    }

    pub(in super::super) fn step(_: &Step) {}

    pub(in super::super) fn lost(_: Place, _: &Report) {}

    pub(in super::super) fn ended<E: std::error::Error + 'static>(
        _: Result<&Outcome, &super::super::CompactError<E>>,
    ) {
    }
}

#[cfg(not(feature = "tracing"))]
pub(super) use silent::{ended, lost, node, run, step, summarize};
