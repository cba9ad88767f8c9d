//! Choices that look random and are the same in every run.

/// A `SplitMix64` of one seed.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `from..to`.
    pub(crate) fn within(&mut self, from: u32, to: u32) -> u32 {
        from + u32::try_from(self.next() % u64::from(to - from)).unwrap()
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.next() % len as u64).unwrap()
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.next() & 1 == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.index(of.len())]
    }

    /// Two different ones.
    pub(crate) fn two<T: Copy>(&mut self, of: &[T]) -> (T, T) {
        let first = self.index(of.len());
        let second = (first + 1 + self.index(of.len() - 1)) % of.len();
        (of[first], of[second])
    }

    /// All of them in another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }

    pub(crate) fn of_letters(&mut self, letters: &str, len: usize) -> String {
        let letters: Vec<char> = letters.chars().collect();
        (0..len).map(|_| self.pick(&letters)).collect()
    }
}
