//! `history`, `trend`: the head over time.

use super::{print, print_json};
use crate::error::Failure;
use crate::place::{StoreArgs, block, short};
use crate::policy;
use crate::visible::plain;
use clap::Args;
use manifest_core::store::{Event, Moment, RefEntry};
use manifest_core::tree::Tree;
use manifest_core::{Cycle, Ppm, trend as judge};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Arguments of `manifest history`.
#[derive(Args)]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Generations that are shown, the newest first.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    limit: u32,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `manifest trend`.
#[derive(Args)]
pub(crate) struct TrendArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// `exact`, `remediation`, `narrative`, or a TOML file.
    #[arg(long, default_value = "remediation", value_name = "NAME|FILE")]
    policy: String,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

fn event(entry: &RefEntry) -> &'static str {
    match entry.event {
        Event::Commit => "commit",
        Event::Reclaim => "reclaim",
        Event::Reset => "reset",
        _ => "other",
    }
}

pub(crate) fn history(args: &HistoryArgs) -> Result<ExitCode, Failure> {
    let store = args.store.open()?;
    let tree = Tree::open(&store, args.store.head())?;
    let entries = block(tree.history(args.limit as usize))?;
    if args.json {
        let rows: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "generation": entry.generation,
                    "event": event(entry),
                    "root": entry.target.to_string(),
                    "at": entry.at.map(Moment::unix_millis),
                    "message": entry.message,
                })
            })
            .collect();
        return print_json(&json!({"head": args.store.head(), "generations": rows}))
            .map(|()| ExitCode::SUCCESS);
    }
    let headless = if entries.is_empty() { Some(block(args.store.headless(&tree, &store))?) } else { None };
    print(|out| {
        if let Some(found) = headless.filter(crate::headless::Headless::is_odd) {
            writeln!(out, "No history: {}.", plain(&found.story()))?;
        } else if entries.is_empty() {
            writeln!(out, "The head `{}` names nothing yet.", plain(args.store.head()))?;
        }
        for entry in &entries {
            let message = entry.message.as_deref().map(plain).unwrap_or_default();
            writeln!(out, "{:>5}  {:<8} {}  {message}", entry.generation, event(entry), short(entry.target))?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn trend(args: &TrendArgs) -> Result<ExitCode, Failure> {
    let policy = policy::load(&args.policy, false)?;
    let store = args.store.open()?;
    let tree = Tree::open(&store, args.store.head())?;
    let cycles = block(async {
        let mut entries = tree.history(usize::MAX).await?;
        entries.retain(|entry| entry.event == Event::Commit);
        entries.reverse();
        let mut cycles = Vec::new();
        for entry in entries {
            if let Some(signals) = tree.manifest(entry.target).await?.signals() {
                let cycle = Cycle::new(Ppm::new(signals.provenance), Ppm::new(signals.orphan_density));
                cycles.push((entry.generation, cycle));
            }
        }
        Ok::<_, Failure>(cycles)
    })?;
    let past: Vec<Cycle> = cycles.iter().map(|(_, cycle)| *cycle).collect();
    let fell: Vec<bool> = (0..past.len())
        .map(|now| judge(past.get(..now).unwrap_or_default(), past[now], &policy).is_some())
        .collect();
    let falling = fell.last().copied().unwrap_or(false);
    if args.json {
        let rows: Vec<Value> = cycles
            .iter()
            .zip(&fell)
            .map(|((generation, cycle), fell)| {
                json!({
                    "generation": generation,
                    "provenance": cycle.provenance.as_f64(),
                    "orphan_density": cycle.orphan_density.as_f64(),
                    "falling": fell,
                })
            })
            .collect();
        print_json(&json!({"cycles": rows, "falling": falling}))?;
    } else {
        print(|out| {
            writeln!(out, "{:>10}  {:>10}  {:>8}", "generation", "provenance", "orphans")?;
            for ((generation, cycle), fell) in cycles.iter().zip(&fell) {
                let mark = if *fell { "  trend.falling: against the cycles before it" } else { "" };
                writeln!(
                    out,
                    "{generation:>10}  {:>10}  {:>8}{mark}",
                    cycle.provenance.rounded(),
                    cycle.orphan_density.rounded()
                )?;
            }
            if cycles.len() <= policy.trend().cycles {
                writeln!(out, "A trend needs more than {} roots.", policy.trend().cycles)?;
            }
            Ok(())
        })?;
    }
    Ok(if falling { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
