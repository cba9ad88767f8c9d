//! The findings on one screen: at most 40 lines of 100 columns.

use super::findings::{Audit, Fates, Findings};
use super::fit::{fit, shorten};
use super::lost;
use super::notes::notes;
use super::number::{count, of, percent, time};
use super::table;
use crate::transcript::bytes;
use anstyle::{AnsiColor, Style};
use manifest_core::{Code, ConflictState, VerdictKind};
use std::fmt::Write as _;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Columns of the screen.
pub(super) const COLUMNS: usize = 100;
/// Lines of the screen.
const LINES: usize = 40;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const GREEN: Style = AnsiColor::Green.on_default().bold();

/// Writes the screen. Whether its styles arrive is up to `out`.
pub(crate) fn write(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    for (style, line) in lines(findings) {
        let line = crate::visible::plain(&line);
        writeln!(out, "{style}{line}{style:#}")?;
    }
    Ok(())
}

pub(super) type Line = (Style, String);

pub(super) fn plain(text: String) -> Line {
    (Style::new(), text)
}

/// All lines, none over the width, all on one screen.
fn lines(findings: &Findings) -> Vec<Line> {
    let mut head = heading(findings);
    let mut tail: Vec<Line> = Vec::new();
    let mut losses: Vec<Line> = Vec::new();
    if let Some(audit) = &findings.audit {
        facts(findings, audit, &mut head);
        doubts(audit, &mut tail);
        conflicts(audit, &mut tail);
        ledger(audit, &mut tail);
        verdict(audit, &mut tail);
    } else {
        unreadable(findings, &mut tail);
    }
    let mut said: Vec<Line> = Vec::new();
    if findings.context_left_out > 0 {
        let bytes = bytes(findings.context_left_out);
        said.push((DIM, format!("Note: {bytes} of instructions were not read; a mention may stand there")));
    }
    said.extend(notes(&findings.reading).into_iter().map(|note| (DIM, format!("Note: {note}"))));
    said.truncate(3);
    if let Some(audit) = &findings.audit {
        // What room is left is for rules, and most of it for losses.
        let room = LINES.saturating_sub(head.len() + tail.len() + said.len());
        head.append(&mut lost::rules(audit, room.saturating_sub(7).min(4)));
        let room = LINES.saturating_sub(head.len() + tail.len() + said.len()).max(4);
        losses = lost::lines(findings, audit, room);
    }
    let mut all = head;
    all.append(&mut losses);
    all.append(&mut tail);
    all.append(&mut said);
    for (_, line) in &mut all {
        *line = fit(line, COLUMNS);
    }
    all
}

fn heading(findings: &Findings) -> Vec<Line> {
    let mut out = Vec::new();
    let reading = &findings.reading;
    out.push((
        BOLD,
        format!(
            "{}  ({}, {}, {})",
            shorten(&findings.file, 48),
            findings.form,
            of(reading.lines, "line", "lines"),
            bytes(reading.bytes)
        ),
    ));
    let mut what = match &findings.compaction {
        Some(point) => {
            let mut what = format!(
                "Compaction {} of {}, line {}",
                point.number,
                findings.compactions,
                count(point.line)
            );
            if let Some(at) = &point.at {
                let _ = write!(what, ", {}", time(at));
            }
            if let Some(trigger) = &point.trigger {
                let _ = write!(what, ", {}", crate::visible::plain(trigger));
            }
            if let Some(tokens) = point.pre_tokens {
                let _ = write!(what, ", at {} tokens", count(tokens));
            }
            what
        }
        None if findings.compactions > 0 => format!("All since compaction {}", findings.compactions),
        None => "The whole session".to_owned(),
    };
    if let Some(file) = &findings.summary_file {
        let _ = write!(what, ", summary from {}", shorten(file, 40));
    } else if findings.compactions > 1 {
        what.push_str(" (others: --list)");
    }
    out.push(plain(what));
    let before = &findings.before;
    let mut line = format!(
        "{} in {}{}, lines {}–{}",
        bytes(before.bytes),
        of(before.units, "unit", "units"),
        if findings.has_messages { " (messages, calls, outputs)" } else { "" },
        count(before.first_line),
        count(before.last_line)
    );
    if let (Some(first), Some(last)) = (&before.first_at, &before.last_at) {
        let (first, last) = (time(first), time(last));
        // The date once where both stand on one day.
        let last = match (first.split_once(' '), last.split_once(' ')) {
            (Some((a, _)), Some((b, clock))) if a == b => clock.to_owned(),
            _ => last,
        };
        let _ = write!(line, ", {first} – {last}");
    }
    if let Some(audit) = &findings.audit {
        let all = before.bytes + audit.previous_summary_bytes;
        out.push(plain(line));
        let mut became = String::new();
        if audit.previous_summary_bytes > 0 {
            let _ = write!(became, "and the summary before ({}) ", bytes(audit.previous_summary_bytes));
        }
        let _ = write!(became, "became {}", bytes(audit.summary_bytes));
        if let Some(ratio) = (all * 10).checked_div(audit.summary_bytes.max(1)) {
            let _ = write!(became, " (1 : {}.{})", count(ratio / 10), ratio % 10);
        }
        if audit.kept_bytes > 0 {
            let _ = write!(became, ", {} kept word for word", bytes(audit.kept_bytes));
        }
        if let Some(after) = findings.after.as_ref().filter(|a| a.units > 0) {
            let _ = write!(became, "; {} of work came after", bytes(after.bytes));
        }
        out.push(plain(became));
    } else {
        out.push(plain(line));
    }
    out.push(plain(String::new()));
    out
}

