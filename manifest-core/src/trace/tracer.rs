//! The tracer: the parent once, then the children one by one.

use super::anaphor::{Anaphor, AnaphorKind, anaphors};
use super::binding::Bindings;
use super::conflict::Conflicts;
use super::consent::Consent;
use super::copied::Copied;
use super::derive::Derivations;
use super::form::{FormFault, Support, faults, nesting};
use super::order::Orders;
use super::parent::{Index, MASK, Text, masked};
use super::required::{Unstated, unstated};
use super::resolve::{Resolution, Resolver, code_of, is_phrase, is_referent};
use super::statement::{Candidate, Candidates, Difference, Pair, cover};
use super::table::{Seen, Table};
use super::vocabulary::Vocabulary;
use super::wording::core;
use crate::child::{Child, Role};
use crate::code::Code;
use crate::fact::{Class, Known, read};
use crate::policy::Order;
use crate::report::{ClaimRow, ConflictRow};
use crate::text::Span;
use rustc_hash::FxHashSet;

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
    orders: Orders,
    conflicts: Conflicts,
    derivations: Derivations,
    consent: Consent,
    unstated: Vec<Unstated>,
    nesting: usize,
    children: usize,
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

/// A clause this like its source repeats it but for a word.
const VERBATIM: f64 = 0.8;

/// Bytes of the longest clause that is set beside others.
const LONG: usize = 4096;

/// Bytes of scripts with and without spaces.
#[derive(Clone, Copy, Debug, Default)]
struct Scripts {
    spaced: usize,
    unspaced: usize,
}

