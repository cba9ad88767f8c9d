//! What a gate judges: the figures and findings of one parent.

use crate::code::Code;
use crate::probe::StatedRecall;
use crate::report::Signals;
use crate::signal::{Cycle, Level};

/// Findings of one kind: how many, and a line for each of the first few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    count: usize,
    lines: Vec<String>,
}

impl Findings {
    /// How many lines are kept; the rest are counted, and said to be.
    pub const LINES: usize = 8;

    /// Adds one finding: what, where in the child, where in the parent, why, in one line.
    pub fn push(&mut self, line: impl Into<String>) {
        self.push_with(|| line.into());
    }

    /// Adds one finding; the line is written only if it will be shown.
    pub fn push_with(&mut self, line: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.lines.len() < Self::LINES {
            self.lines.push(line());
        }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The lines of the first few.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl<L: Into<String>> Extend<L> for Findings {
    fn extend<I: IntoIterator<Item = L>>(&mut self, lines: I) {
        for line in lines {
            self.push(line);
        }
    }
}

impl<L: Into<String>> FromIterator<L> for Findings {
    fn from_iter<I: IntoIterator<Item = L>>(lines: I) -> Self {
        let mut findings = Findings::default();
        findings.extend(lines);
        findings
    }
}

/// What is wrong with the form of a parent, whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FormFault {
    /// It is empty.
    Empty,
    /// It is an error text, a greeting, a placeholder, a skeleton or a repetition.
    NotASummary,
    /// It is longer than what it replaces.
    NoProgress,
    /// It wraps an earlier summary once more.
    Renested,
    /// It breaks off.
    Truncated,
}

impl FormFault {
    /// The code that it is reported under.
    pub fn code(self) -> Code {
        match self {
            FormFault::Empty => Code::ParentEmpty,
            FormFault::NotASummary => Code::ParentNotASummary,
            FormFault::NoProgress => Code::ParentNoProgress,
            FormFault::Renested => Code::ParentRenested,
            FormFault::Truncated => Code::ParentTruncated,
        }
    }

    /// Whether another attempt can mend it: not where there is no summary at all.
    pub fn retry(self) -> bool {
        !matches!(self, FormFault::Empty | FormFault::NotASummary)
    }
}

/// The figures and findings of one parent. What is left out denies: the default is not committed.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// The figures.
    pub signals: Signals,
    /// Required facts lost.
    pub lost: Findings,
    /// Mentions with nothing behind them, invented ones left out.
    pub orphaned: Findings,
    /// Identifiers, and quantities with a unit, that no child holds and no derivation gives.
    pub invented: Findings,
    /// Statements that say something else than their source.
    pub altered: Findings,
    /// Claims whose cited children do not say them.
    pub miscited: Findings,
    /// Declared values of another kind than their field's.
    pub misfiled: Findings,
    /// Conflicts of which a side is gone.
    pub collapsed: Findings,
    /// Outdated values told as current.
    pub stale: Findings,
    /// Secrets in the parent's text, masked.
    pub secrets: Findings,
    /// Faults of the parent's form, each with a line that says what was seen.
    pub form: Vec<(FormFault, String)>,
    /// Whether the children are those of the last compaction.
    pub children_unchanged: bool,
    /// Bytes that ledger, text and handle may have together.
    pub budget_bytes: Option<usize>,
    /// Bytes that ledger, text and handle have together.
    pub rendered_bytes: usize,
    /// Bytes of the facts that no wording can leave out: the pinned ones; under `exact`, every required one.
    pub pinned_bytes: usize,
    /// Required facts that the summary itself declares dropped.
    pub declared_drops: usize,
    /// Required facts that the ledger carries.
    pub required_carried: usize,
    /// Stated recall of this level; `None` leaves the retention rule out.
    pub recall: Option<StatedRecall>,
    /// Stated recall of every level, where they differ.
    pub level_recalls: Vec<StatedRecall>,
    /// Direct recall at the root, once there is one.
    pub root_recall: Option<StatedRecall>,
    /// Summaries on the longest path from a leaf; 0 counts as 1.
    pub depth: u32,
    /// Whether the children fit the context as they are.
    pub flatten: bool,
    /// Whether the caller prefers to commit and keep the leaves until the root's probe.
    pub defer: bool,
    /// Names of critical sections that this version does not know.
    pub unknown_critical: Vec<String>,
    /// Past cycles of the same ref, oldest first.
    pub past: Vec<Cycle>,
    /// The account of the parent's level.
    pub level: Option<Level>,
}
