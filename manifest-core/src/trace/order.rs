//! Steps told in another order: a numbered list of a child, and a sentence of the parent that says what came next.

use super::parent::Text;
use super::statement::{Candidate, Difference};
use super::wording::core;
use crate::text::{SentenceKind, Span, words};

/// Words that say that what follows them came after what was told before.
const NEXT: &[&str] = &[
    "then",
    "next",
    "finally",
    "afterwards",
    "subsequently",
    "lastly",
    "dann",
    "danach",
    "ensuite",
    "luego",
];
/// Words that turn the order of what is told around.
const AROUND: &[&str] =
    &["before", "after", "first", "once", "until", "bevor", "nachdem", "avant", "après", "antes"];
/// Sentences of a parent that are watched, and steps of a list that are looked for.
const MOST: usize = 64;
/// Share of a step's words and facts that a stretch must hold to tell it.
const TOLD: f64 = 0.6;

/// A sentence of the parent in which a word of order stands.
#[derive(Clone, Debug)]
struct Told {
    /// What stands before the word, by stretches, and after it: items, sorted.
    before: Vec<Vec<u64>>,
    after: Vec<u64>,
    /// From the word to the end of what it opens.
    at: Span,
    source: Option<Candidate>,
}

/// The sentences of a parent that tell an order, watched while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    told: Vec<Told>,
}

impl Orders {
    /// Watches the sentences of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let folded = &*parent.reading.normal.text;
        let mut out = Orders::default();
        let mut first = 0;
        for sentence in &parent.reading.sentences {
            while parent.segments.get(first).is_some_and(|s| s.at.end <= sentence.at.start) {
                first += 1;
            }
            let segments = parent.segments.get(first..).unwrap_or_default();
            let segments: Vec<_> =
                segments.iter().take(MOST).take_while(|s| s.at.start < sentence.at.end).collect();
            let mut before: Vec<Vec<u64>> = Vec::new();
            let mut around = false;
            for segment in &segments {
                let here = words(folded, segment.at);
                let lower = |at: Span| at.of(folded).to_lowercase();
                around |= here.iter().any(|w| AROUND.contains(&&*lower(w.at)));
                let next = here.iter().take(2).find(|w| NEXT.contains(&&*lower(w.at)));
                let items = parent.items(segment.words.clone(), segment.facts.clone());
                if let Some(next) = next
                    && !around
                    && !before.is_empty()
                    && out.told.len() < MOST
                {
                    let at = core(folded, Span::new(next.at.start, segment.at.end));
                    out.told.push(Told { before: before.clone(), after: items.clone(), at, source: None });
                }
                before.push(items);
            }
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, child: usize, text: &Text<'_>) {
        if self.told.is_empty() {
            return;
        }
        let mut steps: Vec<(Span, Vec<u64>)> = Vec::new();
        for (i, sentence) in text.reading.sentences.iter().enumerate() {
            let number = numbered(text, sentence.at, sentence.kind);
            if number != Some(steps.len() as u64 + 1) {
                self.compare(child, text, &steps);
                steps.clear();
            }
            if number == Some(steps.len() as u64 + 1) && steps.len() < MOST {
                steps.push((sentence.at, items_of(text, i)));
            }
        }
        self.compare(child, text, &steps);
    }

    /// Sets one list beside the sentences: the step told last must not be one that stands before all the others.
    fn compare(&mut self, child: usize, text: &Text<'_>, steps: &[(Span, Vec<u64>)]) {
        if steps.len() < 2 {
            return;
        }
        let tells = |items: &[u64], step: &[u64]| {
            let held = step.iter().filter(|i| items.binary_search(i).is_ok()).count();
            !step.is_empty() && held as f64 >= TOLD * step.len() as f64
        };
        for told in self.told.iter_mut().filter(|t| t.source.is_none()) {
            let last = steps.iter().position(|(_, step)| tells(&told.after, step));
            let Some((last, (at, _))) = last.and_then(|i| Some((i, steps.get(i)?))) else { continue };
            let earlier: Vec<usize> = (0..steps.len())
                .filter(|i| *i != last)
                .filter(|i| {
                    steps.get(*i).is_some_and(|(_, s)| told.before.iter().any(|items| tells(items, s)))
                })
                .collect();
            if earlier.is_empty() || earlier.iter().any(|i| *i < last) {
                continue;
            }
            let line = line_start(&text.reading.normal.text, at.start);
            let at = core(&text.reading.normal.text, Span::new(line, at.end));
            told.source = Some(Candidate {
                child,
                span: text.reading.normal.source(at),
                text: text.shown(at).into(),
                likeness: 1.0,
                difference: Some(Difference::Order),
                here: Some(told.at),
            });
        }
    }

    /// The stretches that tell a step in another place than the children do, with the step.
    pub(crate) fn displaced(&self) -> impl Iterator<Item = (Span, &Candidate)> {
        self.told.iter().filter_map(|t| Some((t.at, t.source.as_ref()?)))
    }
}

/// The words and facts of one sentence, sorted.
fn items_of(text: &Text<'_>, sentence: usize) -> Vec<u64> {
    let first = text.statements.all.partition_point(|s| s.sentence < sentence);
    let mut items: Vec<u64> = Vec::new();
    for statement in text.statements.all.iter().skip(first).take(8).take_while(|s| s.sentence == sentence) {
        items.extend(text.items_of(statement));
    }
    items.sort_unstable();
    items.dedup();
    items
}

/// How many bytes before a sentence its number may begin.
const MARK: usize = 12;

fn line_start(text: &str, at: usize) -> usize {
    let mut from = at.saturating_sub(MARK);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..at).and_then(|head| head.rfind('\n')).map_or(from, |i| from + i + 1)
}

/// The number that a list item bears.
fn numbered(text: &Text<'_>, at: Span, kind: SentenceKind) -> Option<u64> {
    if kind != SentenceKind::Item {
        return None;
    }
    let folded = &*text.reading.normal.text;
    let mark = folded.get(line_start(folded, at.start)..at.end)?.trim_start();
    let digits = mark.len() - mark.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = mark.split_at_checked(digits)?;
    rest.starts_with(['.', ')']).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use crate::{Code, Policy, check};

    fn displaced(child: &str, parent: &str) -> Vec<String> {
        let rows = check(&[child], parent, &Policy::remediation()).orphans.into_iter();
        rows.filter(|o| o.code == Code::StatementAltered).map(|o| o.text).collect()
    }

    const STEPS: &str = "1. Vent tank-4\n2. Close gate-b\n3. Open gate-c";

    #[test]
    fn the_first_step_told_last() {
        assert_eq!(displaced(STEPS, "Close gate-b, open gate-c, then vent tank-4."), ["then vent tank-4"]);
    }

    #[test]
    fn the_same_order_in_prose() {
        for parent in [
            "Vent tank-4, close gate-b, then open gate-c.",
            "Close gate-b and open gate-c after tank-4 was vented, then rest.",
            "Vent tank-4 and close gate-b.",
            "gate-c is open, gate-b is closed, tank-4 is vented.",
        ] {
            assert!(displaced(STEPS, parent).is_empty(), "{parent}");
        }
    }

    #[test]
    fn what_bears_no_number_has_no_order() {
        let child = "- Vent tank-4\n- Close gate-b\n- Open gate-c";
        assert!(displaced(child, "Close gate-b, open gate-c, then vent tank-4.").is_empty());
    }
}
