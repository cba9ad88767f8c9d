//! A policy as a file writes it: a base, and what differs from it.

use super::change::{positive_share, share};
use super::{
    Bound, Bounds, ConflictRule, FloorOn, Growth, LedgerBudget, Order, Policy, PolicyError, Ppm, Preset,
    ProbeRules, Required, Single, SmallCounts, TrendRules,
};
use serde::{Deserialize, Serialize};

macro_rules! settings {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub(super) struct $name {
            $(#[serde(skip_serializing_if = "Option::is_none")] $field: Option<$type>,)*
        }
    };
}

settings! {
    /// The whole file.
    Settings {
        base: Preset,
        required: Required,
        invented: Single,
        altered: Single,
        floor: f64,
        floor_on: FloorOn,
        bound: Bound,
        drops_share: f64,
        depth: u32,
        recall: f64,
        order: Order,
        conflicts: ConflictRule,
        observe: bool,
        provenance: BoundsSettings,
        orphan_density: BoundsSettings,
        small: SmallSettings,
        ledger: LedgerSettings,
        growth: GrowthSettings,
        probe: ProbeSettings,
        trend: TrendSettings,
    }
}

settings! {
    /// `[provenance]` and `[orphan_density]`.
    BoundsSettings { promote: f64, warning: f64, }
}

settings! {
    /// `[small]`.
    SmallSettings { claims: usize, referents: usize, orphans_promote: usize, orphans_warning: usize, }
}

settings! {
    /// `[ledger]`.
    LedgerSettings { mend: bool, share: f64, least_bytes: usize, most_bytes: usize, }
}

settings! {
    /// `[growth]`.
    GrowthSettings { factor: f64, bytes: usize, }
}

settings! {
    /// `[probe]`.
    ProbeSettings { least: u64, divergence: f64, }
}

settings! {
    /// `[trend]`.
    TrendSettings { cycles: usize, provenance_fall: f64, density_factor: f64, density_rise: f64, }
}

/// Puts a setting, if there is one, in the place of the base's.
fn put<T>(place: &mut T, setting: Option<T>) {
    if let Some(setting) = setting {
        *place = setting;
    }
}

fn put_share(place: &mut Ppm, field: &'static str, setting: Option<f64>) -> Result<(), PolicyError> {
    put(place, setting.map(|value| share(field, value)).transpose()?);
    Ok(())
}

fn put_factor(place: &mut Ppm, field: &'static str, setting: Option<f64>) -> Result<(), PolicyError> {
    let read = |value: f64| {
        Ppm::of(value).filter(|&factor| factor >= Ppm::ONE).ok_or(PolicyError::OutOfRange {
            field,
            value,
            expected: "1 to 4000",
            hint: "write a factor, 1.25 for a quarter more",
        })
    };
    put(place, setting.map(read).transpose()?);
    Ok(())
}

impl TryFrom<Settings> for Policy {
    type Error = PolicyError;

