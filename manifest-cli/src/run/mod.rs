//! `manifest run`: compact a transcript into a tree in a store.

mod leaves;
mod screen;
mod writer;

use crate::error::Failure;
use crate::place::{StoreArgs, Writing, block};
use crate::policy;
use crate::summarizer::{Command, Replay};
use crate::transcript::{Limits, Session};
use clap::Args;
use leaves::Leaves;
use manifest_core::recover::Outline;
use manifest_core::tree::{Compactor, Outcome, Plan, Step, Stored, Tree, TreeError};
use manifest_core::{Drop, NodeId, ProbeKey};
use manifest_store::FileStore;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;
use writer::Writer;

pub(crate) use writer::WriterFault;

/// Arguments of `manifest run`.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line, each its own")]
pub(crate) struct RunArgs {
    /// The session or text: a file (also .gz or .zst), or `-` for standard input; what `manifest audit` reads.
    file: PathBuf,
    /// What writes the summaries: `extractive` (sentences of the text, offline), `replay DIR` (recorded summaries), or
    /// `cmd 'LINE'` (any program: the children as JSON on its standard input, the summary on its standard output).
    #[arg(long, num_args = 1..=2, value_names = ["NAME", "DIR|LINE"], default_value = "extractive")]
    summarizer: Vec<String>,
    #[command(flatten)]
    store: StoreArgs,
    /// `exact`, `remediation`, `narrative`, or a TOML file.
    #[arg(long, default_value = "remediation", value_name = "NAME|FILE")]
    policy: String,
    /// Give the same verdicts and commit whatever comes; such a tree earns no permit.
    #[arg(long)]
    observe: bool,
    /// A text whose exact values must reach the root; may be given again.
    #[arg(long, value_name = "TEXT")]
    pin: Vec<String>,
    /// A fact that is given up, and why; may be given again.
    #[arg(long, value_name = "FACT=REASON", value_parser = drop_of)]
    drop: Vec<Drop>,
    /// Commit below the floor, and keep the leaves until a probe of the root.
    #[arg(long)]
    defer: bool,
    /// Attempts at each summary, before the ledger mends it.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100), value_name = "N")]
    attempts: u32,
    /// Seconds that one summary may take (`cmd`).
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400), value_name = "SECONDS")]
    timeout: u64,
    /// Children of a node above the first level.
    #[arg(long, default_value_t = 8, value_name = "N")]
    fan_in: usize,
    /// Bytes of a leaf, about.
    #[arg(long, default_value_t = 4096, value_name = "BYTES")]
    leaf_bytes: usize,
    /// Bytes of leaves that one node of the first level reads.
    #[arg(long, default_value_t = 32 << 10, value_name = "BYTES")]
    group_bytes: usize,
    /// Bytes that ledger, text and handle of a node may have together.
    #[arg(long, default_value_t = 12288, value_name = "BYTES")]
    budget_bytes: usize,
    /// Bytes that fit the context as they are: where another level would lose too much, so many are attached unsummarized.
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    context_bytes: usize,
    /// Print the outcome as JSON.
    #[arg(long)]
    json: bool,
    /// Print the root as it goes into a model's context instead.
    #[arg(long, conflicts_with = "json")]
    render: bool,
    /// Bytes that one line of the file may have.
    #[arg(long, default_value_t = 64 << 20, value_name = "BYTES")]
    max_line: usize,
}

fn drop_of(text: &str) -> Result<Drop, String> {
    match text.rsplit_once('=') {
        Some((fact, reason)) if !fact.trim().is_empty() && !reason.trim().is_empty() => {
            Ok(Drop::new(fact.trim(), reason.trim()))
        }
        _ => Err("expected FACT=REASON: a fact is never given up without a reason".to_owned()),
    }
}

