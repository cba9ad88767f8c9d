//! What the gate says, in the words of the session: lines in place of children.

use super::findings::{Conflict, Doubt};
use super::mask::Mask;
use super::walk::{Origin, Places};
use manifest_core::{Code, ConflictRow, ConflictState, LedgerRow, Report, Span};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Conflicts that are listed; the signals count all.
const LISTED: usize = 200;

/// What the summary says and nothing before it does: altered first, then invented, then the rest.
pub(crate) fn doubts(report: &Report, places: &Places, mask: &Mask) -> Vec<Doubt> {
    let mut out: Vec<Doubt> = report
        .orphans
        .iter()
        .map(|row| Doubt {
            code: row.code,
            text: mask.apply(&row.text),
            kind: row.kind,
            why: row.why.as_ref().map(|why| mask.apply(&relabel(why, places))),
        })
        .collect();
    out.sort_by_key(|doubt| match doubt.code {
        Code::StatementAltered => 0,
        Code::ReferentInvented => 1,
        _ => 2,
    });
    out
}

/// The conflicts that the summary does not keep: stale ones first, then those that somebody said.
pub(crate) fn conflicts(report: &Report, places: &Places, mask: &Mask) -> Vec<Conflict> {
    let said = |row: &&ConflictRow| {
        row.sides.iter().any(|side| places.get(side.child).is_some_and(|p| p.origin == Origin::Said))
    };
    let mut rows: Vec<&ConflictRow> = report
        .conflicts
        .iter()
        .filter(|row| matches!(row.state, ConflictState::Collapsed | ConflictState::Stale))
        .collect();
    rows.sort_by_key(|row| (row.state != ConflictState::Stale, !said(row)));
    rows.into_iter()
        .take(LISTED)
        .map(|row| Conflict {
            subject: mask.apply(&row.subject),
            state: row.state,
            said: said(&row),
            sides: row
                .sides
                .iter()
                .map(|side| (places.get(side.child).map_or(0, |p| p.line), mask.apply(&side.text)))
                .collect(),
        })
        .collect()
}

/// A ledger whose quoted clauses name the lines of the session in place of children's numbers.
pub(crate) fn by_line(ledger: &LedgerRow, line: impl Fn(usize, Span) -> Option<u64>) -> String {
    let mut out = String::with_capacity(ledger.text.len());
    let mut rest = ledger.text.as_str();
    for entry in ledger.entries.iter().filter(|entry| entry.kind == "statement") {
        let quoted = format!("\"{}\" [", entry.text);
        let number = format!("{}]", entry.child);
        let Some(at) = rest.find(&quoted).map(|at| at + quoted.len()) else { continue };
        let (head, tail) = rest.split_at(at);
        let (Some(tail), Some(line)) = (tail.strip_prefix(&number), line(entry.child, entry.span)) else {
            continue;
        };
        // Writing to a string cannot fail.
        let _ = write!(out, "{head}{line}]");
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// The numbers of the children, of so many, that a report names: what follows tells where they stand.
pub(crate) fn named(report: &Report, children: usize) -> HashSet<usize> {
    let sides = report.conflicts.iter().flat_map(|row| row.sides.iter().map(|side| side.child));
    let whys = report.orphans.iter().filter_map(|row| row.why.as_deref());
    let messages = whys.chain(report.reasons.iter().map(|reason| &*reason.message));
    let told = messages.flat_map(|message| message.split(CHILD).skip(1)).filter_map(number);
    sides.chain(told).filter(|child| *child < children).collect()
}

/// What stands before the number of a child.
const CHILD: &str = "child ";

/// The number that a text begins with.
fn number(text: &str) -> Option<usize> {
    text.get(..text.bytes().take_while(u8::is_ascii_digit).count())?.parse().ok()
}

/// A message of the gate with lines of the session in place of children's numbers.
pub(crate) fn relabel(message: &str, places: &Places) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    let mut quoted = false;
    while let Some(at) = rest.find(CHILD) {
        let (head, tail) = rest.split_at(at);
        let tail = tail.get(CHILD.len()..).unwrap_or_default();
        // What is quoted stays as it is.
        quoted ^= memchr::memchr_iter(b'`', head.as_bytes()).count() % 2 == 1;
        let digits = if quoted { 0 } else { tail.bytes().take_while(u8::is_ascii_digit).count() };
        let place = tail.get(..digits).and_then(|n| n.parse::<usize>().ok()).and_then(|n| places.get(n));
        out.push_str(head);
        match place {
            Some(place) if digits > 0 => {
                // Writing to a string cannot fail.
                let _ = match place.origin {
                    Origin::Summary(number) => write!(out, "summary {number}"),
                    _ => write!(out, "line {}", place.line),
                };
                rest = tail.get(digits..).unwrap_or_default();
            }
            _ => {
                out.push_str(CHILD);
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out.replace("stands in no child", "stands nowhere before").replace("the children", "the session")
}

#[cfg(test)]
mod tests {
    use super::super::walk::Place;
    use super::*;
    use manifest_core::Role;

    #[test]
    fn children_become_lines() {
        let place =
            |line, origin| Place { line, unit: 1, role: Role::User, origin, spread: false, failed: false };
        let mut places = Places::default();
        places.insert(0, place(7, Origin::Summary(2)));
        places.insert(1, place(12, Origin::Said));
        assert_eq!(
            relabel("child 1 says `x`, child 0 says y; child 9, child, `child 1 or`", &places),
            "line 12 says `x`, summary 2 says y; child 9, child, `child 1 or`"
        );
    }
}
