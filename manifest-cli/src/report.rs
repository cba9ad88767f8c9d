//! A report as a person reads it: the verdict, one line a code, then what was found, each once.

use crate::audit::fit::{cut_clause, fit, pad, shorten};
use crate::audit::losses::clause;
use crate::audit::number::{count, of};
use manifest_core::{Code, ConflictState, LostRow, OrphanRow, Report, Span, VerdictKind, read};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of the screen.
const COLUMNS: usize = 100;
/// How many findings of a kind fit the screen.
const SHOWN: usize = 8;
/// How many lines of an offered ledger fit it.
const LEDGER_SHOWN: usize = 8;

/// The screen of one report over named sources; `mended` says that the verdict counts the offered ledger.
///
/// Writing to a string cannot fail.
pub(crate) fn screen(report: &Report, sources: &[(String, String)], mended: bool) -> String {
    let mut out = String::new();
    verdict(&mut out, report, mended);
    figures(&mut out, report);
    let sources = Sources::of(sources);
    lost(&mut out, report, &sources);
    mentions(&mut out, report, &sources);
    conflicts(&mut out, report, &sources);
    ledger(&mut out, report, mended);
    out
}

/// Whether facts beside a text can take this reason away: what is lost can be carried, what is said wrongly stays said.
pub(crate) fn a_ledger_mends(code: Code) -> bool {
    matches!(code, Code::FactLost | Code::RecallNotMeasured | Code::RetentionBelowFloor)
}

fn verdict(out: &mut String, report: &Report, mended: bool) {
    let what = match (report.verdict.kind, report.verdict.retry) {
        (VerdictKind::Commit, _) if mended => {
            "with the ledger below beside it, the summary may replace its sources"
        }
        (VerdictKind::Commit, _) => "the summary may replace its sources",
        (VerdictKind::Flatten, _) => "make no summary; keep the sources as they are",
        (_, true) if !report.reasons.iter().all(|reason| a_ledger_mends(reason.code)) => {
            "keep the sources; another attempt can mend it, a ledger alone cannot"
        }
        (_, true) => "keep the sources; another attempt, or a ledger, can mend it",
        (_, false) => "keep the sources; no further attempt can mend it",
    };
    let observed = if report.observed { " (observed: nothing is blocked)" } else { "" };
    let _ = writeln!(out, "{} \u{2013} {what}{observed}", report.verdict.kind.as_str().to_uppercase());
    let mut codes: Vec<(Code, &str)> = Vec::new();
    for reason in &report.reasons {
        if !codes.iter().any(|(code, _)| *code == reason.code) {
            codes.push((reason.code, &reason.message));
        }
    }
    for (code, message) in codes {
        // What is listed below is counted and told what to do about; the rest says what it is itself.
        let line = match listed(report, code) {
            Some(n) => format!("{:>5}  {}", count(n as u64), code.help()),
            None => format!("{:>5}  {message}", ""),
        };
        wrapped(out, &format!("  {:<20}{line}", code.as_str()), 29);
    }
}

/// A line in as many as it needs, those after the first indented.
fn wrapped(out: &mut String, line: &str, indent: usize) {
    let mut rest = line;
    let mut head = String::new();
    while head.width() + rest.width() > COLUMNS {
        let room = COLUMNS - head.width();
        let mut columns = 0;
        let fits = rest.char_indices().take_while(|(_, c)| {
            columns += c.width().unwrap_or(0);
            columns <= room
        });
        let end = fits.last().map_or(0, |(at, c)| at + c.len_utf8());
        let cut =
            rest.get(..end).and_then(|part| part.rfind(' ')).filter(|at| !rest[..*at].trim().is_empty());
        let (line, tail) = rest.split_at(cut.unwrap_or(end));
        let _ = writeln!(out, "{head}{line}");
        rest = tail.trim_start();
        head = " ".repeat(indent);
    }
    let _ = writeln!(out, "{head}{rest}");
}

