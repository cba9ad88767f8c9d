//! Changes to a policy, each checked: no setter gives one that is not valid.

use super::{
    Bound, Bounds, ConflictRule, FloorOn, LedgerBudget, Order, Policy, PolicyError, Ppm, Required, Single,
    deepest, power,
};

/// Changes, each checked.
impl Policy {
    /// The same policy with other facts required.
    pub fn with_required(mut self, required: Required) -> Self {
        self.required = required;
        self
    }

    /// The same policy with another answer to one invented referent.
    pub fn with_invented(mut self, invented: Single) -> Self {
        self.invented = invented;
        self
    }

    /// The same policy with another answer to one altered statement.
    pub fn with_altered(mut self, altered: Single) -> Self {
        self.altered = altered;
        self
    }

    /// The same policy with other bands of the provenance.
    ///
    /// # Errors
    /// A bound outside 0 to 1, or `promote` below `warning`.
    pub fn with_provenance(mut self, promote: f64, warning: f64) -> Result<Self, PolicyError> {
        self.provenance = Bounds {
            promote: share("provenance.promote", promote)?,
            warning: share("provenance.warning", warning)?,
        };
        self.checked()
    }

    /// The same policy with other bands of the orphaned-referent density.
    ///
    /// # Errors
    /// A bound outside 0 to 1, or `promote` above `warning`.
    pub fn with_orphan_density(mut self, promote: f64, warning: f64) -> Result<Self, PolicyError> {
        self.orphan_density = Bounds {
            promote: share("orphan_density.promote", promote)?,
            warning: share("orphan_density.warning", warning)?,
        };
        self.checked()
    }

    /// The same policy with another floor.
    ///
    /// # Errors
    /// A floor outside (0, 1], or one that the planned depth cannot meet at the assumed recall.
    pub fn with_floor(mut self, floor: f64) -> Result<Self, PolicyError> {
        self.floor =
            positive_share("floor", floor, "give the share of required facts that must reach the root")?;
        self.checked()
    }

    /// The same policy with another retention held against the floor.
    pub fn with_floor_on(mut self, floor_on: FloorOn) -> Self {
        self.floor_on = floor_on;
        self
    }

    /// The same policy with another figure of the recall held against the floor.
    pub fn with_bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// The same policy with another share of required facts that a summary may declare dropped.
    ///
    /// # Errors
    /// A share outside 0 to 1.
    pub fn with_drops_share(mut self, drops_share: f64) -> Result<Self, PolicyError> {
        self.drops_share = share("drops_share", drops_share)?;
        self.checked()
    }

    /// The same policy with another ledger budget: a share of the children's bytes, at least and at most so many.
    ///
    /// # Errors
    /// A share outside 0 to 1, or a least above the most.
    pub fn with_ledger(
        mut self,
        of: f64,
        least_bytes: usize,
        most_bytes: usize,
    ) -> Result<Self, PolicyError> {
        self.ledger =
            LedgerBudget { share: share("ledger.share", of)?, least_bytes, most_bytes, ..self.ledger };
        self.checked()
    }

    /// The same policy, with or without a ledger to mend parents with.
    pub fn mending(mut self, mend: bool) -> Self {
        self.ledger.mend = mend;
        self
    }

    /// The same policy for a tree of a planned height.
    ///
    /// # Errors
    /// A depth of 0, or one that the floor cannot afford at the assumed recall.
    pub fn with_depth(mut self, depth: u32) -> Result<Self, PolicyError> {
        self.depth = Some(depth);
        self.checked()
    }

    /// The same policy with the recall a level that its plan assumes.
    ///
    /// # Errors
    /// A recall outside (0, 1], or one at which the floor cannot afford the planned depth.
    pub fn with_recall(mut self, recall: f64) -> Result<Self, PolicyError> {
        let hint = "give the share of probes that one level answers, as measured, or leave it out";
        self.recall = Some(positive_share("recall", recall, hint)?);
        self.checked()
    }

    /// The same policy for children in another order.
    pub fn with_order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// The same policy with another rule for conflicts of the children.
    pub fn with_conflicts(mut self, conflicts: ConflictRule) -> Self {
        self.conflicts = conflicts;
        self
    }

    /// The same policy, observing or blocking.
    pub fn observing(mut self, observe: bool) -> Self {
        self.observe = observe;
        self
    }

    /// Whether the parts fit each other.
    pub(super) fn checked(self) -> Result<Self, PolicyError> {
        self.provenance.check("provenance", true)?;
        self.orphan_density.check("orphan_density", false)?;
        limits("ledger.least_bytes", self.ledger.least_bytes, "ledger.most_bytes", self.ledger.most_bytes)?;
        limits(
            "small.orphans_promote",
            self.small.orphans_promote,
            "small.orphans_warning",
            self.small.orphans_warning,
        )?;
        let none = |field, hint| PolicyError::OutOfRange { field, value: 0.0, expected: "1 or more", hint };
        if self.depth == Some(0) {
            return Err(none("depth", "one summary over leaves is depth 1"));
        }
        if self.probe.least == 0 {
            return Err(none("probe.least", "a recall that nobody asked for is not measured"));
        }
        if self.trend.cycles == 0 {
            return Err(none("trend.cycles", "a trend needs a past to fall from"));
        }
        if let (Some(depth), Some(recall)) = (self.depth, self.recall) {
            let keeps = power(recall, depth);
            if keeps < self.floor {
                let (floor, deepest) = (self.floor, deepest(self.floor, recall));
                return Err(PolicyError::DepthUnaffordable { depth, recall, floor, keeps, deepest });
            }
        }
        Ok(self)
    }
}

pub(super) fn share(field: &'static str, value: f64) -> Result<Ppm, PolicyError> {
    Ppm::of(value).filter(|&share| share <= Ppm::ONE).ok_or(PolicyError::OutOfRange {
        field,
        value,
        expected: "0 to 1",
        hint: "write a share, 0.05 for 5 %",
    })
}

pub(super) fn positive_share(
    field: &'static str,
    value: f64,
    hint: &'static str,
) -> Result<Ppm, PolicyError> {
    let valid = Ppm::of(value).filter(|&share| Ppm::ZERO < share && share <= Ppm::ONE);
    valid.ok_or(PolicyError::OutOfRange { field, value, expected: "above 0, up to 1", hint })
}

fn limits(field: &'static str, low: usize, other: &'static str, high: usize) -> Result<(), PolicyError> {
    if low <= high {
        return Ok(());
    }
    Err(PolicyError::InvertedLimits { field, low: low as u64, other, high: high as u64 })
}
