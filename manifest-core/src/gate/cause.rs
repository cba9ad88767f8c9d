//! Why a parent was not committed, as a value to match on.

use crate::code::Code;
use crate::policy::{Band, Ppm};

/// The one cause of a verdict that is not `commit`: that of its strongest reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// The signals lie outside the promote band: facts, sources, referents, statements or conflicts.
    #[error("the fidelity budget is exceeded: a signal lies in the band `{band}`")]
    FidelityBudgetExceeded {
        /// The band of the worst signal: [`Band::Warning`] or [`Band::Beyond`].
        band: Band,
    },
    /// The tree would keep less than the floor, and neither flattening nor deferring is possible. Every pass may have
    /// succeeded; their composition loses facts.
    #[error("fidelity collapse: recall {} at depth {depth} leaves {}, below the floor {floor}", .r.rounded(), .r_est.rounded())]
    FidelityCollapse {
        /// Summaries on the longest path from a leaf.
        depth: u32,
        /// The stated recall that was gated on: the point estimate or the lower bound.
        r: Ppm,
        /// The root retention that was held against the floor.
        r_est: Ppm,
        /// The floor.
        floor: Ppm,
    },
    /// The tree would keep less than the floor, and the children fit the context as they are: make no node.
    #[error("recall {} at depth {depth} leaves {}, below the floor {floor}: flatten", .r.rounded(), .r_est.rounded())]
    BelowFloor {
        /// Summaries on the longest path from a leaf.
        depth: u32,
        /// The stated recall that was gated on: the point estimate or the lower bound.
        r: Ppm,
        /// The root retention that was held against the floor.
        r_est: Ppm,
        /// The floor.
        floor: Ppm,
    },
    /// The parent is empty, an error text, a greeting, a placeholder or a skeleton.
    #[error("this is not a summary of the children")]
    NotASummary,
    /// The children are those of the last compaction.
    #[error("the children are unchanged since the last compaction: there is nothing to do")]
    ChildrenUnchanged,
    /// The facts that must be kept do not fit the budget, however the parent is worded.
    #[error("the facts that must be kept do not fit the budget")]
    BudgetInfeasible,
    /// What is rendered exceeds the budget, or was cut off: visible, and recoverable from the store.
    #[error("the budget is exhausted: what is rendered exceeds it, or was cut off")]
    BudgetExhausted,
    /// The text cannot stand as it is: it is no progress, wraps an earlier summary, or holds a secret.
    #[error("the text cannot stand: {code}")]
    UnfitText {
        /// Which.
        code: Code,
    },
    /// A critical section is unknown to this version.
    #[error("a critical section is unknown to this version")]
    UnknownSection,
}
