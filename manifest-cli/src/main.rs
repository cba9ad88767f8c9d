//! The program `manifest`: check a summary against its sources, list facts, make a ledger, audit a session.

mod audit;
mod batch;
mod check;
mod error;
mod export;
mod gravity;
mod headless;
mod input;
mod line;
mod place;
mod policy;
mod query;
mod refusal;
mod report;
mod run;
mod shape;
mod summarizer;
mod transcript;
mod visible;

use clap::{Args, Parser, Subcommand};
use error::Failure;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Finds what summarizing lost, before the sources are gone.
#[derive(Parser)]
#[command(name = "manifest", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Show what the last compaction of a session cost: which exact facts it lost, and which were needed again.
    ///
    /// Exit status: 0 audited, or the summary is empty or opaque (it says so); 1 with --strict when the verdict is not
    /// `commit`; 2 an error, or a session without a compaction.
    Audit(audit::AuditArgs),
    /// Judge a summary against its sources.
    ///
    /// With two paths: SOURCES is a file, or a folder whose files are the sources in the order of their names; SUMMARY is a
    /// file. Without paths: one JSON object on standard input, or with --jsonl one a line.
    ///
    /// Exit status: 0 commit (or --observe, or --jsonl), 1 any other verdict, 2 an error.
    Check(CheckArgs),
    /// List the exact facts of texts, with their salience.
    Facts(BatchArgs),
    /// Make the ledger that would stand beside a summary.
    Ledger(LedgerArgs),
    /// Compact a transcript into a tree of summaries in a store, each through its gate.
    ///
    /// Exit status: 0 a root stands, 1 halted or refused (nothing was lost, the head has not moved), 2 an error.
    Run(Box<run::RunArgs>),
    /// Find what a root does not say: each exact value with its place, and the leaf's own words while they are kept.
    ///
    /// Without WORDS: what is known of the tree, and the gravest facts that are not at its root.
    Recover(query::RecoverArgs),
    /// Show the tree with its figures, or one leaf or node of it.
    Show(query::ShowArgs),
    /// Follow a fact from its leaves upwards: at which nodes it lives on, and where it ends.
    Trace(query::TraceArgs),
    /// Tell which leaves a sentence of a node comes from.
    Origin(query::OriginArgs),
    /// List the facts that the root does not hold, with the node and the reason.
    Lost(query::LostArgs),
    /// Tell why a node was committed: verdict, reasons, figures, drops.
    Why(query::WhyArgs),
    /// Prove that a leaf below the root states a fact: a small file that is checked without the store.
    ///
    /// Exit status: 0 written, 1 no leaf states it, 2 an error.
    Prove(query::ProveArgs),
    /// Write a verified tree down in a form that other tools read.
    ///
    /// The tree is verified first, and that nothing in it comes before what it was made of.
    ///
    /// Exit status: 0 written, 1 the tree is not intact, 2 an error.
    Export(export::ExportArgs),
    /// Check a tree: its bytes, its accounts, its gates; or, with --proof, one proof alone.
    ///
    /// Exit status: 0 intact, 1 something is wrong, 2 an error.
    Verify(query::VerifyArgs),
    /// List the generations of the head.
    History(query::HistoryArgs),
    /// Compare the root's figures with those of the roots before it.
    ///
    /// Exit status: 0 steady, 1 falling, 2 an error.
    Trend(query::TrendArgs),
    /// Ask the root for every fact that is required of it.
    ///
    /// Exit status: 0 it answers for its leaves, 1 it does not, 2 an error.
    Probe(query::ProbeArgs),
    /// Reclaim the texts of leaves that the root answers for. It probes again itself.
    ///
    /// Exit status: 0 done, or another sweep was first; 1 no permit, or the head moved to another root meanwhile (every leaf
    /// stays); 2 an error.
    Gc(query::GcArgs),
}

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line, each its own")]
struct CheckArgs {
    /// The sources: a file or a folder.
    sources: Option<PathBuf>,
    /// The summary: a file.
    #[arg(requires = "sources")]
    summary: Option<PathBuf>,
    /// One JSON object a line on standard input, one answer a line.
    #[arg(long, conflicts_with = "sources")]
    jsonl: bool,
    /// `exact`, `remediation`, `narrative`, or a TOML file.
    #[arg(long, default_value = "remediation", value_name = "NAME|FILE")]
    policy: String,
    /// Give the same verdict and block nothing.
    #[arg(long)]
    observe: bool,
    /// Judge the summary with the offered ledger beside it.
    #[arg(long, requires = "sources")]
    mend: bool,
    /// What stands beside the summary: a file.
    #[arg(long, requires = "sources", conflicts_with = "mend", value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long, requires = "sources")]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Args)]
struct BatchArgs {
    /// A file or a folder of texts; without it, JSON lines on standard input.
    sources: Option<PathBuf>,
    /// One JSON object a line on standard input (the default without a path).
    #[arg(long, conflicts_with = "sources")]
    jsonl: bool,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Args)]
