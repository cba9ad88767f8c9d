//! The parent, indexed once: which of its clauses hold which words and facts.

use super::binding::family;
use crate::fact::statement::{Cues, Statement, Statements, cue_of};
use crate::fact::{Fact, Reading};
use crate::text::{SentenceKind, Span, Word, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// How many clauses before one a negation may reach over ("forbidden: a, b, c and d").
const CLAUSES: usize = 8;

/// Content words of the longest sentence that only says what became of the one before.
const VERDICT: usize = 2;

/// A stretch of a clause that binds its tokens to each other: up to a comma, a table row, one `key=value`.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Index of its sentence.
    pub(crate) sentence: usize,
    /// Its facts, as a range into the reading's facts.
    pub(crate) facts: Range<usize>,
    /// Its content words, as a range into the statements' words.
    pub(crate) words: Range<usize>,
}

/// A text with its statements and segments.
#[derive(Clone, Debug)]
pub(crate) struct Text<'t> {
    /// The text, read.
    pub(crate) reading: Reading<'t>,
    /// All its words, in order.
    pub(crate) words: Vec<Word>,
    /// What its clauses say.
    pub(crate) statements: Statements,
    /// The stretches that bind.
    pub(crate) segments: Vec<Segment>,
}

impl<'t> Text<'t> {
    /// Reads the statements and segments of a reading.
    pub(crate) fn of(reading: Reading<'t>) -> Self {
        let folded = &*reading.normal.text;
        let words = words(folded, Span::new(0, folded.len()));
        let statements = Statements::of(&reading, &words);
        let mut segments = Vec::new();
        for statement in &statements.all {
            cut(&reading, &statements, statement, &mut segments);
        }
        Text { reading, words, statements, segments }
    }

    /// The items of a range of words and facts: stems and fact keys, each once.
    pub(crate) fn items(&self, words: Range<usize>, facts: Range<usize>) -> Vec<u64> {
        let mut items: Vec<u64> =
            self.statements.words.get(words).unwrap_or_default().iter().map(|w| w.stem).collect();
        items.extend(self.reading.facts.get(facts).unwrap_or_default().iter().map(|f| f.key));
        items.sort_unstable();
        items.dedup();
        items
    }

    /// The items of one statement.
    pub(crate) fn items_of(&self, statement: &Statement) -> Vec<u64> {
        self.items(statement.words.clone(), statement.facts.clone())
    }

    /// The items of one statement without who says or asks it: what is said.
    pub(crate) fn said_items(&self, statement: &Statement) -> Vec<u64> {
        if statement.actor.is_none() && statement.speaker.is_none() {
            return self.items_of(statement);
        }
        let folded = &*self.reading.normal.text;
        let words = self.statements.words_of(statement);
        let mut items: Vec<u64> =
            words.iter().filter(|w| !names_speaker(w.at.of(folded))).map(|w| w.stem).collect();
        items.extend(
            self.reading.facts.get(statement.facts.clone()).unwrap_or_default().iter().map(|f| f.key),
        );
        items.sort_unstable();
        items.dedup();
        items
    }

    /// For each statement: whether another clause of its sentence, or the heading above it, negates or forbids.
    pub(crate) fn negating(&self) -> Vec<bool> {
        let turns = Cues::NEGATION.with(Cues::PROHIBITION).with(Cues::DENIAL).with(Cues::ALTERNATIVE);
        let statements = &self.statements.all;
        let folded = &*self.reading.normal.text;
        let mut heading = (0, false);
        statements
            .iter()
            .enumerate()
            .map(|(i, statement)| {
                while heading.0 < statement.sentence {
                    if let Some(above) = self.reading.sentences.get(heading.0)
                        && above.kind == SentenceKind::Heading
                    {
                        let words = above.at.of(folded).to_lowercase();
                        heading.1 = words
                            .split(|c: char| !c.is_alphanumeric() && c != '\'')
                            .any(|w| cue_of(w).any(turns));
                    }
                    heading.0 += 1;
                }
                let turned = |s: &Statement| s.sentence == statement.sentence && s.cues.any(turns);
                let before = statements
                    .iter()
                    .take(i)
                    .rev()
                    .take(CLAUSES)
                    .take_while(|s| s.sentence == statement.sentence);
                // "Open the gate by hand. Rejected.": a verdict on what stands before it.
                let verdict = |s: &Statement| {
                    let gap = folded.get(statement.at.end..s.at.start).unwrap_or_default();
                    s.words.len() <= VERDICT && s.facts.is_empty() && s.cues.any(turns) && !gap.contains('\n')
                };
                heading.1
                    || before.into_iter().any(turned)
                    || statements.get(i + 1).is_some_and(|s| turned(s) || verdict(s))
            })
            .collect()
    }

