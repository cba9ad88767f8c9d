//! How a finding is worded: the stretch of a clause that says it, no longer than that.

use crate::fact::statement::{Cues, cue_of};
use crate::text::{Span, words};

/// Words of a side of a finding; a longer one is cut around what differs.
const SHORT: usize = 16;
/// Words kept on each side of what differs.
const AROUND: usize = 7;

/// A clause without what only surrounds it: blanks, list and table marks, who speaks, citations, the closing point.
pub(crate) fn core(text: &str, at: Span) -> Span {
    let mut at = at;
    loop {
        let body = at.of(text);
        let start = at.start + (body.len() - body.trim_start_matches(LEADING).len());
        let end =
            at.end.max(start) - (body.len() - body.trim_end_matches(TRAILING).len()).min(at.end - start);
        let mut next = Span::new(start, end.max(start));
        let body = next.of(text);
        if let Some(rest) = after_mark(body).or_else(|| after_speaker(body)) {
            next.start += body.len() - rest.len();
        } else if let Some(rest) = before_citation(body) {
            next.end = next.start + rest.len();
        }
        if next == at || next.is_empty() {
            return if next.is_empty() { at } else { next };
        }
        at = next;
    }
}

const LEADING: &[char] = &[' ', '\t', '\n', '\r', '|', '•', ',', ';', '，', '；'];
const TRAILING: &[char] = &[' ', '\t', '\n', '\r', '|', '.', '。', ';', ',', '，', '；', ':', '：'];

/// What follows a list mark or a source mark at the head of a clause.
fn after_mark(body: &str) -> Option<&str> {
    if let Some(rest) = body.strip_prefix("- ").or_else(|| body.strip_prefix("* ")) {
        return Some(rest);
    }
    let (mark, rest) = body.strip_prefix('[')?.split_once("] ")?;
    (mark.len() <= 24 && !mark.contains([' ', '['])).then_some(rest)
}

/// What a named speaker says, or what is asked for, after its colon.
fn after_speaker(body: &str) -> Option<&str> {
    let at = body.char_indices().take(32).find(|(_, c)| matches!(c, ':' | '：'))?;
    let rest = body.get(at.0 + at.1.len_utf8()..)?;
    let head = body.get(..at.0)?.to_lowercase();
    let speaker = matches!(head.trim(), "user" | "assistant" | "agent" | "tool" | "system" | "human")
        || head.strip_prefix("tool ").is_some_and(|name| !name.contains(' '))
        || !head.is_ascii() && head.chars().count() <= 6 && asks(&head);
    (speaker && rest.chars().any(char::is_alphanumeric)).then_some(rest)
}

fn asks(head: &str) -> bool {
    words(head, Span::new(0, head.len())).iter().any(|w| cue_of(w.at.of(head)).any(Cues::ASK))
        || head.contains("要求")
        || head.contains("请")
}

/// What stands before a citation at the end of a clause.
fn before_citation(body: &str) -> Option<&str> {
    let (rest, mark) = body.strip_suffix(']')?.rsplit_once('[')?;
    (mark.len() <= 24 && !mark.contains(' ') && rest.chars().any(char::is_alphanumeric)).then_some(rest)
}

/// A clause, or where it is long the words of it around what differs.
pub(crate) fn short(clause: &str, differs: Option<Span>) -> Span {
    let whole = Span::new(0, clause.len());
    let here = words(clause, whole);
    let Some(at) = differs.filter(|at| here.len() > SHORT && whole.contains(*at)) else { return whole };
    let left = here.partition_point(|w| w.at.end <= at.start).saturating_sub(AROUND);
    let right = here.partition_point(|w| w.at.start < at.end) + AROUND;
    let start = here.get(left).map_or(0, |w| w.at.start.min(at.start));
    let end = here.get(right).map_or(clause.len(), |w| w.at.start.max(at.end));
    core(clause, Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cored(text: &str) -> &str {
        core(text, Span::new(0, text.len())).of(text)
    }

    #[test]
    fn what_only_surrounds_a_clause_goes() {
        assert_eq!(cored("- [n-12] The pump holds 3 bar."), "The pump holds 3 bar");
        assert_eq!(cored("user: close the east gate "), "close the east gate");
        assert_eq!(cored("the east gate is closed [n-12][n-13]."), "the east gate is closed");
        assert_eq!(cored("| east | 41 | closed |"), "east | 41 | closed");
    }

    #[test]
    fn what_belongs_to_a_clause_stays() {
        assert_eq!(cored("valve: closed"), "valve: closed");
        assert_eq!(cored("[12]"), "[12]");
        assert_eq!(cored("..."), "...");
        assert_eq!(cored(""), "");
    }

    #[test]
    fn a_long_clause_is_cut_around_what_differs() {
        let long = "one two three four five six seven eight nine ten eleven twelve 440 kPa alpha beta gamma delta eta";
        let at = long.find("440").map(|i| Span::new(i, i + 7));
        let cut = short(long, at).of(long);
        assert!(cut.contains("440 kPa") && cut.len() < long.len(), "{cut}");
        assert_eq!(
            short("valve at 440 kPa", Some(Span::new(9, 16))).of("valve at 440 kPa"),
            "valve at 440 kPa"
        );
        assert_eq!(short(long, None).of(long), long);
    }
}
