//! What an audit found; its JSON form is the output of `--json`.

use super::survey::{Point, Stretch};
use super::walk::Place;
use crate::transcript::Tally;
use manifest_core::{Code, Reason, Signals, VerdictKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    /// The session's file.
    pub(crate) file: String,
    /// Its form.
    pub(crate) form: &'static str,
    /// Whether its units are messages, calls and outputs.
    #[serde(skip)]
    pub(crate) has_messages: bool,
    /// How many compactions it records.
    pub(crate) compactions: usize,
    /// The numbers of those whose summary can be read.
    pub(crate) readable: Vec<usize>,
    /// The compaction, where one is recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compaction: Option<Point>,
    /// The file of the summary, where it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary_file: Option<String>,
    /// What stands before the summary, back to the last compaction.
    pub(crate) before: Stretch,
    /// What stands after it, up to the next compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<Stretch>,
    /// Whether there was a summary to audit.
    pub(crate) audited: bool,
    /// What the audit says.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) audit: Option<Audit>,
    /// What the reading noticed.
    pub(crate) reading: Tally,
    /// Bytes of context that were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) context_left_out: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Findings {
    /// Whether the summary may replace what stands before it.
    pub(crate) fn is_commit(&self) -> bool {
        self.audit.as_ref().is_some_and(|a| a.verdict == VerdictKind::Commit)
    }

    /// The ledger that is to stand beside the summary, where the summary can be read.
    pub(crate) fn ledger(&self) -> Option<&str> {
        let audit = self.audit.as_ref()?;
        Some(if audit.offered.is_empty() { &audit.ledger.text } else { &audit.offered })
    }
}

/// What the audit of one summary says.
#[derive(Debug, Serialize)]
pub(crate) struct Audit {
    /// Bytes of the summary.
    pub(crate) summary_bytes: u64,
    /// Bytes of the summary before, which was compacted with the rest.
    pub(crate) previous_summary_bytes: u64,
    /// Bytes that the compaction kept word for word.
    pub(crate) kept_bytes: u64,
    /// Leaves, and the summary before.
    pub(crate) children: usize,
    /// The exact facts.
    pub(crate) facts: Fates,
    /// The same by class.
    pub(crate) by_class: BTreeMap<&'static str, Fates>,
    /// Losses: first what was used again, then by how likely it is needed.
    pub(crate) losses: Vec<Loss>,
    /// What the session forbids, refuses or allows and the summary does not say: the user's first, the newest first.
    pub(crate) rules: Vec<Rule>,
    /// Losses that are counted and not listed.
    pub(crate) losses_left_out: u64,
    /// What the summary says and nothing before it does, or says otherwise.
    pub(crate) doubts: Vec<Doubt>,
    /// Conflicts that the summary collapsed, or of which it tells the stale side: the first ones, the figures of
    /// `signals` count all.
    pub(crate) conflicts: Vec<Conflict>,
    /// What a ledger beside the summary would have held.
    pub(crate) ledger: LedgerWorth,
    /// The ledger with which the gate would judge it anew: the required facts first. Empty where nothing is lost that the
    /// policy lets a ledger carry.
    pub(crate) offered: String,
    /// What a gate decides.
    pub(crate) verdict: VerdictKind,
    /// Whether another attempt can mend it.
    pub(crate) retry: bool,
    /// Why.
    pub(crate) reasons: Vec<Reason>,
    /// The figures.
    pub(crate) signals: Signals,
    /// Whether so much resolves to nothing that text is missing from this file rather than invented.
    pub(crate) input_missing: bool,
}

/// What became of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Fates {
    /// Distinct facts before.
    pub(crate) facts: u64,
    /// Of these, in the summary.
    pub(crate) stated: u64,
    /// Of the others, in what was kept word for word.
    pub(crate) kept: u64,
    /// The rest.
    pub(crate) lost: u64,
    /// Used again after the compaction by the user or the agent, whatever became of them.
    pub(crate) used_again: u64,
    /// Of these, lost.
    pub(crate) used_again_lost: u64,
}

impl Fates {
    /// Adds the figures of another class.
    pub(crate) fn add(&mut self, other: Fates) {
        self.facts += other.facts;
        self.stated += other.stated;
        self.kept += other.kept;
        self.lost += other.lost;
        self.used_again += other.used_again;
        self.used_again_lost += other.used_again_lost;
    }
}

/// A fact that is in the file and no longer in the context.
#[derive(Debug, Serialize)]
pub(crate) struct Loss {
    /// Its text at its first occurrence.
    pub(crate) text: String,
    /// Its class.
    pub(crate) kind: &'static str,
    /// Where.
    #[serde(flatten)]
    pub(crate) place: Place,
    /// The clause around it, with `____` in its place.
    pub(crate) clause: String,
    /// The child and the byte in it at which the line of the clause begins: losses of one line are told together.
    #[serde(skip)]
    pub(crate) told_in: (usize, usize),
    /// In how many leaves it stands.
    pub(crate) leaves: u32,
    /// How likely later work needs it, 0 to 1.
    pub(crate) salience: f64,
    /// Where the user or the agent used it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) used_again: Option<Use>,
}

/// A statement that forbids, refuses or allows.
#[derive(Debug, Serialize)]
pub(crate) struct Rule {
    /// Its text.
    pub(crate) text: String,
    /// Where.
    #[serde(flatten)]
    pub(crate) place: Place,
}

/// Where a fact came back.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Use {
    /// Line of its first use.
    pub(crate) line: u64,
    /// Who used it.
    pub(crate) who: String,
    /// How many messages and calls use it.
    pub(crate) times: u64,
    /// The line of a tool's output that had brought it back before, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_again: Option<u64>,
}

/// A mention or a statement of the summary with nothing behind it.
#[derive(Debug, Serialize)]
pub(crate) struct Doubt {
    /// `referent.orphaned`, `referent.invented` or `statement.altered`.
    pub(crate) code: Code,
    /// Its text.
    pub(crate) text: String,
    /// Its class.
    pub(crate) kind: &'static str,
    /// What the session says instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// A conflict that the summary does not keep.
#[derive(Debug, Serialize)]
pub(crate) struct Conflict {
    /// What both are about.
    pub(crate) subject: String,
    /// `collapsed` or `stale`.
    pub(crate) state: manifest_core::ConflictState,
    /// Whether the user or the agent said one of the sides, rather than a tool.
    pub(crate) said: bool,
    /// What each says, and its line.
    pub(crate) sides: Vec<(u64, String)>,
}

/// What a ledger beside the summary would have held.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LedgerWorth {
    /// Bytes that it may have.
    pub(crate) budget: usize,
    /// Bytes that it has.
    pub(crate) bytes: usize,
    /// Its entries.
    pub(crate) entries: usize,
    /// Facts held by summary, kept text and ledger together.
    pub(crate) facts: u64,
    /// Of those that were used again, the ones held.
    pub(crate) used_again: u64,
    /// The ledger.
    pub(crate) text: String,
}