    /// The text of a span of the folded text, as given, with secrets masked.
    pub(crate) fn shown(&self, at: Span) -> String {
        masked(&self.reading, self.reading.normal.source(at))
    }
}

/// Whether a word names a speaker or the act of asking.
fn names_speaker(word: &str) -> bool {
    let word = word.to_lowercase();
    matches!(word.as_str(), "user" | "assistant" | "agent" | "tool" | "system" | "human" | "please")
        || cue_of(&word).any(Cues::ASK)
}

/// What stands for a secret wherever text is shown.
pub(crate) const MASK: &str = "[secret]";

/// The text of a span of the text as given, with secrets masked.
pub(crate) fn masked(reading: &Reading<'_>, span: Span) -> String {
    let mut out = String::new();
    let mut from = span.start;
    // Asked for every clause that may be shown, so a search and not a pass over all facts.
    let first = reading.secrets.partition_point(|secret| secret.end <= span.start);
    let within = reading.secrets.iter().skip(first).take_while(|secret| secret.start < span.end);
    for secret in within {
        out.push_str(reading.text.get(from..secret.start.max(from)).unwrap_or_default());
        out.push_str(MASK);
        from = secret.end.max(from);
    }
    out.push_str(reading.text.get(from..span.end.max(from)).unwrap_or_default());
    out
}

/// Cuts one statement into segments.
fn cut(reading: &Reading<'_>, statements: &Statements, statement: &Statement, out: &mut Vec<Segment>) {
    let text = &*reading.normal.text;
    let body = statement.at.of(text);
    let row = body.contains('|') && body.matches('|').count() >= 2;
    let facts = reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let mut start = statement.at.start;
    let mut fact = 0;
    let mut push = |from: usize, to: usize| {
        if from < to {
            out.push(Segment {
                at: Span::new(from, to),
                sentence: statement.sentence,
                facts: range_within(facts.iter().map(|f| f.at.start), from, to, statement.facts.start),
                words: range_within(
                    statements.words_of(statement).iter().map(|w| w.at.start),
                    from,
                    to,
                    statement.words.start,
                ),
            });
        }
    };
    if !row {
        for (offset, c) in body.char_indices() {
            let at = statement.at.start + offset;
            while facts.get(fact).is_some_and(|f| f.at.end <= at) {
                fact += 1;
            }
            // Inside a token there is no boundary (quotes and names excepted: they may hold several).
            if facts.get(fact).is_some_and(|f| f.at.start < at && at < f.at.end) {
                continue;
            }
            let boundary = match c {
                ',' | ';' | '，' | '、' | '；' | '\n' => true,
                ' ' | '\t' => {
                    pair_ends(&text[start..at]) && pair_starts(&text[at..statement.at.end])
                        || joins(text, (start, at, statement.at.end), facts)
                }
                _ => false,
            };
            if boundary {
                push(start, at);
                start = at + c.len_utf8();
            }
        }
    }
    push(start, statement.at.end);
}

/// Facts before an "and" that are looked at for the value that it joins.
const FACTS: usize = 8;

/// Whether an "and" that begins at `at` joins two values, each with whose it is: "40 mm for the gate and 60 mm for the
/// valve". `from` is where the stretch before it begins, `end` where the clause ends.
fn joins(text: &str, (from, at, end): (usize, usize, usize), facts: &[Fact]) -> bool {
    let rest = text.get(at..end).unwrap_or_default();
    let Some(tail) = [" and ", " und ", " et ", " y "].into_iter().find_map(|w| rest.strip_prefix(w)) else {
        return false;
    };
    let next = end - tail.len();
    let valued = |f: &&Fact| f.whole.is_none() && family(f.class).is_some();
    let number = facts.partition_point(|f| f.at.start < next);
    // The value opens its member and is followed by whose it is.
    let Some(value) = facts.get(number).filter(|f| f.at.start == next && valued(f)) else { return false };
    let earlier = facts.get(..number).unwrap_or_default().iter().rev().take(FACTS).find(valued);
    let owned = |after: usize| {
        let after = text.get(after..end).unwrap_or_default();
        [" for ", " at ", " in ", " on ", " für ", " pour ", " para "].iter().any(|w| after.starts_with(w))
    };
    owned(value.at.end)
        && earlier
            .is_some_and(|f| f.at.start >= from && family(f.class) == family(value.class) && owned(f.at.end))
}

