//! Sentences of the children, taken over whole: no model, no network, the same answer each time.
//!
//! `SumBasic` (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): take the sentence whose words are
//! the most frequent on average, square the probabilities of its words so that the next one says something else, and go
//! on until the budget is spent. The sentences come out in the order of the text.

use std::collections::{HashMap, HashSet};
use unicode_segmentation::UnicodeSegmentation;

/// A sentence of fewer words says too little by itself, one of more is a log or a table.
const WORDS: std::ops::RangeInclusive<usize> = 3..=60;

struct Candidate<'t> {
    text: &'t str,
    words: Vec<usize>,
    place: usize,
}

/// The sentences of `texts` that say the most in `budget` bytes, one a line, in their order, without those that hold one of
/// the `refused`. Empty only if no sentence fits.
pub(crate) fn extract(texts: &[&str], budget: usize, refused: &[&str]) -> String {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut counts: Vec<u32> = Vec::new();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut said: HashSet<Vec<usize>> = HashSet::new();
    for sentence in texts.iter().flat_map(|text| passages(text)).flat_map(sentences) {
        let text = sentence.trim();
        let mut words: Vec<usize> = Vec::new();
        for word in text.unicode_words() {
            let next = known.len();
            let number = *known.entry(word.to_lowercase()).or_insert(next);
            if number == counts.len() {
                counts.push(0);
            }
            words.push(number);
        }
        for word in &words {
            if let Some(count) = counts.get_mut(*word) {
                *count += 1;
            }
        }
        words.sort_unstable();
        words.dedup();
        // What stands twice is said once.
        // Nor is a label with one word after it a sentence; a script without spaces has no words between them.
        let short = text.is_ascii() && text.split_ascii_whitespace().nth(2).is_none();
        let left_out = || short || refused.iter().any(|refused| text.contains(refused));
        if WORDS.contains(&words.len()) && text.len() <= budget && !left_out() && said.insert(words.clone()) {
            candidates.push(Candidate { text, words, place: candidates.len() });
        }
    }
    let total = f64::from(counts.iter().sum::<u32>()).max(1.0);
    let weights = counts.iter().map(|count| f64::from(*count) / total).collect();
    let mut taken = choose(candidates, weights, budget);
    taken.sort_by_key(|candidate| candidate.place);
    let lines: Vec<&str> = taken.iter().map(|candidate| candidate.text).collect();
    lines.join("\n")
}

/// A line of fewer bytes was not ended because it was full.
const FULL: usize = 50;

/// The lines of a text; those over which wrapped prose goes on are one: a full line that ends in a word or comma, before
/// one that begins with a small letter.
fn passages(text: &str) -> Vec<&str> {
    let goes_on = |line: &str, next: &str| {
        let full = line.len() >= FULL && line.contains(' ') && !line.starts_with(char::is_whitespace);
        full && line.ends_with(|c: char| c.is_lowercase() || c == ',') && next.starts_with(char::is_lowercase)
    };
    let (mut out, mut start, mut at) = (Vec::new(), 0, 0);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        at += line.len();
        if lines.peek().is_none_or(|next| !goes_on(line.trim_end_matches(['\n', '\r']), next)) {
            out.extend(text.get(start..at).map(str::trim_end));
            start = at;
        }
    }
    out
}

/// The sentences of a passage. One ends before a space, or with a mark of scripts that set none: what follows a point at once (an
/// escaped line break, a member, a query) belongs to it, and cut there would begin in the middle of a token.
fn sentences(line: &str) -> Vec<&str> {
    let (mut out, mut start, mut at) = (Vec::new(), 0, 0);
    for piece in line.split_sentence_bounds() {
        at += piece.len();
        let ends = piece.ends_with(|c: char| {
            c.is_whitespace() && c != '\n' || matches!(c, '。' | '！' | '？' | '．' | '｡')
        });
        if ends || at == line.len() {
            out.extend(line.get(start..at));
            start = at;
        }
    }
    out
}

