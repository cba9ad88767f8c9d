//! The losses on the screen: those of one line together, each with the line that told it.

use super::findings::{Audit, Findings, Loss, Use};
use super::fit::{cut_clause, fit, pad, shorten};
use super::number::count;
use super::screen::{BOLD, COLUMNS, DIM, GREEN, Line, RED, plain};
use anstyle::Style;
use std::collections::HashMap;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// Columns before the value: its line and who said it.
const PLACE: usize = 25;
/// Columns for where it was used again.
const AGAIN: usize = 24;
/// Columns before the line that told it.
const INDENT: usize = 8;

/// Losses that one line of the session told.
struct Group<'a> {
    first: &'a Loss,
    more: Vec<&'a Loss>,
}

/// The losses in at most `room` lines, the gravest first.
pub(super) fn lines(findings: &Findings, audit: &Audit, room: usize) -> Vec<Line> {
    let mut out = Vec::new();
    if audit.facts.lost == 0 {
        out.push((GREEN, "Nothing exact is lost.".to_owned()));
        out.push(plain(String::new()));
        return out;
    }
    let used = audit.facts.used_again_lost;
    let title = match used {
        0 if findings.after.as_ref().is_some_and(|a| a.units > 0) => {
            "Lost, the gravest first (none was used again so far)"
        }
        0 => "Lost, the gravest first",
        _ => "Lost, and first what the work after it needed again",
    };
    let right = if used > 0 { "used again first at line" } else { "" };
    out.push((BOLD, format!("{}{right:>AGAIN$}", pad(title, COLUMNS - AGAIN))));
    // Without the title, the line that counts the rest and a blank one.
    let groups = groups(&audit.losses);
    let mut told = 0;
    let mut told_used = 0;
    for group in groups.iter().take((room.saturating_sub(3) / 2).max(1)) {
        told += 1 + group.more.len() as u64;
        if group.first.used_again.is_some() {
            told_used += 1 + group.more.len() as u64;
        }
        group_lines(group, &mut out);
    }
    let hidden = audit.facts.lost.saturating_sub(told);
    if hidden > 0 {
        let mut line = format!("  \u{2026} and {} more", count(hidden));
        if used > told_used {
            let _ = write!(line, ", {} of them used again", count(used - told_used));
        }
        line.push_str(" (--json lists them)");
        out.push((DIM, line));
    }
    out.push(plain(String::new()));
    out
}

/// What the session forbids, refuses or allows and the summary does not say, in so many rows, a title and a blank line.
pub(super) fn rules(audit: &Audit, rows: usize) -> Vec<Line> {
    if audit.rules.is_empty() || rows == 0 {
        return Vec::new();
    }
    let all = audit.rules.len();
    let title = if all > rows {
        format!(
            "Forbidden, refused or allowed, and not in the summary: {all}, the user's and the newest first"
        )
    } else {
        "Forbidden, refused or allowed, and not in the summary".to_owned()
    };
    let mut out = vec![(BOLD, title)];
    for rule in audit.rules.iter().take(rows) {
        let place = format!("{:>7} {}", rule.place.line, pad(&rule.place.who(), PLACE - 8));
        out.push((RED, format!("{place}\u{201c}{}\u{201d}", fit(&rule.text, COLUMNS - PLACE - 2))));
    }
    out.push(plain(String::new()));
    out
}

/// Losses that one line told, and that came back in one line, together, where the first of them stands.
fn groups(losses: &[Loss]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut number: HashMap<((usize, usize), Option<u64>), usize> = HashMap::new();
    for loss in losses {
        let key = (loss.told_in, loss.used_again.as_ref().map(|again| again.line));
        if let Some(group) = number.get(&key).and_then(|n| groups.get_mut(*n)) {
            group.more.push(loss);
        } else {
            number.insert(key, groups.len());
            groups.push(Group { first: loss, more: Vec::new() });
        }
    }
    groups
}

fn group_lines(group: &Group<'_>, out: &mut Vec<Line>) {
    let loss = group.first;
    let again = loss.used_again.as_ref().map(again).unwrap_or_default();
    let room = COLUMNS - PLACE - AGAIN;
    let mut values = shorten(&loss.text, room);
    let mut left = group.more.len();
    for more in &group.more {
        let next = format!("{values}  {}", more.text);
        // Room for the count of those that have none.
        if next.width() + if left > 1 { 5 } else { 0 } > room {
            break;
        }
        values = next;
        left -= 1;
    }
    if left > 0 && values.width() + 5 <= room {
        // Writing to a string cannot fail.
        let _ = write!(values, "  +{}", count(left as u64));
    }
    let style = if loss.used_again.is_some() { RED } else { Style::new() };
    let place = format!("{:>7} {}", loss.place.line, pad(&loss.place.who(), PLACE - 8));
    out.push((style, format!("{place}{}{again:>AGAIN$}", pad(&values, room))));
    out.push((DIM, format!("{:INDENT$}{}", "", told(loss))));
}

/// Where a value came back first, in how many messages and calls, and whether anything had shown it before: `582 (2x), re-read`.
fn again(again: &Use) -> String {
    let times = if again.times > 1 { format!(" ({}x)", count(again.times)) } else { String::new() };
    let how = match (&again.read_again, &*again.who) {
        (Some(_), _) => "re-read",
        (None, "user") => "by the user",
        (None, _) => "guessed",
    };
    format!("{}{times}, {how}", again.line)
}

/// The line that told a value, cut around it.
fn told(loss: &Loss) -> String {
    let room = COLUMNS - INDENT;
    let value = shorten(&loss.text, room / 2);
    let around = cut_clause(&loss.clause, (room + 4).saturating_sub(value.width()));
    fit(around.replacen("____", &value, 1).trim(), room)
}
