//! `recover`: the one command of a bad night.

use super::fact::{Gravest, lost_line, sighting_lines, value};
use super::{Outlined, print, print_json};
use crate::audit::Mask;
use crate::error::Failure;
use crate::place::{PlaceArgs, block, short};
use crate::refusal::quoted;
use crate::visible::lines;
use clap::Args;
use manifest_core::recover::Sighting;
use manifest_core::store::StoreError;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Bytes of a leaf around a fact.
const AROUND: usize = 240;
/// Leaves whose words are shown.
const SHOWN: usize = 12;
/// Facts that are named where nothing is asked.
const NAMED: usize = 15;
/// Facts that are listed there as JSON; `lost --json` has all.
const LISTED: usize = 1000;

/// Arguments of `manifest recover`.
#[derive(Args)]
pub(crate) struct RecoverArgs {
    /// Exact values or words of facts; each is answered by itself.
    words: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// A sighting with the words around it.
struct Found {
    sighting: Sighting,
    around: Option<String>,
}

pub(crate) fn recover(args: &RecoverArgs) -> Result<ExitCode, Failure> {
    let asked = Outlined::open(&args.place)?;
    if args.words.is_empty() {
        return overview(&asked, args.json);
    }
    let mut answers = Vec::new();
    for words in &args.words {
        let mut found = Vec::new();
        for sighting in block(asked.outline.trace(&asked.tree()?, words))? {
            let around = if found.len() < SHOWN { around(&asked, &sighting)? } else { None };
            found.push(Found { sighting, around });
        }
        answers.push((words, found));
    }
    let missing = answers.iter().any(|(_, found)| found.is_empty());
    if args.json {
        let rows: Vec<Value> = answers
            .iter()
            .map(|(words, found)| {
                let found: Vec<Value> = found
                    .iter()
                    .map(|found| {
                        let mut row = value(&found.sighting);
                        if let Some(row) = row.as_object_mut() {
                            row.insert("around".to_owned(), found.around.clone().into());
                        }
                        row
                    })
                    .collect();
                json!({"words": words, "found": found})
            })
            .collect();
        print_json(&json!({"root": asked.root.to_string(), "answers": rows}))?;
    } else {
        print(|out| {
            for (words, found) in &answers {
                let n = found.len();
                writeln!(out, "{}: {n} place{}", quoted(words), if n == 1 { "" } else { "s" })?;
                for found in found.iter().take(SHOWN) {
                    sighting_lines(&found.sighting, out)?;
                    match &found.around {
                        Some(around) => {
                            for line in lines(around).lines() {
                                writeln!(out, "  | {line}")?;
                            }
                        }
                        None => writeln!(
                            out,
                            "  (the leaf's text is not to be had here: reclaimed, or damaged, which `manifest verify` tells; any copy of it is proved by the digest)"
                        )?,
                    }
                    writeln!(out)?;
                }
                if n > SHOWN {
                    writeln!(out, "  … and {} more places (`manifest trace`, --json)\n", n - SHOWN)?;
                }
                if n == 0 {
                    writeln!(
                        out,
                        "  No leaf states it. Try a part of it, or `manifest lost --class error_code`.\n"
                    )?;
                }
            }
            Ok(())
        })?;
    }
    Ok(if missing { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The words of the leaf around a fact, whole lines of them, while they are kept.
fn around(asked: &Outlined, sighting: &Sighting) -> Result<Option<String>, Failure> {
    let tree = asked.tree()?;
    let leaf = block(tree.manifest(sighting.leaf))?;
    let text = match block(tree.text_of(&leaf)) {
        // The place and the digest stand in the manifest, and are what is asked for on a bad night.
        Err(Failure::Store(StoreError::Corrupt { .. })) => None,
        text => text?,
    };
    let Some(text) = text else { return Ok(None) };
    let mut start = sighting.span.start.saturating_sub(AROUND).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (sighting.span.end + AROUND).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let head = text.get(..sighting.span.start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
    let tail = text
        .get(sighting.span.end..)
        .and_then(|tail| tail.find('\n'))
        .map_or(text.len(), |at| sighting.span.end + at);
    // A long line is cut, a short one comes with its neighbours.
    let (start, end) = (start.max(if head > start { start } else { head.min(start) }), end.min(text.len()));
    let end = if tail > end { end } else { tail.max(end).min(text.len()) };
    let words = text.get(start..end).unwrap_or_default();
    let mut mask = Mask::default();
    mask.learn(&text);
    Ok(Some(mask.apply_lines(words)))
}

/// What is known of the tree, where nothing is asked.
fn overview(asked: &Outlined, as_json: bool) -> Result<ExitCode, Failure> {
    let (mut lost, mut gravest) = (0_usize, Gravest::of(if as_json { LISTED } else { NAMED }));
    let facts = block(async {
        let tree = asked.tree()?;
        let mut facts = 0;
        for leaf in asked.outline.leaves() {
            facts += tree.manifest(*leaf).await?.fact_count();
        }
        let each = |fact| {
            lost += 1;
            gravest.add(fact);
            ControlFlow::Continue(())
        };
        asked.outline.lost(&tree, None, each).await?;
        Ok::<_, Failure>(facts)
    })?;
    let (leaves, nodes) = (asked.outline.leaves().len(), asked.outline.nodes());
    if as_json {
        let rows: Vec<Value> = gravest.rows().iter().map(|fact| value(&fact.sighting)).collect();
        print_json(&json!({
            "root": asked.root.to_string(),
            "leaves": leaves,
            "nodes": nodes,
            "facts": facts,
            "lost_facts": lost,
            "lost": rows,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| {
        writeln!(
            out,
            "root {}: {leaves} leaves, {nodes} nodes, {facts} facts in the leaves",
            short(asked.root)
        )?;
        writeln!(out, "{lost} distinct facts are not at the root; the gravest:")?;
        for fact in gravest.rows() {
            lost_line(&fact, out)?;
        }
        writeln!(out, "\nAsk for any of them, or for words of it: manifest recover LDG-4471 \"lease ttl\"")
    })?;
    Ok(ExitCode::SUCCESS)
}