struct LedgerArgs {
    #[command(flatten)]
    batch: BatchArgs,
    /// Bytes that a ledger may have, where a line does not say it.
    #[arg(long, value_name = "BYTES")]
    bytes: Option<usize>,
}

#[derive(Args, Clone, Copy)]
struct Limits {
    /// Bytes that one line (or one file) may have.
    #[arg(long, default_value_t = 64 << 20, value_name = "BYTES")]
    max_line: usize,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            let _ = write!(std::io::stderr(), "{}", visible::lines(&usage(&error)));
            return ExitCode::from(2);
        }
    };
    let outcome = match cli.verb {
        Verb::Audit(args) => audit::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Facts(args) => batch::facts(&args),
        Verb::Ledger(args) => batch::ledger(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Recover(args) => query::recover(&args),
        Verb::Show(args) => query::show(&args),
        Verb::Trace(args) => query::trace(&args),
        Verb::Origin(args) => query::origin(&args),
        Verb::Lost(args) => query::lost(&args),
        Verb::Why(args) => query::why(&args),
        Verb::Prove(args) => query::prove(&args),
        Verb::Export(args) => export::run(&args),
        Verb::Verify(args) => query::verify(&args),
        Verb::History(args) => query::history(&args),
        Verb::Trend(args) => query::trend(&args),
        Verb::Probe(args) => query::probe(&args),
        Verb::Gc(args) => query::gc(&args),
    };
    match outcome {
        Ok(code) => code,
        // The reader went away: nothing to tell anyone.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Json(error)) if error.io_error_kind() == Some(std::io::ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // Where nobody listens the exit status still tells.
            let _ = writeln!(
                std::io::stderr(),
                "manifest: {}",
                visible::lines(&refusal::masked(&failure.to_string()))
            );
            ExitCode::from(2)
        }
    }
}

/// What is wrong with the arguments, without a refused one at length.
fn usage(error: &clap::Error) -> String {
    use clap::error::{ContextKind, ContextValue};
    let mut text = error.to_string();
    for (kind, value) in error.context() {
        let refused = matches!(
            kind,
            ContextKind::InvalidValue | ContextKind::InvalidArg | ContextKind::InvalidSubcommand
        );
        if let (true, ContextValue::String(value)) = (refused, value)
            // The name of an argument stands there too, with what it takes.
            && !value.ends_with('>')
            && !value.is_empty()
        {
            text = text.replace(value.as_str(), &refusal::quoted(value));
        }
    }
    for (said, meant) in [
        ("invalid digit found in string", "a whole number is expected, 0 or more"),
        ("cannot parse integer from empty string", "a whole number is expected"),
        ("number too large to fit in target type", "the number is too large"),
    ] {
        text = text.replace(said, meant);
    }
    refusal::masked(&text)
}