/// Whether a stretch is one whole `key=value`.
fn pair_ends(stretch: &str) -> bool {
    let last = stretch.rsplit([' ', '\t']).next().unwrap_or_default();
    last.find('=').is_some_and(|at| at > 0 && at + 1 < last.len())
}

/// Whether the next word is a `key=value`.
fn pair_starts(rest: &str) -> bool {
    let next = rest.trim_start().split([' ', '\t']).next().unwrap_or_default();
    next.find('=').is_some_and(|at| at > 0 && at + 1 < next.len())
}

fn range_within(starts: impl Iterator<Item = usize>, from: usize, to: usize, base: usize) -> Range<usize> {
    let (mut first, mut last) = (None, 0);
    for (i, start) in starts.enumerate() {
        if start >= from && start < to {
            first.get_or_insert(i);
            last = i + 1;
        }
    }
    match first {
        Some(first) => base + first..base + last,
        None => base..base,
    }
}

/// How many clauses of the parent one clause of a child is set beside, at most.
const NEAREST: usize = 64;

/// Where an item stands in the parent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Fact key → facts of the parent.
    pub(crate) facts: FxHashMap<u64, Vec<usize>>,
    /// The second keys of its facts.
    pub(crate) also: FxHashSet<u64>,
    /// Item → statements of the parent that hold it.
    pub(crate) statements: FxHashMap<u64, Vec<u32>>,
    /// Item → segments of the parent that hold it.
    pub(crate) segments: FxHashMap<u64, Vec<u32>>,
}

impl Index {
    /// Indexes the parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut index = Index::default();
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            index.facts.entry(fact.key).or_default().push(i);
            index.also.extend(fact.also);
        }
        for (i, statement) in parent.statements.all.iter().enumerate() {
            for item in parent.items_of(statement) {
                index.statements.entry(item).or_default().push(u32::try_from(i).unwrap_or(u32::MAX));
            }
        }
        for (i, segment) in parent.segments.iter().enumerate() {
            for item in parent.items(segment.words.clone(), segment.facts.clone()) {
                index.segments.entry(item).or_default().push(u32::try_from(i).unwrap_or(u32::MAX));
            }
        }
        index
    }

    /// Numbers of the parent's clauses (or segments) that share the most with some items, each once.
    pub(crate) fn nearest(of: &FxHashMap<u64, Vec<u32>>, items: &[u64], out: &mut Vec<u32>) {
        out.clear();
        for item in items {
            // What stands everywhere tells no clause from another: a few of them are enough.
            out.extend(of.get(item).map(Vec::as_slice).unwrap_or_default().iter().take(NEAREST));
        }
        out.sort_unstable();
        if out.len() <= NEAREST {
            out.dedup();
            return;
        }
        let mut counted: Vec<(usize, u32)> =
            out.chunk_by(|a, b| a == b).filter_map(|run| Some((run.len(), *run.first()?))).collect();
        if counted.len() > NEAREST {
            counted.select_nth_unstable_by_key(NEAREST, |(n, number)| (std::cmp::Reverse(*n), *number));
            counted.truncate(NEAREST);
        }
        out.clear();
        out.extend(counted.into_iter().map(|(_, number)| number));
        out.sort_unstable();
    }

    /// How rare an item is among the parent's statements: 1 where it stands once, less where it stands often.
    pub(crate) fn weight(&self, item: u64) -> f64 {
        let n = self.statements.get(&item).map_or(1, Vec::len).max(1);
        1.0 / (n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    #[test]
    fn every_part_of_a_secret_is_masked_and_nothing_else() {
        let first = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let second = "ghp_26C7e42F292c6912E7710c838347Ae178B4b";
        let text = format!("The token {first} was replaced by {second} at noon.");
        let reading = read(&text);
        assert_eq!(reading.secrets.iter().map(|s| s.of(&text)).collect::<Vec<_>>(), [first, second]);
        for start in 0..text.len() {
            for end in start..=text.len() {
                let shown = masked(&reading, Span::new(start, end));
                assert!(!shown.contains("ghp_") && !shown.contains("7e42F292c69"), "{start}..{end}: {shown}");
            }
        }
        let whole = masked(&reading, Span::new(0, text.len()));
        assert_eq!(whole, format!("The token {MASK} was replaced by {MASK} at noon."));
        assert_eq!(masked(&reading, Span::new(0, 9)), "The token");
        assert_eq!(masked(&reading, Span::new(12, 20)), MASK);
    }
}
