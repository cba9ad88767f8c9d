//! Groups of numbers that a policy holds.

use super::Ppm;

/// How large a ledger may be, and whether one may mend a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LedgerBudget {
    /// Whether a ledger may mend a parent.
    pub mend: bool,
    /// Its share of the children's bytes.
    pub share: Ppm,
    /// Its bytes at least, however small the children.
    pub least_bytes: usize,
    /// Its bytes at most, however large the children.
    pub most_bytes: usize,
}

impl LedgerBudget {
    /// The bytes that a ledger over children of so many bytes may have.
    pub fn bytes(self, children_bytes: usize) -> usize {
        let share = children_bytes as u128 * u128::from(self.share.get()) / 1_000_000;
        usize::try_from(share).unwrap_or(usize::MAX).max(self.least_bytes).min(self.most_bytes)
    }
}

/// When a parent is no progress over its children: above both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Growth {
    /// Its bytes over its children's bytes.
    pub factor: Ppm,
    /// Its bytes.
    pub bytes: usize,
}

impl Growth {
    /// Whether a parent of so many bytes is no progress over children of so many.
    pub fn exceeded_by(self, parent_bytes: usize, children_bytes: usize) -> bool {
        parent_bytes > self.bytes && self.factor.exceeded_by(parent_bytes, children_bytes)
    }
}

/// When a probe counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ProbeRules {
    /// Fewer probes than this are reported as not measured.
    pub least: u64,
    /// A direct recall at the root further than this from the product of the levels is a warning.
    pub divergence: Ppm,
}

/// When a signal counts as falling over a ref's cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TrendRules {
    /// Over how many past cycles the mean is taken; with fewer there is no trend.
    pub cycles: usize,
    /// Provenance this far below the mean falls.
    pub provenance_fall: Ppm,
    /// A density of this many times the mean rises, if it is also `density_rise` above it.
    pub density_factor: Ppm,
    /// How far above the mean.
    pub density_rise: Ppm,
}
