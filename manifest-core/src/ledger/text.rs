//! A ledger as text: what of it are values, and where it stands beside prose.

use super::{HANDLE, RULES};
use crate::fact::Group;
use std::borrow::Cow;

/// A ledger's text with what only points at leaves left blank – the line that says that there are more, the numbers behind
/// quoted clauses – and every other byte in its place.
pub(crate) fn values(ledger: &str) -> Cow<'_, str> {
    if !ledger.contains(HANDLE) && !ledger.contains(RULES) {
        return Cow::Borrowed(ledger);
    }
    let blank = |line: &str| match line {
        handle if handle.trim_end().ends_with(HANDLE) => " ".repeat(handle.len()),
        rules if rules.starts_with(RULES) => without_leaves(rules),
        other => other.to_owned(),
    };
    Cow::Owned(ledger.split('\n').map(blank).collect::<Vec<_>>().join("\n"))
}

/// A line of rules with blanks for the `[n]` behind each quotation.
fn without_leaves(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\" [") {
        let (head, mark) = rest.split_at(at + 2);
        out.push_str(head);
        let digits = mark.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let end = digits + 2;
        let is_leaf = digits > 0 && mark.as_bytes().get(end - 1) == Some(&b']');
        rest = if is_leaf { mark.get(end..).unwrap_or_default() } else { mark };
        out.extend(std::iter::repeat_n(' ', if is_leaf { end } else { 0 }));
    }
    out.push_str(rest);
    out
}

/// A text and the ledger that stands before or behind it, where one does: lines that each begin as a line of a ledger does, in
/// a ledger's order. One line alone is prose (`paths: src/a.rs`), but for one of quoted rules with their leaves.
///
/// ```
/// let noted = "The import failed on a node.\n\nids: E2107 db-7\n[12 more facts in the leaves]";
/// let (text, ledger) = manifest_core::split_ledger(noted);
/// assert_eq!(text, "The import failed on a node.");
/// assert_eq!(ledger, "ids: E2107 db-7\n[12 more facts in the leaves]");
/// assert_eq!(manifest_core::split_ledger("ids: none"), ("ids: none", ""));
/// ```
pub fn split_ledger(text: &str) -> (&str, &str) {
    let behind = text.trim_end();
    let mut start = behind.len();
    let mut next = usize::MAX;
    for line in behind.rsplit('\n') {
        let at = start - line.len();
        let Some(place) = place_of(line).filter(|place| *place < next) else { break };
        next = place;
        start = at.saturating_sub(1);
        if at == 0 {
            break;
        }
    }
    let (head, ledger) = behind.split_at_checked(start).unwrap_or((behind, ""));
    let is_ledger =
        |ledger: &str| ledger.trim().lines().count() >= LEAST || ledger.trim_start().starts_with(RULES);
    if is_ledger(ledger) && !head.trim().is_empty() {
        return (head.trim_end(), ledger.trim_start());
    }
    let mut end = 0;
    let mut last = None;
    for line in text.split_inclusive('\n') {
        let Some(place) = place_of(line.trim_end()).filter(|place| last.is_none_or(|last| *place > last))
        else {
            break;
        };
        last = Some(place);
        end += line.len();
    }
    match text.split_at_checked(end) {
        Some((ledger, rest)) if is_ledger(ledger) && !rest.trim().is_empty() => {
            (rest.trim_start(), ledger.trim_end())
        }
        _ => (text, ""),
    }
}

/// Lines of a ledger that tell it from prose.
const LEAST: usize = 2;

/// The place of a line among the lines of a ledger: rules, groups, the line that says that there are more.
fn place_of(line: &str) -> Option<usize> {
    let quoted = |rest: &str| rest.starts_with('"') && rest.ends_with(']');
    if line.strip_prefix(RULES).is_some_and(quoted) {
        return Some(0);
    }
    if line.starts_with('[') && line.ends_with(HANDLE) {
        return Some(Group::ALL.len() + 1);
    }
    Group::ALL.iter().position(|group| line.starts_with(group.heading())).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_is_told_from_the_prose_beside_it() {
        let ledger = "rules: \"never drain it\" [17]\nids: PAY-119 E2107\nvalues: timeout=30s";
        for prose in ["It failed on a node.", "It failed.\n\nids are below:\n- one\n- two"] {
            assert_eq!(split_ledger(&format!("{prose}\n\n{ledger}\n")), (prose, ledger));
            assert_eq!(split_ledger(&format!("{prose}\n{ledger}")), (prose, ledger));
            assert_eq!(split_ledger(&format!("{ledger}\n\n{prose}")), (prose, ledger));
        }
        // A ledger alone is the whole text, and one line of a kind may be prose.
        for text in [
            ledger,
            "",
            "It failed.",
            "ids: one\nand two",
            "names: Ana\n\nThey met.",
            "rules: be quick\nIt failed.",
        ] {
            assert_eq!(split_ledger(text), (text, ""));
        }
        let rule = "rules: \"never drain it\" [17]";
        assert_eq!(split_ledger(&format!("It failed.\n{rule}")), ("It failed.", rule));
        // Out of a ledger's order it is none.
        assert_eq!(split_ledger("It failed.\nvalues: a=1\nids: E2107").1, "");
    }

    proptest::proptest! {
        #[test]
        fn what_is_split_is_all_of_the_text(text in "(rules: \"a\" \\[1\\]\n|ids: E2107\n|values: a\n|\\[3 more facts in the leaves\\]\n|prose.\n|\n| ){0,9}") {
            let (prose, ledger) = split_ledger(&text);
            proptest::prop_assert!(text.contains(prose) && text.contains(ledger));
            let kept = |s: &str| s.split_whitespace().collect::<String>().len();
            proptest::prop_assert_eq!(kept(prose) + kept(ledger), kept(&text));
        }
    }

    #[test]
    fn what_points_at_leaves_is_blank_and_all_else_in_its_place() {
        let ledger =
            "rules: \"never drain [4] it\" [17]; \"no\" [x]\nids: PAY-119 [3]\n[12 more facts in the leaves]";
        let read = values(ledger);
        assert_eq!(read.len(), ledger.len());
        assert_eq!(read.trim_end(), "rules: \"never drain [4] it\"     ; \"no\" [x]\nids: PAY-119 [3]");
        assert_eq!(values("ids: \"a\" [1]"), "ids: \"a\" [1]");
        assert_eq!(values("rules: \" ["), "rules: \" [");
    }
}
