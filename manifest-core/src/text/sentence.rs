//! Sentences and clauses of a folded text.

use super::Span;
use super::clause;
use super::ending::{CLASS, Stop};
use super::line::{Line, Shape, line, ordinal, trim};
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
                // A rule under a sentence ends it, under a few words it makes them a heading.
                let ends = |l: &Line| l.body.of(text).ends_with(['.', '!', '?', '。', '！', '？']);
                let heading = run.len() <= 1 && !run.first().is_some_and(ends);
                cutter.flush(&mut run, heading);
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
            // The next byte that may end or nest, or the place where the stretch is too long.
            let limit = (start + CUT.end + 1).min(at.end).max(i);
            let found = bytes.get(i..limit).and_then(|s| s.iter().position(|&b| CLASS[usize::from(b)] != 0));
            let Some(skip) = found else {
                let cut = if limit < at.end { self.cut(start, at.end) } else { at.end };
                if cut >= at.end {
                    break;
                }
                self.push(Span::new(start, cut), kind, true);
                (start, depth) = (cut, 0);
                i = limit.max(cut);
                continue;
            };
            i += skip;
            match bytes.get(i) {
                Some(b'(') => {
                    (depth, opened) = (depth + 1, i);
                    i += 1;
                    continue;
                }
                Some(b')') => {
                    depth = depth.saturating_sub(1);
                    i += 1;
                    continue;
                }
                _ => {}
            }
            let Some(stop) = Stop::at(self.text, i, at.end) else {
                i += 1;
                continue;
            };
            let free = depth == 0 || i - opened > OPEN;
            if free && !(self.inside)(stop.end) && stop.ends(self.text, start, at.end) {
                self.push(Span::new(start, stop.end), kind, true);
                start = stop.end;
                depth = 0;
            }
            i = stop.end;
        }
        self.push(Span::new(start, at.end), kind, true);
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
        if clauses && kind != SentenceKind::Heading && at.len() <= 4 * CUT.end {
            let cuts = &mut self.clauses;
            clause::cut(self.text, at, &self.inside, |at| cuts.push(Clause { at, sentence }));
        } else {
            self.clauses.push(Clause { at, sentence });
        }
        self.sentences.push(Sentence { at, kind, clauses: first..self.clauses.len() });
    }
}

#[cfg(test)]
mod tests;
