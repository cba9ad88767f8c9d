//! Lines and sentences of the parent that stand in a child word for word: whatever a comparison of clauses makes of
//! them, they say what their source says.

use super::parent::Text;
use crate::text::Span;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// A line or sentence of fewer words, or of fewer bytes, says too little by itself: `ok` stands everywhere.
const WORDS: usize = 2;
const BYTES: usize = 12;
/// A single word of so many bytes is a record.
const RECORD: usize = 24;

/// The parent's lines and sentences, and which of them a child holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Verbatim {
    units: Vec<(Span, bool)>,
    by_hash: FxHashMap<u64, Vec<u32>>,
}

impl Verbatim {
    /// The lines and sentences of the parent.
    pub(super) fn of(parent: &Text<'_>) -> Self {
        let mut found: Vec<(Span, Option<u64>)> = Vec::new();
        units(parent, |at, hash| found.push((at, Some(hash))));
        // An empty line between two that are held says nothing.
        let folded = &*parent.reading.normal.text;
        let empty = lines(folded).filter(|line| line.of(folded).trim().is_empty());
        found.extend(empty.map(|line| (line, None)));
        found.sort_by_key(|(at, _)| (at.start, at.end));
        let mut out = Verbatim::default();
        for (number, (at, hash)) in (0..).zip(found) {
            if let Some(hash) = hash {
                out.by_hash.entry(hash).or_default().push(number);
            }
            out.units.push((at, hash.is_none()));
        }
        out
    }

    /// Looks at one child.
    pub(super) fn child(&mut self, child: &Text<'_>) {
        let Verbatim { units: own, by_hash } = self;
        if own.is_empty() {
            return;
        }
        units(child, |_, hash| {
            // Found once is found: what stands again need not be marked again.
            for number in by_hash.remove(&hash).unwrap_or_default() {
                if let Some((_, found)) = own.get_mut(number as usize) {
                    *found = true;
                }
            }
        });
    }

    /// Whether lines and sentences that a child holds cover a stretch of the folded parent.
    pub(super) fn holds(&self, at: Span) -> bool {
        let next = self.units.partition_point(|(unit, _)| unit.start < at.end);
        let mut from = at.end;
        // From the end backwards: each unit that is held takes away what it covers.
        for (unit, found) in self.units.get(..next).unwrap_or_default().iter().rev().take(LOOK) {
            if *found && unit.end >= from {
                from = from.min(unit.start);
            }
            if from <= at.start {
                return true;
            }
        }
        false
    }
}

/// Units that are looked at before the end of a stretch.
const LOOK: usize = 64;

/// The lines and sentences of a text with the hash of their words.
fn units(text: &Text<'_>, mut tell: impl FnMut(Span, u64)) {
    let folded = &*text.reading.normal.text;
    for line in lines(folded) {
        let said = line.of(folded);
        if let Some(hash) = hash(said) {
            tell(line, hash);
        }
        // A log's line that is taken over in part is cut where a sentence of prose ends.
        let (mut start, mut rest) = (line.start, said);
        while let Some(end) = rest.find(". ").map(|at| at + 1) {
            let at = Span::new(start, start + end);
            if let Some(hash) = hash(at.of(folded)) {
                tell(at, hash);
            }
            (start, rest) = (at.end, rest.get(end..).unwrap_or_default());
        }
    }
    for sentence in &text.reading.sentences {
        let said = sentence.at.of(folded);
        // A sentence that is its line was told.
        let whole =
            folded.get(..sentence.at.start).is_none_or(|head| head.ends_with('\n') || head.is_empty())
                && folded.get(sentence.at.end..).is_none_or(|tail| tail.starts_with('\n') || tail.is_empty());
        if !whole && let Some(hash) = hash(said) {
            tell(sentence.at, hash);
        }
    }
}

/// The lines of a text, each with the break that ends it.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let at = Span::new(*start, *start + line.len());
        *start = at.end;
        Some(at)
    })
}

/// The hash of the words of a stretch, without what a list or a quote puts around it; `None` for too few.
fn hash(stretch: &str) -> Option<u64> {
    let around = |c: char| {
        c.is_whitespace()
            || matches!(c, '-' | '*' | '•' | '`' | '"' | '\'' | '>' | '|' | '#' | '.' | ';' | ',' | ':')
    };
    let mut hasher = FxHasher::default();
    let (mut words, mut bytes) = (0, 0);
    for word in stretch.trim_matches(around).split_whitespace() {
        hasher.write(word.as_bytes());
        hasher.write_u8(b' ');
        words += 1;
        bytes += word.len();
    }
    (words >= WORDS && bytes >= BYTES || bytes >= RECORD).then(|| hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn held(parent: &str, child: &str, stretch: &str) -> bool {
        let parent = Text::of(read(parent));
        let mut verbatim = Verbatim::of(&parent);
        verbatim.child(&Text::of(read(child)));
        let start = parent.reading.normal.text.find(stretch).unwrap();
        verbatim.holds(Span::new(start, start + stretch.len()))
    }

    #[test]
    fn whole_lines_and_sentences_are_held() {
        let child = "PASS [   0.049s] ( 15/136) cli::audit what_is_no_session\nThe pump was shut. It was opened again at noon.";
        assert!(held("- `PASS [ 0.049s] ( 15/136) cli::audit what_is_no_session`", child, "15/136"));
        assert!(held("Shut first. It was opened again at noon.", child, "opened again"));
        assert!(!held("It was opened again at night.", child, "opened again"));
        assert!(!held("It was not opened again at noon.", child, "opened again"));
        assert!(!held("opened again", child, "opened again"), "a part of a sentence is no sentence");
        let log =
            "[07:04:22,671] INFO [Tank 8] Shrinking 1,2,3 to 3,1. Head: (mark: 669, end: 670). (pump.server)";
        let part = "[07:04:22,671] INFO [Tank 8] Shrinking 1,2,3 to 3,1.";
        assert!(held(part, log, part) && !held(&part.replace("3,1", "3,2"), log, "3,2"));
        let rows = "pump_1|sync|00:00:00.003112\npump-11  HELD     19873   22";
        let apart = "pump_1|sync|00:00:00.003112\n\npump-11  HELD     19873   22";
        assert!(held(apart, rows, apart), "a record of one word, and an empty line");
        let other = apart.replace("22", "23");
        assert!(!held(&other, rows, &other));
    }
}
