//! The text as the reader sees it, with a map back to the bytes as given.

use super::Span;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// A text without what carries no meaning, and the way back to its bytes.
///
/// Everything inside the crate works on `text`; only what is reported is mapped back with [`Normal::source`].
///
/// Folded: ANSI escapes, zero-width and bidi controls and soft hyphens go; letters compose (NFC); full-width forms,
/// typographic quotes, U+2212 and the special spaces become ASCII; a no-break or narrow space that groups digits goes;
/// `_emphasis_` loses its underscores; a UUID or digest that was hard-wrapped is joined again. Homoglyphs stay.
#[derive(Clone, Debug)]
pub(crate) struct Normal<'t> {
    /// The folded text; borrowed where nothing had to be folded.
    pub(crate) text: Cow<'t, str>,
    /// Whether a no-break or narrow space grouped digits: such a text writes its decimals with a comma.
    pub(crate) grouped: bool,
    /// Where the distance between text and source changes, in order; empty where nothing was folded.
    map: Vec<Step>,
}

/// From `text` on, the folded text stands for the source from `source` on: byte for byte, or, where `atom` is not 0,
/// as one piece of `atom` source bytes.
#[derive(Clone, Copy, Debug)]
struct Step {
    text: usize,
    source: usize,
    atom: usize,
}

impl<'t> Normal<'t> {
    /// Folds `source`.
    pub(crate) fn of(source: &'t str) -> Self {
        let mut fold = Fold { source, out: String::new(), map: Vec::new(), done: 0, grouped: false };
        fold.run();
        if fold.map.is_empty() {
            return Normal { text: Cow::Borrowed(source), grouped: false, map: Vec::new() };
        }
        fold.copy(source.len());
        Normal { text: Cow::Owned(fold.out), grouped: fold.grouped, map: fold.map }
    }

    /// The span of the source that a span of the folded text stands for.
    pub(crate) fn source(&self, at: Span) -> Span {
        if self.map.is_empty() {
            return at;
        }
        let start = self.start_of(at.start);
        if at.is_empty() {
            return Span::new(start, start);
        }
        Span::new(start, self.end_of(at.end))
    }

    /// The source offset of the piece that begins at or covers `offset`.
    fn start_of(&self, offset: usize) -> usize {
        let i = self.map.partition_point(|s| s.text <= offset);
        match i.checked_sub(1).and_then(|i| self.map.get(i)) {
            None => offset,
            Some(s) if s.atom > 0 => s.source,
            Some(s) => s.source + (offset - s.text),
        }
    }

    /// The source offset at which the piece before `offset` ends.
    fn end_of(&self, offset: usize) -> usize {
        let i = self.map.partition_point(|s| s.text < offset);
        match i.checked_sub(1).and_then(|i| self.map.get(i)) {
            None => offset,
            Some(s) if s.atom > 0 => s.source + s.atom,
            Some(s) => s.source + (offset - s.text),
        }
    }
}

/// What a byte asks of the folding pass.
const PLAIN: u8 = 0;
/// A control byte that may start an escape.
const CONTROL: u8 = 1;
/// Not ASCII.
const HIGH: u8 = 2;
/// An underscore, possibly emphasis.
const UNDERSCORE: u8 = 3;
/// A line feed, possibly inside a wrapped token.
const BREAK: u8 = 4;

static ASKS: [u8; 256] = {
    let mut t = [PLAIN; 256];
    let mut i = 0;
    while i < 256 {
        if i >= 0x80 {
            t[i] = HIGH;
        } else if i < 0x20 || i == 0x7f {
            t[i] = CONTROL;
        }
        i += 1;
    }
    t[b'\t' as usize] = PLAIN;
    t[b'\r' as usize] = PLAIN;
    t[b'\n' as usize] = BREAK;
    t[b'_' as usize] = UNDERSCORE;
    t
};

struct Fold<'t> {
    source: &'t str,
    out: String,
    map: Vec<Step>,
    /// Source bytes before this offset are in `out`.
    done: usize,
    grouped: bool,
}

