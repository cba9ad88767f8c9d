//! What a run did, on one screen.

use super::RunArgs;
use super::leaves::Leaves;
use crate::error::Failure;
use crate::gravity;
use crate::place::short;
use crate::visible;
use manifest_core::tree::{
    Attempt, Blocker, Compaction, Ended, How, Outcome, Place, Plan, Record, RootProbe,
};
use manifest_core::{Policy, VerdictKind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// Rows of one list.
const ROWS: usize = 12;
/// Facts named in a line.
const NAMED: usize = 8;

/// What is told.
pub(super) struct Told<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) leaves: &'a Leaves,
    pub(super) plan: &'a Plan,
    pub(super) done: &'a Compaction,
    pub(super) probe: Option<&'a RootProbe>,
    pub(super) policy: &'a Policy,
    pub(super) names: Option<&'a HashMap<(u32, usize), String>>,
}

/// The outcome in one line.
pub(super) fn headline(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unchanged { root } => {
            format!("UNCHANGED – the head names the root of these leaves already: {}", short(root.id()))
        }
        Outcome::Committed { root, head } => {
            format!("COMMITTED – root {}, generation {} of {}", short(root.id()), head.generation, head.name)
        }
        Outcome::Flattened { root, head, at, .. } => format!(
            "FLATTENED – {at} would keep too little; what stood was attached to root {} as it was, generation {} of {}",
            short(root.id()),
            head.generation,
            head.name
        ),
        Outcome::Halted { at, .. } => {
            format!(
                "HALTED at {at} – a signal is in its warning band; keep the children as working context, the head has not moved"
            )
        }
        Outcome::Refused { at, verdict, cause, .. } => {
            let retry = if verdict.retry { "other words may pass" } else { "other words cannot pass" };
            format!("REFUSED at {at} – {cause} ({retry}); the head has not moved")
        }
        _ => "ended in a way that this program does not know".to_owned(),
    }
}

pub(super) fn print(told: &Told<'_>) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    write(told, &mut out).map_err(Failure::Output)
}

fn write(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let bytes: usize = told.leaves.children.iter().map(|leaf| leaf.text.len()).sum();
    writeln!(out, "{}", headline(&told.done.outcome))?;
    writeln!(
        out,
        "{} leaves ({} KB) of {}, {} nodes planned in {} levels, policy {}{}",
        told.leaves.children.len(),
        bytes.div_ceil(1024),
        visible::plain(&told.args.file.display().to_string()),
        told.plan.nodes(),
        told.plan.depth(),
        told.policy.base().as_str(),
        if told.policy.observe() { ", observed only" } else { "" },
    )?;
    if told.leaves.compactions > 0 {
        writeln!(
            out,
            "{} recorded compaction{} passed over: a summary is no source",
            told.leaves.compactions,
            if told.leaves.compactions == 1 { " was" } else { "s were" }
        )?;
    }
    levels(told, out)?;
    forgotten(told, out)?;
    refused(told, out)?;
    stopped(told, out)?;
    root(told, out)
}

/// Why the run ended without a root, and what can be done.
fn stopped(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let (at, report, frontier) = match &told.done.outcome {
        Outcome::Halted { at, report, frontier, .. } | Outcome::Refused { at, report, frontier, .. } => {
            (*at, report, frontier)
        }
        _ => return Ok(()),
    };
    writeln!(out, "\n{} as it was at last:", name_of(told, at))?;
    for reason in report.reasons.iter().take(ROWS) {
        writeln!(out, "  {:<20} {}", reason.code.as_str(), visible::plain(&reason.message))?;
    }
    if report.reasons.len() > ROWS {
        writeln!(out, "  … and {} more (--json lists them)", report.reasons.len() - ROWS)?;
    }
    let last = told.done.nodes.last().filter(|node| node.place == at);
    if let Some(why) = last.and_then(|node| ended_text(&node.ended)) {
        writeln!(out, "  {why}")?;
    }
    writeln!(
        out,
        "{} leaves and nodes stand and stay as working context; the next run goes on from them. More --attempts, another summarizer, or --drop FACT=REASON may help.",
        frontier.len()
    )
}