/// How many findings of a code the screen lists below; `None` of a code whose message says all.
fn listed(report: &Report, code: Code) -> Option<usize> {
    let state = |state| report.conflicts.iter().filter(|c| c.state == state).count();
    match code {
        Code::FactLost => Some(report.lost.len()),
        Code::ReferentOrphaned | Code::ReferentInvented | Code::StatementAltered => {
            Some(report.orphans.iter().filter(|o| o.code == code && o.kind != "pronoun").count())
        }
        Code::ConflictCollapsed => Some(state(ConflictState::Collapsed)),
        Code::StatementStale => Some(state(ConflictState::Stale)),
        _ => None,
    }
    .filter(|n| *n > 0)
}

fn figures(out: &mut String, report: &Report) {
    let s = &report.signals;
    let _ = writeln!(
        out,
        "\n{} of {} traceable, {} of {} unexplained\n{} required; of all: {} stated, {} in the ledger, {} not required, {} lost",
        report.claims.iter().filter(|c| c.traceable).count(),
        of(s.claims as u64, "claim", "claims"),
        report.orphans.iter().filter(|o| o.kind != "statement" && o.kind != "pronoun").count(),
        of(s.referents as u64, "mention", "mentions"),
        of(s.facts.required as u64, "fact", "facts"),
        count(s.facts.stated as u64),
        count(s.facts.carried as u64),
        count(s.facts.dropped as u64),
        count(s.facts.lost as u64)
    );
}

fn lost(out: &mut String, report: &Report, sources: &Sources<'_>) {
    if report.lost.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nlost, the gravest first{}:", sources.within());
    let rows: Vec<&LostRow> = report.lost.iter().take(SHOWN).collect();
    let places: Vec<String> = rows.iter().map(|row| sources.place(row.child, row.span)).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>, most: usize| texts.max().unwrap_or(0).min(most);
    let kind = width(&mut rows.iter().map(|row| row.kind.width()), 12);
    let place = width(&mut places.iter().map(|place| place.width()), 24);
    for (row, at) in rows.iter().zip(&places) {
        let left = format!("  {}  {}  ", pad(row.kind, kind), pad(&shorten(at, place), place));
        let room = COLUMNS.saturating_sub(left.width());
        let _ = writeln!(out, "{left}{}", sources.told(row, room));
    }
    more(out, report.lost.len(), SHOWN);
}

/// What the summary mentions or says and its sources do not.
fn mentions(out: &mut String, report: &Report, sources: &Sources<'_>) {
    let told = |code: Code| report.orphans.iter().filter(move |o| o.code == code && o.kind != "pronoun");
    let section = |out: &mut String, title: &str, code: Code| {
        let rows: Vec<&OrphanRow> = told(code).collect();
        if rows.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}:");
        for row in rows.iter().take(SHOWN) {
            let text = format!("\u{201c}{}\u{201d}", one_line(&row.text));
            let _ = writeln!(out, "  {:<12} {}", row.kind, shorten(&text, COLUMNS - 15));
            if let Some(why) = &row.why {
                let _ = writeln!(out, "      {}", fit(&one_line(&sources.named(why)), COLUMNS - 6));
            }
        }
        more(out, rows.len(), SHOWN);
    };
    section(out, "altered: the summary says something else than its source", Code::StatementAltered);
    section(out, "invented: exact values that no source holds", Code::ReferentInvented);
    section(out, "unexplained: mentions with nothing behind them", Code::ReferentOrphaned);
}

fn conflicts(out: &mut String, report: &Report, sources: &Sources<'_>) {
    let rows: Vec<_> = report
        .conflicts
        .iter()
        .filter(|c| matches!(c.state, ConflictState::Collapsed | ConflictState::Stale))
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nthe sources disagree, and the summary does not say so:");
    for row in rows.iter().take(SHOWN / 2) {
        for (i, side) in row.sides.iter().enumerate() {
            let left =
                format!("  {} {}  ", if i == 0 { "-" } else { " " }, sources.place(side.child, side.span));
            let room = COLUMNS.saturating_sub(left.width() + 2).max(20);
            let _ = writeln!(out, "{left}\u{201c}{}\u{201d}", shorten(&one_line(&side.text), room));
        }
    }
    more(out, rows.len(), SHOWN / 2);
}

