//! Sentences and clauses of a folded text.

use super::Span;
use super::clause;
use super::line::{Line, Shape, line, ordinal, trim};
use super::stop;
use std::ops::Range;

/// What a sentence is in the layout of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SentenceKind {
    /// Running prose.
    Prose,
    /// The body of a list item, without its marker or ordinal.
    Item,
    /// A heading or a list label: structure, no claim.
    Heading,
    /// A row of a table, a line of code, of a log or of JSON: one line.
    Line,
}

/// A sentence: a line, a list item, or a stretch of prose up to its full stop.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// What it is.
    pub(crate) kind: SentenceKind,
    /// Its clauses, as a range into the reading's clauses.
    pub(crate) clauses: Range<usize>,
}

/// An independent clause of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Index of its sentence.
    pub(crate) sentence: usize,
}

/// A stretch without a full stop is cut at a space between these lengths, in bytes: a line of a megabyte is no
/// sentence, and a source span of that length tells a reader nothing.
const CUT: Range<usize> = 400..600;
/// A parenthesis that is open for longer than this was never closed.
const OPEN: usize = 300;
/// Width below which a line was ended on purpose, not by wrapping; and above which lines are not wrapped at all.
const WRAP: Range<usize> = 50..121;

/// Cuts `text` into sentences and clauses. `inside(i)` says that byte `i` is in the middle of a token, where no
/// boundary can be.
pub(crate) fn split(text: &str, inside: impl Fn(usize) -> bool) -> (Vec<Sentence>, Vec<Clause>) {
    let mut cutter = Cutter { text, inside, sentences: Vec::new(), clauses: Vec::new() };
    let mut run: Vec<Line> = Vec::new();
    let mut fenced = false;
    let mut start = 0;
    while start < text.len() {
        let end = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| start + n);
        let mut l = line(text, Span::new(start, end));
        start = end + 1;
        if l.shape == Shape::Fence {
            fenced = !fenced;
        } else if fenced && !l.body.is_empty() {
            l.shape = Shape::Row;
        }
        match l.shape {
            Shape::Prose | Shape::Item if l.continues || run.is_empty() => run.push(l),
            Shape::Prose | Shape::Item => {
                cutter.flush(&mut run, false);
                run.push(l);
            }
            Shape::Underline => {
                if run.len() <= 1 {
                    cutter.flush(&mut run, true);
                } else {
                    cutter.flush(&mut run, false);
                }
                cutter.head();
            }
            Shape::Empty | Shape::Fence => cutter.flush(&mut run, false),
            Shape::Heading => {
                cutter.flush(&mut run, false);
                cutter.whole(l.body, SentenceKind::Heading);
            }
            Shape::Row => {
                cutter.flush(&mut run, false);
                cutter.whole(l.body, SentenceKind::Line);
            }
        }
    }
    cutter.flush(&mut run, false);
    (cutter.sentences, cutter.clauses)
}

struct Cutter<'t, F> {
    text: &'t str,
    inside: F,
    sentences: Vec<Sentence>,
    clauses: Vec<Clause>,
}