impl Scripts {
    /// The scripts of the first stretch of a text.
    fn of(text: &str) -> Self {
        let mut out = Scripts::default();
        let mut end = text.len().min(4096);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or_default();
        if text.is_ascii() {
            out.spaced = text.len();
            return out;
        }
        for c in text.chars() {
            if c.is_ascii_alphabetic() {
                out.spaced += 1;
            } else if matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF) {
                out.unspaced += 2;
            }
        }
        out
    }

    fn add(&mut self, other: Scripts) {
        self.spaced += other.spaced;
        self.unspaced += other.unspaced;
    }

    fn is_unspaced(self) -> bool {
        self.unspaced > self.spaced
    }
}

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
            orders: Orders::of(&parent),
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
            consent: Consent::default(),
            unstated: Vec::new(),
            nesting: 0,
            children: 0,
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
        self.vocabulary.child(&text);
        self.table.add(number, Seen::of(child), &text.reading, &text.statements.all);
        self.derivations.child(&text.reading);
        self.consent.child(role, &text);
        self.bindings.child(number, &text, &self.index);
        self.copied.child(number, &text);
        self.orders.child(number, &text);
        self.conflicts.child(number, child.role, &text, &self.index);
        self.aligner.child(number, &text.reading, &text.words);
        let other_script = Scripts::of(&child.text).is_unspaced() != self.own_script.is_unspaced();
        unstated(number, child.role, &text, &self.parent, &self.index, other_script, &mut self.unstated);
        self.pair(number, role, &text);
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
            folded: std::cell::OnceCell::new(),
        };
        let resolutions = resolver.all();
        let anaphors = anaphors(&self.parent, &self.vocabulary, |statement| {
            self.candidates.get(statement)?.best().filter(|s| s.likeness >= VERBATIM).map(|s| &*s.text)
        });
        let (referents, orphans, from_context) = self.orphans(&resolutions, &anaphors);
        let mut altered = self.altered(&anaphors);
        let (mut conflicts, mut collapsed) = self.conflicts.finish(&self.parent, &self.index, self.order);
        let mut unstated = std::mem::take(&mut self.unstated);
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
            facts: resolutions.iter().filter(|r| matches!(r, Resolution::Child | Resolution::Words)).count(),
            children_facts: self.table.len(),
            traceable: claims.iter().filter(|c| c.traceable).count(),
            claims: claims.len(),
            one_script: { self.own_script.is_unspaced() == self.scripts.is_unspaced() },
            nesting: self.nesting,
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
            faults,
            secrets,
            resolved_anchors: self.derivations.resolved_anchors(&self.parent),
            parent: self.parent,
            index: self.index,
            table: self.table,
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

    fn orphans(
        &self,
        resolutions: &[Resolution],
        anaphors: &[Anaphor],
    ) -> (usize, Vec<Orphan>, Vec<(Class, Span)>) {
        let mut referents = 0;
        let mut orphans = Vec::new();
        let mut from_context = Vec::new();
        for (fact, resolution) in self.parent.reading.facts.iter().zip(resolutions) {
            if !is_referent(fact) || self.parent.reading.hides(fact.span) {
                continue;
            }
            if fact.class == Class::RelativeTime {
                let mut anchors = self.derivations.anchors(fact.key).peekable();
                let lost_anchor =
                    anchors.peek().is_some() && !anchors.any(|k| self.index.facts.contains_key(&k));
                if lost_anchor {
                    referents += 1;
                    orphans.push(Orphan {
                        kind: fact.class.as_str(),
                        code: Code::ReferentOrphaned,
                        span: fact.span,
                        counted: true,
                    });
                }
                continue;
            }
            referents += 1;
            match resolution {
                Resolution::Orphan => orphans.push(Orphan {
                    kind: fact.class.as_str(),
                    code: code_of(fact.class),
                    span: fact.span,
                    counted: true,
                }),
                Resolution::Context => from_context.push((fact.class, fact.span)),
                _ => {}
            }
        }
        for anaphor in anaphors {
            let pronoun = anaphor.kind == AnaphorKind::Pronoun;
            referents += usize::from(!pronoun);
            if !anaphor.resolved {
                orphans.push(Orphan {
                    kind: if pronoun { "pronoun" } else { "anaphor" },
                    code: Code::ReferentOrphaned,
                    span: self.parent.reading.normal.source(anaphor.at),
                    counted: !pronoun,
                });
            }
        }
        orphans.sort_by_key(|o| (o.span.start, o.span.end));
        (referents, orphans, from_context)
    }

    fn altered(&self, anaphors: &[Anaphor]) -> Vec<Altered> {
        let mut out: Vec<Altered> = Vec::new();
        for (i, (claim, candidates)) in self.parent.statements.all.iter().zip(&self.candidates).enumerate() {
            let at = core(&self.parent.reading.normal.text, claim.at);
            let span = self.parent.reading.normal.source(at);
            if self.consent.invented(claim) {
                out.push(Altered {
                    span,
                    source: None,
                    why: "no child shows that the user agreed".to_owned(),
                });
                continue;
            }
            if let Some(source) = candidates.altered() {
                let why = source.difference.as_ref().map(Difference::describe).unwrap_or_default();
                let span = source.here.map_or(span, |here| self.parent.reading.normal.source(here));
                out.push(Altered { span, source: Some(source.clone()), why });
                continue;
            }
            // A pronoun with several antecedents: whose act it was is no longer told.
            let here = anaphors.partition_point(|a| a.statement < i);
            let mut here = anaphors.iter().skip(here).take_while(|a| a.statement == i);
            if here.any(|a| a.kind == AnaphorKind::Pronoun && !a.resolved)
                && let Some(source) = candidates.best()
            {
                out.push(Altered {
                    span,
                    source: Some(source.clone()),
                    why: "a pronoun stands for one of several names".to_owned(),
                });
            }
        }
        for (fact, candidate) in self.bindings.swapped().chain(self.copied.exchanged()) {
            // A value of no child is invented or derived, not exchanged.
            let Some(fact) = self.parent.reading.facts.get(fact).filter(|f| self.table.explains(f)) else {
                continue;
            };
            let at = self.parent.segments.partition_point(|s| s.at.end < fact.at.end);
            let Some(segment) = self.parent.segments.get(at).filter(|s| s.at.contains(fact.at)) else {
                continue;
            };
            let at = core(&self.parent.reading.normal.text, segment.at);
            let span = self.parent.reading.normal.source(at);
            if out.iter().any(|a| a.span.overlaps(span)) {
                continue;
            }
            let why = candidate.difference.as_ref().map(Difference::describe).unwrap_or_default();
            out.push(Altered { span, source: Some(candidate.clone()), why });
        }
        for (at, candidate) in self.orders.displaced() {
            let span = self.parent.reading.normal.source(at);
            if !out.iter().any(|a| a.span.overlaps(span)) {
                let why = candidate.difference.as_ref().map(Difference::describe).unwrap_or_default();
                out.push(Altered { span, source: Some(candidate.clone()), why });
            }
        }
        out.sort_by_key(|a| (a.span.start, a.span.end));
        out
    }

    fn claims(&mut self, resolutions: &[Resolution], anaphors: &[Anaphor]) -> Vec<ClaimRow> {
        let aligned = self.aligner.finish();
        aligned
            .into_iter()
            .map(|claim| {
                let facts = self
                    .parent
                    .reading
                    .facts
                    .iter()
                    .zip(resolutions)
                    .filter(|(f, _)| claim.at.contains(f.at) && is_referent(f) && f.class != Class::Name);
                let (mut exact, mut veto) = (false, false);
                let explained = self.stands_for_hidden(claim.at);
                for (fact, resolution) in facts {
                    let orphan = *resolution == Resolution::Orphan;
                    veto |= orphan && !matches!(fact.class, Class::Quote | Class::RelativeTime);
                    // What only the context explains is excused, and ties the claim to no child.
                    let tied = !orphan && *resolution != Resolution::Context;
                    exact |= tied && weighs(fact.class, fact.at.len());
                }
                let covered = claim.covered()
                    || self.without_back_references(claim.at, claim.coverage, anaphors)
                        > claim.coverage.max(0.45 - 1e-9);
                ClaimRow {
                    text: masked(&self.parent.reading, claim.span),
                    span: claim.span,
                    traceable: !veto && (covered || exact || explained),
                    score: claim.score,
                    sources: claim.sources,
                }
            })
            .collect()
    }
}

