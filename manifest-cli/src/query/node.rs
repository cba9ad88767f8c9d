//! `show`, `why`: a tree, or one leaf or node of it.

use super::fact::reason_text;
use super::{Asked, print, print_json};
use crate::audit::Mask;
use crate::error::Failure;
use crate::gravity;
use crate::place::{PlaceArgs, short};
use crate::visible::{lines, plain};
use clap::Args;
use manifest_core::{NodeId, NodeManifest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `manifest show`.
#[derive(Args)]
pub(crate) struct ShowArgs {
    /// A leaf or node, by its name, its id or the first digits of it: its ledger and text. Without it: the tree.
    node: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// The leaves too.
    #[arg(long)]
    leaves: bool,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `manifest why`.
#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The node, by its id or the first digits of it; the root by default.
    node: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn show(args: &ShowArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    if let Some(name) = &args.node {
        let manifest = asked.node(Some(name))?;
        // A leaf's bytes stay as they were given; a screen shows no credential of them.
        let text = asked.text(manifest)?.map(|text| {
            let mut mask = Mask::default();
            mask.learn(&text);
            mask.apply_lines(&text)
        });
        if args.json {
            print_json(&json!({"manifest": manifest, "text": text}))?;
        } else {
            print(|out| match &text {
                Some(text) => writeln!(out, "{}", lines(&manifest.rendered(text))),
                None => writeln!(out, "The text was reclaimed; its digest is {}", manifest.text_digest()),
            })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        let nodes: Vec<Value> = asked.map.nodes().map(node_value).collect();
        print_json(
            &json!({"root": asked.root.to_string(), "leaves": asked.map.leaves().count(), "nodes": nodes}),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| {
        writeln!(
            out,
            "{:<30} {:>10} {:>8} {:>8}  facts: stated, carried, dropped",
            "node", "provenance", "orphans", "bytes"
        )?;
        let mut open: Vec<(NodeId, usize)> = vec![(asked.root, 0)];
        while let Some((id, depth)) = open.pop() {
            let Some(manifest) = asked.map.get(id) else { continue };
            if manifest.level() > 0 || args.leaves {
                row(&asked, manifest, depth, out)?;
            }
            let children: Vec<NodeId> = manifest.children().collect();
            open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

fn row(asked: &Asked, manifest: &NodeManifest, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let indent = "  ".repeat(depth.min(8));
    if manifest.level() == 0 {
        return writeln!(out, "{indent}{}  {}", short(manifest.id()), asked.name(manifest.id()));
    }
    let name = format!("{indent}level {} {}", manifest.level(), short(manifest.id()));
    let [stated, carried, _, dropped] = counts(manifest);
    let signals = manifest.signals().unwrap_or_default();
    let share = |ppm: u32| format!("{:.2}", f64::from(ppm) / 1e6);
    let verdict = manifest.decision().map_or("no gate", |decision| decision.verdict.as_str());
    let verdict = if verdict == "commit" { String::new() } else { format!("  [{}]", plain(verdict)) };
    writeln!(
        out,
        "{name:<30} {:>10} {:>8} {:>8}  {stated}, {carried}, {dropped}{verdict}",
        share(signals.provenance),
        share(signals.orphan_density),
        manifest.text_bytes()
    )
}

/// Facts of the children that are stated, carried, merged, dropped.
fn counts(manifest: &NodeManifest) -> [u64; 4] {
    let mut sum = [0; 4];
    for child in 0..manifest.children().count() {
        if let Some(fates) = manifest.fates(child) {
            sum.iter_mut().zip(fates.counts()).for_each(|(sum, n)| *sum += n);
        }
    }
    sum
}

fn node_value(manifest: &NodeManifest) -> Value {
    let [stated, carried, merged, dropped] = counts(manifest);
    let signals = manifest.signals();
    json!({
        "id": manifest.id().to_string(),
        "level": manifest.level(),
        "children": manifest.children().map(|id| id.to_string()).collect::<Vec<_>>(),
        "bytes": manifest.text_bytes(),
        "verdict": manifest.decision().map(|decision| decision.verdict.clone()),
        "signals": signals,
        "facts": {"stated": stated, "carried": carried, "merged": merged, "dropped": dropped},
    })
}

pub(crate) fn why(args: &WhyArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let manifest = asked.node(args.node.as_deref())?;
    if args.json {
        print_json(&json!(manifest))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| {
        writeln!(out, "{}  level {}", manifest.id(), manifest.level())?;
        let Some(decision) = manifest.decision() else {
            return writeln!(
                out,
                "{}",
                if manifest.level() == 0 {
                    "A leaf: nobody decides about what was said."
                } else {
                    "No gate has judged it."
                }
            );
        };
        writeln!(
            out,
            "verdict {}{}{}, by {}",
            plain(&decision.verdict),
            if decision.observed { ", observed only" } else { "" },
            if decision.deferred { ", reclaiming deferred" } else { "" },
            plain(&decision.gate)
        )?;
        if !decision.codes.is_empty() {
            writeln!(out, "reasons: {}", plain(&decision.codes.join(", ")))?;
        }
        if let Some(by) = manifest.summarizer() {
            writeln!(out, "written by {}", plain(by))?;
        }
        if let Some(signals) = manifest.signals() {
            writeln!(
                out,
                "provenance {:.3} of {} claims, orphan density {:.3} of {} mentions",
                f64::from(signals.provenance) / 1e6,
                signals.claims,
                f64::from(signals.orphan_density) / 1e6,
                signals.referents
            )?;
        }
        if let Some(recall) = manifest.recall() {
            writeln!(
                out,
                "stated recall of the first draft: {} of {} probes",
                recall.hits(),
                recall.asked()
            )?;
        }
        let [stated, carried, merged, dropped] = counts(manifest);
        writeln!(
            out,
            "facts of the children: {stated} stated, {carried} carried, {merged} merged, {dropped} dropped"
        )?;
        let reasons: Vec<String> = manifest.drops().map(|reason| reason_text(&reason)).collect();
        let mut by_reason: BTreeMap<u32, u64> = BTreeMap::new();
        for child in 0..manifest.children().count() {
            let Some(fates) = manifest.fates(child) else { continue };
            let facts = asked
                .map
                .get(manifest.children().nth(child).unwrap_or(manifest.id()))
                .map_or(0, NodeManifest::fact_count);
            for fact in 0..u32::try_from(facts).unwrap_or(u32::MAX) {
                if let Some(manifest_core::Fate::Dropped { reason }) = fates.get(fact) {
                    *by_reason.entry(reason).or_default() += 1;
                }
            }
        }
        for (reason, n) in by_reason {
            let why = reasons.get(reason as usize).map_or("for a reason that is not there", String::as_str);
            writeln!(out, "  {n} dropped: {why}")?;
        }
        let required: Vec<String> = gravity::sorted(manifest.required()).into_iter().map(plain).collect();
        writeln!(
            out,
            "must survive above: {} facts{}{}",
            required.len(),
            if required.is_empty() { "" } else { ": " },
            required.join("  ")
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
