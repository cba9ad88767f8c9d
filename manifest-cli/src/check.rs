//! `manifest check`: one parent, in files or as an object.

use crate::error::Failure;
use crate::{CheckArgs, batch, input, policy, visible};
use manifest_core::{Check, Child, Report};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let policy = policy::load(&args.policy, args.observe)?;
    match (&args.sources, &args.summary) {
        (None, _) if args.jsonl => batch::check(args, &policy),
        (None, _) => batch::check_one(args, &policy),
        (Some(_), None) => {
            Err(Failure::Usage("check takes two paths: SOURCES (a file or a folder) and SUMMARY (a file)"))
        }
        (Some(sources), Some(summary)) => {
            let limit = args.limits.max_line;
            // What is judged, and what stands beside it, is no source, though it may lie in the same folder.
            let beside: Vec<&Path> = args.ledger.as_deref().into_iter().chain([summary.as_path()]).collect();
            let texts = input::texts_but(sources, &beside, limit)?;
            let parent = input::text_of(summary, limit)?;
            let ledger = args.ledger.as_deref().map(|path| input::text_of(path, limit)).transpose()?;
            let children: Vec<Child<'_>> =
                texts.iter().map(|(name, text)| Child::new(text.as_str()).with_id(name.as_str())).collect();
            let report =
                Check::new(&children, &parent).ledger(ledger.as_deref()).mend(args.mend).run(&policy);
            if args.json {
                batch::write_line(&mut std::io::stdout().lock(), &report)?;
            } else {
                let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
                std::io::stdout()
                    .lock()
                    .write_all(visible::lines(&screen(&report, &names)).as_bytes())
                    .map_err(Failure::Output)?;
            }
            Ok(ExitCode::from(u8::from(!(report.verdict.is_commit() || report.observed))))
        }
    }
}

/// How many findings of a kind fit the screen.
const SHOWN: usize = 8;

/// The report as a person reads it.
fn screen(report: &Report, names: &[&str]) -> String {
    let mut out = String::new();
    let s = &report.signals;
    let observed = if report.observed { " (observed: nothing is blocked)" } else { "" };
    let _ = writeln!(out, "{}{observed}", report.verdict.kind.as_str().to_uppercase());
    for reason in report.reasons.iter().take(SHOWN) {
        let _ = writeln!(out, "  {:<22} {}", reason.code.as_str(), reason.message);
    }
    more(&mut out, report.reasons.len());
    let _ = writeln!(
        out,
        "\n{} of {} claims traceable, {} of {} mentions unexplained\nfacts: {} required, {} stated, {} carried, {} dropped, {} lost",
        report.claims.iter().filter(|c| c.traceable).count(),
        s.claims,
        report.orphans.iter().filter(|o| o.kind != "statement" && o.kind != "pronoun").count(),
        s.referents,
        s.facts.required,
        s.facts.stated,
        s.facts.carried,
        s.facts.dropped,
        s.facts.lost
    );
    if !report.lost.is_empty() {
        let _ = writeln!(out, "\nlost:");
        for row in report.lost.iter().take(SHOWN) {
            let name = names.get(row.child).copied().unwrap_or("?");
            let _ = writeln!(
                out,
                "  {:<12} {}  ({name}, bytes {}..{})",
                row.kind,
                one_line(&row.text),
                row.span.start,
                row.span.end
            );
        }
        more(&mut out, report.lost.len());
    }
    if !report.ledger.text.is_empty() && !report.verdict.is_commit() {
        let _ = writeln!(out, "\na ledger beside the summary would carry (--mend judges with it):");
        for line in report.ledger.text.lines().take(SHOWN) {
            let _ = writeln!(out, "  {}", clipped(line, 110));
        }
        more(&mut out, report.ledger.text.lines().count());
    }
    out
}

fn more(out: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(out, "  … and {} more (--json lists them all)", all - SHOWN);
    }
}

fn one_line(text: &str) -> String {
    clipped(&text.split_whitespace().collect::<Vec<_>>().join(" "), 100)
}

/// At most `most` characters, cut at a space.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    let cut = head.rfind(' ').filter(|at| *at > most / 2).unwrap_or(head.len());
    format!("{}…", &head[..cut])
}
