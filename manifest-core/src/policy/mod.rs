//! What a gate asks of a parent: exact, remediation, narrative, or the caller's own.
//!
//! A [`Policy`] that exists is valid: its fields are private, every setter checks, and reading one from a file goes
//! through the same checks.

mod band;
mod depth;
mod error;
mod message;
mod ppm;
mod preset;
mod settings;

pub use band::{Band, Bounds, SmallCounts};
pub(crate) use depth::assert_depth;
pub use depth::{deepest, power};
pub use error::PolicyError;
pub(crate) use message::Message;
pub use ppm::Ppm;
pub use preset::{Bound, FloorOn, Order, Preset, Required, Single};

use serde::{Deserialize, Serialize};
use settings::Settings;

/// What a gate asks of a parent.
///
/// ```
/// use manifest_core::Policy;
/// let policy = Policy::remediation().with_floor(0.9)?.observing(true);
/// assert_eq!(policy.floor().as_f64(), 0.9);
/// # Ok::<(), manifest_core::PolicyError>(())
/// ```
///
/// A policy file names what it changes; everything else is the base's:
///
/// ```toml
/// base = "remediation"   # exact | remediation | narrative
/// floor = 0.9
/// bound = "lower"        # point | lower
/// floor_on = "kept"      # kept | estimated
/// drops_share = 0.05
///
/// [provenance]
/// promote = 0.80
/// warning = 0.60
///
/// [ledger]
/// most_bytes = 4096
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Settings", into = "Settings")]
pub struct Policy {
    base: Preset,
    required: Required,
    invented: Single,
    altered: Single,
    provenance: Bounds,
    orphan_density: Bounds,
    small: SmallCounts,
    floor: Ppm,
    floor_on: FloorOn,
    bound: Bound,
    drops_share: Ppm,
    ledger: LedgerBudget,
    growth: Growth,
    probe: ProbeRules,
    trend: TrendRules,
    depth: Option<u32>,
    recall: Option<Ppm>,
    order: Order,
    observe: bool,
}

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

impl Default for Policy {
    fn default() -> Self {
        Policy::remediation()
    }
}

impl Policy {
    /// The policy of this name.
    pub fn preset(base: Preset) -> Self {
        let (required, single) = match base {
            Preset::Exact => (Required::Every, Single::Rejects),
            Preset::Remediation => (Required::Salient, Single::Rejects),
            Preset::Narrative => (Required::Named, Single::Listed),
        };
        Policy {
            base,
            required,
            invented: single,
            altered: single,
            provenance: Bounds::new(700_000, 500_000),
            orphan_density: Bounds::new(300_000, 450_000),
            small: SmallCounts::DEFAULT,
            floor: base.floor(),
            floor_on: FloorOn::Kept,
            bound: Bound::Point,
            drops_share: Ppm::new(100_000),
            ledger: LedgerBudget {
                mend: base != Preset::Exact,
                share: Ppm::new(50_000),
                least_bytes: 600,
                most_bytes: 8192,
            },
            growth: Growth { factor: Ppm::new(1_250_000), bytes: 150 },
            probe: ProbeRules { least: 60, divergence: Ppm::new(100_000) },
            trend: TrendRules {
                cycles: 3,
                provenance_fall: Ppm::new(100_000),
                density_factor: Ppm::new(2_000_000),
                density_rise: Ppm::new(100_000),
            },
            depth: None,
            recall: None,
            order: Order::Sequence,
            observe: false,
        }
    }

    /// [`Preset::Exact`].
    pub fn exact() -> Self {
        Policy::preset(Preset::Exact)
    }

    /// [`Preset::Remediation`], the default.
    pub fn remediation() -> Self {
        Policy::preset(Preset::Remediation)
    }

    /// [`Preset::Narrative`].
    pub fn narrative() -> Self {
        Policy::preset(Preset::Narrative)
    }

