//! Whether a text is written with spaces between its words.

/// Bytes of scripts with and without spaces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scripts {
    spaced: usize,
    unspaced: usize,
}

impl Scripts {
    /// The scripts of the first stretch of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut out = Scripts::default();
        let mut end = text.len().min(4096);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or_default();
        if text.is_ascii() {
            out.spaced = text.len();
            return out;
        }
        for c in text.chars() {
            if c.is_ascii_alphabetic() {
                out.spaced += 1;
            } else if matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF) {
                out.unspaced += 2;
            }
        }
        out
    }

    pub(super) fn add(&mut self, other: Scripts) {
        self.spaced += other.spaced;
        self.unspaced += other.unspaced;
    }

    pub(super) fn is_unspaced(self) -> bool {
        self.unspaced > self.spaced
    }
}
