//! The runs of bytes that the pass looks at as one.

use super::byte::{BACK, COLON, HIGH, JOINER, LOWER, SLASH, WORD, class, is_word, is_word_char};
use super::scan::Scan;
use crate::text::Span;

/// No class looks at more of a run than this, in bytes, but those that find their own end (URLs, paths, payloads).
pub(super) const FARTHEST: usize = 1024;

/// A longer run that no class knows is passed over whole: reading its words one by one, each with all that follows,
/// would take a time that grows with the square of its length.
pub(super) const LONGEST: usize = 256;

/// A run of bytes that may be one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: usize,
    /// End of the whole run, without the punctuation that closes a phrase.
    pub(super) end: usize,
    /// End of its first word.
    pub(super) word: usize,
    /// All classes of its bytes, or-ed.
    pub(super) flags: u16,
}

impl Token {
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }

    pub(super) fn has(self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Whether it has no byte of another class.
    pub(super) fn only(self, flags: u16) -> bool {
        self.flags & !flags == 0
    }

    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

impl Scan<'_> {
    /// The token at `start`, if it is small letters and a space or the end of a phrase follows: most of every text.
    #[inline]
    pub(super) fn plain_word(&self, start: usize) -> Option<Token> {
        let rest = self.bytes.get(start..)?;
        let len = rest.iter().take(LONGEST).position(|&b| class(b) & LOWER == 0)?;
        let end = start + len;
        let closes = match self.at(end) {
            b' ' | b'\n' => true,
            b',' | b'.' => matches!(self.at(end + 1), b' ' | b'\n'),
            _ => false,
        };
        (closes && len > 0).then_some(Token { start, end, word: end, flags: LOWER })
    }

    /// The first word of a token.
    pub(super) fn first_word(&self, t: Token) -> Token {
        let flags = self.bytes.get(t.start..t.word).into_iter().flatten().fold(0, |f, &b| f | class(b));
        Token { end: t.word, flags, ..t }
    }

    /// The run of token bytes at `start`.
    pub(super) fn token(&self, start: usize) -> Token {
        let mut flags = 0;
        let mut i = start;
        let mut word = 0;
        while i - start < FARTHEST {
            let b = self.at(i);
            let c = class(b);
            if c & WORD != 0 {
                flags |= c;
                i += 1;
                continue;
            }
            if c & HIGH != 0 {
                match self.char_at(i) {
                    Some(c) if is_word_char(c) => {
                        flags |= HIGH;
                        i += c.len_utf8();
                        continue;
                    }
                    _ => break,
                }
            }
            if word == 0 {
                word = i;
            }
            if c & SLASH != 0 {
                if matches!(self.at(i + 1), b'*' | b'[' | b'{' | b'$' | b'@') {
                    // `src/**/*.rs`, `app/[slug]`: a path knows where that ends.
                    flags |= c;
                    i += 1;
                    break;
                }
                if self.ends(i + 1) && self.at(i + 1) != b'.' {
                    // `a/` and `a//b`: the slash belongs to a path only if something did already.
                    if flags & (SLASH | BACK) != 0 || self.at(i + 1) == b'/' && flags & COLON != 0 {
                        flags |= c;
                        i += 1;
                    }
                    break;
                }
                flags |= c;
                i += 1;
            } else if c & BACK != 0 {
                // A backslash joins only what an escape of a string cannot be.
                if matches!(self.at(i + 1), b'n' | b'r' | b't' | b'u' | b'b' | b'f')
                    || !is_word(self.at(i + 1))
                {
                    break;
                }
                flags |= c;
                i += 1;
            } else if c & JOINER != 0 {
                let mut j = i;
                let mut f = 0;
                while class(self.at(j)) & JOINER != 0 {
                    f |= class(self.at(j));
                    j += 1;
                }
                let drive = i == start + 1 && self.at(j) == b'\\';
                if self.ends(j) && self.at(j) != b'/' && !drive {
                    break;
                }
                flags |= f;
                i = j;
            } else {
                break;
            }
        }
        if word == 0 {
            word = i;
        }
        Token { start, end: i, word: word.min(i), flags }
    }
}
