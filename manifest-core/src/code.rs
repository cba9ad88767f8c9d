//! The stable codes that name why a verdict is what it is. One meaning each, for ever.

use serde::Serialize;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $help:literal;)*) => {
        /// Why a parent was not committed, or what was noticed about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Code {
            /// Every code, in the order in which reports list them.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The code as it stands in reports and logs.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What the code means and what to do about it, in one sentence.
            pub fn help(self) -> &'static str {
                match self { $(Code::$name => $help,)* }
            }
        }
    };
}

codes! {
    /// A required fact of a child is neither stated nor carried nor dropped.
    FactLost = "fact.lost", "a required fact of a child is missing: state it exactly, or carry it in the ledger";
    /// A mention resolves to no child.
    ReferentOrphaned = "referent.orphaned", "a mention has nothing behind it in the children: name what it stands for, or take it out";
    /// An identifier or a quantity with a unit that no child holds and no derivation gives.
    ReferentInvented = "referent.invented", "an exact value that no child holds: replace it by the child's value, or take it out";
    /// A claim has no source in the children.
    ClaimUntraceable = "claim.untraceable", "too many sentences have no source in the children: say what the children say";
    /// A claim cites children that do not say it.
    ClaimMiscited = "claim.miscited", "a claim cites children that do not say it: cite those that do, or take it out";
    /// A binding, comparator, polarity, modality or value differs from the child's.
    StatementAltered = "statement.altered", "a statement says something else than its source: restore the source's wording";
    /// Two children disagree and the parent tells only one side.
    ConflictCollapsed = "conflict.collapsed", "the children disagree and the parent hides it: keep both sides with their sources";
    /// The parent states as current what a later child has superseded.
    StatementStale = "statement.stale", "an outdated value is told as current: state the latest one";
    /// A credential stands in the parent's text.
    SecretInText = "secret.in_text", "a credential stands in the summary: redact it";
    /// The parent is empty.
    ParentEmpty = "parent.empty", "the summary is empty: keep the children";
    /// The parent is an error text, a greeting, a placeholder or a skeleton.
    ParentNotASummary = "parent.not_a_summary", "this is not a summary of the children: keep the children";
    /// The parent is longer than what it replaces.
    ParentNoProgress = "parent.no_progress", "the summary is longer than its children: write less, or keep the children";
    /// The parent wraps an earlier summary once more.
    ParentRenested = "parent.renested", "an earlier summary is wrapped instead of merged: write one flat summary";
    /// The parent ends in the middle of something.
    ParentTruncated = "parent.truncated", "the summary breaks off: raise the output limit and try again";
    /// What is rendered exceeds the budget.
    BudgetExhausted = "budget.exhausted", "ledger, text and handle exceed the budget: shorten the text";
    /// The pinned facts alone exceed the budget.
    BudgetInfeasible = "budget.infeasible", "the pinned facts alone do not fit the budget: raise it, or keep the children";
    /// Nothing new to compact.
    ChildrenUnchanged = "children.unchanged", "the children are what the last compaction already covers: nothing to do";
    /// No stated recall was measured.
    RecallNotMeasured = "recall.not_measured", "fewer than 60 probes were asked: the retention rule rests on required facts alone";
    /// The estimated root retention is below the floor.
    RetentionBelowFloor = "retention.below_floor", "the tree would keep less than the floor: flatten, or defer the reclaim";
    /// Direct recall at the root and the product of the levels' recalls are further apart than the policy accepts;
    /// never changes a verdict, as the direct one decides.
    RetentionDiverges = "retention.diverges", "what was measured at the root is far from what the levels' recalls give: measure both again before relying on the forecast";
    /// A section that this reader does not know is marked critical.
    SectionCriticalUnknown = "section.critical.unknown", "a critical section is unknown to this version: upgrade before gating or sweeping";
    /// The summary declares more drops than the policy accepts.
    DropsMany = "drops.many", "the summary gives up more than a tenth of the required facts";
    /// A declared value is of another kind than its field is for; never changes a verdict, as kinds are told by shape.
    FactMisfiled = "fact.misfiled", "a declared value is read as another kind than its field's: move it to the field that it belongs to";
    /// A signal fell against its own past; never changes a verdict.
    TrendFalling = "trend.falling", "a signal fell against the last three cycles";
    /// Structure outweighs information; never changes a verdict.
    LevelPastBoundary = "level.past_boundary", "the level spends more bytes on structure than on facts";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One reason for a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The stable code.
    pub code: Code,
    /// One line: what, where in the child, where in the parent, why.
    pub message: String,
}
