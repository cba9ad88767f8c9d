//! The answer of a check: figures, findings, verdict. Its JSON form is the batch interface's output.

use crate::code::Reason;
use crate::gate::{Cause, Reclaim};
use crate::text::Span;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::collections::BTreeMap;

/// What a gate decides about one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// The parent may replace its children.
    Commit,
    /// Do not compact further; keep the children as working context.
    Halt,
    /// Make no node; attach the children as they are.
    Flatten,
    /// The parent may not replace its children.
    Reject,
}

impl VerdictKind {
    /// The verdict as it stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            VerdictKind::Commit => "commit",
            VerdictKind::Halt => "halt",
            VerdictKind::Flatten => "flatten",
            VerdictKind::Reject => "reject",
        }
    }
}

/// A verdict, and whether another attempt can mend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// What is decided.
    pub kind: VerdictKind,
    /// Whether a new attempt with feedback can end in a commit. True for a commit and a halt.
    pub retry: bool,
}

impl Verdict {
    /// Whether the parent may replace its children.
    pub fn is_commit(self) -> bool {
        self.kind == VerdictKind::Commit
    }
}

/// How many conflicts ended in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ConflictCounts {
    /// Both sides told, or a marker names both.
    pub kept: usize,
    /// One side or both gone.
    pub collapsed: usize,
    /// A change over time, and the latest is told.
    pub superseded: usize,
    /// An earlier value is told as current.
    pub stale: usize,
}

/// What became of the children's facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FactCounts {
    /// Facts that the policy requires.
    pub required: usize,
    /// Facts in the parent's text.
    pub stated: usize,
    /// Facts in the ledger beside it.
    pub carried: usize,
    /// Facts equal to one already accounted.
    pub merged: usize,
    /// Facts given up by a logged decision: not required, or declared.
    pub dropped: usize,
    /// Required facts of which nothing is left.
    pub lost: usize,
    /// The same by class; a class has no classes of its own.
    #[serde(skip)]
    pub by_class: BTreeMap<&'static str, FactCounts>,
}

/// Stated recall and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct RecallFigures {
    /// Hits over asked, one level.
    pub r: f64,
    /// One-sided 95 % Wilson lower bound of `r`.
    pub lower: f64,
    /// Probes asked.
    pub asked: u64,
    /// Summaries on the longest path from a leaf.
    pub depth: u32,
    /// `r^depth`.
    pub r_est: f64,
    /// `c + (1 − c)·r_est`, `c` the share of required facts that the ledger carries.
    pub r_kept: f64,
}

/// Stated recall, if it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Recall {
    /// Nobody asked, or fewer than 60 probes.
    #[default]
    NotMeasured,
    /// Measured.
    Measured(RecallFigures),
}

impl Serialize for Recall {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Recall::NotMeasured => s.serialize_str("not_measured"),
            Recall::Measured(f) => f.serialize(s),
        }
    }
}

/// The figures of one parent.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Signals {
    /// Traceable claims over claims; 1 where there are none.
    pub provenance: f64,
    /// Referents without a child over referents; 0 where there are none.
    pub orphan_density: f64,
    /// Claims of the parent.
    pub claims: usize,
    /// Referents counted in the density.
    pub referents: usize,
    /// Pronouns without an antecedent; not counted in the density.
    pub pronouns_unresolved: usize,
    /// Referents that only the context explains.
    pub from_context: usize,
    /// Conflicts by state.
    pub conflicts: ConflictCounts,
    /// Facts by fate.
    #[serde(serialize_with = "with_classes")]
    pub facts: FactCounts,
    /// Stated recall.
    pub recall: Recall,
}

/// The counts of a parent: `by_class` stands there even where there is no fact, so that a reader need not ask.
fn with_classes<S: Serializer>(facts: &FactCounts, s: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Classed<'a> {
        #[serde(flatten)]
        all: &'a FactCounts,
        by_class: &'a BTreeMap<&'static str, FactCounts>,
    }
    Classed { all: facts, by_class: &facts.by_class }.serialize(s)
}

/// A required fact of which nothing is left.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LostRow {
    /// The surface text, cut at `span`.
    pub text: String,
    /// Its class, or `statement`.
    pub kind: &'static str,
    /// Index of the child that states it first.
    pub child: usize,
    /// Where it stands in that child.
    pub span: Span,
}

