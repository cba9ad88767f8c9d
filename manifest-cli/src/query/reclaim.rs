//! `probe`, `gc`: whether the root answers for its leaves, and which of them may go.

use super::{print, print_json};
use crate::error::Failure;
use crate::gravity;
use crate::place::{StoreArgs, block, now, short};
use crate::visible::plain;
use clap::Args;
use manifest_core::store::{Event, Leases, RefName};
use manifest_core::tree::{RootProbe, SweepRules, Tree, TreeError};
use manifest_store::FileStore;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// A file without its name that nobody has written to for so long is one of a writer that was killed.
const UNFINISHED: Duration = Duration::from_hours(1);
/// Rows of a list.
const ROWS: usize = 20;

/// Arguments of `manifest probe`.
#[derive(Args)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `manifest gc`.
#[derive(Args)]
pub(crate) struct GcArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// List what would go, with each leaf's reason, and delete nothing.
    #[arg(long)]
    dry_run: bool,
    /// Seconds that a text must be old.
    #[arg(long, default_value_t = 3600, value_name = "SECONDS")]
    grace: u64,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

fn ask(tree: &Tree<'_, FileStore>, store: &FileStore, args: &StoreArgs) -> Result<RootProbe, Failure> {
    block(async {
        let Some(head) = tree.head().await? else {
            return Err(Failure::NoHead(Box::new(args.headless(tree, store).await?)));
        };
        let root = tree.stored(head.target).await?;
        Ok::<_, Failure>(tree.probe(&root).await?)
    })
}

