//! The text as the reader sees it, with a map back to the bytes as given.

use super::Span;
use super::escape::RecordLine;
use super::noise::{control_end, emphasis_end, wrapped_token};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// A text without what carries no meaning, and the way back to its bytes.
///
/// Everything inside the crate works on `text`; only what is reported is mapped back with [`Normal::source`].
///
/// Folded: the escapes of quoted strings in records; ANSI escapes, zero-width and bidi controls and soft hyphens go; letters compose (NFC); full-width forms,
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
/// A backslash, possibly an escape.
const BACKSLASH: u8 = 5;

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
    t[b'\\' as usize] = BACKSLASH;
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
        let mut line = RecordLine::default();
        while let Some(&b) = bytes.get(i) {
            match ASKS[usize::from(b)] {
                PLAIN => i += 1,
                CONTROL => {
                    let end = control_end(bytes, i);
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
                BACKSLASH => match line.escape(bytes, i) {
                    Some(escape) => {
                        let with = escape.with.to_string().repeat(escape.times);
                        self.replace(i, escape.end, &with);
                        i = escape.end;
                    }
                    None => i += 1,
                },
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folded(text: &str) -> String {
        Normal::of(text).text.into_owned()
    }

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "The job failed.\n\tnext_line | a\\b {x} __init_lock__ a_b_c", "日本語 и кириллица"]
        {
            assert!(matches!(Normal::of(text).text, Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn what_carries_no_meaning_goes() {
        for (text, want) in [
            ("\u{1b}[31mFAIL\u{1b}[0m pkg/\u{1b}[1mledger\u{1b}[22m/x.go", "FAIL pkg/ledger/x.go"),
            ("\u{1b}]8;;https://a.example\u{7}link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}[38;5;196mexit\u{1b}[0m", "exit"),
            ("a\u{200b}b\u{ad}c\u{202e}d\u{feff}", "abcd"),
            ("can\u{2019}t \u{201c}go\u{201d}", "can't \"go\""),
            ("\u{2212}1.8\u{a0}s", "-1.8 s"),
            ("1\u{202f}200 and 1\u{a0}200", "1200 and 1200"),
            ("Mu\u{308}ller", "M\u{fc}ller"),
            ("１２：３０ ％ ＡＢ", "12:30 % AB"),
            ("_never_ touch __init_lock__, _not now_", "never touch __init_lock__, not now"),
            ("3f9a1c20-7b44-4e0d-\n  9d1e-55aa10c7e8b2", "3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2"),
            ("cfcd208495d565ef66e7\n    dff9f98764da,", "cfcd208495d565ef66e7dff9f98764da,"),
            ("ﬁle 𝟏𝟐", "file 12"),
        ] {
            assert_eq!(folded(text), want, "{text:?}");
        }
        assert!(Normal::of("1\u{202f}200").grouped);
    }

    #[test]
    fn escapes_of_records() {
        for (text, want) in [
            (r#"{"a":"x\ny","b":"C:\\new\\t"}"#, "{\"a\":\"x\ny\",\"b\":\"C:\\new\\t\"}"),
            (r#"{"args":"{\"bucket\":\"exp-77\"}"}"#, r#"{"args":"{"bucket":"exp-77"}"}"#),
            (r#"{"a":"{\"b\":\"x\\ny\"}"}"#, "{\"a\":\"{\"b\":\"x\ny\"}\"}"),
            (r#"{"a":"caf\u00e9 \ud83e\udd8a"}"#, "{\"a\":\"caf\u{e9} \u{1f98a}\"}"),
            (r"C:\new\t.log and \n", r"C:\new\t.log and \n"),
        ] {
            assert_eq!(folded(text), want, "{text}");
        }
    }

    #[test]
    fn what_carries_meaning_stays() {
        for text in [
            "аpi (a Cyrillic a)",
            "a_b",
            "_x",
            "snake_case_",
            "`_x_`",
            "/_next_/x",
            "3，5",
            "x_y_z _ _",
            "deadbeef\n  cafe",
            "1 200",
        ] {
            assert_eq!(folded(text), text, "{text:?}");
        }
    }

    #[test]
    fn spans_lead_back_to_the_source() {
        let text = "\u{1b}[31mFAIL\u{1b}[0m pkg/\u{1b}[1mledger\u{1b}[22m/x.go \u{201c}é\u{201d}";
        let n = Normal::of(text);
        let at = |part: &str| {
            let i = n.text.find(part).unwrap();
            n.source(Span::new(i, i + part.len())).of(text)
        };
        assert_eq!(at("FAIL"), "FAIL");
        assert_eq!(at("pkg/ledger/x.go"), "pkg/\u{1b}[1mledger\u{1b}[22m/x.go");
        assert_eq!(at("\"é\""), "\u{201c}é\u{201d}");
    }

    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "\u{1b}[1m",
                "\u{1b}]0;t\u{7}",
                "\u{1b}",
                "_",
                "__",
                "a",
                "9",
                "\u{308}",
                "\u{a0}",
                "\u{202f}",
                "\n",
                "\n  ",
                "-",
                "\\",
                "\"",
                "\\n",
                "{\"",
                "\":",
                "\\u00e9",
                "\\ud83e\\udd8a",
                "３",
                "，",
                "\u{200d}",
                "\u{fe0f}",
                "deadbeef",
                "3f9a1c20-7b44-",
                "ﬁ",
            ])
            .prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|p| p.concat())
    }

    proptest! {
        #[test]
        fn every_span_is_one_of_the_source(text in hostile()) {
            let n = Normal::of(&text);
            let bounds: Vec<usize> = n.text.char_indices().map(|(i, _)| i).chain([n.text.len()]).collect();
            let mut last = 0;
            for pair in bounds.windows(2) {
                let at = n.source(Span::new(pair[0], pair[1]));
                prop_assert!(text.is_char_boundary(at.start) && text.is_char_boundary(at.end));
                prop_assert!(at.start >= last && at.end <= text.len() && !at.is_empty(), "{:?} {:?}", at, text);
                last = at.start;
            }
            let all = n.source(Span::new(0, n.text.len()));
            prop_assert!(all.end <= text.len());
        }

        #[test]
        fn folding_twice_is_folding_once_where_nothing_escapes(text in "[a-zé１，“”_ \n\u{a0}\u{200b}\u{308}]{0,60}") {
            let once = folded(&text);
            // Emphasis within emphasis goes one layer at a time.
            if !text.contains('_') {
                prop_assert_eq!(folded(&once), once);
            }
        }
    }
}