impl Fold<'_> {
    fn run(&mut self) {
        let bytes = self.source.as_bytes();
        let mut i = 0;
        // The end of the emphasis that is open, where its closing underscore stands.
        let mut closing = usize::MAX;
        while let Some(&b) = bytes.get(i) {
            match ASKS[usize::from(b)] {
                PLAIN => i += 1,
                CONTROL => {
                    let end = escape_end(bytes, i);
                    self.replace(i, end, "");
                    i = end;
                }
                UNDERSCORE => {
                    if i == closing {
                        closing = usize::MAX;
                        self.replace(i, i + 1, "");
                    } else if closing == usize::MAX
                        && let Some(end) = emphasis_end(bytes, i)
                    {
                        closing = end;
                        self.replace(i, i + 1, "");
                    }
                    i += 1;
                }
                BREAK => {
                    if let Some(end) = wrapped_token(bytes, i) {
                        self.replace(i, end, "");
                        i = end;
                    } else {
                        i += 1;
                    }
                }
                _ => i = self.high(i),
            }
        }
    }

    /// Folds the character at `i`, with what composes with it; returns where to go on.
    fn high(&mut self, i: usize) -> usize {
        let Some(c) = self.source.get(i..).and_then(|s| s.chars().next()) else { return i + 1 };
        let end = i + c.len_utf8();
        let selector = matches!(c, '\u{fe0e}' | '\u{fe0f}');
        if !selector && (canonical_combining_class(c) != 0 || is_combining_mark(c)) {
            return self.compose(i, end);
        }
        // A base letter beyond ASCII may compose with what follows it, and some letters compose with themselves.
        if let Some(n) = self.source.get(end..).and_then(|s| s.chars().next())
            && is_combining_mark(n)
            && !matches!(n, '\u{fe0e}' | '\u{fe0f}')
        {
            return end;
        }
        let bytes = self.source.as_bytes();
        let digit = |j: usize| bytes.get(j).is_some_and(u8::is_ascii_digit);
        match c {
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{ad}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{61c}' => {
                self.replace(i, end, "");
            }
            '\u{a0}' | '\u{2007}' | '\u{2008}' | '\u{2009}' | '\u{200a}' | '\u{202f}'
                if i > 0
                    && digit(i - 1)
                    && digit(end)
                    && digit(end + 1)
                    && digit(end + 2)
                    && !digit(end + 3) =>
            {
                self.grouped = true;
                self.replace(i, end, "");
            }
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                self.replace(i, end, " ");
            }
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => self.replace(i, end, "'"),
            '\u{201c}'..='\u{201f}' => self.replace(i, end, "\""),
            '\u{2010}' | '\u{2011}' | '\u{2212}' => self.replace(i, end, "-"),
            // A full-width comma ends a phrase, unless it stands between full-width digits.
            '\u{ff0c}' => {
                let before = self.source.get(..i).and_then(|s| s.chars().next_back());
                let after = self.source.get(end..).and_then(|s| s.chars().next());
                if before.is_some_and(is_wide_digit) && after.is_some_and(is_wide_digit) {
                    self.replace(i, end, ",");
                }
            }
            '\u{ff01}'..='\u{ff5e}' => {
                let ascii = u8::try_from(u32::from(c) - 0xff01 + 0x21).unwrap_or(b'?');
                self.replace(i, end, char::from(ascii).encode_utf8(&mut [0; 4]));
            }
            '\u{212b}' => self.replace(i, end, "\u{c5}"),
            '\u{2126}' => self.replace(i, end, "\u{3a9}"),
            '\u{2103}' => self.replace(i, end, "\u{b0}C"),
            '\u{2109}' => self.replace(i, end, "\u{b0}F"),
            '\u{3bc}' => self.replace(i, end, "\u{b5}"),
            '\u{fb00}'..='\u{fb06}' | '\u{1d7ce}'..='\u{1d7ff}' => {
                let folded: String = std::iter::once(c).nfkc().collect();
                self.replace(i, end, &folded);
            }
            _ => {}
        }
        end
    }

    /// Composes the letter before the mark at `i` with all marks that follow it.
    fn compose(&mut self, i: usize, mut end: usize) -> usize {
        let Some((start, _)) = self.source.get(..i).and_then(|s| s.char_indices().next_back()) else {
            return end;
        };
        while let Some(c) = self.source.get(end..).and_then(|s| s.chars().next())
            && is_combining_mark(c)
        {
            end += c.len_utf8();
        }
        let Some(piece) = self.source.get(start..end) else { return end };
        // Already folded away, or a run so long that it is no letter: leave it.
        if start < self.done || piece.len() > 64 {
            return end;
        }
        let composed: String = piece.nfc().collect();
        if composed != piece {
            self.replace(start, end, &composed);
        }
        end
    }

    /// Puts `with` in place of the source from `start` to `end`.
    fn replace(&mut self, start: usize, end: usize, with: &str) {
        self.copy(start);
        if !with.is_empty() {
            self.map.push(Step { text: self.out.len(), source: start, atom: end - start });
            self.out.push_str(with);
        }
        self.map.push(Step { text: self.out.len(), source: end, atom: 0 });
        self.done = end;
    }

    /// Copies the source up to `end`.
    fn copy(&mut self, end: usize) {
        self.out.push_str(self.source.get(self.done..end).unwrap_or_default());
        self.done = self.done.max(end);
    }
}