/// One line a level: how its nodes came to be.
fn levels(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut by_level: BTreeMap<u32, BTreeMap<&str, usize>> = BTreeMap::new();
    for node in &told.done.nodes {
        let how = node.committed.map_or("not committed", |(_, how)| how_text(how));
        *by_level.entry(node.place.level).or_default().entry(how).or_default() += 1;
    }
    writeln!(out)?;
    for (level, hows) in by_level {
        let parts: Vec<String> = hows.iter().map(|(how, n)| format!("{n} {how}")).collect();
        writeln!(out, "  level {level}   {}", parts.join(", "))?;
    }
    Ok(())
}

/// What the store remembered and could not be used, in one line.
fn forgotten(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut why = told.done.nodes.iter().filter_map(|node| node.forgotten.as_deref());
    let Some(first) = why.next() else { return Ok(()) };
    let others = why.count();
    let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
    writeln!(
        out,
        "  passed over, a memory only; the node is made again where no other names it: {}{more}",
        visible::plain(first)
    )
}

/// Why there was no further attempt, where that is not for the caller's own limit.
fn ended_text(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Repeated => Some("the summarizer gave the same text again: no progress".to_owned()),
        Ended::Failed(why) => Some(format!("the summarizer gave no other text: {}", visible::plain(why))),
        _ => None,
    }
}

/// The same for programs.
fn ended_word(ended: &Ended) -> &'static str {
    match ended {
        Ended::Passed => "passed",
        Ended::Spent => "spent",
        Ended::Final => "final",
        Ended::Repeated => "repeated",
        Ended::Failed(_) => "failed",
        _ => "other",
    }
}

fn how_text(how: How) -> &'static str {
    match how {
        How::Known => "stood in the store already",
        How::FirstDraft => "as first written",
        How::Retried => "at a later attempt",
        How::Mended => "with the ledger beside the text",
        How::Observed => "although the gate said no",
        _ => "in another way",
    }
}

/// What a pipeline without a gate would have committed.
fn refused(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let said_no = |node: &&Record| node.attempts.first().is_some_and(|first| !first.verdict.is_commit());
    let refused: Vec<&Record> = told.done.nodes.iter().filter(said_no).collect();
    if refused.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nWhat the gate said of the first drafts ({} of {} nodes not good enough):",
        refused.len(),
        told.done.nodes.len()
    )?;
    // From the root down: what is lost high up is lost for all.
    for node in refused.iter().rev().take(ROWS) {
        let Some(first) = node.attempts.first() else { continue };
        let name = name_of(told, node.place);
        writeln!(out, "  {name:<18} {:<8} {}", kind_text(first.verdict.kind), codes(first))?;
        if let (None, Some(last)) = (node.committed, node.attempts.last()) {
            writeln!(out, "  {:<18} {:<8} {}", "  at last", kind_text(last.verdict.kind), codes(last))?;
        }
    }
    if refused.len() > ROWS {
        writeln!(out, "  … and {} more (--json lists them)", refused.len() - ROWS)?;
    }
    Ok(())
}

fn codes(attempt: &Attempt) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for code in attempt.codes.iter().map(|code| code.as_str()) {
        match counts.iter_mut().find(|(known, _)| *known == code) {
            Some((_, n)) => *n += 1,
            None => counts.push((code, 1)),
        }
    }
    let parts: Vec<String> = counts
        .into_iter()
        .map(|(code, n)| {
            let n = if code == "fact.lost" { attempt.lost.max(n) } else { n };
            if n > 1 { format!("{code} ({n})") } else { code.to_owned() }
        })
        .collect();
    parts.join(", ")
}

fn name_of(told: &Told<'_>, place: Place) -> String {
    let name = told.names.and_then(|names| names.get(&(place.level, place.position)));
    name.map_or_else(|| place.to_string(), |name| visible::plain(name))
}

