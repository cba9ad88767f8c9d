//! Words that mean something to a class: tables built at compile time, one probe a word.

/// Longer words are in no table.
const LONGEST: usize = 24;

/// Words with what each means. `N` is a power of two, at least twice the number of words.
pub(super) struct Lexicon<V: 'static, const N: usize> {
    slots: [Option<(&'static str, V)>; N],
    /// Per first letter, the lengths that occur.
    lengths: [u32; 32],
}

impl<V: Copy, const N: usize> Lexicon<V, N> {
    /// The table of these words: each row is a list of words, separated by spaces, and what each of them means.
    pub(super) const fn new(rows: &[(&'static str, V)]) -> Self {
        assert!(N.is_power_of_two(), "a table of a power of two");
        let mut table = Lexicon { slots: [const { None }; N], lengths: [0; 32] };
        let mut words = 0;
        let mut row = 0;
        while row < rows.len() {
            let (list, value) = rows[row];
            let bytes = list.as_bytes();
            let (mut start, mut i) = (0, 0);
            while i <= bytes.len() {
                if i == bytes.len() || bytes[i] == b' ' || bytes[i] == b'\n' {
                    if i > start {
                        table.put(between(list, start, i), value);
                        words += 1;
                    }
                    start = i + 1;
                }
                i += 1;
            }
            row += 1;
        }
        assert!(words * 2 <= N, "a sparse table");
        table
    }

    const fn put(&mut self, word: &'static str, value: V) {
        let bytes = word.as_bytes();
        assert!(bytes.len() <= LONGEST, "a word of at most 24 bytes");
        self.lengths[(bytes[0] & 31) as usize] |= 1 << bytes.len();
        let mut i = hash(bytes) & (N - 1);
        while self.slots[i].is_some() {
            i = (i + 1) & (N - 1);
        }
        self.slots[i] = Some((word, value));
    }

    /// What the word means, if it is in the table. Case counts.
    #[inline]
    pub(super) fn get(&self, word: &[u8]) -> Option<V> {
        let first = *word.first()?;
        if word.len() > LONGEST || self.lengths[usize::from(first & 31)] & (1 << word.len()) == 0 {
            return None;
        }
        let mut i = hash(word) & (N - 1);
        while let Some((known, value)) = self.slots.get(i).and_then(Option::as_ref) {
            if known.as_bytes() == word {
                return Some(*value);
            }
            i = (i + 1) & (N - 1);
        }
        None
    }

    /// The same without case, for words of ASCII.
    pub(super) fn get_folded(&self, word: &[u8]) -> Option<V> {
        let mut buffer = [0u8; LONGEST];
        let folded = buffer.get_mut(..word.len())?;
        folded.copy_from_slice(word);
        folded.make_ascii_lowercase();
        self.get(folded)
    }
}

/// A set of words.
pub(super) struct Words<const N: usize>(Lexicon<(), N>);

impl<const N: usize> Words<N> {
    /// The set of the words that spaces separate in `list`.
    pub(super) const fn new(list: &'static str) -> Self {
        Words(Lexicon::new(&[(list, ())]))
    }

    /// Whether the word is in the set. Case counts.
    #[inline]
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.get(word.as_bytes()).is_some()
    }

    /// The same without case, for words of ASCII.
    pub(super) fn has_folded(&self, word: &str) -> bool {
        self.0.get_folded(word.as_bytes()).is_some()
    }
}

/// A part of a text, at compile time.
const fn between(text: &'static str, start: usize, end: usize) -> &'static str {
    let (head, _) = text.as_bytes().split_at(end);
    let (_, part) = head.split_at(start);
    match std::str::from_utf8(part) {
        Ok(part) => part,
        Err(_) => "",
    }
}

const fn hash(word: &[u8]) -> usize {
    let n = word.len();
    if n == 0 {
        return 0;
    }
    let a = word[0] as usize;
    let b = word[n / 2] as usize;
    let c = word[n - 1] as usize;
    let d = word[(n - 1) / 3] as usize;
    let h = a.wrapping_mul(0x9e37)
        ^ b.wrapping_mul(0x79b9_7f4a)
        ^ c.wrapping_mul(0x01cb_1f63)
        ^ d.wrapping_mul(0x051e_d559)
        ^ n.wrapping_mul(0x85eb);
    h ^ (h >> 15) ^ (h >> 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_its_words_and_no_others() {
        static SET: Words<16> = Words::new("alpha beta gamma\ndelta");
        for w in ["alpha", "beta", "gamma", "delta"] {
            assert!(SET.has(w), "{w}");
            assert!(SET.has_folded(&w.to_uppercase()), "{w}");
        }
        for w in ["", "alph", "alphas", "Alpha", "epsilon", "a very long word that is in no table"] {
            assert!(!SET.has(w), "{w}");
        }
    }

    #[test]
    fn keeps_what_a_word_means() {
        static MEANS: Lexicon<u8, 8> = Lexicon::new(&[("one uno", 1), ("two", 2), ("three", 3)]);
        assert_eq!(MEANS.get(b"two"), Some(2));
        assert_eq!(MEANS.get(b"uno"), Some(1));
        assert_eq!(MEANS.get(b"Two"), None);
        assert_eq!(MEANS.get_folded(b"TWO"), Some(2));
        assert_eq!(MEANS.get(b"four"), None);
    }
}