impl<F: Fn(usize) -> bool> Cutter<'_, F> {
    /// Ends a run of lines: joins those that were wrapped and cuts each stretch into sentences.
    fn flush(&mut self, run: &mut Vec<Line>, heading: bool) {
        let widest = run.iter().map(|l| l.body.len()).max().unwrap_or(0);
        let mut at: Option<(Span, SentenceKind)> = None;
        for l in run.drain(..) {
            let kind = if heading {
                SentenceKind::Heading
            } else if l.shape == Shape::Item {
                SentenceKind::Item
            } else {
                SentenceKind::Prose
            };
            match &mut at {
                Some((open, _)) if l.continues && self.wrapped(*open, l.body, widest) => {
                    open.end = l.body.end;
                }
                _ => {
                    if let Some((done, kind)) = at.replace((l.body, kind)) {
                        self.stretch(done, kind);
                    }
                }
            }
        }
        if let Some((done, kind)) = at {
            self.stretch(done, kind);
        }
    }

    /// Whether `next` goes on with the line that ends `open`: that line has no end of its own, and its next word
    /// begins small or would not have fitted.
    fn wrapped(&self, open: Span, next: Span, widest: usize) -> bool {
        let above = open.of(self.text);
        let above = above.rsplit('\n').next().unwrap_or(above);
        if above
            .trim_end_matches(['"', '\'', ')', '”', '’', '*'])
            .ends_with(['.', '!', '?', ':', '。', '！', '？', '：', ';', '；', '…'])
        {
            return false;
        }
        let below = next.of(self.text);
        let Some(first) = below.chars().next() else { return false };
        let word = below.split_ascii_whitespace().next().unwrap_or_default().len();
        let full = WRAP.contains(&widest) && above.len() >= WRAP.start && above.len() + 1 + word > widest;
        first.is_lowercase() && above.len() >= WRAP.start / 2 || full
    }

    /// A line that is one sentence, whatever stands in it.
    fn whole(&mut self, at: Span, kind: SentenceKind) {
        let mut start = at.start;
        while at.end - start > CUT.end {
            let cut = self.cut(start, at.end);
            if cut >= at.end {
                break;
            }
            self.push(Span::new(start, cut), kind, false);
            start = cut;
        }
        self.push(Span::new(start, at.end), kind, false);
    }

    /// The row before a table's rule is its head.
    fn head(&mut self) {
        if let Some(last) = self.sentences.last_mut()
            && last.kind == SentenceKind::Line
            && last.at.of(self.text).starts_with('|')
        {
            last.kind = SentenceKind::Heading;
        }
    }

    /// Cuts a stretch of prose at its full stops.
    fn stretch(&mut self, at: Span, kind: SentenceKind) {
        let bytes = self.text.as_bytes();
        let mut start = at.start;
        let (mut depth, mut opened) = (0_usize, at.start);
        let mut i = at.start;
        while i < at.end {
            let Some(&b) = bytes.get(i) else { break };
            if i - start > CUT.end {
                let cut = self.cut(start, at.end);
                if cut < at.end && cut > start {
                    self.push(Span::new(start, cut), kind, true);
                    (start, depth) = (cut, 0);
                    i = i.max(cut);
                    continue;
                }
            }
            match CLASS[usize::from(b)] {
                0 => {
                    i += 1;
                    continue;
                }
                b'(' => {
                    (depth, opened) = (depth + 1, i);
                    i += 1;
                    continue;
                }
                b')' => {
                    depth = depth.saturating_sub(1);
                    i += 1;
                    continue;
                }
                _ => {}
            }
            let Some((stop, wide)) = self.terminator(i, at.end) else {
                i += 1;
                continue;
            };
            let end = self.closers(stop, at.end);
            let free = depth == 0 || i - opened > OPEN;
            if free && !(self.inside)(end) && self.ends(start, i, stop, end, at.end, wide) {
                self.push(Span::new(start, end), kind, true);
                start = end;
                depth = 0;
            }
            i = end;
        }
        self.push(Span::new(start, at.end), kind, true);
    }

    /// The end of the run of full stops at `i`, and whether it is of a script that puts no space after it.
    fn terminator(&self, i: usize, end: usize) -> Option<(usize, bool)> {
        let (mut j, mut wide, mut colon) = (i, false, false);
        for c in self.text.get(i..end)?.chars() {
            match c {
                '.' | '!' | '?' | '…' | '‽' => {}
                ':' if j == i => colon = true,
                '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '؟' | '۔' | '։' | '።' | '။' | '།' | '។' =>
                {
                    wide = true;
                }
                _ => break,
            }
            j += c.len_utf8();
            if colon {
                break;
            }
        }
        (j > i).then_some((j, wide))
    }

    /// Past the quotes, brackets and emphasis that close a sentence.
    fn closers(&self, from: usize, end: usize) -> usize {
        let mut j = from;
        for c in self.text.get(from..end).unwrap_or_default().chars() {
            if !matches!(
                c,
                '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '*' | '_' | '`'
            ) {
                break;
            }
            j += c.len_utf8();
        }
        j
    }

    /// Whether the stop in `i..stop`, closed up to `end`, ends the sentence that began at `start`.
    fn ends(&self, start: usize, i: usize, stop: usize, end: usize, limit: usize, wide: bool) -> bool {
        if wide {
            return true;
        }
        let rest = self.text.get(end..limit).unwrap_or_default();
        let next = rest.trim_start();
        if next.is_empty() {
            return true;
        }
        let (Some(first), Some(mark)) = (next.chars().next(), self.text.as_bytes().get(i)) else {
            return true;
        };
        if next.len() == rest.len() {
            // No space: another script may follow directly, anything else is inside something.
            return !first.is_ascii() && stop::unspaced(first) && *mark != b':';
        }
        let numbered = ordinal(next.as_bytes()).is_some_and(|(n, _)| {
            let after = next.get(n + 1..).unwrap_or_default();
            next.as_bytes().first().is_some_and(u8::is_ascii_digit)
                && after.trim_start().starts_with(char::is_uppercase)
                && after.starts_with(char::is_whitespace)
        });
        if *mark == b':' {
            return numbered;
        }
        if end > stop && first.is_lowercase() {
            return false;
        }
        if *mark != b'.' || stop - i > 1 {
            // An ellipsis goes on with a small letter; a question mark does not.
            return !(first.is_lowercase()
                && self.text.get(i..stop).is_some_and(|s| s.starts_with(['.', '…'])));
        }
        let before = self.text.get(start..i).unwrap_or_default();
        let word = before
            .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“' | '[' | '/'))
            .next()
            .unwrap_or_default();
        if word.is_empty() {
            return true;
        }
        let whole = before.trim_start().len() == word.len();
        if whole
            && word.len() <= 3
            && ordinal(self.text.get(i - word.len()..stop).unwrap_or_default().as_bytes()).is_some()
        {
            return false;
        }
        let follow: String = next.chars().take_while(|c| c.is_alphabetic()).take(12).collect();
        match stop::abbreviation(word) {
            stop::Abbreviation::Title => false,
            stop::Abbreviation::Number => !first.is_ascii_digit() && first.is_uppercase(),
            stop::Abbreviation::Last => first.is_uppercase() && stop::opens(&follow),
            stop::Abbreviation::None => {
                let letters = word.chars().count();
                if letters == 1 && word.starts_with(char::is_uppercase) {
                    return stop::opens(&follow);
                }
                if first.is_lowercase() {
                    return letters >= 3 && word.chars().all(char::is_lowercase);
                }
                true
            }
        }
    }

    /// Where a stretch that is too long is cut: at a space, else after a comma, else after the token.
    fn cut(&self, start: usize, end: usize) -> usize {
        let (low, high) = (start + CUT.start, (start + CUT.end).min(end));
        let bytes = self.text.as_bytes();
        let place = |want: fn(u8) -> bool| {
            (low..high)
                .rev()
                .find(|&i| bytes.get(i).copied().is_some_and(want) && !(self.inside)(i + 1))
                .map(|i| i + 1)
        };
        place(|b| b.is_ascii_whitespace())
            .or_else(|| place(|b| matches!(b, b',' | b';' | b'|' | b'&')))
            .or_else(|| (high..end).find(|&i| self.text.is_char_boundary(i) && !(self.inside)(i)))
            .unwrap_or(end)
    }

    /// Adds a sentence with its clauses. An ordinal in front of it belongs to the layout.
    fn push(&mut self, at: Span, kind: SentenceKind, clauses: bool) {
        let mut at = trim(self.text, at);
        let head = at.of(self.text);
        if clauses
            && let Some((n, _)) = ordinal(head.as_bytes())
            && head.as_bytes().first().is_some_and(u8::is_ascii_digit)
            && head.as_bytes().get(n + 1).is_some_and(u8::is_ascii_whitespace)
            && !(self.inside)(at.start + n)
        {
            at = trim(self.text, Span::new(at.start + n + 1, at.end));
        }
        if at.is_empty() {
            return;
        }
        let (sentence, first) = (self.sentences.len(), self.clauses.len());
        if clauses && kind != SentenceKind::Heading {
            let cuts = &mut self.clauses;
            clause::cut(self.text, at, &self.inside, |at| cuts.push(Clause { at, sentence }));
        } else {
            self.clauses.push(Clause { at, sentence });
        }
        self.sentences.push(Sentence { at, kind, clauses: first..self.clauses.len() });
    }
}

/// Bytes at which a stretch of prose may end or nest; lead bytes of other scripts stand for their full stops.
const CLASS: [u8; 256] = {
    let mut t = [0_u8; 256];
    t[b'.' as usize] = 1;
    t[b'!' as usize] = 1;
    t[b'?' as usize] = 1;
    t[b':' as usize] = 1;
    t[b'(' as usize] = b'(';
    t[b')' as usize] = b')';
    // Lead bytes of …, ։, ؟, ۔, Indic, Ethiopic, Khmer, Tibetan and CJK stops.
    t[0xD6] = 1;
    t[0xD8] = 1;
    t[0xDB] = 1;
    t[0xE0] = 1;
    t[0xE1] = 1;
    t[0xE2] = 1;
    t[0xE3] = 1;
    t[0xEF] = 1;
    t
};

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(&str, SentenceKind)> {
        split(text, |_| false).0.iter().map(|s| (s.at.of(text), s.kind)).collect()
    }

    fn prose(text: &str) -> Vec<&str> {
        cut(text).into_iter().map(|(s, _)| s).collect()
    }

    fn clauses(text: &str) -> Vec<&str> {
        split(text, |_| false).1.iter().map(|c| c.at.of(text)).collect()
    }

    #[test]
    fn full_stops_that_end_nothing() {
        for whole in [
            "Dr. Smith met J. Doe at 5 p.m. in St. Louis.",
            "See e.g. the file, i.e. config.toml, or Fig. 2 and No. 5.",
            "Version 1.2.3 costs $3.50 at https://a.example/x.y?z=1. ",
            "It took approx. five minutes vs. ten before.",
            "The U.S. team at Acme Inc. agreed.",
            "He waited... and then left.",
            "\"What now?\" he asked.",
            "It failed (see the log. It is long.) twice.",
            "Das gilt z.B. für Nr. 5 bzw. Abb. 3.",
        ] {
            assert_eq!(prose(whole), [whole.trim()], "{whole}");
        }
    }

    #[test]
    fn full_stops_that_end_a_sentence() {
        for (text, parts) in [
            ("It failed. We retried.", vec!["It failed.", "We retried."]),
            ("ok. i want a refund. thanks", vec!["ok. i want a refund.", "thanks"]),
            ("Plan B. The end.", vec!["Plan B.", "The end."]),
            ("He said \"no.\" She left.", vec!["He said \"no.\"", "She left."]),
            ("Is it? Yes! Good.", vec!["Is it?", "Yes!", "Good."]),
            ("OK , we 're on . So go .", vec!["OK , we 're on .", "So go ."]),
            ("It closed at 5 p.m. The rest waited.", vec!["It closed at 5 p.m.", "The rest waited."]),
            ("失败了。我们重试！好吗？", vec!["失败了。", "我们重试！", "好吗？"]),
            ("यह ठीक है। वह गया।", vec!["यह ठीक है।", "वह गया।"]),
            (
                "Three plans: 1. Basic: $300. 2. Premium: $600.",
                vec!["Three plans:", "Basic: $300.", "Premium: $600."],
            ),
        ] {
            assert_eq!(prose(text), parts, "{text}");
        }
    }

    #[test]
    fn layout() {
        use SentenceKind::{Heading, Item, Line, Prose};
        let text = "# Title\n\nDecisions:\n- keep Redis\n* [x] drop Kafka. It was slow.\n1. first\n2) second\n\n**Open**\n\
                    | a | b |\n|---|---|\n| 1 | 2 |\n```rust\nlet x = 1;\n// Done. Next.\n```\nSummary\n=======\nuser: hi there\n\
                    {\"a\": 1, \"b\": 2}\n2024-05-01 10:00:00 ERROR failed. Retrying.\n---\nThe end";
        assert_eq!(
            cut(text),
            [
                ("Title", Heading),
                ("Decisions:", Heading),
                ("keep Redis", Item),
                ("drop Kafka.", Item),
                ("It was slow.", Item),
                ("first", Item),
                ("second", Item),
                ("**Open**", Heading),
                ("| a | b |", Heading),
                ("| 1 | 2 |", Line),
                ("let x = 1;", Line),
                ("// Done. Next.", Line),
                ("Summary", Heading),
                ("user: hi there", Prose),
                ("{\"a\": 1, \"b\": 2}", Line),
                ("2024-05-01 10:00:00 ERROR failed. Retrying.", Line),
                ("The end", Prose),
            ]
        );
    }

    #[test]
    fn wrapped_lines_are_one_sentence_and_others_are_not() {
        let wrapped = "The deploy of the payment service was stopped by hand at\nnoon since the queue had grown beyond what the workers of\nFrankfurt could drain.";
        assert_eq!(prose(wrapped).len(), 1);
        let chat = "user: where is my order\nassistant: it left today\nok";
        assert_eq!(prose(chat).len(), 3);
        let log = "Add support for streaming\nFix the parser\nUpdate dependencies of the web client and its examples";
        assert_eq!(prose(log).len(), 3);
    }

    #[test]
    fn clauses_that_stand_alone() {
        for (text, parts) in [
            ("Build A failed, and build B passed.", vec!["Build A failed", "build B passed."]),
            ("We kept Redis; Kafka was dropped.", vec!["We kept Redis", "Kafka was dropped."]),
            (
                "The tests were slow but the deploy was fast.",
                vec!["The tests were slow", "the deploy was fast."],
            ),
            ("He left and she stayed.", vec!["He left", "she stayed."]),
            ("The cache was full — the worker crashed.", vec!["The cache was full", "the worker crashed."]),
            ("超时了；重试成功。", vec!["超时了", "重试成功。"]),
        ] {
            assert_eq!(clauses(text), parts, "{text}");
        }
    }

    #[test]
    fn clauses_that_do_not() {
        for whole in [
            "The tests, the docs and the code were updated.",
            "He said that the tests and the docs were updated.",
            "The service (it was new; nobody knew it) crashed.",
            "He wrote \"stop; we wait\" on the board.",
            "Bread and butter.",
            "The required files and the needed options are listed.",
            "It reads and writes files.",
            "The timeout is 30s, not 60s.",
        ] {
            assert_eq!(clauses(whole), [whole], "{whole}");
        }
    }

    #[test]
    fn a_token_is_never_cut() {
        let text = "Run a. B now";
        assert_eq!(split(text, |i| (4..9).contains(&i)).0.len(), 1);
    }

    #[test]
    fn a_long_line_is_cut_at_spaces() {
        let text = "word ".repeat(10_000);
        let (sentences, _) = split(&text, |_| false);
        assert!(sentences.iter().all(|s| s.at.len() <= CUT.end && !s.at.of(&text).starts_with("ord")));
        let solid = "x".repeat(10_000);
        assert_eq!(split(&solid, |i| i > 0 && i < 10_000).0.len(), 1);
        assert!(split(&solid, |_| false).0.len() > 10);
    }
}