    fn try_from(file: Settings) -> Result<Self, PolicyError> {
        let mut policy = Policy::preset(file.base.unwrap_or(Preset::Remediation));
        put(&mut policy.required, file.required);
        put(&mut policy.invented, file.invented);
        put(&mut policy.altered, file.altered);
        put(&mut policy.floor_on, file.floor_on);
        put(&mut policy.bound, file.bound);
        put(&mut policy.order, file.order);
        put(&mut policy.conflicts, file.conflicts);
        put(&mut policy.observe, file.observe);
        put_share(&mut policy.drops_share, "drops_share", file.drops_share)?;
        if let Some(floor) = file.floor {
            policy.floor =
                positive_share("floor", floor, "give the share of required facts that must reach the root")?;
        }
        policy.depth = file.depth;
        let provenance = file.provenance.unwrap_or_default();
        put_share(&mut policy.provenance.promote, "provenance.promote", provenance.promote)?;
        put_share(&mut policy.provenance.warning, "provenance.warning", provenance.warning)?;
        let density = file.orphan_density.unwrap_or_default();
        put_share(&mut policy.orphan_density.promote, "orphan_density.promote", density.promote)?;
        put_share(&mut policy.orphan_density.warning, "orphan_density.warning", density.warning)?;
        let small = file.small.unwrap_or_default();
        put(&mut policy.small.claims, small.claims);
        put(&mut policy.small.referents, small.referents);
        put(&mut policy.small.orphans_promote, small.orphans_promote);
        put(&mut policy.small.orphans_warning, small.orphans_warning);
        let ledger = file.ledger.unwrap_or_default();
        put(&mut policy.ledger.mend, ledger.mend);
        put_share(&mut policy.ledger.share, "ledger.share", ledger.share)?;
        put(&mut policy.ledger.least_bytes, ledger.least_bytes);
        put(&mut policy.ledger.most_bytes, ledger.most_bytes);
        let growth = file.growth.unwrap_or_default();
        put_factor(&mut policy.growth.factor, "growth.factor", growth.factor)?;
        put(&mut policy.growth.bytes, growth.bytes);
        let probe = file.probe.unwrap_or_default();
        put(&mut policy.probe.least, probe.least);
        put_share(&mut policy.probe.divergence, "probe.divergence", probe.divergence)?;
        let trend = file.trend.unwrap_or_default();
        put(&mut policy.trend.cycles, trend.cycles);
        put_share(&mut policy.trend.provenance_fall, "trend.provenance_fall", trend.provenance_fall)?;
        put_factor(&mut policy.trend.density_factor, "trend.density_factor", trend.density_factor)?;
        put_share(&mut policy.trend.density_rise, "trend.density_rise", trend.density_rise)?;
        // Last, as it is checked against the floor and the depth of the file.
        match file.recall {
            Some(recall) => policy.with_recall(recall),
            None => policy.checked(),
        }
    }
}

/// Writes every number, so that a policy that is stored says what it was, whatever the presets become.
impl From<Policy> for Settings {
    fn from(policy: Policy) -> Self {
        let Policy { provenance, orphan_density, small, ledger, growth, probe, trend, .. } = policy;
        let bounds = |Bounds { promote, warning }: Bounds| {
            Some(BoundsSettings { promote: Some(promote.as_f64()), warning: Some(warning.as_f64()) })
        };
        let SmallCounts { claims, referents, orphans_promote, orphans_warning } = small;
        let LedgerBudget { mend, share, least_bytes, most_bytes } = ledger;
        let Growth { factor, bytes } = growth;
        let ProbeRules { least, divergence } = probe;
        let TrendRules { cycles, provenance_fall, density_factor, density_rise } = trend;
        Settings {
            base: Some(policy.base),
            required: Some(policy.required),
            invented: Some(policy.invented),
            altered: Some(policy.altered),
            floor: Some(policy.floor.as_f64()),
            floor_on: Some(policy.floor_on),
            bound: Some(policy.bound),
            drops_share: Some(policy.drops_share.as_f64()),
            depth: policy.depth,
            recall: policy.recall.map(Ppm::as_f64),
            order: Some(policy.order),
            conflicts: Some(policy.conflicts).filter(|rule| *rule != ConflictRule::default()),
            observe: Some(policy.observe),
            provenance: bounds(provenance),
            orphan_density: bounds(orphan_density),
            small: Some(SmallSettings {
                claims: Some(claims),
                referents: Some(referents),
                orphans_promote: Some(orphans_promote),
                orphans_warning: Some(orphans_warning),
            }),
            ledger: Some(LedgerSettings {
                mend: Some(mend),
                share: Some(share.as_f64()),
                least_bytes: Some(least_bytes),
                most_bytes: Some(most_bytes),
            }),
            growth: Some(GrowthSettings { factor: Some(factor.as_f64()), bytes: Some(bytes) }),
            probe: Some(ProbeSettings { least: Some(least), divergence: Some(divergence.as_f64()) }),
            trend: Some(TrendSettings {
                cycles: Some(cycles),
                provenance_fall: Some(provenance_fall.as_f64()),
                density_factor: Some(density_factor.as_f64()),
                density_rise: Some(density_rise.as_f64()),
            }),
        }
    }
}
