//! The tracer: the parent once, then the children one by one.

mod finding;
mod script;

use super::anaphor::{AnaphorKind, anaphors};
use super::bare::Bare;
use super::binding::Bindings;
use super::conflict::Conflicts;
use super::consent::Consent;
use super::copied::Copied;
use super::denied::Denied;
use super::derive::Derivations;
use super::entry::Seen;
use super::form::{FormFault, Support, faults, nesting};
use super::mandate::{Mandate, Mandates};
use super::order::Orders;
use super::parent::{Index, MASK, Text};
use super::replaced::Replaced;
use super::required::{Repeat, Unsaid, Unstated, unstated};
use super::resolve::{Resolution, Resolver, is_phrase};
use super::rounded::Rounded;
use super::statement::{Candidate, Candidates, Pair, cover};
use super::table::Table;
use super::verbatim::Verbatim;
use super::vocabulary::Vocabulary;
use crate::child::{Child, Role};
use crate::code::Code;
use crate::fact::{Class, Known, read};
use crate::policy::Order;
use crate::report::{ClaimRow, ConflictRow};
use crate::text::Span;
use rustc_hash::FxHashSet;
use script::Scripts;
use std::cell::OnceCell;

/// A mention of the parent that nothing explains.
#[derive(Clone, Debug)]
pub(crate) struct Orphan {
    /// Its class, `anaphor` or `pronoun`.
    pub(crate) kind: &'static str,
    /// Orphaned or invented.
    pub(crate) code: Code,
    /// Where it stands in the parent as given.
    pub(crate) span: Span,
    /// Whether it counts in the density.
    pub(crate) counted: bool,
}

/// A clause of the parent that says something else than its source.
#[derive(Clone, Debug)]
pub(crate) struct Altered {
    /// Where it stands in the parent as given.
    pub(crate) span: Span,
    /// What the source says.
    pub(crate) source: Option<Candidate>,
    /// How the two differ, in words.
    pub(crate) why: String,
}

/// Everything that tracing found, before any policy. [`Check::judge`](crate::Check::judge) makes a report of it.
#[derive(Debug)]
#[must_use = "a trace is evidence; `Check::judge` makes a report of it"]
pub struct Trace<'p> {
    pub(crate) parent: Text<'p>,
    pub(crate) index: Index,
    pub(crate) table: Table,
    pub(super) odds: OnceCell<Box<[f64]>>,
    pub(crate) children: usize,
    pub(crate) children_bytes: usize,
    pub(crate) claims: Vec<ClaimRow>,
    pub(crate) referents: usize,
    pub(crate) orphans: Vec<Orphan>,
    pub(crate) from_context: Vec<(Class, Span)>,
    pub(crate) pronouns_unresolved: usize,
    pub(crate) altered: Vec<Altered>,
    pub(crate) conflicts: Vec<ConflictRow>,
    pub(crate) unstated: Vec<Unstated>,
    /// What forbids, refuses or allows, whether the parent states it or not.
    pub(crate) mandates: Vec<Mandate>,
    /// Sides of a collapsed conflict that the parent does not tell.
    pub(crate) collapsed: Vec<Unstated>,
    pub(crate) faults: Vec<FormFault>,
    pub(crate) secrets: Vec<Span>,
    /// Dates of the children that the parent has used to resolve a relative time.
    pub(crate) resolved_anchors: FxHashSet<u64>,
}

/// Traces one parent to its children, given one by one: for children that are too many to hold at once.
///
/// ```
/// use manifest_core::{Check, Child, Order, Policy, Tracer};
/// let mut tracer = Tracer::new("It crashed with E2107.", Order::Sequence);
/// tracer.child(&Child::new("The importer crashed with E2107 on batch_07.csv."));
/// let trace = tracer.finish();
/// let report = Check::new(&[], "").judge(&trace, &Policy::exact());
/// assert_eq!(report.lost[0].text, "batch_07.csv");
/// ```
#[derive(Debug)]
pub struct Tracer<'p> {
    parent: Text<'p>,
    index: Index,
    order: Order,
    items: Vec<Vec<u64>>,
    /// For each statement of the parent: whether something around it negates or forbids.
    negating: Vec<bool>,
    candidates: Vec<Candidates>,
    phrases: Vec<Option<usize>>,
    vocabulary: Vocabulary,
    table: Table,
    context: Table,
    bindings: Bindings,
    copied: Copied,
    denied: Denied,
    orders: Orders,
    replaced: Replaced,
    conflicts: Conflicts,
    derivations: Derivations,
    bare: Bare,
    rounded: Rounded,
    verbatim: Verbatim,
    consent: Consent,
    unstated: Unsaid,
    mandates: Mandates,
    nesting: usize,
    children: usize,
    /// What the caller named the child before this one.
    named: Option<Box<str>>,
    children_bytes: usize,
    scripts: Scripts,
    own_script: Scripts,
    aligner: super::align::Aligner,
    known: Known,
}

