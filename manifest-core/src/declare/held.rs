//! Whether some text holds a value that no reader takes for a fact, such as a plain phrase.

use crate::text::{Normal, Span, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each value, whether its words stand side by side, in their order, in one of the texts. A value without words
/// is held.
pub(crate) fn held<'t>(values: &[&str], texts: impl Iterator<Item = &'t str>) -> Vec<bool> {
    let values: Vec<Vec<u64>> = values.iter().map(|value| stems(value)).collect();
    let mut wanted: FxHashMap<usize, FxHashMap<u64, Vec<usize>>> = FxHashMap::default();
    for (i, value) in values.iter().enumerate().filter(|(_, value)| !value.is_empty()) {
        wanted.entry(value.len()).or_default().entry(hash(value)).or_default().push(i);
    }
    let mut found: FxHashSet<usize> = FxHashSet::default();
    if !wanted.is_empty() {
        for text in texts {
            let text = stems(text);
            for (len, values_of_len) in &wanted {
                each_window(&text, *len, |window, hash| {
                    for i in values_of_len.get(&hash).into_iter().flatten() {
                        if values.get(*i).is_some_and(|value| value == window) {
                            found.insert(*i);
                        }
                    }
                });
            }
        }
    }
    values.iter().enumerate().map(|(i, value)| value.is_empty() || found.contains(&i)).collect()
}

fn stems(text: &str) -> Vec<u64> {
    let normal = Normal::of(text);
    words(&normal.text, Span::new(0, normal.text.len())).into_iter().map(|word| word.stem).collect()
}

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

fn hash(stems: &[u64]) -> u64 {
    stems.iter().fold(0, |hash: u64, stem| hash.wrapping_mul(BASE).wrapping_add(*stem))
}

/// Hands over every run of `len` stems with its hash, each in constant time.
fn each_window<'s>(stems: &'s [u64], len: usize, mut window: impl FnMut(&'s [u64], u64)) {
    let Some(first) = stems.get(..len) else { return };
    let top = (1..len).fold(1_u64, |top, _| top.wrapping_mul(BASE));
    let mut rolling = hash(first);
    window(first, rolling);
    for (run, gone) in stems.windows(len).skip(1).zip(stems) {
        let Some(new) = run.last() else { return };
        rolling = rolling.wrapping_sub(gone.wrapping_mul(top)).wrapping_mul(BASE).wrapping_add(*new);
        window(run, rolling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_word_by_word() {
        let texts = ["The disk was full; nobody looked.", "磁盘已满，上传失败。"];
        let values =
            ["disk was full", "Disk", "full disk", "sk was", "磁盘已满", "nobody looked at it", "", "—"];
        let held = held(&values, texts.into_iter());
        assert_eq!(held, [true, true, false, false, true, false, true, true]);
    }

    #[test]
    fn every_window_rolls_to_the_hash_of_its_own() {
        let stems: Vec<u64> = (0..50_u64).map(|i| i.wrapping_mul(i).wrapping_mul(BASE)).collect();
        for len in 1..=50 {
            let mut seen = 0;
            each_window(&stems, len, |window, rolled| {
                assert_eq!(rolled, hash(window));
                seen += 1;
            });
            assert_eq!(seen, 51 - len);
        }
    }
}