/// Greedy choice. A weight only falls, so that an old score bounds the new one: the best of the heap is scored again and
/// taken if it is still the best, and nothing else need be looked at.
fn choose(candidates: Vec<Candidate<'_>>, mut weights: Vec<f64>, budget: usize) -> Vec<Candidate<'_>> {
    let mut heap: std::collections::BinaryHeap<Ranked> = candidates
        .iter()
        .enumerate()
        .map(|(number, candidate)| Ranked { score: score(candidate, &weights), number })
        .collect();
    let mut left = budget;
    let mut chosen = vec![false; candidates.len()];
    while let Some(Ranked { score: known, number }) = heap.pop() {
        let Some(candidate) = candidates.get(number) else { continue };
        if candidate.text.len() + 1 > left {
            continue;
        }
        let now = score(candidate, &weights);
        if now < known && heap.peek().is_some_and(|next| next.score > now) {
            heap.push(Ranked { score: now, number });
            continue;
        }
        left -= candidate.text.len() + 1;
        for word in &candidate.words {
            if let Some(weight) = weights.get_mut(*word) {
                *weight *= *weight;
            }
        }
        if let Some(slot) = chosen.get_mut(number) {
            *slot = true;
        }
    }
    candidates.into_iter().zip(chosen).filter_map(|(candidate, taken)| taken.then_some(candidate)).collect()
}

/// The average probability of a sentence's words.
fn score(candidate: &Candidate<'_>, weights: &[f64]) -> f64 {
    let sum: f64 = candidate.words.iter().filter_map(|word| weights.get(*word)).sum();
    sum / candidate.words.len().max(1) as f64
}

/// A sentence in the heap: by score, then the earlier one first.
struct Ranked {
    score: f64,
    number: usize,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.number.cmp(&self.number))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAF: &str = "The importer stopped with E_QUOTA_4417 on node db-7.\nok\nThe quota of the bucket was raised to \
                        640 GiB. The importer ran again on node db-7.\nThe weather was mild in the evening.";

    #[test]
    fn sentences_are_taken_whole_in_their_order_and_within_the_budget() {
        let whole = extract(&[LEAF], 10_000, &[]);
        assert_eq!(whole.lines().count(), 4, "{whole}");
        assert!(whole.starts_with("The importer stopped") && whole.ends_with("in the evening."), "{whole}");
        for budget in [0, 10, 60, 110, 150] {
            let text = extract(&[LEAF], budget, &[]);
            assert!(text.len() <= budget, "{budget}: {text}");
            assert!(text.lines().all(|line| LEAF.contains(line)), "{text}");
        }
        assert!(extract(&[LEAF], 60, &[]).contains("importer"));
    }

    #[test]
    fn what_was_said_is_not_said_again() {
        let same = "The importer stopped on node db-7 again. ".repeat(20);
        let text = extract(&[&same, "A certificate of the gateway expired at noon."], 100, &[]);
        assert!(text.contains("certificate"), "{text}");
    }

    #[test]
    fn no_sentence_begins_within_a_token() {
        let line =
            r"It stopped at once!\nThe gate was shut for the night. Nobody was there to open it again.";
        let text = extract(&[line], 10_000, &[]);
        assert_eq!(text, line.replace(". Nobody", ".\nNobody"));
        assert_eq!(sentences("これは文です。もう一つの文があります。").len(), 2);
    }

    #[test]
    fn wrapped_prose_is_not_cut_at_its_lines() {
        let prose = "The gate runs the carts in order, each of them alone unless the first\nof them is empty. Nobody waits.";
        let text = extract(&[prose], 10_000, &[]);
        assert_eq!(text, prose.replace(". Nobody waits.", "."), "and two words say too little");
        let output = "the cart of the west gate was let through by the guard\n  and left\nrunning 26 carts\nall carts ran";
        assert_eq!(passages(output).len(), 4);
        assert_eq!(passages("\n\na\r\nb\n"), ["", "", "a", "b"]);
    }

    #[test]
    fn a_label_with_one_word_is_no_sentence() {
        let call = "host: gate-west-3\ncommand: open the gate of the west";
        assert_eq!(extract(&[call], 10_000, &[]), "command: open the gate of the west");
    }

    #[test]
    fn what_was_refused_is_left_out() {
        let text = extract(&[LEAF], 10_000, &["raised to 640 GiB"]);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(!text.contains("640"), "{text}");
    }

    #[test]
    fn any_text_is_taken() {
        for text in ["", "\n\n", "a", &"x".repeat(100_000), "日本語の文です。もう一つの文があります。"]
        {
            assert!(extract(&[text], 50, &[]).len() <= 50);
        }
    }
}
