//! Exact facts beside the prose: selection within a budget, grouping, a stable order.
//!
//! A ledger is read by a model and paid in its context, so a byte spent on framing is a byte less of facts: values stand
//! in a few groups under short headings, and values without a space in them are set apart by one.

mod text;

pub use text::split_ledger;
pub(crate) use text::values;

use crate::fact::{Class, Group};
use crate::report::{LedgerEntry, LedgerRow, LostRow};
use crate::trace::{Entry, Mandate, Seen, Table};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A value that a ledger may carry: little, as there may be millions.
#[derive(Clone, Copy)]
struct Ranked {
    worth: f64,
    /// Its place in the table.
    place: u32,
    /// Whether it comes before what is not.
    first: bool,
}

/// A value that a ledger carries.
struct Chosen<'a> {
    key: u64,
    entry: Entry<'a>,
    written: Cow<'a, str>,
    first: bool,
}

/// The most a ledger writes of one value: what is longer is found by its leaf.
const LONGEST: usize = 160;

/// The power by which a value's worth falls with the bytes that it takes, beyond what its salience says: short ones
/// first holds a twentieth more of what is used later at 1 % of the children's bytes.
const THRIFT: f64 = 0.5;

/// A ledger of fewer bytes writes its first group, identifiers, without a heading.
const HEADED_FROM: usize = 256;

/// The line that says that the leaves hold more, between a number and its end. It is told only where it costs little.
const HANDLE: &str = " more facts in the leaves]";
const HANDLE_BYTES: usize = 32;
/// The smallest ledger that gives a value's room to that line.
const HANDLE_FROM: usize = 1024;

/// What stands before the clauses that forbid, refuse or allow.
pub(crate) const RULES: &str = "rules: ";
/// What stands between two of them.
const RULES_SEPARATOR: &str = "; ";
/// What a few of them take.
const RULES_FEW: usize = 320;

/// How many bytes of a ledger they may take: a quarter, and for a few of them up to a half.
pub(crate) fn rules_budget(budget: usize) -> usize {
    (budget / 4).max(RULES_FEW.min(budget / 2))
}

/// Those of the wanted mandates that fit so many bytes: the user's before others', the newest first.
pub(crate) fn rules(mandates: &[Mandate], budget: usize, wanted: impl Fn(&Mandate) -> bool) -> Vec<&Mandate> {
    let mut ranked: Vec<&Mandate> = mandates.iter().filter(|mandate| wanted(mandate)).collect();
    ranked.sort_by_key(|mandate| (!mandate.by_user, std::cmp::Reverse(mandate.child), mandate.span));
    let mut bytes = RULES.len();
    ranked.retain(|mandate| {
        let cost = quoted(mandate).len() + RULES_SEPARATOR.len();
        let fits = bytes + cost <= budget;
        bytes += if fits { cost } else { 0 };
        fits
    });
    ranked
}

/// Bytes that these rules take of a ledger, the end of their line among them.
pub(crate) fn rules_bytes(rules: &[&Mandate]) -> usize {
    let each: usize = rules.iter().map(|rule| quoted(rule).len() + RULES_SEPARATOR.len()).sum();
    if rules.is_empty() { 0 } else { RULES.len() + each }
}

/// A clause with its leaf.
fn quoted(mandate: &Mandate) -> String {
    format!("\"{}\" [{}]", mandate.written(), mandate.child)
}

