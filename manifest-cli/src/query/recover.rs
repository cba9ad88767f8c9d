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
use manifest_core::{NodeId, Span};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Bytes of a leaf around a fact, about: enough for the runbook behind an error code.
const WIDE: usize = 3000;
/// Leaves that are shown so widely.
const SHOWN_WIDE: usize = 3;
/// Bytes of the further leaves around a fact.
const NARROW: usize = 500;
/// Leaves whose words are shown.
const SHOWN: usize = 12;
/// Facts that are named where nothing is asked.
const NAMED: usize = 15;
/// Facts that are listed there as JSON; `lost --json` has all.
const LISTED: usize = 1000;

/// Arguments of `manifest recover`.
#[derive(Args)]
pub(crate) struct RecoverArgs {
    /// Exact values, words of facts, or a quoted phrase as a leaf says it; each is answered by itself.
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
    around: Option<Around>,
}

/// Words of a leaf, and how many bytes of it stand before and after them.
struct Around {
    words: String,
    before: usize,
    after: usize,
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
            let around = match found.len() {
                n if n < SHOWN_WIDE => around(&asked, &sighting, WIDE)?,
                n if n < SHOWN => around(&asked, &sighting, NARROW)?,
                _ => None,
            };
            found.push(Found { sighting, around });
        }
        let said = if found.is_empty() { said(&asked, words)? } else { Vec::new() };
        answers.push((words, found, said));
    }
    let missing = answers.iter().any(|(_, found, said)| found.is_empty() && said.is_empty());
    if args.json {
        let rows: Vec<Value> = answers
            .iter()
            .map(|(words, found, said)| {
                let found: Vec<Value> = found
                    .iter()
                    .map(|found| {
                        let mut row = value(&found.sighting);
                        if let Some(row) = row.as_object_mut() {
                            let around = found.around.as_ref();
                            row.insert("around".to_owned(), around.map(|a| a.words.clone()).into());
                            let left_out = around.map(|a| [a.before, a.after]);
                            row.insert("left_out".to_owned(), json!(left_out));
                        }
                        row
                    })
                    .collect();
                let said: Vec<Value> = said
                    .iter()
                    .map(|said| {
                        let span = [said.span.start, said.span.end];
                        let (around, left_out) = (&said.around.words, [said.around.before, said.around.after]);
                        json!({"leaf": said.leaf.to_string(), "span": span, "around": around, "left_out": left_out})
                    })
                    .collect();
                json!({"words": words, "found": found, "said": said})
            })
            .collect();
        print_json(&json!({"root": asked.root.to_string(), "answers": rows}))?;
    } else {
        print(|out| {
            for (words, found, said) in &answers {
                let n = found.len();
                writeln!(out, "{}: {n} place{}", quoted(words), if n == 1 { "" } else { "s" })?;
                for found in found.iter().take(SHOWN) {
                    sighting_lines(&found.sighting, out)?;
                    match &found.around {
                        Some(around) => {
                            around_lines(around, found.sighting.leaf, out)?;
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
                for said in said {
                    let Span { start, end, .. } = said.span;
                    writeln!(out, "  in the words of leaf {}, bytes {start}..{end}", short(said.leaf))?;
                    around_lines(&said.around, said.leaf, out)?;
                    writeln!(out)?;
                }
                if n == 0 && said.is_empty() {
                    writeln!(
                        out,
                        "  No leaf states it. Try a part of it, or `manifest lost`, which lists what is not at the root.\n"
                    )?;
                }
            }
            Ok(())
        })?;
    }
    Ok(if missing { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn around_lines(around: &Around, leaf: NodeId, out: &mut dyn Write) -> io::Result<()> {
    for line in lines(&around.words).lines() {
        writeln!(out, "  | {line}")?;
    }
    if around.before + around.after > 0 {
        let (before, after) = (around.before, around.after);
        writeln!(out, "  \u{2026} {before} bytes before and {after} after: manifest show {}", short(leaf))?;
    }
    Ok(())
}

/// The words of the leaf around a fact, whole lines of them, while they are kept.
fn around(asked: &Outlined, sighting: &Sighting, room: usize) -> Result<Option<Around>, Failure> {
    let Some(text) = text(asked, sighting.leaf)? else { return Ok(None) };
    Ok(Some(shown(&text, sighting.span, room)))
}

/// The text of a leaf, while it is kept.
fn text(asked: &Outlined, leaf: NodeId) -> Result<Option<String>, Failure> {
    let tree = asked.tree()?;
    let leaf = block(tree.manifest(leaf))?;
    match block(tree.text_of(&leaf)) {
        // The place and the digest stand in the manifest, and are what is asked for on a bad night.
        Err(Failure::Store(StoreError::Corrupt { .. })) => Ok(None),
        text => text,
    }
}

/// What is shown of a text around `at`, without its credentials.
fn shown(text: &str, at: Span, room: usize) -> Around {
    let within = stretch(text, at, room);
    let mut mask = Mask::default();
    mask.learn(text);
    Around { words: mask.apply_lines(within.of(text)), before: within.start, after: text.len() - within.end }
}

/// Words that no fact holds, as they stand in the leaves that are kept: capitals and small letters alike.
struct Said {
    leaf: NodeId,
    span: Span,
    around: Around,
}

/// The first places of such words, one a leaf.
fn said(asked: &Outlined, words: &str) -> Result<Vec<Said>, Failure> {
    let wanted = words.trim().to_ascii_lowercase();
    let mut out = Vec::new();
    for leaf in asked.outline.leaves() {
        if wanted.is_empty() || out.len() >= SHOWN {
            break;
        }
        let Some(text) = text(asked, *leaf)? else { continue };
        if let Some(start) = text.to_ascii_lowercase().find(&wanted) {
            let span = Span::new(start, start + wanted.len());
            out.push(Said { leaf: *leaf, span, around: shown(&text, span, NARROW) });
        }
    }
    Ok(out)
}

/// About so many bytes of a text around `at`, a third of them before it, in whole lines where the lines are not longer
/// than that. Where next to nothing would be left out, nothing is.
fn stretch(text: &str, at: Span, room: usize) -> Span {
    let (from, to) = (at.start.min(text.len()), at.end.min(text.len()));
    let low = text.floor_char_boundary(from.saturating_sub(room / 3));
    let high = text.ceil_char_boundary((to + room - room / 3).min(text.len()));
    // To the end of a line that is begun, unless it is a long one.
    let line = text.get(..low).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1);
    let start = if low - line <= room / 3 { line } else { low };
    let rest = text.get(high..).and_then(|tail| tail.find('\n')).unwrap_or(text.len() - high);
    let end = if rest <= room / 3 { high + rest } else { high };
    let start = if start <= room / 6 { 0 } else { start };
    let end = if text.len() - end <= room / 6 { text.len() } else { end };
    Span::new(start, end)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_around_a_fact() {
        let lines: Vec<String> = (0..200).map(|n| format!("line {n} of the log")).collect();
        let text = lines.join("\n");
        let at = text.find("line 100 ").unwrap();
        let shown = stretch(&text, Span::new(at, at + 8), 300);
        let words = shown.of(&text);
        assert!(words.starts_with("line 9") && words.ends_with("of the log"), "{words}");
        assert!(words.contains("line 105 ") && words.len() <= 500, "{words}");
        // A short text is shown whole, a long line is cut.
        assert_eq!(stretch("E2107 on \u{fc}", Span::new(0, 5), 300), Span::new(0, 11));
        let long = "\u{fc}".repeat(5000);
        let cut = stretch(&long, Span::new(5000, 5002), 300);
        assert!(cut.len() < 400 && long.get(cut.start..cut.end).is_some(), "{cut:?}");
        assert_eq!(stretch("", Span::new(9, 12), 300), Span::new(0, 0));
    }
}
