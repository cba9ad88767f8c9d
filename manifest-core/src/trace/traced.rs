//! The children's facts as a finished trace knows them: for audits, which show more than a verdict.

use super::stated::Stater;
use super::tracer::Trace;
use crate::fact::Class;
use crate::fact::salience::{gravity, odds, scaled};
use crate::ledger::{compose, rules, rules_budget};
use crate::report::LedgerRow;
use crate::text::Span;

/// One distinct fact of the children.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TracedFact<'a> {
    /// Equal for equal values: the `key` of [`Fact`](crate::Fact).
    pub key: u64,
    /// Its class.
    pub class: Class,
    /// Its surface text at its first occurrence; a secret is masked, and a long body is left out.
    pub text: &'a str,
    /// What it is bound to there (`timeout` in `timeout=30s`), if the text says so.
    pub label: Option<&'a str>,
    /// Index of the child that states it first.
    pub child: usize,
    /// Where it stands there.
    pub span: Span,
    /// In how many children it stands.
    pub leaves: u32,
    /// How likely later work needs it, 0 to 1.
    pub salience: f64,
    /// How grave it is that it is gone, by its kind alone: 5 (a code that an error showed) to 0 (a bare number).
    pub gravity: u8,
    /// Whether the parent states it.
    pub stated: bool,
    /// Whether it is a part of another fact (a flag of a command, the date of an instant).
    pub part: bool,
}

/// One statement of the children that forbids, refuses or allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TracedMandate<'a> {
    /// Its text at its first occurrence, a long one cut at a word; a secret is masked.
    pub text: &'a str,
    /// Index of the child that says it first.
    pub child: usize,
    /// Where it stands there.
    pub span: Span,
    /// Whether the user says it.
    pub by_user: bool,
    /// Whether the parent states it.
    pub stated: bool,
}

impl Trace<'_> {
    /// The statements of the children that forbid, refuse or allow, in the order of the text.
    pub fn mandates(&self) -> impl Iterator<Item = TracedMandate<'_>> {
        self.mandates.iter().map(|mandate| TracedMandate {
            text: &mandate.text,
            child: mandate.child,
            span: mandate.span,
            by_user: mandate.by_user,
            stated: mandate.stated,
        })
    }

    /// The distinct facts of the children, in the order of their first occurrence. Made one by one: there may be millions.
    pub fn facts(&self) -> impl Iterator<Item = TracedFact<'_>> {
        let stater = Stater::of(&self.parent, &self.index);
        self.table.iter().zip(self.odds()).map(move |((key, entry), odds)| TracedFact {
            key,
            class: entry.class,
            text: entry.text,
            label: self.table.label(&entry),
            child: entry.child(),
            span: entry.span(),
            leaves: entry.leaves,
            salience: scaled(*odds),
            gravity: gravity(&entry),
            stated: stater.states(key, &entry, &self.table),
            part: entry.whole().is_some(),
        })
    }

    /// The ledger of at most `budget` bytes that would stand beside the parent.
    pub fn ledger(&self, budget: usize) -> LedgerRow {
        let stater = Stater::of(&self.parent, &self.index);
        let rules = rules(&self.mandates, rules_budget(budget), |mandate| !mandate.stated);
        compose(&self.table, self.odds(), budget, &rules, &rustc_hash::FxHashSet::default(), |key, entry| {
            !stater.states(key, entry, &self.table)
        })
    }

    /// The log odds of the values of the table, by their places: made once, as several readers of a trace rank by them.
    pub(crate) fn odds(&self) -> &[f64] {
        self.odds.get_or_init(|| odds(&self.table, self.children))
    }

    /// How many children were traced.
    pub fn children(&self) -> usize {
        self.children
    }

    /// Bytes of all children.
    pub fn children_bytes(&self) -> usize {
        self.children_bytes
    }
}