fn facts(findings: &Findings, audit: &Audit, out: &mut Vec<Line>) {
    let after = findings.after.as_ref().is_some_and(|a| a.units > 0);
    let row = |name: &str, f: &Fates| {
        let mut line = format!(
            "{:<30}{:>10}{:>10}{:>7}{:>10}{:>7}",
            name,
            count(f.facts),
            count(f.stated + f.kept),
            percent(f.stated + f.kept, f.facts),
            count(f.lost),
            "",
        );
        if after {
            let _ = write!(line, "{:>11}{:>15}", count(f.used_again), count(f.used_again_lost));
        }
        line
    };
    let mut header =
        format!("{:<30}{:>10}{:>10}{:>7}{:>10}{:>7}", "Exact facts", "before", "survive", "", "lost", "");
    if after {
        let _ = write!(header, "{:>11}{:>15}", "used again", "of these lost");
    }
    out.push((BOLD, header));
    for (name, fates) in table::rows(&audit.by_class) {
        out.push(plain(row(name, &fates)));
    }
    out.push((BOLD, row("all", &audit.facts)));
    out.push(plain(String::new()));
}

fn doubts(audit: &Audit, out: &mut Vec<Line>) {
    let count_of = |code: Code| audit.doubts.iter().filter(|d| d.code == code).count() as u64;
    let (altered, invented) = (count_of(Code::StatementAltered), count_of(Code::ReferentInvented));
    let orphaned = audit.doubts.len() as u64 - altered - invented;
    if audit.doubts.is_empty() {
        let mentions = of(audit.signals.referents as u64, "mention", "mentions");
        out.push(plain(format!("The summary says: nothing altered, nothing invented, of {mentions}")));
        return;
    }
    let title = format!(
        "The summary says: {} altered, {} invented, {} unresolved, of {}",
        count(altered),
        count(invented),
        count(orphaned),
        of(audit.signals.referents as u64, "mention", "mentions")
    );
    out.push((if altered + invented > 0 { YELLOW } else { Style::new() }, title));
    let mut rows = 5;
    if audit.input_missing {
        let share = (audit.signals.orphan_density * 100.0).round();
        out.push(plain(format!(
            "  {share:.0} % of its mentions stand nowhere before it. So many mean text that this file lacks"
        )));
        out.push(plain(
            "  (instructions, an earlier file, sub-tasks), not a summary that invents: do not blame it for these."
                .to_owned(),
        ));
        rows = 2;
    }
    let altered: Vec<&str> =
        audit.doubts.iter().filter(|d| d.code == Code::StatementAltered).map(|d| d.text.as_str()).collect();
    for doubt in &audit.doubts {
        let is_altered = doubt.code == Code::StatementAltered;
        // A value in an altered sentence is told with it.
        if rows < 1 + usize::from(is_altered)
            || (!is_altered && altered.iter().any(|t| t.contains(&doubt.text)))
        {
            continue;
        }
        rows -= 1 + usize::from(is_altered);
        match (is_altered, doubt.why.as_deref(), doubt.code) {
            (true, why, _) => {
                out.push(plain(format!("  \u{201c}{}\u{201d}", shorten(&doubt.text, COLUMNS - 4))));
                out.push(plain(format!(
                    "      but {}",
                    source_line(why.unwrap_or("its source says otherwise"))
                )));
            }
            (_, Some(why), _) => {
                out.push(plain(format!("  \u{201c}{}\u{201d} – {why}", shorten(&doubt.text, 46))));
            }
            (_, None, Code::ReferentInvented) => {
                out.push(plain(format!(
                    "  \u{201c}{}\u{201d} stands nowhere before",
                    shorten(&doubt.text, 70)
                )));
            }
            _ => out
                .push(plain(format!("  \u{201c}{}\u{201d} has nothing behind it", shorten(&doubt.text, 70)))),
        }
    }
}

/// What the source says and how it differs, with the quotation cut so that the difference is seen.
fn source_line(why: &str) -> String {
    match why.rsplit_once("`: ") {
        Some((source, difference)) => {
            let room = COLUMNS.saturating_sub(13 + difference.width());
            format!("{}`: {difference}", fit(source, room.max(30)))
        }
        None => why.to_owned(),
    }
}

