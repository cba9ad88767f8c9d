//! `recover`: the one command of a bad night.

use super::fact::{gravest, lost_line, sighting_lines, value};
use super::{Asked, print, print_json};
use crate::audit::Mask;
use crate::error::Failure;
use crate::place::{PlaceArgs, short};
use crate::refusal::quoted;
use crate::visible::lines;
use clap::Args;
use manifest_core::recover::Sighting;
use manifest_core::store::StoreError;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Bytes of a leaf around a fact.
const AROUND: usize = 240;
/// Leaves whose words are shown.
const SHOWN: usize = 12;
/// Facts that are named where nothing is asked.
const NAMED: usize = 15;

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
    let asked = Asked::open(&args.place)?;
    if args.words.is_empty() {
        return overview(&asked, args.json);
    }
    let mut answers = Vec::new();
    for words in &args.words {
        let mut found = Vec::new();
        for sighting in asked.map.trace(words) {
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
                    sighting_lines(&asked, &found.sighting, out)?;
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
fn around(asked: &Asked, sighting: &Sighting) -> Result<Option<String>, Failure> {
    let Some(leaf) = asked.map.get(sighting.leaf) else { return Ok(None) };
    let text = match asked.text(leaf) {
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
fn overview(asked: &Asked, as_json: bool) -> Result<ExitCode, Failure> {
    let lost = asked.map.lost(None);
    let (leaves, nodes) = (asked.map.leaves().count(), asked.map.nodes().count());
    let facts: usize = asked.map.leaves().map(manifest_core::NodeManifest::fact_count).sum();
    if as_json {
        let rows: Vec<Value> = gravest(&lost).into_iter().map(|fact| value(&fact.sighting)).collect();
        print_json(
            &json!({"root": asked.root.to_string(), "leaves": leaves, "nodes": nodes, "facts": facts, "lost": rows}),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| {
        writeln!(
            out,
            "root {}: {leaves} leaves, {nodes} nodes, {facts} facts in the leaves",
            short(asked.root)
        )?;
        writeln!(out, "{} distinct facts are not at the root; the gravest:", lost.len())?;
        for fact in gravest(&lost).into_iter().take(NAMED) {
            lost_line(asked, fact, out)?;
        }
        writeln!(out, "\nAsk for any of them, or for words of it: manifest recover LDG-4471 \"lease ttl\"")
    })?;
    Ok(ExitCode::SUCCESS)
}
