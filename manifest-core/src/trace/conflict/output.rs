//! Lines that a program put out, in a text that does not say who speaks: a summary whose lines are taken over from tools.

use super::super::parent::Text;
use crate::text::Span;

/// Lines of a text that make it one that holds output: a single one is a remark.
const SEVERAL: usize = 3;

/// A line of more bytes is data, and need not be read to its end.
const READ: usize = 400;

/// The lines of output of a text, in order.
pub(super) struct Output(Vec<Span>);

impl Output {
    /// The lines of a text that are neither sentences nor items of a list, if it has several.
    pub(super) fn of(text: &Text<'_>) -> Self {
        let folded = &*text.reading.normal.text;
        let (mut lines, mut start, mut several) = (Vec::new(), 0, 0);
        for line in folded.split_inclusive('\n') {
            let at = Span::new(start, start + line.len());
            start = at.end;
            let words = line.split_whitespace().take(2).count();
            if words > 0 && is_output(line) {
                lines.push(at);
                several += usize::from(words == 2);
            }
        }
        if several < SEVERAL {
            lines.clear();
        }
        Output(lines)
    }

    /// Whether a stretch of the folded text stands in such lines alone.
    pub(super) fn holds(&self, at: Span) -> bool {
        let mut next = self.0.partition_point(|line| line.end <= at.start);
        let mut from = at.start;
        while let Some(line) = self.0.get(next).filter(|line| line.start <= from) {
            if line.end >= at.end {
                return true;
            }
            from = line.end;
            next += 1;
        }
        false
    }
}

/// Whether a line is no sentence and no item of a list: it does not end as one, and holds no word that only sentences have.
fn is_output(line: &str) -> bool {
    let line = line.trim();
    if is_marked(line) || line.is_ascii() && !line.bytes().any(|b| b.is_ascii_alphanumeric()) {
        return false;
    }
    let closed = line.trim_end_matches(['"', '\'', '`', ')', '*', '”', '’', '»']);
    if closed.ends_with(['.', '!', '?', '。', '！', '？', '…']) && !closed.ends_with("...") {
        return false;
    }
    let mut head = line.len().min(READ);
    while !line.is_char_boundary(head) {
        head -= 1;
    }
    let head = line.get(..head).unwrap_or(line);
    let unspaced =
        |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}');
    !head.contains(unspaced) && !head.split_whitespace().any(is_of_sentences)
}

/// Whether a line opens as an item, a heading, a quote or the row of a table.
fn is_marked(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['#', '>', '|', '•', '–', '—'])
        || line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("+ ")
        || numbered.len() < line.len() && (numbered.starts_with(". ") || numbered.starts_with(") "))
}

/// Articles, pronouns and auxiliary verbs: programs leave them out.
fn is_of_sentences(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.len() > 6 || word.is_empty() {
        return false;
    }
    matches!(
        word.to_ascii_lowercase().as_str(),
        "the"
            | "a"
            | "an"
            | "is"
            | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "has"
            | "have"
            | "had"
            | "will"
            | "would"
            | "must"
            | "should"
            | "may"
            | "might"
            | "can"
            | "cannot"
            | "could"
            | "does"
            | "did"
            | "it"
            | "its"
            | "we"
            | "i"
            | "you"
            | "they"
            | "he"
            | "she"
            | "our"
            | "my"
            | "your"
            | "their"
            | "his"
            | "her"
            | "that"
            | "which"
            | "who"
            | "because"
            | "unless"
            | "and"
            | "but"
            | "so"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn held(text: &str, stretch: &str) -> bool {
        let text = Text::of(read(text));
        let start = text.reading.normal.text.find(stretch).unwrap();
        Output::of(&text).holds(Span::new(start, start + stretch.len()))
    }

    #[test]
    fn lines_that_are_no_sentences_are_output_where_there_are_several() {
        let output = "Baking oven-core v0.4.0\nrunning 26 loaves\nbread result: FAILED. 25 baked; 1 burnt\nThe oven was shut at noon\n- burnt: 1 loaf";
        assert!(held(output, "running 26 loaves"));
        assert!(held(output, "running 26 loaves\nbread result: FAILED. 25 baked"));
        assert!(!held(output, "The oven was shut"), "no point, and a sentence");
        assert!(!held(output, "1 burnt\nThe oven"), "not in such lines alone");
        assert!(!held(output, "burnt: 1 loaf"), "an item of a list");
        assert!(
            !held("running 26 loaves\nThe oven was shut at noon.", "running 26 loaves"),
            "one line is a remark"
        );
        assert!(
            !held("パンが焼けた\n窯は閉じた\n26個を焼いた", "26個を焼いた"),
            "a script that ends no line with a point"
        );
    }

    #[test]
    fn wrapped_prose_is_no_output() {
        let prose = "The baker runs them in order, each loaf in one tray unless the first\none is of rye, and the oven of the\nwest wall has a cap of 240 degrees which\nthe owner set.";
        assert!(!held(prose, "cap of 240 degrees"));
    }
}