impl Tracer<'_> {
    /// Whether a claim only says that a secret was taken out, or where a body that is no prose is kept.
    fn stands_for_hidden(&self, at: Span) -> bool {
        let holds = |class| self.table.iter().any(|(_, e)| e.class == class);
        let text = at.of(&self.parent.reading.normal.text).to_lowercase();
        let says = |words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|w| words.contains(&w));
        says(&["redacted", "masked", "omitted", "removed", "withheld"]) && holds(Class::Secret)
            || says(&["leaf", "leaves", "manifest", "expand", "retrieve", "omitted", "elided"])
                && holds(Class::Payload)
    }

    /// The coverage of a claim without the words of its resolved back-references ("the same issue"): they stand for
    /// something named elsewhere in the parent, and have no words of a child to cover.
    fn without_back_references(&self, at: Span, coverage: f64, anaphors: &[Anaphor]) -> f64 {
        let content = |at: Span| self.parent.words.iter().filter(|w| w.content && at.contains(w.at)).count();
        let resolved =
            anaphors.iter().filter(|a| a.resolved && a.kind == AnaphorKind::Description && at.contains(a.at));
        let back: usize = resolved.map(|a| content(a.at)).sum();
        let all = content(at);
        if back == 0 || back >= all {
            coverage
        } else {
            (coverage * all as f64 / (all - back) as f64).min(1.0)
        }
    }
}

/// Whether one such token alone ties a terse or translated claim to its source: an identifier, a quantity with a
/// unit, or a number of three digits or more.
fn weighs(class: Class, bytes: usize) -> bool {
    super::resolve::is_identifier(class)
        || super::resolve::is_measured(class)
        || class == Class::Number && bytes >= 3
}