fn ledger(out: &mut String, report: &Report, mended: bool) {
    if report.ledger.text.is_empty() {
        return;
    }
    if mended {
        // The whole of it: what was judged is to be stored beside the summary.
        let _ = writeln!(
            out,
            "\nthe ledger beside the summary ({} bytes):",
            count(report.ledger.text.len() as u64)
        );
        let _ = writeln!(out, "{}", report.ledger.text);
    } else if !report.verdict.is_commit() {
        let _ = writeln!(out, "\na ledger beside the summary would carry (--mend judges with it):");
        for line in report.ledger.text.lines().take(LEDGER_SHOWN) {
            let _ = writeln!(out, "  {}", fit(line, COLUMNS - 2));
        }
        more(out, report.ledger.text.lines().count(), LEDGER_SHOWN);
    }
}

fn more(out: &mut String, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(out, "  \u{2026} and {} more (--json lists them all)", count((all - shown) as u64));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sources, by what tells them apart.
struct Sources<'a> {
    all: &'a [(String, String)],
    /// Bytes of the folder that all of them share.
    shared: usize,
}

impl<'a> Sources<'a> {
    fn of(all: &'a [(String, String)]) -> Self {
        let first = all.first().map_or("", |(name, _)| name.as_str());
        let shared = all.iter().map(|(name, _)| {
            let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
            first.get(..same).and_then(|head| head.rfind('/')).map_or(0, |at| at + 1)
        });
        Sources { all, shared: shared.min().unwrap_or(0) }
    }

    /// The folder that is left out of the rows.
    fn within(&self) -> String {
        let folder = self.all.first().and_then(|(name, _)| name.get(..self.shared)).unwrap_or_default();
        if folder.is_empty() { String::new() } else { format!(" (sources in {folder})") }
    }

    fn name(&self, child: usize) -> &str {
        self.all.get(child).and_then(|(name, _)| name.get(self.shared..)).unwrap_or("?")
    }

    /// `19.txt:4`
    fn place(&self, child: usize, span: Span) -> String {
        let head = self.all.get(child).and_then(|(_, text)| text.get(..span.start)).unwrap_or_default();
        let line = 1 + memchr::memchr_iter(b'\n', head.as_bytes()).count();
        format!("{}:{line}", self.name(child))
    }

    /// A value in the line that states it, or a statement as it stands, in so many columns. Secrets are masked.
    fn told(&self, row: &LostRow, room: usize) -> String {
        if row.kind == "statement" {
            return shorten(&format!("\u{201c}{}\u{201d}", one_line(&row.text)), room);
        }
        let value = one_line(&row.text);
        let text = self.all.get(row.child).map_or("", |(_, text)| text.as_str());
        let around = clause(text, row.span.start, row.span.end, 2 * COLUMNS);
        // Half of the row at most; what is left is for the line around it.
        let value = shorten(&value, (room / 2).max(30));
        let left = room.saturating_sub(value.width() + 2);
        if around == "____" || left < 16 || masks(text, row) {
            return value;
        }
        let around = cut_clause(&around, (left + 4).saturating_sub(value.width()).max(12));
        format!("{value}  {}", fit(&one_line(&around.replacen("____", &value, 1)), left))
    }

    /// A finding's explanation with names in place of the numbers of children.
    fn named(&self, why: &str) -> String {
        let Some(rest) = why.strip_prefix("child ") else { return why.to_owned() };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest.get(..digits).and_then(|n| n.parse::<usize>().ok());
        match number.filter(|n| *n < self.all.len()) {
            Some(number) => format!("{}{}", self.name(number), rest.get(digits..).unwrap_or_default()),
            None => why.to_owned(),
        }
    }
}

/// Whether a secret stands in the line of a finding: then nothing but the finding is shown.
fn masks(text: &str, row: &LostRow) -> bool {
    let start = text.get(..row.span.start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
    let tail = text.get(row.span.end..).unwrap_or_default();
    let end = row.span.end + tail.find('\n').unwrap_or(tail.len());
    let line = text.get(start..end).unwrap_or_default();
    read(line).facts.iter().any(|fact| fact.class == manifest_core::Class::Secret)
}