/// Selects what `wanted` says is worth carrying, the most salient first, and renders it in at most `budget` bytes.
///
/// `odds` are those of [`odds`](crate::fact::salience::odds) over the table. `rules` come before all values, and what is in
/// `first` before all other values.
pub(crate) fn compose(
    table: &Table,
    odds: &[f64],
    budget: usize,
    rules: &[&Mandate],
    first: &FxHashSet<u64>,
    wanted: impl Fn(u64, &Entry<'_>) -> bool,
) -> LedgerRow {
    // The name of a field, and a number that nothing says the meaning of, are carried for those only who ask for them.
    let ranked = rank(table, odds, first, |key, entry| {
        let means = entry.class != Class::Number || table.label(entry).is_some();
        (first.contains(&key) || means && entry.seen.any(Seen::VALUE)) && wanted(key, entry)
    });
    let mut row = LedgerRow::default();
    write_rules(rules, &mut row);
    // A line's end stands between them and the values.
    let budget = budget.saturating_sub(row.text.len() + usize::from(!rules.is_empty()));
    let mut kept = select(table, &ranked, budget);
    if kept.len() < ranked.len() && budget >= HANDLE_FROM {
        let asked = ranked.iter().take_while(|item| item.first).count();
        let less = select(table, &ranked, budget - HANDLE_BYTES);
        // No required value makes room for it.
        if less.iter().filter(|item| item.first).count() == asked {
            kept = less;
        }
    }
    render(&kept, ranked.len() - kept.len(), budget, row)
}

/// How many values are written once more by themselves.
const SPELLED: usize = 16;

/// Writes required values once more, each on a line of its own: among others in a group they were not read as what they
/// are (a flag behind a command). The line that says that there are more makes room. Whether anything was added.
pub(crate) fn spell_out(row: &mut LedgerRow, lost: &[LostRow]) -> bool {
    let values: Vec<&LostRow> = lost.iter().filter(|lost| lost.kind != "statement").collect();
    if row.text.is_empty() || values.is_empty() || values.len() > SPELLED {
        return false;
    }
    if row.text.ends_with(HANDLE) {
        row.text.truncate(row.text.rfind('\n').unwrap_or(0));
    }
    for lost in values {
        row.text.push('\n');
        row.text.push_str(&lost.text);
        let (text, kind) = (lost.text.clone(), lost.kind);
        if !row.entries.iter().any(|entry| entry.text == text) {
            row.entries.push(LedgerEntry { text, kind, child: lost.child, span: lost.span });
        }
    }
    true
}

fn write_rules(rules: &[&Mandate], row: &mut LedgerRow) {
    let mut rules = rules.to_vec();
    // Newest first, as all else: what stays keeps its order from pass to pass.
    rules.sort_by_key(|rule| (std::cmp::Reverse(rule.child), rule.span));
    for (i, rule) in rules.into_iter().enumerate() {
        row.text.push_str(if i == 0 { RULES } else { RULES_SEPARATOR });
        row.text.push_str(&quoted(rule));
        row.entries.push(LedgerEntry {
            text: rule.written(),
            kind: "statement",
            child: rule.child,
            span: rule.span,
        });
    }
}

/// The keys that [`compose`] would carry.
pub(crate) fn compose_keys(
    table: &Table,
    odds: &[f64],
    budget: usize,
    wanted: impl Fn(u64, &Entry<'_>) -> bool,
) -> Vec<u64> {
    let ranked = rank(table, odds, &FxHashSet::default(), wanted);
    select(table, &ranked, budget).iter().map(|item| item.key).collect()
}

/// All keys in the order of their rank.
pub(crate) fn ranked_keys(table: &Table, odds: &[f64], wanted: impl Fn(u64, &Entry<'_>) -> bool) -> Vec<u64> {
    let ranked = rank(table, odds, &FxHashSet::default(), wanted);
    ranked.iter().filter_map(|item| table.key(item.place as usize)).collect()
}

/// What `wanted` says is worth carrying, the most salient first, with what is in `first` before all others.
fn rank(
    table: &Table,
    odds: &[f64],
    first: &FxHashSet<u64>,
    wanted: impl Fn(u64, &Entry<'_>) -> bool,
) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = (0..)
        .zip(table.iter().zip(odds))
        .filter(|(_, ((key, entry), _))| carriable(entry) && wanted(*key, entry))
        .map(|(place, ((key, entry), odds))| {
            let bytes = written_bytes(&entry, table.label(&entry));
            let worth = odds - THRIFT * (bytes as f64 + 1.0).ln();
            Ranked { worth, place, first: first.contains(&key) }
        })
        .collect();
    // Ties end in the order of the text, so that the same input gives the same ledger. Sorted in place: no two are equal.
    ranked.sort_unstable_by(|a, b| {
        b.first.cmp(&a.first).then(b.worth.total_cmp(&a.worth)).then_with(|| {
            let tie = |item: &Ranked| {
                let place = item.place as usize;
                let at = table.at(place).map(|entry| (std::cmp::Reverse(entry.last()), entry.span()));
                (at, table.key(place))
            };
            tie(a).cmp(&tie(b))
        })
    });
    ranked
}

/// As many as fit, in their order. What a set of values costs does not hang on their order, so that each subset of what
/// fits fits.
fn select<'a>(table: &'a Table, ranked: &[Ranked], budget: usize) -> Vec<Chosen<'a>> {
    let mut kept = Vec::new();
    let mut open = [false; Group::ALL.len()];
    let mut bytes = 0;
    for item in ranked {
        if bytes >= budget {
            break;
        }
        let place = item.place as usize;
        let (Some(key), Some(entry)) = (table.key(place), table.at(place)) else { continue };
        let group = Group::of(entry.class);
        let Some(open) = open.get_mut(group as usize) else { continue };
        let framing = match (*open, kept.is_empty()) {
            (true, _) => group.separator().len(),
            (false, first) => heading(group, budget).len() + usize::from(!first),
        };
        let label = table.label(&entry);
        let cost = framing + written_bytes(&entry, label);
        if bytes + cost > budget {
            continue;
        }
        let written = written(&entry, label);
        let cost = cost + 2 * usize::from(group.quotes(&written));
        if bytes + cost <= budget {
            bytes += cost;
            *open = true;
            kept.push(Chosen { key, entry, written, first: item.first });
        }
    }
    kept
}

/// Which values may stand in a ledger at all: no secrets, no bodies, nothing relative, nothing that its whole carries.
pub(crate) fn carriable(entry: &Entry<'_>) -> bool {
    !matches!(entry.class, Class::Secret | Class::Payload | Class::RelativeTime)
        && (entry.whole().is_none() || entry.seen.any(Seen::ALONE))
        && !entry.marker
        && entry.text.len() <= LONGEST
        && !entry.text.contains('\n')
}

/// The label that is written before a value: an amount means nothing without what it measures; an identifier speaks for
/// itself.
fn shown_label<'l>(entry: &Entry<'_>, label: Option<&'l str>) -> Option<&'l str> {
    label.filter(|_| matches!(Group::of(entry.class), Group::Values | Group::Times | Group::Names))
}

fn written<'a>(entry: &Entry<'a>, label: Option<&str>) -> Cow<'a, str> {
    match shown_label(entry, label) {
        Some(label) => Cow::Owned(format!("{label}={}", entry.text)),
        None => Cow::Borrowed(entry.text),
    }
}