/// Puts the mask in place of credentials.
fn hide_in<T: AsRef<str> + From<String>>(known: &Known, text: &mut T) {
    if let Some(hidden) = known.mask((*text).as_ref(), MASK) {
        *text = hidden.into();
    }
}

/// Where the last line of a text stands, without the white space around it.
fn last_line(text: &str) -> Span {
    let end = text.trim_end().len();
    let start = text.get(..end).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
    Span::new(start, end)
}

/// A clause this like its source repeats it but for a word.
const VERBATIM: f64 = 0.8;

/// Bytes of the longest clause that is set beside others.
const LONG: usize = 4096;

impl<'p> Tracer<'p> {
    /// Reads the parent.
    pub fn new(parent: &'p str, order: Order) -> Self {
        let parent = Text::of(read(parent));
        let mut known = Known::default();
        known.learn(&parent.reading);
        let index = Index::of(&parent);
        let mut phrases = vec![None; parent.reading.facts.len()];
        let mut spans = Vec::new();
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            if is_phrase(fact.class) {
                if let Some(slot) = phrases.get_mut(i) {
                    *slot = Some(spans.len());
                }
                spans.push((fact.class, fact.at));
            }
        }
        let vocabulary = Vocabulary::of(&parent, spans.into_iter());
        let items: Vec<Vec<u64>> = parent.statements.all.iter().map(|s| parent.said_items(s)).collect();
        Tracer {
            candidates: vec![Candidates::default(); items.len()],
            bindings: Bindings::of(&parent, &index),
            copied: Copied::of(&parent),
            denied: Denied::of(&parent),
            orders: Orders::of(&parent),
            replaced: Replaced::of(&parent),
            aligner: super::align::Aligner::new(&parent.reading),
            negating: parent.negating(),
            items,
            phrases,
            vocabulary,
            index,
            order,
            table: Table::default(),
            context: Table::default(),
            conflicts: Conflicts::default(),
            derivations: Derivations::of(&parent),
            bare: Bare::of(&parent),
            rounded: Rounded::of(&parent),
            verbatim: Verbatim::of(&parent),
            consent: Consent::default(),
            unstated: Unsaid::default(),
            mandates: Mandates::default(),
            nesting: 0,
            children: 0,
            named: None,
            children_bytes: 0,
            scripts: Scripts::default(),
            own_script: Scripts::of(parent.reading.text),
            known,
            parent,
        }
    }

    /// Reads the next child.
    pub fn child(&mut self, child: &Child<'_>) {
        let number = self.children;
        self.children += 1;
        self.children_bytes += child.text.len();
        let text = Text::of(read(&child.text));
        self.known.learn(&text.reading);
        self.scripts.add(Scripts::of(&child.text));
        self.nesting = self.nesting.max(nesting(&child.text).map_or(0, |n| n.1));
        let told = Role::of_first_line(&child.text).is_some() || child.role != Role::default();
        let role = (child.role, told);
        // An output that was cut into several leaves is one text under one name.
        let goes_on =
            child.role == Role::Tool && child.id.is_some() && child.id.as_deref() == self.named.as_deref();
        self.named = child.id.as_deref().map(Into::into);
        self.vocabulary.child(&text);
        self.table.add(number, Seen::of(child), &text.reading, &text.statements.all);
        self.derivations.child(&text.reading);
        self.bare.child(&text);
        self.rounded.child(&text);
        self.verbatim.child(&text);
        self.consent.child(role, &text);
        self.bindings.child(number, &text, &self.index);
        self.copied.child(number, &text);
        self.denied.child(number, &text);
        self.orders.child(number, &text);
        self.replaced.child(number, &text);
        // What is handed to a tool is done, not said.
        if !child.call {
            self.conflicts.child(number, role, goes_on, &text, &self.index);
        }
        self.aligner.child(number, &text.reading, &text.words);
        let other_script = Scripts::of(&child.text).is_unspaced() != self.own_script.is_unspaced();
        unstated(number, child.role, &text, &self.parent, &self.index, other_script, &mut self.unstated);
        let repeat = Repeat { parent: &self.parent, index: &self.index, other_script };
        self.mandates.child(number, role, &text, &repeat, &self.negating);
        self.pair(number, role, &text);
    }

    /// Whether the children read so far hold a fact with this key.
    pub fn holds(&self, key: u64) -> bool {
        self.table.holds(key)
    }

    /// Reads a text that the summarizer also saw: it excuses a mention and supports no claim.
    pub fn context(&mut self, context: &str) {
        let text = Text::of(read(context));
        self.context.add(0, Seen::TOOL, &text.reading, &text.statements.all);
    }

    /// Sets the clauses of a child beside those of the parent.
    fn pair(&mut self, number: usize, role: (Role, bool), text: &Text<'_>) {
        let mut near: Vec<u32> = Vec::new();
        for source in &text.statements.all {
            // A clause this long is data; what it binds is looked at elsewhere.
            if source.at.len() > LONG {
                continue;
            }
            let source_items = text.said_items(source);
            Index::nearest(&self.index.statements, &source_items, &mut near);
            for claim_number in &near {
                let at = *claim_number as usize;
                let (Some(claim), Some(claim_items)) =
                    (self.parent.statements.all.get(at), self.items.get(at))
                else {
                    continue;
                };
                let (cover, back) = cover(&self.index, claim_items, &source_items);
                if cover < 0.3 {
                    continue;
                }
                let pair = Pair {
                    child: text,
                    role,
                    source,
                    source_items: &source_items,
                    parent: &self.parent,
                    claim,
                    claim_items,
                    context_negates: self.negating.get(at).copied().unwrap_or(false),
                    cover,
                    back,
                };
                let likeness = pair.likeness();
                let Some(kept) = self.candidates.get_mut(at).filter(|c| c.wants(likeness)) else { continue };
                kept.keep(pair.candidate(number, likeness));
            }
        }
    }

    /// What the children say of the parent.
    pub fn finish(mut self) -> Trace<'p> {
        let known = std::mem::take(&mut self.known);
        let secrets = self.hide(&known);
        let resolver = Resolver {
            parent: &self.parent,
            table: &self.table,
            context: &self.context,
            vocabulary: &self.vocabulary,
            phrases: &self.phrases,
            derivations: &self.derivations,
            bare: &self.bare,
            rounded: &self.rounded,
            places: OnceCell::new(),
            ported: OnceCell::new(),
            verbatim: &self.verbatim,
            folded: OnceCell::new(),
            names: OnceCell::new(),
            digests: OnceCell::new(),
        };
        let resolutions = resolver.all();
        let anaphors = anaphors(&self.parent, &self.vocabulary, |statement| {
            self.candidates.get(statement)?.best().filter(|s| s.likeness >= VERBATIM).map(|s| &*s.text)
        });
        let (referents, orphans, from_context) = self.orphans(&resolutions, &anaphors);
        let mut altered = self.altered(&anaphors);
        let (mut conflicts, mut collapsed) =
            self.conflicts.finish((&self.parent, &self.replaced), &self.index, self.order);
        let mut unstated = std::mem::take(&mut self.unstated).into_rows();
        if !known.is_empty() {
            // What was read before the credential was known shows it.
            unstated.iter_mut().chain(&mut collapsed).for_each(|row| hide_in(&known, &mut row.text));
            for row in &mut altered {
                hide_in(&known, &mut row.why);
                row.source.iter_mut().for_each(|source| hide_in(&known, &mut source.text));
            }
            for row in &mut conflicts {
                hide_in(&known, &mut row.subject);
                row.attribute.iter_mut().for_each(|text| hide_in(&known, text));
                row.sides.iter_mut().for_each(|side| hide_in(&known, &mut side.text));
            }
        }
        let claims = self.claims(&resolutions, &anaphors);
        let support = Support {
            children_bytes: self.children_bytes,
            words: self.vocabulary.share(self.parent.statements.words.iter().map(|w| w.stem)),
            facts: resolutions
                .iter()
                .filter(|r| matches!(r, Resolution::Child | Resolution::Bare | Resolution::Words))
                .count(),
            children_facts: self.table.len(),
            traceable: claims.iter().filter(|c| c.traceable).count(),
            claims: claims.len(),
            one_script: { self.own_script.is_unspaced() == self.scripts.is_unspaced() },
            nesting: self.nesting,
            ends_as_a_child: self.verbatim.holds(last_line(&self.parent.reading.normal.text)),
        };
        let faults = faults(&self.parent, &support);
        Trace {
            pronouns_unresolved: anaphors
                .iter()
                .filter(|a| a.kind == AnaphorKind::Pronoun && !a.resolved)
                .count(),
            children: self.children,
            children_bytes: self.children_bytes,
            claims,
            referents,
            orphans,
            from_context,
            altered,
            conflicts,
            collapsed,
            unstated,
            mandates: std::mem::take(&mut self.mandates).into_all(&known),
            faults,
            secrets,
            resolved_anchors: self.derivations.resolved_anchors(&self.parent),
            parent: self.parent,
            index: self.index,
            table: self.table,
            odds: OnceCell::new(),
        }
    }

    /// Hides what is known to be a credential wherever it stands bare; gives all credentials of the parent.
    fn hide(&mut self, known: &Known) -> Vec<Span> {
        let own = self.parent.reading.facts.iter().filter(|f| f.class == Class::Secret).map(|f| f.span);
        let mut secrets: Vec<Span> = own.collect();
        if !known.is_empty() {
            secrets.extend(self.parent.reading.hide(known));
            secrets.sort_unstable();
            self.table.hide(known);
        }
        secrets
    }
}
