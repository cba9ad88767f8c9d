//! Exact facts beside the prose: selection within a budget, grouping, a stable order.

use crate::fact::Class;
use crate::fact::salience::salience;
use crate::report::{LedgerEntry, LedgerRow};
use crate::trace::{Entry, Table};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A value that a ledger may carry.
struct Ranked<'a> {
    key: u64,
    entry: &'a Entry,
    salience: f64,
}

/// The most a ledger writes of one value: what is longer is found by its leaf.
const LONGEST: usize = 160;

/// Selects what `wanted` says is worth carrying, the most salient first, and renders it in at most `budget` bytes.
///
/// What is in `first` comes before everything else.
pub(crate) fn compose(
    table: &Table,
    children: usize,
    budget: usize,
    first: &FxHashSet<u64>,
    wanted: impl Fn(u64, &Entry) -> bool,
) -> LedgerRow {
    let mut ranked = rank(table, children, wanted);
    ranked.sort_by_key(|item| !first.contains(&item.key));
    let labelled = labelled(ranked.len(), budget);
    render(&select(&ranked, labelled, budget), labelled)
}

/// The keys that [`compose`] would carry.
pub(crate) fn compose_keys(
    table: &Table,
    children: usize,
    budget: usize,
    wanted: impl Fn(u64, &Entry) -> bool,
) -> Vec<u64> {
    let ranked = rank(table, children, wanted);
    let labelled = labelled(ranked.len(), budget);
    select(&ranked, labelled, budget).iter().map(|(_, item)| item.key).collect()
}

/// All keys in the order of their rank.
pub(crate) fn ranked_keys(table: &Table, children: usize, wanted: impl Fn(u64, &Entry) -> bool) -> Vec<u64> {
    rank(table, children, wanted).iter().map(|item| item.key).collect()
}

fn rank<'a>(table: &'a Table, children: usize, wanted: impl Fn(u64, &Entry) -> bool) -> Vec<Ranked<'a>> {
    let mut ranked: Vec<Ranked<'a>> = table
        .iter()
        .filter(|(key, entry)| carriable(entry) && wanted(*key, entry))
        .map(|(key, entry)| Ranked { key, entry, salience: salience(entry, children) })
        .collect();
    // Ties end in the order of the text, so that the same input gives the same ledger.
    ranked.sort_by(|a, b| {
        b.salience
            .total_cmp(&a.salience)
            .then(b.entry.last.cmp(&a.entry.last))
            .then(a.entry.span.cmp(&b.entry.span))
            .then(a.key.cmp(&b.key))
    });
    ranked
}

fn select<'a>(ranked: &'a [Ranked<'a>], labelled: usize, budget: usize) -> Vec<(usize, &'a Ranked<'a>)> {
    let mut kept = Vec::new();
    let mut groups: BTreeSet<&'static str> = BTreeSet::new();
    let mut bytes = 0;
    for (rank, item) in ranked.iter().enumerate() {
        let text = written(item.entry, rank < labelled);
        let group = item.entry.class.as_str();
        let framing =
            if groups.contains(group) { 2 } else { group.len() + 2 + usize::from(!groups.is_empty()) };
        if bytes + framing + text.len() > budget {
            continue;
        }
        bytes += framing + text.len();
        groups.insert(group);
        kept.push((rank, item));
    }
    kept
}

/// Which values may stand in a ledger at all: no secrets, no bodies, nothing relative, nothing that its whole carries.
pub(crate) fn carriable(entry: &Entry) -> bool {
    !matches!(entry.class, Class::Secret | Class::Payload | Class::RelativeTime)
        && entry.whole.is_none()
        && entry.text.len() <= LONGEST
        && !entry.text.contains('\n')
}

/// The top third by salience is written with its subject, as far as the budget reaches.
fn labelled(values: usize, budget: usize) -> usize {
    (values.min(budget / 12)).div_ceil(3)
}

fn written(entry: &Entry, labelled: bool) -> String {
    match &entry.label {
        Some(label) if labelled && wants_label(entry.class) => format!("{label}={}", entry.text),
        _ => entry.text.to_string(),
    }
}

/// An amount means nothing without what it measures; an identifier speaks for itself.
fn wants_label(class: Class) -> bool {
    matches!(
        class,
        Class::Number
            | Class::Quantity
            | Class::Percentage
            | Class::Money
            | Class::Time
            | Class::Date
            | Class::Instant
            | Class::Version
            | Class::Range
            | Class::Quote
    )
}

fn render(kept: &[(usize, &Ranked<'_>)], labelled: usize) -> LedgerRow {
    let mut groups: BTreeMap<&'static str, Vec<&(usize, &Ranked<'_>)>> = BTreeMap::new();
    for item in kept {
        groups.entry(item.1.entry.class.as_str()).or_default().push(item);
    }
    let mut text = String::new();
    let mut entries = Vec::new();
    for (kind, mut items) in groups {
        // Newest first; within a child by place.
        items.sort_by(|a, b| b.1.entry.child.cmp(&a.1.entry.child).then(a.1.entry.span.cmp(&b.1.entry.span)));
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(kind);
        text.push_str(": ");
        for (i, (rank, item)) in items.iter().enumerate() {
            if i > 0 {
                text.push_str(", ");
            }
            let written = written(item.entry, *rank < labelled);
            text.push_str(&written);
            entries.push(LedgerEntry { text: written, kind, child: item.entry.child, span: item.entry.span });
        }
    }
    LedgerRow { text, entries }
}