    /// A policy whose numbers were checked by the compiler.
    pub(crate) fn planned(
        base: Preset,
        floor: Ppm,
        depth: Option<u32>,
        recall: Option<Ppm>,
        order: Order,
        observe: bool,
    ) -> Self {
        Policy { floor, depth, recall, order, observe, ..Policy::preset(base) }
    }

    /// The policy that a preset's name names.
    ///
    /// # Errors
    /// [`PolicyError::UnknownPreset`], listing the names.
    pub fn named(name: &str) -> Result<Self, PolicyError> {
        name.parse().map(Policy::preset)
    }
}

/// What it says.
impl Policy {
    /// The preset that it started from.
    pub fn base(&self) -> Preset {
        self.base
    }

    /// Which facts a parent must keep.
    pub fn required(&self) -> Required {
        self.required
    }

    /// What one invented referent does.
    pub fn invented(&self) -> Single {
        self.invented
    }

    /// What one altered statement does.
    pub fn altered(&self) -> Single {
        self.altered
    }

    /// The bands of traceable claims over claims; large is good.
    pub fn provenance(&self) -> Bounds {
        self.provenance
    }

    /// The bands of referents without a child over referents; small is good.
    pub fn orphan_density(&self) -> Bounds {
        self.orphan_density
    }

    /// What counts decide where ratios would be chance.
    pub fn small(&self) -> SmallCounts {
        self.small
    }

    /// The least share of required facts that must reach the root.
    pub fn floor(&self) -> Ppm {
        self.floor
    }

    /// Which retention meets the floor.
    pub fn floor_on(&self) -> FloorOn {
        self.floor_on
    }

    /// Which figure of a measured recall is held against the floor.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// The share of required facts that a summary may itself declare dropped.
    pub fn drops_share(&self) -> Ppm {
        self.drops_share
    }

    /// How large a ledger may be.
    pub fn ledger(&self) -> LedgerBudget {
        self.ledger
    }

    /// When a parent is no progress.
    pub fn growth(&self) -> Growth {
        self.growth
    }

    /// When a probe counts.
    pub fn probe(&self) -> ProbeRules {
        self.probe
    }

    /// When a signal counts as falling.
    pub fn trend(&self) -> TrendRules {
        self.trend
    }

    /// The planned height of the tree, if there is a plan.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// The recall a level that a plan assumes, in (0, 1]. A gate never takes it for a measured one.
    pub fn recall(&self) -> Option<Ppm> {
        self.recall
    }

    /// How the children stand to each other.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Whether verdicts are only observed: the same verdict, and nothing is blocked.
    pub fn observe(&self) -> bool {
        self.observe
    }

    /// The largest depth that the floor affords at the recall that the plan assumes; `None` without one.
    pub fn deepest(&self) -> Option<u32> {
        self.recall.map(|r| deepest(self.floor, r))
    }
}

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

    /// The same policy, observing or blocking.
    pub fn observing(mut self, observe: bool) -> Self {
        self.observe = observe;
        self
    }

    /// Whether the parts fit each other.
    fn checked(self) -> Result<Self, PolicyError> {
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

fn share(field: &'static str, value: f64) -> Result<Ppm, PolicyError> {
    Ppm::of(value).filter(|&share| share <= Ppm::ONE).ok_or(PolicyError::OutOfRange {
        field,
        value,
        expected: "0 to 1",
        hint: "write a share, 0.05 for 5 %",
    })
}

fn positive_share(field: &'static str, value: f64, hint: &'static str) -> Result<Ppm, PolicyError> {
    let valid = Ppm::of(value).filter(|&share| Ppm::ZERO < share && share <= Ppm::ONE);
    valid.ok_or(PolicyError::OutOfRange { field, value, expected: "above 0, up to 1", hint })
}

fn limits(field: &'static str, low: usize, other: &'static str, high: usize) -> Result<(), PolicyError> {
    if low <= high {
        return Ok(());
    }
    Err(PolicyError::InvertedLimits { field, low: low as u64, other, high: high as u64 })
}
