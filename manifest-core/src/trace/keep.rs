//! What is kept of a stream: sets of words of which none holds another.

use crate::text::Span;

/// Words of a claim, and where they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) mask: u64,
    pub(super) at: Span,
}

/// How many sets of one child are kept.
const FEW: usize = 4;

/// The largest sets of one child, with their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Few {
    all: [Found; FEW],
    len: usize,
}

impl Few {
    /// Takes in a set and returns true, unless one that is kept holds it already.
    pub(super) fn offer(&mut self, new: Found) -> bool {
        let kept = self.all.get_mut(..self.len).unwrap_or_default();
        if kept.iter().any(|k| k.mask & new.mask == new.mask) {
            return false;
        }
        if let Some(slot) = kept.iter_mut().find(|k| k.mask & new.mask == k.mask) {
            *slot = new;
        } else if let Some(slot) = self.all.get_mut(self.len) {
            *slot = new;
            self.len += 1;
        } else if let Some(least) = self.all.iter_mut().min_by_key(|k| k.mask.count_ones())
            && least.mask.count_ones() < new.mask.count_ones()
        {
            *least = new;
        }
        true
    }

    /// The set with the greatest value, the first of equals.
    pub(super) fn best(&self, value: impl Fn(u64) -> f64) -> Option<(f64, Span)> {
        let mut best: Option<(f64, Span)> = None;
        for k in self.all.iter().take(self.len) {
            let v = value(k.mask);
            if best.is_none_or(|(b, _)| v > b) {
                best = Some((v, k.at));
            }
        }
        best
    }

    /// Moves all places.
    pub(super) fn map(&mut self, to: impl Fn(Span) -> Span) {
        self.all.iter_mut().take(self.len).for_each(|k| k.at = to(k.at));
    }
}

/// Sets of which none holds another, the largest of all that came.
#[derive(Clone, Debug, Default)]
pub(super) struct Antichain {
    all: Vec<u64>,
}

impl Antichain {
    /// Takes in a set, and keeps about `bound` sets, at least.
    pub(super) fn insert(&mut self, mask: u64, bound: usize) {
        if mask == 0 || self.all.iter().any(|m| m & mask == mask) {
            return;
        }
        self.all.retain(|m| m & mask != *m);
        self.all.push(mask);
        if self.all.len() >= 2 * bound {
            self.all.sort_by_key(|m| (std::cmp::Reverse(m.count_ones()), *m));
            self.all.truncate(bound);
        }
    }

    /// The greatest value of one set; 0 without any.
    pub(super) fn best(&self, value: impl Fn(u64) -> f64) -> f64 {
        self.all.iter().map(|&m| value(m)).fold(0.0, f64::max)
    }

    /// The greatest value of two sets together; `value` of a union is at most the sum of the two.
    pub(super) fn best_pair(&self, value: impl Fn(u64) -> f64) -> f64 {
        let mut ranked: Vec<(f64, u64)> = self.all.iter().map(|&m| (value(m), m)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = ranked.first().map_or(0.0, |r| r.0);
        for (i, a) in ranked.iter().enumerate() {
            for b in ranked.iter().skip(i + 1) {
                if a.0 + b.0 <= best {
                    break;
                }
                best = best.max(value(a.1 | b.1));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(mask: u64) -> f64 {
        f64::from(mask.count_ones())
    }

    fn found(mask: u64) -> Found {
        Found { mask, at: Span::new(0, usize::try_from(mask).unwrap_or(0)) }
    }

    #[test]
    fn an_antichain_holds_no_set_within_another() {
        let mut a = Antichain::default();
        for mask in [0b1, 0b11, 0b10, 0b100, 0b11, 0] {
            a.insert(mask, 8);
        }
        assert_eq!(a.all, [0b11, 0b100]);
        assert!((a.best(value) - 2.0).abs() < 1e-9);
        assert!((a.best_pair(value) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn an_antichain_stays_small_and_keeps_the_largest() {
        let mut a = Antichain::default();
        for i in 0..30 {
            a.insert(1 << i, 4);
        }
        a.insert(0b111 << 40, 4);
        assert!(a.all.len() < 8);
        assert!(a.all.contains(&(0b111 << 40)));
    }

    #[test]
    fn few_keeps_the_largest() {
        let mut f = Few::default();
        assert!(f.offer(found(0b1)));
        assert!(!f.offer(found(0b1)));
        assert!(f.offer(found(0b11)));
        for i in 2..9 {
            f.offer(found(1 << i));
        }
        assert!(f.offer(found(0b111 << 10)));
        assert_eq!(f.best(value).map(|(_, at)| at.end), Some(0b111 << 10));
    }
}