fn conflicts(audit: &Audit, out: &mut Vec<Line>) {
    // What tools showed at two times is mostly a change; what people said twice is not.
    let mut told = audit.conflicts.iter().filter(|c| c.state == ConflictState::Stale || c.said);
    if let Some(conflict) = told.next() {
        let what = match conflict.state {
            ConflictState::Stale => "Told though stale",
            _ => "Two values, one story",
        };
        let sides: Vec<String> = conflict
            .sides
            .iter()
            .map(|(line, text)| format!("{} (line {line})", shorten(text, 26)))
            .collect();
        let more = told.count() as u64;
        let more = if more > 0 { format!("; {} more", count(more)) } else { String::new() };
        out.push((YELLOW, format!("{what}: {}{more}", sides.join(" / "))));
    }
}

fn ledger(audit: &Audit, out: &mut Vec<Line>) {
    let facts = &audit.facts;
    let worth = &audit.ledger;
    if facts.lost == 0 || worth.facts <= facts.stated + facts.kept {
        return;
    }
    let mut line = format!(
        "With a ledger of {} beside the summary ({}): {} of the facts instead of {}",
        bytes(worth.budget as u64),
        of(worth.entries as u64, "entry", "entries"),
        percent(worth.facts, facts.facts),
        percent(facts.stated + facts.kept, facts.facts),
    );
    if facts.used_again > 0 {
        out.push(plain(format!("{line},")));
        line = format!(
            "and of those used again {} instead of {} ({} of {}).",
            percent(worth.used_again, facts.used_again),
            percent(facts.used_again - facts.used_again_lost, facts.used_again),
            count(worth.used_again),
            count(facts.used_again),
        );
    } else {
        line.push('.');
    }
    out.push(plain(line));
}

fn verdict(audit: &Audit, out: &mut Vec<Line>) {
    let style = match audit.verdict {
        VerdictKind::Commit => GREEN,
        VerdictKind::Halt | VerdictKind::Flatten => YELLOW,
        VerdictKind::Reject => RED,
    };
    let by_ledger = audit.reasons.iter().all(|reason| crate::report::a_ledger_mends(reason.code));
    let retry = match (audit.verdict, audit.retry) {
        (VerdictKind::Commit, _) => "the summary may replace what it stands for",
        (_, true) if !by_ledger => "another attempt can mend it; a ledger alone cannot",
        (_, true) => "another attempt, or a ledger, can mend it",
        (_, false) => "no further attempt can mend it",
    };
    out.push((style, format!("Verdict: {} – {retry}", audit.verdict.as_str())));
    let signals = &audit.signals;
    let mut codes: Vec<(&str, u64, &str)> = Vec::new();
    for reason in &audit.reasons {
        let code = reason.code.as_str();
        match codes.iter_mut().find(|(known, ..)| *known == code) {
            Some((_, n, _)) => *n += 1,
            None => codes.push((code, 1, &reason.message)),
        }
    }
    for (code, n, message) in codes.iter().take(2) {
        let line = match *code {
            "fact.lost" => format!(
                "{} of {} that the gate requires are lost",
                count(signals.facts.lost as u64),
                of(signals.facts.required as u64, "fact", "facts")
            ),
            _ if *n > 1 => format!("{} findings, the first: {message}", count(*n)),
            _ => (*message).to_owned(),
        };
        out.push(plain(format!("  {code}: {line}")));
    }
    if codes.len() > 2 {
        let rest: Vec<&str> = codes.iter().skip(2).map(|c| c.0).collect();
        out.push(plain(format!("  and {}", rest.join(", "))));
    }
    if audit.verdict != VerdictKind::Commit {
        out.push(plain(if by_ledger { NEXT_LEDGER.to_owned() } else { NEXT.to_owned() }));
    }
}

/// What to do with a summary that should not have stood for what it replaced.
const NEXT: &str = "Next: write the summary anew; `manifest run` compacts through the gate.";
const NEXT_LEDGER: &str =
    "Next: --ledger prints what to put beside the summary; `manifest run` compacts through the gate.";

fn unreadable(findings: &Findings, out: &mut Vec<Line>) {
    let Some(point) = &findings.compaction else { return };
    let why = match point.unreadable.as_deref() {
        Some("empty") | None => "The summary is empty".to_owned(),
        Some(what) => format!("The summary cannot be read: {}", crate::visible::plain(what)),
    };
    out.push((RED, format!("{}.", fit(&why, COLUMNS - 1))));
    out.push(plain("There is nothing to audit: it holds no fact that could be compared.".to_owned()));
    let (first, last) = (findings.before.first_line, findings.before.last_line);
    out.push(plain(format!(
        "The lines before it ({}–{}) still stand in the file.",
        count(first),
        count(last)
    )));
    if let Some(number) = findings.readable.last() {
        out.push(plain(format!("Compaction {number} can be read: --compaction {number}.")));
    }
    out.push(plain(format!(
        "If you have this summary as a text: --compaction {} --summary FILE.",
        point.number
    )));
}
