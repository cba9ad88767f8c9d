//! What the words of a claim weigh.

/// The weights of a claim's words and of its pairs, as shares of their sums.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    words: Vec<f64>,
    pairs: Vec<f64>,
}

impl Weights {
    pub(super) fn of(words: impl Iterator<Item = f64>) -> Self {
        let words: Vec<f64> = words.collect();
        let pairs = words.windows(2).map(|w| w.iter().product()).collect();
        Weights { words: shares(words), pairs: shares(pairs) }
    }

    pub(super) fn words(&self, mask: u64) -> f64 {
        sum(&self.words, mask)
    }

    pub(super) fn pairs(&self, mask: u64) -> f64 {
        sum(&self.pairs, mask)
    }
}

fn shares(mut of: Vec<f64>) -> Vec<f64> {
    let total: f64 = of.iter().sum();
    if total > 0.0 {
        for v in &mut of {
            *v /= total;
        }
    }
    of
}

fn sum(of: &[f64], mask: u64) -> f64 {
    let mut rest = mask;
    let mut total = 0.0;
    while rest != 0 {
        total += of.get(rest.trailing_zeros() as usize).copied().unwrap_or(0.0);
        rest &= rest - 1;
    }
    total
}
