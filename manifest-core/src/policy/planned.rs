//! A policy whose numbers the compiler has checked.

use super::{Bounds, ConflictRule, LedgerBudget, Order, Policy, Ppm, Preset};

/// A base, and what differs from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    base: Preset,
    pub(crate) floor: Ppm,
    pub(crate) provenance: Option<Bounds>,
    pub(crate) orphan_density: Option<Bounds>,
    pub(crate) depth: Option<u32>,
    pub(crate) recall: Option<Ppm>,
    pub(crate) order: Order,
    pub(crate) conflicts: ConflictRule,
    pub(crate) ledger_bytes: Option<usize>,
    pub(crate) ledger_share: Option<Ppm>,
    pub(crate) observe: bool,
}

impl Planned {
    pub(crate) const fn of(base: Preset) -> Self {
        Planned {
            base,
            floor: base.floor(),
            provenance: None,
            orphan_density: None,
            depth: None,
            recall: None,
            order: Order::Sequence,
            conflicts: ConflictRule::KeepBoth,
            ledger_bytes: None,
            ledger_share: None,
            observe: false,
        }
    }
}

impl Policy {
    pub(crate) fn planned(plan: Planned) -> Self {
        let base = Policy::preset(plan.base);
        let ledger = LedgerBudget { share: plan.ledger_share.unwrap_or(base.ledger.share), ..base.ledger };
        let ledger = match plan.ledger_bytes {
            Some(bytes) => LedgerBudget { least_bytes: bytes, most_bytes: bytes, ..ledger },
            None => ledger,
        };
        Policy {
            floor: plan.floor,
            provenance: plan.provenance.unwrap_or(base.provenance),
            orphan_density: plan.orphan_density.unwrap_or(base.orphan_density),
            depth: plan.depth,
            recall: plan.recall,
            order: plan.order,
            conflicts: plan.conflicts,
            ledger,
            observe: plan.observe,
            ..base
        }
    }
}
