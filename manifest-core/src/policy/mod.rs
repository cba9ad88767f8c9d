//! What a gate asks of a parent: exact, remediation, narrative, or the caller's own.
//!
//! A [`Policy`] that exists is valid: its fields are private, every setter checks, and reading one from a file goes
//! through the same checks.

mod band;
mod change;
mod depth;
mod error;
mod message;
mod planned;
mod ppm;
mod preset;
mod rules;
mod settings;

pub use band::{Band, Bounds, SmallCounts};
pub(crate) use depth::assert_depth;
pub use depth::{deepest, power};
pub use error::PolicyError;
pub(crate) use message::Message;
pub(crate) use planned::Planned;
pub use ppm::Ppm;
pub use preset::{Bound, ConflictRule, FloorOn, Order, Preset, Required, Single};
pub use rules::{Growth, LedgerBudget, ProbeRules, TrendRules};

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
/// conflicts = "keep_both" # keep_both | latest_wins
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
    conflicts: ConflictRule,
    observe: bool,
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
            conflicts: ConflictRule::KeepBoth,
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

    /// What a conflict of the children asks of a parent.
    pub fn conflicts(&self) -> ConflictRule {
        self.conflicts
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
