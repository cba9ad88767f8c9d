//! Whether the analysis applies to a pipeline, and what can still go wrong where it does not.

/// What a pipeline that compacts context does. Every answer that is `false` takes it out of scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "six questions with yes or no for an answer")]
pub struct Pipeline {
    /// Summaries are themselves summarized.
    pub recursive: bool,
    /// Parents are committed, and leaves are up for deletion.
    pub reclaims_leaves: bool,
    /// Every node loses something, because a budget binds.
    pub budget_binds: bool,
    /// Children are not kept beside their parents: no pointers, no spans put back, no streaming eviction.
    pub children_gone: bool,
    /// Nothing else says which fact came from where.
    pub no_provenance: bool,
    /// Tokens are the only thing that is scarce.
    pub only_tokens: bool,
}

/// Why the analysis does not apply, with the ordinary failure that remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScopeFault {
    /// One pass only.
    NotRecursive,
    /// Leaves stay.
    LeavesStay,
    /// Nothing is squeezed.
    BudgetDoesNotBind,
    /// Children stay beside their parents.
    ChildrenStay,
    /// Another layer tracks facts.
    ProvenanceElsewhere,
    /// Something else is scarce too.
    OtherResources,
}

impl ScopeFault {
    /// The ordinary failure that remains in such a pipeline.
    pub fn remains(self) -> &'static str {
        match self {
            ScopeFault::NotRecursive => {
                "one lossy pass: a single check of the summary against its text shows all of the loss"
            }
            ScopeFault::LeavesStay => {
                "retrieval that does not find what is still there; nothing is lost for good"
            }
            ScopeFault::BudgetDoesNotBind => {
                "plain summarizer errors: invented, altered or mixed-up statements"
            }
            ScopeFault::ChildrenStay => {
                "dangling pointers and eviction order: check that each pointer resolves"
            }
            ScopeFault::ProvenanceElsewhere => {
                "two records of origin that disagree: choose the one that is enforced"
            }
            ScopeFault::OtherResources => {
                "a trade of latency or money against recall, which a token budget does not describe"
            }
        }
    }
}

/// Whether the analysis applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    faults: Vec<ScopeFault>,
}

impl Scope {
    /// The scope of a pipeline.
    ///
    /// ```
    /// use manifest_core::{Pipeline, Scope, ScopeFault};
    /// let pipeline = Pipeline {
    ///     recursive: true,
    ///     reclaims_leaves: false,
    ///     budget_binds: true,
    ///     children_gone: true,
    ///     no_provenance: true,
    ///     only_tokens: true,
    /// };
    /// assert_eq!(Scope::of(pipeline).faults(), [ScopeFault::LeavesStay]);
    /// ```
    pub fn of(pipeline: Pipeline) -> Self {
        let Pipeline { recursive, reclaims_leaves, budget_binds, children_gone, no_provenance, only_tokens } =
            pipeline;
        let faults = [
            (recursive, ScopeFault::NotRecursive),
            (reclaims_leaves, ScopeFault::LeavesStay),
            (budget_binds, ScopeFault::BudgetDoesNotBind),
            (children_gone, ScopeFault::ChildrenStay),
            (no_provenance, ScopeFault::ProvenanceElsewhere),
            (only_tokens, ScopeFault::OtherResources),
        ];
        Scope { faults: faults.into_iter().filter(|(holds, _)| !holds).map(|(_, fault)| fault).collect() }
    }

    /// Whether all of it applies.
    pub fn applies(&self) -> bool {
        self.faults.is_empty()
    }

    /// Why not, in the order of [`Pipeline`]'s questions.
    pub fn faults(&self) -> &[ScopeFault] {
        &self.faults
    }
}