/// A mention of the parent with nothing behind it, or a statement that its source does not make.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OrphanRow {
    /// The surface text, cut at `span`.
    pub text: String,
    /// Its class, `anaphor`, `pronoun` or `statement`.
    pub kind: &'static str,
    /// `referent.orphaned`, `referent.invented` or `statement.altered`.
    pub code: crate::code::Code,
    /// Where it stands in the parent.
    pub span: Span,
    /// Why, in one line: what the children say instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What became of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConflictState {
    /// Both sides told.
    Kept,
    /// One side or both gone.
    Collapsed,
    /// A change over time, told.
    Superseded,
    /// An earlier value told as current.
    Stale,
}

/// One side of a conflict.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Side {
    /// Index of the child.
    pub child: usize,
    /// The clause, cut at `span`.
    pub text: String,
    /// Where it stands in that child.
    pub span: Span,
    /// Whether the parent tells this side.
    #[serde(skip)]
    pub told: bool,
}

/// Two children that state different values for one subject, attribute and scope.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ConflictRow {
    /// What the two are about.
    pub subject: String,
    /// Which property of it, where the texts name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What became of it.
    pub state: ConflictState,
    /// The sides, by child.
    pub sides: Vec<Side>,
}

/// One source of a claim.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SourceRow {
    /// Index of the child.
    pub child: usize,
    /// Where in it.
    pub span: Span,
    /// How much of the claim this source covers, 0 to 1.
    pub score: f64,
}

/// A claim of the parent with its sources.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ClaimRow {
    /// The surface text, cut at `span`.
    pub text: String,
    /// Where it stands in the parent.
    pub span: Span,
    /// Whether it has a source.
    pub traceable: bool,
    /// Coverage over what chance reaches at this source size, 0 to 1; comparable across documents.
    pub score: f64,
    /// Best first.
    pub sources: Vec<SourceRow>,
}

/// One entry of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LedgerEntry {
    /// The fact as the ledger writes it.
    pub text: String,
    /// Its class, or `statement`.
    pub kind: &'static str,
    /// Index of the child.
    pub child: usize,
    /// Where it stands in that child.
    pub span: Span,
}

/// A ledger: exact facts beside the prose.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LedgerRow {
    /// The rendered ledger.
    pub text: String,
    /// What it holds.
    pub entries: Vec<LedgerEntry>,
}

/// Everything that a check says about one parent.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a report carries the verdict; a parent may replace its children only on `commit`"]
pub struct Report {
    /// What is decided.
    pub verdict: Verdict,
    /// Why, the strongest first.
    pub reasons: Vec<Reason>,
    /// The figures.
    pub signals: Signals,
    /// Required facts of which nothing is left.
    pub lost: Vec<LostRow>,
    /// Mentions with nothing behind them, invented values, altered statements.
    pub orphans: Vec<OrphanRow>,
    /// Children that disagree, or changed.
    pub conflicts: Vec<ConflictRow>,
    /// The parent's claims.
    pub claims: Vec<ClaimRow>,
    /// Mentions that only the context explains.
    pub from_context: Vec<LostRow>,
    /// What would mend the losses (empty under `exact`).
    pub ledger: LedgerRow,
    /// For the summarizer's next attempt; empty on a commit.
    pub feedback: String,
    /// Whether the verdict was only observed.
    pub observed: bool,
    /// The cause of a verdict that is not `commit`, to match on.
    pub cause: Option<Cause>,
    /// When leaves may go after a commit.
    pub reclaim: Reclaim,
}

impl Report {
    /// What to tell the summarizer before its next attempt: what is missing, altered, invented or collapsed, each
    /// with its source text. Empty on a commit.
    pub fn feedback(&self) -> &str {
        &self.feedback
    }
}

#[derive(serde::Serialize)]
struct ContextRow<'a> {
    text: &'a str,
    kind: &'static str,
    span: Span,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut r = s.serialize_struct("Report", 12)?;
        r.serialize_field("verdict", &self.verdict.kind)?;
        r.serialize_field("retry", &self.verdict.retry)?;
        if self.observed {
            r.serialize_field("observed", &true)?;
        } else {
            r.skip_field("observed")?;
        }
        r.serialize_field("reasons", &self.reasons)?;
        r.serialize_field("signals", &self.signals)?;
        r.serialize_field("lost", &self.lost)?;
        r.serialize_field("orphans", &self.orphans)?;
        r.serialize_field("conflicts", &self.conflicts)?;
        r.serialize_field("claims", &self.claims)?;
        let context: Vec<_> = self
            .from_context
            .iter()
            .map(|c| ContextRow { text: &c.text, kind: c.kind, span: c.span })
            .collect();
        r.serialize_field("from_context", &context)?;
        r.serialize_field("ledger", &self.ledger)?;
        r.serialize_field("feedback", &self.feedback)?;
        r.end()
    }
}
