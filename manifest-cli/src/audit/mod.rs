//! `manifest audit`: what the last compaction of a session cost.

mod clauses;
mod evidence;
mod findings;
pub(crate) mod fit;
mod gate;
mod list;
pub(crate) mod losses;
mod lost;
mod mask;
mod notes;
pub(crate) mod number;
mod screen;
mod survey;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use mask::Mask;

use crate::error::Failure;
use crate::transcript::{Limits, Session, TranscriptError};
use clap::Args;
use evidence::Bounds;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `manifest audit`.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line, each its own")]
pub(crate) struct AuditArgs {
    /// The session: a file (also .gz or .zst), or `-` for standard input.
    ///
    /// Chat messages (JSON lines, one array, or under "messages"), messages with blocks, Claude Code sessions, Codex
    /// rollouts, exports of a terminal or in Markdown, texts and logs.
    file: PathBuf,
    /// Which compaction, by its number from 1; the last by default.
    #[arg(long, value_name = "N")]
    compaction: Option<usize>,
    /// List the compactions of the session instead.
    #[arg(long, conflicts_with_all = ["compaction", "summary"])]
    list: bool,
    /// A file with the summary, where the session records none: of all since the last recorded compaction, or, with
    /// --compaction, in place of what is recorded there.
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// `exact`, `remediation`, `narrative`, or a TOML file.
    #[arg(long, default_value = "remediation", value_name = "NAME|FILE")]
    policy: String,
    /// Bytes of the ledger whose worth is shown (2048 where it is not given) and of the one that --ledger prints (as the
    /// policy says where it is not given).
    #[arg(long, value_name = "BYTES")]
    ledger_bytes: Option<usize>,
    /// Bytes of a leaf, about.
    #[arg(long, default_value_t = 4096, value_name = "BYTES")]
    leaf_bytes: usize,
    /// Bytes that one line of the file may have; longer ones are passed over and counted.
    #[arg(long, default_value_t = 64 << 20, value_name = "BYTES")]
    max_line: usize,
    /// Exit with 1 unless the verdict is `commit`.
    #[arg(long)]
    strict: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
    /// Print a ledger alone, the facts that the gate requires first: to be put beside the summary where the session goes on.
    /// An audit of the summary with it behind it reads it as what it is. A number in square
    /// brackets is the line of the session that says it.
    #[arg(long, conflicts_with_all = ["json", "list"])]
    ledger: bool,
}

/// Why there is nothing to audit in a readable session.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NothingToAudit {
    /// No compaction is recorded.
    #[error(
        "no compaction is recorded in {file} ({form}, {units}, {bytes}). If you have the summary that is to \
         replace it, or one that replaced it elsewhere, name it: manifest audit {file} --summary FILE{passed_over}"
    )]
    NoCompaction {
        /// The session.
        file: String,
        /// Its form.
        form: &'static str,
        /// How many units it has.
        units: String,
        /// How much text.
        bytes: String,
        /// A sentence on lines that were too long to be read, or nothing.
        passed_over: String,
    },
    /// The number named is not one of the session's.
    #[error("there is no compaction {wanted} in {file}: it records {count}; see them with --list")]
    NoSuchCompaction {
        /// The session.
        file: String,
        /// The number named.
        wanted: usize,
        /// How many there are.
        count: usize,
    },
    /// Nothing stands before the summary.
    #[error(
        "nothing stands before the summary in {file}: the session began in another file; what was compacted is there"
    )]
    NothingBefore {
        /// The session.
        file: String,
    },
    /// Nothing stands between two compactions.
    #[error(
        "nothing stands between compaction {before} and {number} of {file}: there is nothing new that it replaced; \
         audit another with --compaction {before}"
    )]
    NothingBetween {
        /// The session.
        file: String,
        /// The number of the one before.
        before: usize,
        /// The number of the one named.
        number: usize,
    },
    /// What the summary holds is not known, and so neither what is lost.
    #[error(
        "the summary in {file} is empty or cannot be read: a ledger beside it needs its text, with --summary FILE"
    )]
    NoLedger {
        /// The session.
        file: String,
    },
    /// The summary file holds no text.
    #[error("the summary in {file} is empty")]
    EmptySummaryFile {
        /// The summary's file.
        file: String,
    },
}

/// Runs the audit.
///
/// # Errors
///
/// When a file cannot be read, holds no transcript, or holds nothing to audit.
pub(crate) fn run(args: &AuditArgs) -> Result<ExitCode, Failure> {
    let policy = crate::policy::load(&args.policy, false)?;
    let limits = Limits { line: args.max_line };
    let mut session = Session::open(&args.file, limits)?;
    let survey = survey::take(&mut session, args.compaction)?;
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    if args.list {
        list::write(&session, &survey, args.json, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let summary = args.summary.as_deref().map(|path| summary_file(path, limits)).transpose()?;
    let mut target = target::choose(&session, survey, args.compaction, summary)?;
    let losses = if args.json { evidence::LISTED } else { evidence::SHOWN };
    let bounds = Bounds { leaf_bytes: args.leaf_bytes, ledger_bytes: args.ledger_bytes, losses };
    let findings = evidence::gather(&mut session, &mut target, &policy, bounds)?;
    if args.ledger {
        let ledger =
            findings.ledger().ok_or_else(|| NothingToAudit::NoLedger { file: findings.file.clone() })?;
        writeln!(out, "{ledger}").map_err(Failure::Output)?;
    } else if args.json {
        serde_json::to_writer_pretty(&mut out, &findings).map_err(Failure::Json)?;
        writeln!(out).map_err(Failure::Output)?;
    } else {
        screen::write(&findings, &mut out).map_err(Failure::Output)?;
    }
    Ok(if args.strict && !findings.is_commit() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The text of a summary's file.
fn summary_file(path: &std::path::Path, limits: Limits) -> Result<target::GivenSummary, Failure> {
    let text = crate::transcript::text_of(path, limits)?;
    if text.trim().is_empty() {
        return Err(NothingToAudit::EmptySummaryFile { file: path.display().to_string() }.into());
    }
    Ok(target::GivenSummary { path: path.to_path_buf(), text })
}

impl From<TranscriptError> for Failure {
    fn from(error: TranscriptError) -> Self {
        Failure::Transcript(error)
    }
}

impl From<NothingToAudit> for Failure {
    fn from(error: NothingToAudit) -> Self {
        Failure::NothingToAudit(error)
    }
}
