//! Signals over the cycles of one ref: a fall is named while every figure is still inside its band.

use crate::policy::{Policy, Ppm};
use crate::report::Signals;

/// The two ratios of one past cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cycle {
    /// Traceable claims over claims.
    pub provenance: Ppm,
    /// Referents without a child over referents.
    pub orphan_density: Ppm,
}

impl Cycle {
    /// A cycle with these figures.
    pub fn new(provenance: Ppm, orphan_density: Ppm) -> Self {
        Cycle { provenance, orphan_density }
    }

    /// The cycle of a parent with these figures. A figure that is no share counts as the worst one.
    pub fn of(signals: &Signals) -> Self {
        let share =
            |value: f64, worst: Ppm| Ppm::of(value).filter(|&share| share <= Ppm::ONE).unwrap_or(worst);
        Cycle {
            provenance: share(signals.provenance, Ppm::ZERO),
            orphan_density: share(signals.orphan_density, Ppm::ONE),
        }
    }
}

/// A fall against the mean of the last cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trend {
    /// The mean that provenance fell from, if it fell.
    pub provenance_from: Option<Ppm>,
    /// The mean that the density rose from, if it rose.
    pub density_from: Option<Ppm>,
    /// The cycle that was judged.
    pub now: Cycle,
}

/// Whether a signal fell against the last cycles of the same ref (oldest first); `None` if not, or if there are
/// fewer than the policy takes the mean of.
///
/// ```
/// use manifest_core::{Cycle, Policy, Ppm, trend};
/// let cycle = |p, d| Cycle::new(Ppm::new(p), Ppm::new(d));
/// let past = [cycle(880_000, 110_000), cycle(850_000, 110_000), cycle(820_000, 110_000)];
/// let now = cycle(710_000, 270_000); // inside every band
/// assert!(trend(&past, now, &Policy::remediation()).is_some());
/// ```
pub fn trend(past: &[Cycle], now: Cycle, policy: &Policy) -> Option<Trend> {
    let rules = policy.trend();
    let past = past.get(past.len().checked_sub(rules.cycles)?..)?;
    let cycles = past.len() as u64;
    let sum =
        |figure: fn(&Cycle) -> Ppm| past.iter().map(|cycle| u64::from(figure(cycle).get())).sum::<u64>();
    let (provenance, density) = (sum(|cycle| cycle.provenance), sum(|cycle| cycle.orphan_density));
    let times = |share: Ppm| u64::from(share.get()) * cycles;
    let fell = times(now.provenance) + times(rules.provenance_fall) <= provenance;
    let doubled = u128::from(times(now.orphan_density)) * 1_000_000
        >= u128::from(density) * u128::from(rules.density_factor.get());
    let rose = doubled && times(now.orphan_density) >= density + times(rules.density_rise);
    let mean = |sum: u64| Ppm::ratio(sum, cycles * 1_000_000);
    (fell || rose).then(|| Trend {
        provenance_from: fell.then(|| mean(provenance)),
        density_from: rose.then(|| mean(density)),
        now,
    })
}

impl std::fmt::Display for Trend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(mean) = self.provenance_from {
            let now = self.now.provenance.rounded();
            write!(f, "provenance fell to {now} from a mean of {}", mean.rounded())?;
        }
        if let Some(mean) = self.density_from {
            let joint = if self.provenance_from.is_some() { "; " } else { "" };
            let now = self.now.orphan_density.rounded();
            write!(f, "{joint}orphan density rose to {now} from a mean of {}", mean.rounded())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(provenance: u32, density: u32) -> Cycle {
        Cycle::new(Ppm::new(provenance * 10_000), Ppm::new(density * 10_000))
    }

    #[test]
    fn the_recorded_run_is_named_at_its_fourth_cycle() {
        // 180k tokens; leaves of 4k, middle nodes of 400, a root of 80.
        let run = [cycle(88, 11), cycle(85, 11), cycle(82, 11), cycle(71, 27)];
        let policy = Policy::remediation();
        for (at, now) in run.iter().enumerate() {
            let signals = Signals {
                provenance: now.provenance.as_f64(),
                claims: 100,
                orphan_density: now.orphan_density.as_f64(),
                referents: 100,
                ..Signals::default()
            };
            assert_eq!(crate::signal::bands(&signals, &policy).worst(), crate::policy::Band::Promote);
            assert_eq!(trend(&run[..at], *now, &policy).is_some(), at == 3, "cycle {}", at + 1);
        }
        let named = trend(&run[..3], run[3], &policy).unwrap().to_string();
        assert_eq!(
            named,
            "provenance fell to 0.710 from a mean of 0.850; orphan density rose to 0.270 from a mean of 0.110"
        );
    }

    #[test]
    fn each_bound_is_inclusive() {
        let policy = Policy::remediation();
        let past = [cycle(80, 10); 3];
        assert!(trend(&past, cycle(70, 10), &policy).is_some());
        assert!(trend(&past, cycle(71, 10), &policy).is_none());
        assert!(trend(&past, cycle(80, 20), &policy).is_some());
        assert!(trend(&past, cycle(80, 19), &policy).is_none());
        // Twice a small mean is not yet a rise, and a rise from a large one must double it.
        assert!(trend(&[cycle(80, 2); 3], cycle(80, 11), &policy).is_none());
        assert!(trend(&[cycle(80, 20); 3], cycle(80, 35), &policy).is_none());
    }

    #[test]
    fn only_the_last_cycles_count() {
        let policy = Policy::remediation();
        let past = [cycle(100, 0), cycle(72, 10), cycle(72, 10), cycle(72, 10)];
        assert!(trend(&past, cycle(71, 10), &policy).is_none());
        assert!(trend(&past[..2], cycle(0, 100), &policy).is_none());
        assert!(trend(&[], cycle(0, 100), &policy).is_none());
    }
}