pub(crate) fn probe(args: &ProbeArgs) -> Result<ExitCode, Failure> {
    let store = args.store.open()?;
    let tree = Tree::open(&store, args.store.head())?;
    let probe = ask(&tree, &store, &args.store)?;
    if args.json {
        print_json(&probe_value(&probe))?;
    } else {
        print(|out| probe_lines(&probe, out))?;
    }
    Ok(if probe.passed() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn probe_value(probe: &RootProbe) -> Value {
    json!({
        "root": probe.root.to_string(),
        "generation": probe.head.generation,
        "passed": probe.passed(),
        "asked": probe.asked,
        "by_ledger": probe.by_ledger,
        "unanswered": probe.unanswered.iter().map(|fact| &fact.text).collect::<Vec<_>>(),
        "blockers": probe.blockers.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn probe_lines(probe: &RootProbe, out: &mut dyn Write) -> io::Result<()> {
    let answered = probe.asked - probe.unanswered.len();
    writeln!(
        out,
        "root {}: {answered} of {} required facts answered ({} by the text, {} by the ledger)",
        short(probe.root),
        probe.asked,
        answered - probe.by_ledger.len(),
        probe.by_ledger.len()
    )?;
    for text in gravity::sorted(probe.unanswered.iter().map(|fact| fact.text.as_str())).into_iter().take(ROWS)
    {
        writeln!(out, "  missing: {}", plain(text))?;
    }
    if probe.unanswered.len() > ROWS {
        writeln!(out, "  … and {} more missing (--json lists them)", probe.unanswered.len() - ROWS)?;
    }
    for blocker in probe.blockers.iter().take(ROWS) {
        writeln!(out, "  {}", plain(&blocker.to_string()))?;
    }
    if probe.blockers.len() > ROWS {
        writeln!(out, "  … and {} more (--json lists them)", probe.blockers.len() - ROWS)?;
    }
    writeln!(out, "{}", if probe.passed() { "A permit is given." } else { "No permit: every leaf stays." })
}

pub(crate) fn gc(args: &GcArgs) -> Result<ExitCode, Failure> {
    let store = args.store.open()?;
    let tree = Tree::open(&store, args.store.head())?;
    let probe = ask(&tree, &store, &args.store)?;
    if !probe.passed() {
        if args.json {
            print_json(&json!({"swept": false, "probe": probe_value(&probe)}))?;
        } else {
            print(|out| probe_lines(&probe, out))?;
        }
        return Ok(ExitCode::from(1));
    }
    // It passed: the permit is there.
    let Ok(permit) = probe.permit() else { return Ok(ExitCode::from(1)) };
    let rules = SweepRules::new(now()).grace(Duration::from_secs(args.grace));
    let plan = block(tree.plan_sweep(permit, rules))?;
    let rows: Vec<Value> = plan
        .leaves()
        .iter()
        .map(|leaf| {
            json!({
                "leaf": leaf.id.to_string(),
                "text_digest": leaf.text.to_string(),
                "bytes": leaf.bytes,
                "goes": leaf.reason.goes(),
                "reason": leaf.reason.to_string(),
            })
        })
        .collect();
    if args.dry_run {
        if args.json {
            print_json(&json!({"swept": false, "bytes": plan.bytes(), "leaves": rows}))?;
        } else {
            print(|out| {
                for leaf in plan.leaves() {
                    writeln!(
                        out,
                        "{}  {:>8} bytes  {}",
                        short(leaf.id),
                        leaf.bytes,
                        plain(&leaf.reason.to_string())
                    )?;
                }
                let going = plan.leaves().iter().filter(|leaf| leaf.reason.goes()).count();
                writeln!(
                    out,
                    "{going} of {} leaves would go, {} bytes; facts, places and digests stay. Nothing was deleted.",
                    plan.leaves().len(),
                    plan.bytes()
                )
            })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let swept = match block(tree.sweep(plan)) {
        Err(Failure::Tree(TreeError::HeadMoved { name, permit, found })) => {
            return moved(&tree, &args.store, (&name, permit, found), args.json);
        }
        swept => swept?,
    };
    // What killed writers left: files that never got their names, leases that have ended.
    store.clear_unfinished(UNFINISHED)?;
    block(Leases::of(&store).clear_expired(now()))?;
    if args.json {
        print_json(&json!({
            "swept": true,
            "leaves_gone": swept.leaves,
            "bytes": swept.bytes,
            "generation": swept.logged.as_ref().map(|entry| entry.generation),
            "leaves": rows,
        }))?;
    } else {
        print(|out| {
            write!(out, "{} leaves reclaimed, {} bytes", swept.leaves, swept.bytes)?;
            match &swept.logged {
                Some(entry) => writeln!(out, "; logged as generation {} of {}", entry.generation, entry.name),
                None => writeln!(out, "; `--dry-run` tells why each one stays"),
            }
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The head moved between the probe and the sweep: another sweep of the same root was first, or there is another root.
fn moved(
    tree: &Tree<'_, FileStore>,
    store: &StoreArgs,
    (name, permit, found): (&RefName, u64, Option<u64>),
    json: bool,
) -> Result<ExitCode, Failure> {
    let since = block(async {
        let past = found.unwrap_or(permit).saturating_sub(permit).saturating_add(1);
        Ok::<_, Failure>(tree.history(usize::try_from(past).unwrap_or(usize::MAX)).await?)
    })?;
    // The permit's generation is the last of these.
    let root = since.iter().find(|entry| entry.generation == permit).map(|entry| entry.target);
    let mut later = since.iter().filter(|entry| entry.generation > permit);
    let by_sweep = later.all(|entry| entry.event == Event::Reclaim && Some(entry.target) == root);
    if json {
        print_json(&json!({
            "swept": false,
            "moved": {"from": permit, "to": found, "by": if by_sweep { "sweep" } else { "writer" }},
        }))?;
    } else {
        let found = found.unwrap_or(0);
        print(|out| {
            if by_sweep {
                return writeln!(
                    out,
                    "Another sweep of the same root was first (generation {found} of {name}): nothing was deleted here."
                );
            }
            writeln!(
                out,
                "Another process moved the head {name} from generation {permit} to {found} meanwhile: nothing was deleted. \
                 `manifest gc --store {}` probes what it names now.",
                plain(&store.shown())
            )
        })?;
    }
    Ok(if by_sweep { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