/// Runs the verb.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let policy = policy::load(&args.policy, args.observe)?;
    let writer = writer_of(args)?;
    let mut session =
        Session::open(&args.file, Limits { line: args.max_line }).map_err(Failure::Transcript)?;
    let last = writer.replay().and_then(|replay| replay.shape().leaves.last()).map(|lines| lines.last_line);
    let leaves = Leaves::of(&mut session, args.leaf_bytes, last).map_err(Failure::Transcript)?;
    let plan = plan_of(args, &writer, &leaves)?;
    let store = args.store.create()?;
    let tree = Tree::open(&store, args.store.head())?;
    let told = Progress::new(plan.nodes());
    let writing = Writing::begin(&store, Duration::from_secs(args.timeout))?;
    let key = block(tree.probe_key(ProbeKey::new(random_key())))?;
    let tell = |step: &Step| {
        writing.go_on();
        told.step(step);
    };
    let compactor = Compactor::new(&tree, &writer, writer.name(), policy.clone())
        .attempts(args.attempts)
        .budget_bytes(args.budget_bytes)
        .context_bytes(args.context_bytes)
        .pinned(args.pin.iter().map(String::as_str))
        .drops(args.drop.iter().cloned())
        .defer(args.defer)
        .batch(writer.batch())
        .probes(key)
        .on_step(&tell);
    let (stored, done) = block(async {
        let stored: Vec<Stored> = tree.ingest(&leaves.children).await?;
        let done = compactor.run(&stored, &plan).await;
        Ok::<_, Failure>((stored, done))
    })?;
    told.clear();
    let done = done.map_err(|error| Failure::Run(Box::new(error)))?;
    let probe = match done.outcome.root() {
        Some(root) => Some(block(tree.probe(root))?),
        None => None,
    };
    if args.render {
        let Some(root) = done.outcome.root() else {
            return Err(Failure::NoRoot { why: screen::headline(&done.outcome) });
        };
        let mut out = anstream::stdout().lock();
        let text = root.render(block(lost(&tree, root.id()))?, &args.store.shown());
        writeln!(out, "{text}").map_err(Failure::Output)?;
    } else if args.json {
        screen::json(&done, probe.as_ref(), stored.len())?;
    } else {
        let told = screen::Told {
            args,
            leaves: &leaves,
            plan: &plan,
            done: &done,
            probe: probe.as_ref(),
            policy: &policy,
            names: writer.replay().map(|replay| &replay.shape().names),
        };
        screen::print(&told)?;
    }
    Ok(match done.outcome {
        Outcome::Unchanged { .. } | Outcome::Committed { .. } | Outcome::Flattened { .. } => {
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(1),
    })
}

/// How many facts of the leaves a root does not hold.
async fn lost(tree: &Tree<'_, FileStore>, root: NodeId) -> Result<u64, TreeError> {
    let mut lost = 0;
    let each = |_| {
        lost += 1;
        ControlFlow::Continue(())
    };
    Outline::load(tree, root).await?.lost(tree, None, each).await?;
    Ok(lost)
}

fn writer_of(args: &RunArgs) -> Result<Writer, Failure> {
    let argument = args.summarizer.get(1);
    match (args.summarizer.first().map_or("extractive", String::as_str), argument) {
        ("extractive", None) => Ok(Writer::Extractive(Mutex::default())),
        ("replay", Some(dir)) => {
            Ok(Writer::Replay(Box::new(Replay::open(Path::new(dir)).map_err(Failure::Replay)?)))
        }
        ("cmd", Some(line)) => Ok(Writer::Command(Command {
            line: line.clone(),
            timeout: Duration::from_secs(args.timeout),
            limit: args.budget_bytes.saturating_mul(8).max(1 << 20),
        })),
        ("replay", None) => Err(Failure::Usage(
            "--summarizer replay needs the folder of the recorded summaries: --summarizer replay DIR",
        )),
        ("cmd", None) => {
            Err(Failure::Usage("--summarizer cmd needs a command line: --summarizer cmd 'my-model --short'"))
        }
        ("extractive", Some(_)) => {
            Err(Failure::Usage("--summarizer extractive takes nothing after it: put FILE first"))
        }
        _ => Err(Failure::Usage("--summarizer is one of: extractive, replay DIR, cmd 'LINE'")),
    }
}

/// The shape of the tree: the recorded one, or one by bytes.
fn plan_of(args: &RunArgs, writer: &Writer, leaves: &Leaves) -> Result<Plan, Failure> {
    let Some(replay) = writer.replay() else {
        let sizes: Vec<usize> = leaves.children.iter().map(|leaf| leaf.text.len()).collect();
        return Plan::by_bytes(&sizes, args.group_bytes, args.fan_in).map_err(Failure::Plan);
    };
    leaves.plan_of(replay.shape()).map_err(Failure::Plan)
}

/// Random bytes for a store without a key of its own, from the seeds that the standard library draws from the system: the summarizer must not guess them, and
/// nobody else is kept from them.
fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    for half in key.chunks_exact_mut(16) {
        half.copy_from_slice(manifest_core::store::Nonce::unique().as_bytes());
    }
    key
}

/// One line on a terminal that says how far the work is.
struct Progress {
    planned: usize,
    shown: bool,
}

impl Progress {
    fn new(planned: usize) -> Self {
        Progress { planned, shown: std::io::stderr().is_terminal() }
    }

    fn step(&self, step: &Step) {
        if let (true, Step::Begun { place, done, .. }) = (self.shown, step) {
            // Nobody is told where nobody looks.
            let _ = write!(std::io::stderr(), "\r\x1b[K{done} of {} nodes, {place}", self.planned);
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