fn is_wide_digit(c: char) -> bool {
    ('\u{ff10}'..='\u{ff19}').contains(&c)
}

/// The end of the escape sequence, or of the lone control byte, at `i`.
fn escape_end(bytes: &[u8], i: usize) -> usize {
    if bytes.get(i) != Some(&0x1b) {
        return i + 1;
    }
    match bytes.get(i + 1) {
        // CSI: parameters, then a final byte.
        Some(b'[') => {
            let mut j = i + 2;
            while bytes.get(j).is_some_and(|b| (0x20..0x40).contains(b)) {
                j += 1;
            }
            if bytes.get(j).is_some_and(|b| (0x40..0x7f).contains(b)) { j + 1 } else { j }
        }
        // OSC and the other strings: up to BEL or ST, within a line.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let mut j = i + 2;
            while let Some(&b) = bytes.get(j) {
                match b {
                    0x07 => return j + 1,
                    0x1b if bytes.get(j + 1) == Some(&b'\\') => return j + 2,
                    0x1b | b'\n' => return j,
                    _ => j += 1,
                }
            }
            j
        }
        Some(b) if (0x30..0x7f).contains(b) => i + 2,
        Some(b'(' | b')' | b'#' | b' ') if bytes.get(i + 2).is_some_and(u8::is_ascii) => i + 3,
        _ => i + 1,
    }
}

/// Where the emphasis that opens at `i` closes: `_words without underscores_`, bounded, on one line.
fn emphasis_end(bytes: &[u8], i: usize) -> Option<usize> {
    let before = if i == 0 { b' ' } else { *bytes.get(i - 1)? };
    if before.is_ascii_alphanumeric()
        || matches!(before, b'_' | b'`' | b'/' | b'.' | b'\\' | b'$' | b'-')
        || before >= 0x80
    {
        return None;
    }
    if !bytes.get(i + 1)?.is_ascii_alphabetic() {
        return None;
    }
    let mut letters = true;
    for (j, &b) in bytes.iter().enumerate().skip(i + 1).take(160) {
        match b {
            b'_' => {
                let after = bytes.get(j + 1).copied().unwrap_or(b' ');
                let prev = *bytes.get(j - 1)?;
                let closes = !after.is_ascii_alphanumeric()
                    && !matches!(after, b'_' | b'(' | b'/' | b'`')
                    && (prev.is_ascii_alphanumeric() || matches!(prev, b'.' | b'!' | b'?' | b')'));
                return (closes && letters).then_some(j);
            }
            b'\n' | b'`' => return None,
            b' ' | b'\'' | b',' | b'.' | b'-' | b'!' | b'?' | b'(' | b')' | b':' | b'%' => {}
            _ if b.is_ascii_alphanumeric() || b >= 0x80 => {}
            _ => letters = false,
        }
    }
    None
}

/// Where the second half of a token that was wrapped at the line feed `i` begins, if there is such a token: a UUID that
/// the two halves complete, or a digest of a known length whose second half is indented.
fn wrapped_token(bytes: &[u8], i: usize) -> Option<usize> {
    let line = |b: u8| b.is_ascii_hexdigit() || b == b'-';
    let stop = if i > 0 && bytes.get(i - 1) == Some(&b'\r') { i - 1 } else { i };
    let last = *bytes.get(stop.checked_sub(1)?)?;
    if !line(last) {
        return None;
    }
    let mut next = i + 1;
    while bytes.get(next).is_some_and(|b| matches!(b, b' ' | b'\t')) {
        next += 1;
    }
    if next - i > 64 || !bytes.get(next).is_some_and(|&b| line(b)) {
        return None;
    }
    let mut from = stop;
    while from > 0 && stop - from < 130 && bytes.get(from - 1).is_some_and(|&b| line(b)) {
        from -= 1;
    }
    if from > 0 && bytes.get(from - 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        return None;
    }
    let mut to = next;
    while to - next < 130 && bytes.get(to).is_some_and(|&b| line(b)) {
        to += 1;
    }
    if bytes.get(to).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        return None;
    }
    let joined = || bytes.get(from..stop).into_iter().chain(bytes.get(next..to)).flatten().copied();
    let length = (stop - from) + (to - next);
    if length == 36 && stop - from >= 8 {
        let shape = joined().enumerate().all(|(k, b)| (b == b'-') == matches!(k, 8 | 13 | 18 | 23));
        return shape.then_some(next);
    }
    let digest = matches!(length, 32 | 40 | 56 | 64 | 96 | 128)
        && next > i + 1
        && stop - from >= 8
        && to - next >= 4
        && joined().all(|b| b.is_ascii_hexdigit())
        && joined().any(|b| b.is_ascii_digit())
        && joined().any(|b| b.is_ascii_alphabetic());
    digest.then_some(next)
}
