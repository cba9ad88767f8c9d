//! `manifest check`: one parent, in files or as an object.

use crate::error::Failure;
use crate::{CheckArgs, batch, input, policy, report, visible};
use manifest_core::{Check, Child};
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
            if texts.iter().all(|(_, text)| text.trim().is_empty()) {
                return Err(Failure::NoSource { path: sources.clone() });
            }
            let parent = input::text_of(summary, limit)?;
            let ledger = args.ledger.as_deref().map(|path| input::text_of(path, limit)).transpose()?;
            let children: Vec<Child<'_>> =
                texts.iter().map(|(name, text)| Child::new(text.as_str()).with_id(name.as_str())).collect();
            let report =
                Check::new(&children, &parent).ledger(ledger.as_deref()).mend(args.mend).run(&policy);
            if args.json {
                batch::write_line(&mut std::io::stdout().lock(), &report)?;
            } else {
                let shown = report::screen(&report, &texts, args.mend && ledger.is_none());
                std::io::stdout()
                    .lock()
                    .write_all(visible::lines(&shown).as_bytes())
                    .map_err(Failure::Output)?;
            }
            Ok(ExitCode::from(u8::from(!(report.verdict.is_commit() || report.observed))))
        }
    }
}