/// What the root answers, and what follows for the leaves.
fn root(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    let (Some(root), Some(probe)) = (told.done.outcome.root(), told.probe) else { return Ok(()) };
    let store = visible::plain(&told.args.store.shown());
    let answered = probe.asked - probe.unanswered.len();
    let stated = answered - probe.by_ledger.len();
    writeln!(out, "\nRequired of the root: {} facts", probe.asked)?;
    writeln!(
        out,
        "  the text alone answers   {stated:>4}{}",
        list(probe.by_ledger.iter().map(String::as_str), " – without the ledger lost: ")
    )?;
    writeln!(out, "  with the ledger          {answered:>4}")?;
    let missing: Vec<&str> = probe.unanswered.iter().map(|fact| fact.text.as_str()).collect();
    if !missing.is_empty() {
        writeln!(
            out,
            "  missing                  {:>4}{}",
            missing.len(),
            list(missing.iter().copied(), ": ")
        )?;
    }
    let observed = probe.blockers.iter().filter(|b| matches!(b, Blocker::Observed(_))).count();
    if probe.passed() {
        writeln!(
            out,
            "Permit: given. `manifest gc --store {store} --dry-run` lists the leaves that may go."
        )?;
    } else {
        write!(out, "Permit: refused, every leaf stays")?;
        if !missing.is_empty() {
            write!(out, "; {} required facts are not at the root", missing.len())?;
        }
        if observed > 0 {
            write!(out, "; the gates of {observed} nodes only observed")?;
        }
        for other in probe.blockers.iter().filter(|b| !matches!(b, Blocker::Observed(_))) {
            write!(out, "; {other}")?;
        }
        writeln!(out, ".")?;
    }
    writeln!(
        out,
        "Ask: manifest recover --store {store} WORDS   |   manifest show --store {store}   |   root {}",
        root.id()
    )
}

fn list<'a>(facts: impl Iterator<Item = &'a str>, lead: &str) -> String {
    let facts = gravity::sorted(facts);
    if facts.is_empty() {
        return String::new();
    }
    let named: Vec<String> = facts.iter().take(NAMED).map(|fact| visible::plain(fact)).collect();
    let more = if facts.len() > NAMED { format!(" and {} more", facts.len() - NAMED) } else { String::new() };
    format!("{lead}{}{more}", named.join("  "))
}

fn kind_text(kind: VerdictKind) -> &'static str {
    kind.as_str()
}

/// The same as JSON.
pub(super) fn json(done: &Compaction, probe: Option<&RootProbe>, leaves: usize) -> Result<(), Failure> {
    let nodes: Vec<Value> = done
        .nodes
        .iter()
        .map(|node| {
            let attempts: Vec<Value> = node
                .attempts
                .iter()
                .map(|attempt| {
                    json!({
                        "verdict": attempt.verdict.kind.as_str(),
                        "retry": attempt.verdict.retry,
                        "codes": attempt.codes.iter().map(|code| code.as_str()).collect::<Vec<_>>(),
                        "lost": attempt.lost,
                        "mended": attempt.mended,
                    })
                })
                .collect();
            json!({
                "level": node.place.level,
                "position": node.place.position,
                "id": node.committed.map(|(id, _)| id.to_string()),
                "how": node.committed.map(|(_, how)| how_text(how)),
                "attempts": attempts,
                "ended": ended_word(&node.ended),
                "forgotten": node.forgotten,
            })
        })
        .collect();
    let (outcome, reasons) = match &done.outcome {
        Outcome::Unchanged { .. } => ("unchanged", None),
        Outcome::Committed { .. } => ("committed", None),
        Outcome::Flattened { report, .. } => ("flattened", Some(report)),
        Outcome::Halted { report, .. } => ("halted", Some(report)),
        Outcome::Refused { report, .. } => ("refused", Some(report)),
        _ => ("other", None),
    };
    let value = json!({
        "outcome": outcome,
        "message": headline(&done.outcome),
        "root": done.outcome.root().map(|root| root.id().to_string()),
        "leaves": leaves,
        "nodes": nodes,
        "reasons": reasons.map(|report| &report.reasons),
        "probe": probe.map(|probe| json!({
            "passed": probe.passed(),
            "asked": probe.asked,
            "by_ledger": probe.by_ledger,
            "unanswered": probe.unanswered.iter().map(|fact| &fact.text).collect::<Vec<_>>(),
            "blockers": probe.blockers.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })),
    });
    let mut out = anstream::stdout().lock();
    serde_json::to_writer(&mut out, &value).map_err(Failure::Json)?;
    writeln!(out).map_err(Failure::Output)
}
