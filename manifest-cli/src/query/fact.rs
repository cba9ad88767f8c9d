//! `trace`, `origin`, `lost`: one fact or sentence, followed.

use super::{Asked, print, print_json};
use crate::error::Failure;
use crate::gravity;
use crate::place::{PlaceArgs, short};
use crate::visible::plain;
use clap::Args;
use manifest_core::DropReason;
use manifest_core::recover::{End, Hop, LostFact, Passage, Sighting};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `manifest trace`.
#[derive(Args)]
pub(crate) struct TraceArgs {
    /// An exact value (`LDG-4471`, `30 s`), or words of a fact.
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `manifest origin`.
#[derive(Args)]
pub(crate) struct OriginArgs {
    /// A stretch of the node's text, as it stands there.
    #[arg(required = true)]
    sentence: Vec<String>,
    /// The node, by its id or the first digits of it; the root by default.
    #[arg(long, value_name = "ID")]
    node: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `manifest lost`.
#[derive(Args)]
pub(crate) struct LostArgs {
    /// One leaf, by its name, its id or the first digits of it.
    leaf: Option<String>,
    /// Only facts of this class (`error_code`, `path`, `command`).
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Rows that are shown.
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print all of them as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn trace(args: &TraceArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let words = args.words.join(" ");
    let found = asked.map.trace(&words);
    if args.json {
        print_json(
            &json!({"words": words, "root": asked.root.to_string(), "found": found.iter().map(value).collect::<Vec<_>>()}),
        )?;
    } else {
        print(|out| {
            if found.is_empty() {
                writeln!(
                    out,
                    "No leaf states it. What was never written down in a leaf cannot be recovered."
                )?;
            }
            found.iter().try_for_each(|sighting| sighting_lines(&asked, sighting, out))
        })?;
    }
    Ok(if found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A fact with its place and its way.
pub(super) fn sighting_lines(asked: &Asked, sighting: &Sighting, out: &mut dyn Write) -> io::Result<()> {
    let text = sighting.text.as_deref().map_or_else(|| "(kept as its digest)".to_owned(), plain);
    let bound = sighting.binding.as_deref().map(|b| format!("  ({} = …)", plain(b))).unwrap_or_default();
    writeln!(out, "{}  {text}{bound}", sighting.class)?;
    writeln!(
        out,
        "  leaf {}  {}, bytes {}..{}",
        short(sighting.leaf),
        asked.name(sighting.leaf),
        sighting.span.start,
        sighting.span.end
    )?;
    writeln!(out, "  text digest {}", sighting.text_digest)?;
    for hop in &sighting.hops {
        writeln!(out, "  level {}  {}  {}", hop.level, short(hop.node), passage(&hop.passage))?;
    }
    writeln!(out, "  {}", end(&sighting.end))
}

fn passage(passage: &Passage) -> String {
    match passage {
        Passage::Stated => "stated in the text".to_owned(),
        Passage::Carried => "carried in the ledger".to_owned(),
        Passage::Dropped(reason) => format!("dropped: {}", reason_text(reason)),
        _ => "not accounted for: the manifest is broken".to_owned(),
    }
}

/// Where a way ends, in words.
pub(super) fn end(end: &End) -> String {
    match end {
        End::AtRoot => "at the root".to_owned(),
        End::Dropped { node, level, reason } => {
            format!("ends at level {level}, node {}: {}", short(*node), reason_text(reason))
        }
        End::Reworded { node } => {
            format!("said in other words by {}, and not followed further", short(*node))
        }
        _ => "ends unaccounted: verify the tree".to_owned(),
    }
}

pub(super) fn reason_text(reason: &DropReason) -> String {
    match reason {
        DropReason::NotRequired => "the policy did not ask for it".to_owned(),
        DropReason::ByCaller(why) => format!("given up by the caller: {}", plain(why)),
        DropReason::BySummary(why) => format!("given up by the summary: {}", plain(why)),
        DropReason::Observed => "required and lost, while the gate only observed".to_owned(),
        DropReason::Secret => "a credential".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A sighting as JSON.
pub(super) fn value(sighting: &Sighting) -> Value {
    let hops: Vec<Value> = sighting.hops.iter().map(hop_value).collect();
    let (ends, node, reason) = match &sighting.end {
        End::AtRoot => ("root", None, None),
        End::Dropped { node, reason, .. } => ("dropped", Some(node.to_string()), Some(reason_text(reason))),
        End::Reworded { node } => ("reworded", Some(node.to_string()), None),
        End::Unaccounted { node } => ("unaccounted", Some(node.to_string()), None),
        _ => ("unknown", None, None),
    };
    json!({
        "kind": sighting.class,
        "text": sighting.text,
        "binding": sighting.binding,
        "leaf": sighting.leaf.to_string(),
        "source": sighting.source,
        "span": [sighting.span.start, sighting.span.end],
        "text_digest": sighting.text_digest.to_string(),
        "path": hops,
        "ends": ends,
        "at": node,
        "reason": reason,
    })
}

fn hop_value(hop: &Hop) -> Value {
    let what = match &hop.passage {
        Passage::Stated => "stated",
        Passage::Carried => "carried",
        Passage::Dropped(_) => "dropped",
        _ => "unaccounted",
    };
    json!({"node": hop.node.to_string(), "level": hop.level, "fate": what})
}

pub(crate) fn origin(args: &OriginArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let node = asked.node(args.node.as_deref())?;
    let text = asked.text(node)?.unwrap_or_default();
    let sources = asked.map.origin(node.id(), &text, &args.sentence.join(" "))?;
    if args.json {
        let rows: Vec<Value> = sources
            .iter()
            .map(|source| {
                json!({
                    "leaf": source.leaf.to_string(),
                    "source": source.source,
                    "span": [source.span.start, source.span.end],
                    "text_digest": source.text_digest.to_string(),
                    "score": f64::from(source.score) / 1e6,
                    "through": source.through.iter().map(ToString::to_string).collect::<Vec<_>>(),
                })
            })
            .collect();
        print_json(&json!({"node": node.id().to_string(), "sources": rows}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut quoted = Vec::new();
    for source in &sources {
        let leaf = asked.map.get(source.leaf);
        let text = match leaf {
            Some(leaf) => asked.text(leaf)?,
            None => None,
        };
        let words = text.and_then(|text| text.get(source.span.start..source.span.end).map(plain));
        quoted.push(words.unwrap_or_else(|| "(its text was reclaimed; the digest proves a copy)".to_owned()));
    }
    print(|out| {
        if sources.is_empty() {
            writeln!(out, "No leaf holds words of it: it comes from nowhere below.")?;
        }
        for (source, words) in sources.iter().zip(&quoted) {
            writeln!(
                out,
                "{:>3} %  leaf {}  {}, bytes {}..{}",
                source.score / 10_000,
                short(source.leaf),
                asked.name(source.leaf),
                source.span.start,
                source.span.end
            )?;
            writeln!(out, "       {words}")?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn lost(args: &LostArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let leaf = match &args.leaf {
        Some(name) => Some(asked.node(Some(name))?.id()),
        None => None,
    };
    let mut lost = asked.map.lost(leaf);
    lost.retain(|fact| args.class.as_deref().is_none_or(|class| class == fact.sighting.class));
    if args.json {
        let rows: Vec<Value> = lost.iter().map(lost_value).collect();
        print_json(&json!({"root": asked.root.to_string(), "lost": rows}))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| {
        writeln!(out, "{} facts of the leaves are not at the root", lost.len())?;
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut ends: BTreeMap<String, usize> = BTreeMap::new();
        for fact in &lost {
            *classes.entry(&fact.sighting.class).or_default() += 1;
            *ends.entry(end_kind(&fact.sighting.end)).or_default() += 1;
        }
        let mut classes: Vec<_> = classes.into_iter().collect();
        classes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let shown: Vec<String> = classes.iter().map(|(class, n)| format!("{n} {class}")).collect();
        writeln!(out, "  {}", shown.join(", "))?;
        for (end, n) in ends {
            writeln!(out, "  {n} {end}")?;
        }
        writeln!(out)?;
        for fact in gravest(&lost).into_iter().take(args.limit) {
            lost_line(&asked, fact, out)?;
        }
        if lost.len() > args.limit {
            writeln!(out, "… and {} more (--limit, --class, --json)", lost.len() - args.limit)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

fn end_kind(end: &End) -> String {
    match end {
        End::Dropped { level, reason, .. } => format!("ended at level {level}: {}", reason_text(reason)),
        End::Reworded { .. } => "said in other words".to_owned(),
        _ => "unaccounted".to_owned(),
    }
}

fn lost_value(fact: &LostFact) -> Value {
    let mut row = value(&fact.sighting);
    if let Some(row) = row.as_object_mut() {
        row.insert("leaves".to_owned(), fact.leaves.into());
    }
    row
}

pub(super) fn lost_line(asked: &Asked, fact: &LostFact, out: &mut dyn Write) -> io::Result<()> {
    let sighting = &fact.sighting;
    let text = sighting.text.as_deref().map_or_else(|| "(kept as its digest)".to_owned(), plain);
    let more = if fact.leaves > 1 { format!(" and {} more leaves", fact.leaves - 1) } else { String::new() };
    writeln!(
        out,
        "  {:<12} {text:<40} {}{more}; {}",
        sighting.class,
        asked.name(sighting.leaf),
        end(&sighting.end)
    )
}

/// What a recovery most likely needs first: classes of which one character more or less is another thing, then what more
/// leaves state.
pub(super) fn gravest(lost: &[LostFact]) -> Vec<&LostFact> {
    let mut out: Vec<&LostFact> = lost.iter().collect();
    out.sort_by_key(|fact| (gravity::of_class(&fact.sighting.class), std::cmp::Reverse(fact.leaves)));
    out
}