/// Bytes of what [`written`] gives.
fn written_bytes(entry: &Entry<'_>, label: Option<&str>) -> usize {
    shown_label(entry, label).map_or(0, |label| label.len() + 1) + entry.text.len()
}

/// What stands before a group: nothing before the identifiers of a small ledger, which speak for themselves.
fn heading(group: Group, budget: usize) -> &'static str {
    if group == Group::Ids && budget < HEADED_FROM { "" } else { group.heading() }
}

fn render(kept: &[Chosen<'_>], left: usize, budget: usize, mut row: LedgerRow) -> LedgerRow {
    let rules = row.text.len() + usize::from(!row.text.is_empty());
    for group in Group::ALL {
        let mut items: Vec<&Chosen<'_>> =
            kept.iter().filter(|item| Group::of(item.entry.class) == group).collect();
        // Newest first; within a child by place. Where a value stood first never changes, and so what stays keeps its
        // order from pass to pass.
        items.sort_by_key(|item| (std::cmp::Reverse(item.entry.child()), item.entry.span(), item.key));
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                row.text.push_str(group.separator());
            } else {
                row.text.push_str(if row.text.is_empty() { "" } else { "\n" });
                row.text.push_str(heading(group, budget));
            }
            let mark = if group.quotes(&item.written) { "`" } else { "" };
            row.text.extend([mark, &item.written, mark]);
            row.entries.push(LedgerEntry {
                text: item.written.to_string(),
                kind: item.entry.class.as_str(),
                child: item.entry.child(),
                span: item.entry.span(),
            });
        }
    }
    let handle = format!("\n[{left}{HANDLE}");
    if left > 0
        && !kept.is_empty()
        && row.text.len() + handle.len() <= budget + rules
        && budget >= HANDLE_FROM
    {
        row.text.push_str(&handle);
    }
    row
}
