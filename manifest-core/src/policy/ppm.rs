//! Shares as integers in parts per million: compared and hashed without a float.

use std::fmt;

/// A share in parts per million: 850 000 is 0.85. Also used for factors above 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ppm(u32);

impl Ppm {
    /// 0.
    pub const ZERO: Ppm = Ppm(0);
    /// 1.
    pub const ONE: Ppm = Ppm(1_000_000);

    /// A share of so many parts per million.
    pub const fn new(parts: u32) -> Ppm {
        Ppm(parts)
    }

    /// The parts per million.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The share as a float.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// The nearest share to a float of 0 to 4000; `None` for anything else, NaN included.
    pub fn of(value: f64) -> Option<Ppm> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked before"
        )]
        (0.0..=4000.0).contains(&value).then(|| Ppm((value * 1e6).round() as u32))
    }

    /// `part / whole` rounded half up; 1 where `part` is the larger one, 0 where `whole` is 0.
    pub fn ratio(part: u64, whole: u64) -> Ppm {
        if whole == 0 {
            return Ppm::ZERO;
        }
        let (part, whole) = (u128::from(part.min(whole)), u128::from(whole));
        // At most 1 000 000, as `part` is at most `whole`.
        u32::try_from((part * 1_000_000 + whole / 2) / whole).map_or(Ppm::ONE, Ppm)
    }

    /// Whether `part / whole` reaches this share, without rounding. A `whole` of 0 reaches every share.
    pub fn reached_by(self, part: usize, whole: usize) -> bool {
        part as u128 * 1_000_000 >= u128::from(self.0) * whole as u128
    }

    /// Whether `part / whole` lies above this share, without rounding. A `whole` of 0 lies above none, unless
    /// there is a part of it.
    pub fn exceeded_by(self, part: usize, whole: usize) -> bool {
        part as u128 * 1_000_000 > u128::from(self.0) * whole as u128
    }

    /// The share rounded to three digits, as messages write a measured figure: `0.815`.
    pub fn rounded(self) -> String {
        format!("{:.3}", f64::from(self.0.saturating_add(500) / 1000) / 1e3)
    }
}

/// As short as says it exactly: `0.85`, `1`, `0.814506`.
impl fmt::Display for Ppm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if part == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{part:06}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_short_as_says_it() {
        for (parts, shown, rounded) in [
            (850_000, "0.85", "0.850"),
            (814_506, "0.814506", "0.815"),
            (1_000_000, "1", "1.000"),
            (0, "0", "0.000"),
        ] {
            assert_eq!(Ppm::new(parts).to_string(), shown);
            assert_eq!(Ppm::new(parts).rounded(), rounded);
        }
        assert_eq!(Ppm::new(u32::MAX).to_string(), "4294.967295");
        assert_eq!(Ppm::new(u32::MAX - 1).rounded().len(), 8);
    }

    #[test]
    fn takes_no_float_that_is_no_share() {
        for bad in [f64::NAN, f64::INFINITY, -0.1, 4000.5] {
            assert_eq!(Ppm::of(bad), None);
        }
        assert_eq!(Ppm::of(0.85), Some(Ppm::new(850_000)));
        assert_eq!(Ppm::ratio(3, 0), Ppm::ZERO);
        assert_eq!(Ppm::ratio(u64::MAX, 1), Ppm::ONE);
        assert_eq!(Ppm::ratio(1, 3), Ppm::new(333_333));
        assert_eq!(Ppm::ratio(2, 3), Ppm::new(666_667));
    }

    #[test]
    fn compares_without_rounding() {
        let bound = Ppm::new(700_000);
        assert!(bound.reached_by(7, 10));
        assert!(!bound.exceeded_by(7, 10));
        assert!(!bound.reached_by(6_999_999, 10_000_000));
        assert!(bound.exceeded_by(7_000_001, 10_000_000));
    }
}
