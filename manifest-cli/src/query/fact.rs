//! `trace`, `origin`, `lost`: one fact or sentence, followed.

use super::{Outlined, leaf_name, opened, place_of, print, print_json};
use crate::audit::Mask;
use crate::error::Failure;
use crate::gravity;
use crate::place::{PlaceArgs, block, short};
use crate::visible::plain;
use clap::Args;
use manifest_core::recover::{End, Hop, LostFact, Passage, Sighting};
use manifest_core::tree::Tree;
use manifest_core::{Class, DropReason, NodeId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
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
    let asked = Outlined::open(&args.place)?;
    let words = args.words.join(" ");
    let found = block(asked.outline.trace(&asked.tree()?, &words))?;
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
            found.iter().try_for_each(|sighting| sighting_lines(sighting, out))
        })?;
    }
    Ok(if found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A fact with its place and its way.
pub(super) fn sighting_lines(sighting: &Sighting, out: &mut dyn Write) -> io::Result<()> {
    let text = sighting.text.as_deref().map_or_else(|| "(kept as its digest)".to_owned(), plain);
    let bound = sighting.binding.as_deref().map(|b| format!("  ({} = …)", plain(b))).unwrap_or_default();
    writeln!(out, "{}  {text}{bound}", sighting.class)?;
    writeln!(
        out,
        "  leaf {}  {}, bytes {}..{}",
        short(sighting.leaf),
        place_of(sighting),
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
        DropReason::NotRead => "the reader of this version reads no such fact there".to_owned(),
        _ => "for a reason that this version does not know".to_owned(),
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
    let (store, root) = opened(&args.place)?;
    let node = match &args.node {
        Some(name) => Outlined::open(&args.place)?.find(name)?,
        None => root,
    };
    let tree = Tree::open(&store, args.place.store.head())?;
    let sources = block(tree.origin(node, &args.sentence.join(" ")))?;
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
        print_json(&json!({"node": node.to_string(), "sources": rows}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut quoted = Vec::new();
    for source in &sources {
        let text = block(async { tree.text_of(&tree.manifest(source.leaf).await?).await })?;
        let words = text.and_then(|text| {
            // A part of a text may show a credential that only the rest of it tells for one.
            let mut mask = Mask::default();
            mask.learn(&text);
            text.get(source.span.start..source.span.end).map(|words| plain(&mask.apply(words)))
        });
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
                leaf_name(source.leaf, source.source.as_deref()),
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
    if let Some(class) = args.class.as_deref().filter(|class| !is_class(class)) {
        return Err(Failure::NoSuchClass { class: class.to_owned() });
    }
    let asked = Outlined::open(&args.place)?;
    let leaf = match &args.leaf {
        Some(name) => Some(asked.find(name)?),
        None => None,
    };
    let asks_for = |fact: &LostFact| args.class.as_deref().is_none_or(|class| class == fact.sighting.class);
    if args.json {
        return lost_json(&asked, leaf, asks_for).map(|()| ExitCode::SUCCESS);
    }
    let mut summary = Summary::of(args.limit);
    block(asked.outline.lost(&asked.tree()?, leaf, |fact| {
        if asks_for(&fact) {
            summary.add(fact);
        }
        ControlFlow::Continue(())
    }))?;
    print(|out| summary.print(out))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether facts of a tree may have this class.
fn is_class(name: &str) -> bool {
    name == "statement" || Class::ALL.iter().any(|class| class.as_str() == name)
}

/// Writes row by row: an answer may be longer than memory is large.
fn lost_json(
    asked: &Outlined,
    leaf: Option<NodeId>,
    asks_for: impl Fn(&LostFact) -> bool,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(anstream::stdout().lock());
    let mut written = write!(out, "{{\"root\":\"{}\",\"lost\":[", asked.root).map_err(Failure::Output);
    let mut comma = "";
    let mut write = |fact: &LostFact| {
        out.write_all(comma.as_bytes()).map_err(Failure::Output)?;
        comma = ",";
        serde_json::to_writer(&mut out, &lost_value(fact)).map_err(Failure::Json)
    };
    block(asked.outline.lost(&asked.tree()?, leaf, |fact| {
        if written.is_ok() && asks_for(&fact) {
            written = write(&fact);
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }))?;
    written?;
    writeln!(out, "]}}").and_then(|()| out.flush()).map_err(Failure::Output)
}

/// What a screen shows of any number of losses.
struct Summary {
    facts: usize,
    classes: BTreeMap<String, usize>,
    ends: BTreeMap<String, usize>,
    gravest: Gravest,
}

impl Summary {
    /// With so many rows.
    fn of(limit: usize) -> Summary {
        Summary { facts: 0, classes: BTreeMap::new(), ends: BTreeMap::new(), gravest: Gravest::of(limit) }
    }

    fn add(&mut self, fact: LostFact) {
        self.facts += 1;
        *self.classes.entry(fact.sighting.class.clone()).or_default() += 1;
        *self.ends.entry(end_kind(&fact.sighting.end)).or_default() += 1;
        self.gravest.add(fact);
    }

    fn print(self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} facts of the leaves are not at the root", self.facts)?;
        let mut classes: Vec<_> = self.classes.into_iter().collect();
        classes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let shown: Vec<String> = classes.iter().map(|(class, n)| format!("{n} {class}")).collect();
        writeln!(out, "  {}", shown.join(", "))?;
        for (end, n) in self.ends {
            writeln!(out, "  {n} {end}")?;
        }
        writeln!(out)?;
        let rows = self.gravest.rows();
        rows.iter().try_for_each(|fact| lost_line(fact, out))?;
        if self.facts > rows.len() {
            writeln!(out, "… and {} more (--limit, --class, --json)", self.facts - rows.len())?;
        }
        Ok(())
    }
}

pub(crate) fn end_kind(end: &End) -> String {
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

pub(super) fn lost_line(fact: &LostFact, out: &mut dyn Write) -> io::Result<()> {
    let sighting = &fact.sighting;
    let text = sighting.text.as_deref().map_or_else(|| "(kept as its digest)".to_owned(), plain);
    let more = if fact.leaves > 1 { format!(" and {} more leaves", fact.leaves - 1) } else { String::new() };
    writeln!(out, "  {:<12} {text:<40} {}{more}; {}", sighting.class, place_of(sighting), end(&sighting.end))
}

/// What a recovery most likely needs first, and no more than so many: classes of which one character more or less is another thing,
/// then what more leaves state, then what stands earlier.
pub(super) struct Gravest {
    limit: usize,
    rows: Vec<LostFact>,
}

impl Gravest {
    pub(super) fn of(limit: usize) -> Gravest {
        Gravest { limit, rows: Vec::new() }
    }

    pub(super) fn add(&mut self, fact: LostFact) {
        self.rows.push(fact);
        // Sorted once for as many as are kept.
        if self.rows.len() >= self.limit.saturating_mul(2).max(64) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.rows
            .sort_by_key(|fact| (gravity::of_class(&fact.sighting.class), std::cmp::Reverse(fact.leaves)));
        self.rows.truncate(self.limit);
    }

    pub(super) fn rows(mut self) -> Vec<LostFact> {
        self.cut();
        self.rows
    }
}
