//! Exact decimal numbers.

use std::cmp::Ordering;
use std::fmt;

/// `mantissa · 10^exponent`, without trailing zeros in the mantissa: equal numbers are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    mantissa: i128,
    exponent: i32,
}

impl Decimal {
    pub(crate) const ZERO: Decimal = Decimal { mantissa: 0, exponent: 0 };

    /// `mantissa · 10^exponent`.
    pub(crate) fn new(mantissa: i128, exponent: i32) -> Self {
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        if mantissa == 0 {
            return Self::ZERO;
        }
        // Nearly all numbers fit in 64 bits, which are divided much faster.
        if let Ok(mut short) = i64::try_from(mantissa) {
            while short % 10 == 0 {
                short /= 10;
                exponent = exponent.saturating_add(1);
            }
            return Decimal { mantissa: i128::from(short), exponent };
        }
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent = exponent.saturating_add(1);
        }
        Decimal { mantissa, exponent }
    }

    /// A whole number.
    pub(crate) fn whole(n: i128) -> Self {
        Self::new(n, 0)
    }

    /// The parts of the number.
    pub(crate) fn parts(self) -> (i128, i32) {
        (self.mantissa, self.exponent)
    }

    /// The number as a whole one, if it is one and fits.
    pub(crate) fn to_whole(self) -> Option<i128> {
        let up = u32::try_from(self.exponent).ok()?;
        self.mantissa.checked_mul(10i128.checked_pow(up)?)
    }

    pub(crate) fn is_negative(self) -> bool {
        self.mantissa < 0
    }

    pub(crate) fn neg(self) -> Self {
        Decimal { mantissa: self.mantissa.saturating_neg(), exponent: self.exponent }
    }

    /// The number times `10^places`, where it fits.
    pub(crate) fn shifted(self, places: i32) -> Option<Self> {
        Some(Self::new(self.mantissa, self.exponent.checked_add(places)?))
    }

    /// The two mantissas at one exponent, where they fit.
    fn aligned(self, other: Self) -> Option<(i128, i128, i32)> {
        let e = self.exponent.min(other.exponent);
        let lift = |d: Decimal| {
            let up = u32::try_from(d.exponent.checked_sub(e)?).ok()?;
            d.mantissa.checked_mul(10i128.checked_pow(up)?)
        };
        if self.mantissa == 0 {
            return Some((0, other.mantissa, other.exponent));
        }
        if other.mantissa == 0 {
            return Some((self.mantissa, 0, self.exponent));
        }
        Some((lift(self)?, lift(other)?, e))
    }

    /// The sum, where it fits.
    pub(crate) fn add(self, other: Self) -> Option<Self> {
        let (a, b, e) = self.aligned(other)?;
        Some(Self::new(a.checked_add(b)?, e))
    }

    /// The difference, where it fits.
    pub(crate) fn sub(self, other: Self) -> Option<Self> {
        self.add(other.neg())
    }

    /// The product, where it fits.
    pub(crate) fn mul(self, other: Self) -> Option<Self> {
        Some(Self::new(
            self.mantissa.checked_mul(other.mantissa)?,
            self.exponent.checked_add(other.exponent)?,
        ))
    }

    /// The quotient, where it is a finite decimal that fits.
    pub(crate) fn div(self, other: Self) -> Option<Self> {
        if other.mantissa == 0 {
            return None;
        }
        let (mut m, mut e) = (self.mantissa, self.exponent.checked_sub(other.exponent)?);
        let mut lifts = 0;
        while m % other.mantissa != 0 {
            m = m.checked_mul(10)?;
            e = e.checked_sub(1)?;
            lifts += 1;
            if lifts > 36 {
                return None;
            }
        }
        Some(Self::new(m / other.mantissa, e))
    }

    /// The quotient as a float, for comparing with a rounded figure.
    pub(crate) fn to_f64(self) -> f64 {
        self.mantissa as f64 * 10f64.powi(self.exponent)
    }

    /// Reads plain digits with at most one point: `12`, `12.50`, no sign, no grouping.
    pub(crate) fn parse(digits: &str) -> Option<Self> {
        // So many digits fit in 64 bits, which are counted in faster.
        const SHORT: usize = 18;
        let mut m: i128 = 0;
        let mut short: i64 = 0;
        let mut e = 0i32;
        let mut point = false;
        let mut any = false;
        for b in digits.bytes() {
            match b {
                b'0'..=b'9' => {
                    any = true;
                    if digits.len() <= SHORT {
                        short = 10 * short + i64::from(b - b'0');
                    } else {
                        m = m.checked_mul(10)?.checked_add(i128::from(b - b'0'))?;
                    }
                    e -= i32::from(point);
                }
                b'.' if !point => point = true,
                _ => return None,
            }
        }
        any.then(|| Self::new(m.max(i128::from(short)), e))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if let Some((a, b, _)) = self.aligned(*other) {
            return a.cmp(&b);
        }
        let (a, b) = (self.mantissa.signum(), other.mantissa.signum());
        if a != b {
            return a.cmp(&b);
        }
        // Too far apart to align: the larger magnitude decides.
        let size = |d: &Decimal| i64::from(d.mantissa.unsigned_abs().ilog10()) + i64::from(d.exponent);
        let by_size = size(self).cmp(&size(other));
        if a < 0 { by_size.reverse() } else { by_size }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        if self.is_negative() {
            f.write_str("-")?;
        }
        let Ok(down) = usize::try_from(-i64::from(self.exponent)) else {
            // Beyond a few zeros the exponent says it shorter, and a hostile exponent must not fill the memory.
            return if self.exponent > 24 {
                write!(f, "{digits}e{}", self.exponent)
            } else {
                write!(f, "{digits}{:0<1$}", "", usize::try_from(self.exponent).unwrap_or(0))
            };
        };
        match down {
            0 => f.write_str(&digits),
            _ if down > 40 => write!(f, "{digits}e{}", self.exponent),
            _ if down >= digits.len() => write!(f, "0.{digits:0>down$}"),
            _ => {
                let (whole, part) = digits.split_at(digits.len() - down);
                write!(f, "{whole}.{part}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn equal_numbers_are_equal_values() {
        assert_eq!(d("1.50"), d("1.5"));
        assert_eq!(d("100"), Decimal::new(1, 2));
        assert_eq!(d("000"), Decimal::ZERO);
        assert_ne!(d("1.5"), d("15"));
        assert!(d("0.9") < d("1"));
        assert!(d("2").neg() < d("1"));
        assert!(Decimal::new(1, 400) > Decimal::new(9, 300));
    }

    #[test]
    fn divides_exactly_or_not_at_all() {
        assert_eq!(d("1").div(d("8")), Some(d("0.125")));
        assert_eq!(d("1").div(d("3")), None);
        assert_eq!(d("1").div(Decimal::ZERO), None);
        assert_eq!(d("90").div(d("3")), Some(d("30")));
    }

    #[test]
    fn never_fills_the_memory() {
        assert_eq!(Decimal::new(5, i32::MAX).to_string(), "5e2147483647");
        assert_eq!(Decimal::new(5, i32::MIN).to_string(), "5e-2147483648");
        assert_eq!(Decimal::parse(&"9".repeat(60)), None);
        assert_eq!(d("1234.5").to_string(), "1234.5");
        assert_eq!(d("0.05").neg().to_string(), "-0.05");
        assert_eq!(d("1200").to_string(), "1200");
    }

    proptest! {
        #[test]
        fn sums_and_differences_undo_each_other(a in -1_000_000_000i64..1_000_000_000, b in -1_000_000_000i64..1_000_000_000, e in -9i32..9, f in -9i32..9) {
            let (x, y) = (Decimal::new(a.into(), e), Decimal::new(b.into(), f));
            prop_assert_eq!(x.add(y).and_then(|s| s.sub(y)), Some(x));
            prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        }

        #[test]
        fn what_is_written_is_read_back(m in 0i64..i64::MAX, e in -12i32..6) {
            let x = Decimal::new(m.into(), e);
            prop_assert_eq!(Decimal::parse(&x.to_string()), Some(x));
        }
    }
}
