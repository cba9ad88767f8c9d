//! Stated recall: how many probes of a draft were answered, and how sure that is.

use crate::policy::{Bound, Ppm};

/// The 95th percentile of the standard normal distribution: one-sided 95 %.
const Z: f64 = 1.644_853_626_951_472_2;

/// Probes answered over probes asked, on the first draft of one level or pooled over its drafts.
///
/// ```
/// use manifest_core::StatedRecall;
/// let recall = StatedRecall::new(20, 20)?;
/// assert_eq!(recall.point().as_f64(), 1.0);
/// assert_eq!(recall.lower().rounded(), "0.881"); // 20 of 20 bound it at 0.88 only
/// # Ok::<(), manifest_core::RecallError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StatedRecall {
    hits: u64,
    asked: u64,
}

/// Counts that are no recall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecallError {
    /// More probes answered than asked.
    #[error("recall has {hits} hits of {asked} asked; expected at most as many hits as probes asked")]
    MoreHitsThanAsked {
        /// Probes answered.
        hits: u64,
        /// Probes asked.
        asked: u64,
    },
}

impl StatedRecall {
    /// So many probes answered of so many asked. None asked is no error: it is not measured.
    ///
    /// # Errors
    /// More hits than probes.
    pub const fn new(hits: u64, asked: u64) -> Result<Self, RecallError> {
        if hits > asked {
            return Err(RecallError::MoreHitsThanAsked { hits, asked });
        }
        Ok(StatedRecall { hits, asked })
    }

    /// Probes answered exactly.
    pub const fn hits(self) -> u64 {
        self.hits
    }

    /// Probes asked.
    pub const fn asked(self) -> u64 {
        self.asked
    }

    /// Both sets of probes as one: the first drafts of one level.
    pub const fn pooled(self, other: StatedRecall) -> Self {
        StatedRecall {
            hits: self.hits.saturating_add(other.hits),
            asked: self.asked.saturating_add(other.asked),
        }
    }

    /// Whether at least `least` probes were asked.
    pub const fn is_measured(self, least: u64) -> bool {
        self.asked > 0 && self.asked >= least
    }

    /// Hits over asked; 0 where none were asked.
    pub fn point(self) -> Ppm {
        Ppm::ratio(self.hits, self.asked)
    }

    /// The one-sided 95 % lower bound after Wilson (1927), rounded down; 0 where none were asked.
    pub fn lower(self) -> Ppm {
        if self.hits == 0 {
            return Ppm::ZERO;
        }
        let n = self.asked as f64;
        let p = self.hits as f64 / n;
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let bound = (centre - spread) / (1.0 + Z * Z / n);
        Ppm::of((bound * 1e6).floor() / 1e6).unwrap_or(Ppm::ZERO).min(self.point())
    }

    /// The figure that a policy gates on.
    pub fn figure(self, bound: Bound) -> Ppm {
        match bound {
            Bound::Lower => self.lower(),
            _ => self.point(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_of_twenty_bound_recall_at_eighty_eight_percent() {
        let recall = StatedRecall::new(20, 20).unwrap();
        assert_eq!((recall.lower().get() + 5_000) / 10_000, 88);
    }

    #[test]
    fn the_bound_agrees_with_the_definition() {
        // The bound p solves (p̂ − p)² = z²·p·(1 − p)/n, below p̂.
        for (hits, asked) in [(1, 60), (30, 60), (54, 60), (59, 60), (60, 60), (980, 1000), (3, 7)] {
            let recall = StatedRecall::new(hits, asked).unwrap();
            let (hat, p) = (hits as f64 / asked as f64, recall.lower().as_f64());
            let residue = (hat - p).powi(2) - Z * Z * p * (1.0 - p) / asked as f64;
            assert!(residue.abs() < 1e-5, "{hits} of {asked}: {p} leaves {residue}");
            assert!(p <= hat);
        }
    }

    #[test]
    fn counts_that_are_no_recall_are_errors() {
        assert_eq!(StatedRecall::new(61, 60), Err(RecallError::MoreHitsThanAsked { hits: 61, asked: 60 }));
        let nobody = StatedRecall::new(0, 0).unwrap();
        assert!(!nobody.is_measured(0));
        assert_eq!((nobody.point(), nobody.lower()), (Ppm::ZERO, Ppm::ZERO));
        let vast = StatedRecall::new(u64::MAX, u64::MAX).unwrap();
        assert_eq!(vast.pooled(vast).point(), Ppm::ONE);
        assert!(vast.lower() <= Ppm::ONE);
    }
}
