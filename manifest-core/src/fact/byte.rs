//! Classes of bytes.

pub(super) const LOWER: u16 = 1;
pub(super) const UPPER: u16 = 1 << 1;
pub(super) const DIGIT: u16 = 1 << 2;
pub(super) const UNDER: u16 = 1 << 3;
pub(super) const HIGH: u16 = 1 << 4;
pub(super) const HYPHEN: u16 = 1 << 5;
pub(super) const DOT: u16 = 1 << 6;
pub(super) const SLASH: u16 = 1 << 7;
pub(super) const COLON: u16 = 1 << 8;
pub(super) const AT: u16 = 1 << 9;
pub(super) const BACK: u16 = 1 << 10;
pub(super) const PLUS: u16 = 1 << 11;
/// `~ # % ! ? *`: inside a token only between its characters.
pub(super) const OTHER: u16 = 1 << 12;
pub(super) const SPACE: u16 = 1 << 13;

pub(super) const LETTER: u16 = LOWER | UPPER;
pub(super) const ALNUM: u16 = LETTER | DIGIT;
pub(super) const WORD: u16 = ALNUM | UNDER;
/// Joins two parts of a token, never ends one.
pub(super) const JOINER: u16 = HYPHEN | DOT | COLON | AT | PLUS | OTHER;

static CLASS: [u16; 256] = {
    let mut t = [0u16; 256];
    let mut i = 0;
    while i < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "the table has 256 entries")]
        let byte = i as u8;
        t[i] = match byte {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDER,
            b'-' => HYPHEN,
            b'.' => DOT,
            b'/' => SLASH,
            b':' => COLON,
            b'@' => AT,
            b'\\' => BACK,
            b'+' => PLUS,
            b'~' | b'#' | b'%' | b'!' | b'?' | b'*' => OTHER,
            b' ' | b'\t' | b'\n' | b'\r' => SPACE,
            128..=255 => HIGH,
            _ => 0,
        };
        i += 1;
    }
    t
};

/// The class of a byte.
#[inline]
pub(super) fn class(b: u8) -> u16 {
    CLASS[usize::from(b)]
}

/// Whether the byte can be inside a word: a letter, a digit, an underscore.
#[inline]
pub(super) fn is_word(b: u8) -> bool {
    class(b) & WORD != 0
}

/// Whether a character is part of words that spaces separate. Han, kana, hangul and Thai are not: tokens stand between
/// them without a space.
pub(super) fn is_word_char(c: char) -> bool {
    // Fractions of one character (`½`) count as numeric; they end a word.
    c.is_alphanumeric() && !is_dense(c) && !matches!(c, '¼'..='¾' | '⅐'..='⅞')
}

/// A character of a script that writes without spaces, or whose particles follow a token without one.
pub(super) fn is_dense(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1100..=0x11ff | 0x1780..=0x17ff | 0x2e80..=0x9fff
        | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xffdc | 0x20000..=0x3ffff)
}
