//! In which band each figure of a parent lies.

use crate::policy::{Band, Policy};
use crate::report::Signals;

/// The band of every signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignalBands {
    /// Of traceable claims over claims.
    pub provenance: Band,
    /// Of referents without a child over referents.
    pub orphan_density: Band,
    /// Beyond with any conflict collapsed or stale.
    pub conflicts: Band,
    /// Beyond with any required fact lost.
    pub required: Band,
}

impl SignalBands {
    /// The worst of them.
    pub fn worst(self) -> Band {
        self.provenance.max(self.orphan_density).max(self.conflicts).max(self.required)
    }
}

/// The bands of these figures. A figure that is no share (NaN, or out of 0 to 1) counts as the worst one.
pub fn bands(signals: &Signals, policy: &Policy) -> SignalBands {
    let beyond_with_any = |count: usize| if count == 0 { Band::Promote } else { Band::Beyond };
    SignalBands {
        provenance: provenance(traceable(signals), signals.claims, signals.provenance, policy),
        orphan_density: orphan_density(orphaned(signals), signals.referents, signals.orphan_density, policy),
        conflicts: beyond_with_any(signals.conflicts.collapsed.saturating_add(signals.conflicts.stale)),
        required: beyond_with_any(signals.facts.lost),
    }
}

/// Traceable claims, from their share.
pub(crate) fn traceable(signals: &Signals) -> usize {
    if (0.0..=1.0).contains(&signals.provenance) { part(signals.provenance, signals.claims) } else { 0 }
}

/// Referents without a child, from their share.
pub(crate) fn orphaned(signals: &Signals) -> usize {
    let density = signals.orphan_density;
    if (0.0..=1.0).contains(&density) { part(density, signals.referents) } else { signals.referents }
}

fn part(share: f64, whole: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 0 to 1 of a usize"
    )]
    let part = (share * whole as f64).round() as usize;
    part.min(whole)
}

fn provenance(traceable: usize, claims: usize, share: f64, policy: &Policy) -> Band {
    if claims == 0 {
        // Nothing to trace is a share of 1; anything else is a figure that nobody took.
        return if share >= 1.0 { Band::Promote } else { Band::Warning };
    }
    let band = policy.provenance().at_least(traceable, claims);
    let few = claims < policy.small().claims;
    let none_of_several = claims >= 2 && traceable == 0;
    if few && !none_of_several { band.min(Band::Warning) } else { band }
}

fn orphan_density(orphaned: usize, referents: usize, share: f64, policy: &Policy) -> Band {
    if referents == 0 {
        return if share <= 0.0 { Band::Promote } else { Band::Warning };
    }
    let small = policy.small();
    if referents >= small.referents {
        policy.orphan_density().at_most(orphaned, referents)
    } else if orphaned <= small.orphans_promote {
        Band::Promote
    } else if orphaned <= small.orphans_warning {
        Band::Warning
    } else {
        Band::Beyond
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance_of(traceable: usize, claims: usize) -> Band {
        let provenance = if claims == 0 { 1.0 } else { traceable as f64 / claims as f64 };
        bands(&Signals { provenance, claims, ..Signals::default() }, &Policy::remediation()).provenance
    }

    fn density_of(orphaned: usize, referents: usize) -> Band {
        let orphan_density = if referents == 0 { 0.0 } else { orphaned as f64 / referents as f64 };
        bands(&Signals { orphan_density, referents, ..Signals::default() }, &Policy::remediation())
            .orphan_density
    }

    #[test]
    fn bounds_belong_to_the_better_band() {
        assert_eq!(provenance_of(7, 10), Band::Promote);
        assert_eq!(provenance_of(69, 100), Band::Warning);
        assert_eq!(provenance_of(5, 10), Band::Warning);
        assert_eq!(provenance_of(49, 100), Band::Beyond);
        assert_eq!(density_of(3, 10), Band::Promote);
        assert_eq!(density_of(31, 100), Band::Warning);
        assert_eq!(density_of(9, 20), Band::Warning);
        assert_eq!(density_of(46, 100), Band::Beyond);
    }

    #[test]
    fn few_claims_go_no_further_than_the_warning_band() {
        assert_eq!(provenance_of(0, 0), Band::Promote);
        assert_eq!(provenance_of(0, 1), Band::Warning);
        assert_eq!(provenance_of(1, 2), Band::Warning);
        assert_eq!(provenance_of(1, 3), Band::Warning);
        assert_eq!(provenance_of(2, 3), Band::Warning);
        assert_eq!(provenance_of(1, 4), Band::Beyond);
    }

    #[test]
    fn several_claims_none_of_them_traceable_are_beyond() {
        for claims in 2..10 {
            assert_eq!(provenance_of(0, claims), Band::Beyond);
        }
    }

    #[test]
    fn few_referents_are_counted() {
        for referents in 1..5 {
            for orphaned in 0..=referents {
                let expected = [Band::Promote, Band::Promote, Band::Warning, Band::Beyond, Band::Beyond];
                assert_eq!(density_of(orphaned, referents), expected[orphaned], "{orphaned} of {referents}");
            }
        }
        assert_eq!(density_of(2, 5), Band::Warning);
        assert_eq!(density_of(3, 5), Band::Beyond);
    }

    #[test]
    fn figures_that_nobody_took_deny() {
        let policy = Policy::remediation();
        assert_eq!(bands(&Signals::default(), &policy).provenance, Band::Warning);
        for broken in [f64::NAN, -1.0, 2.0, f64::INFINITY] {
            let signals = Signals {
                provenance: broken,
                claims: 9,
                orphan_density: broken,
                referents: 9,
                ..Signals::default()
            };
            let bands = bands(&signals, &policy);
            assert_eq!((bands.provenance, bands.orphan_density), (Band::Beyond, Band::Beyond), "{broken}");
        }
    }

    #[test]
    fn counts_come_back_from_shares() {
        for whole in 1..200 {
            for part in 0..=whole {
                let share = part as f64 / whole as f64;
                let signals = Signals {
                    provenance: share,
                    claims: whole,
                    orphan_density: share,
                    referents: whole,
                    ..Signals::default()
                };
                assert_eq!((traceable(&signals), orphaned(&signals)), (part, part));
            }
        }
    }
}
