//! What a summary declares with more than a value: facts of a kind, and claims that cite their children.

use super::{Check, rows};
use crate::code::Code;
use crate::fact::{Class, read};
use crate::policy::Order;
use crate::report::OrphanRow;
use crate::text::Span;
use crate::trace::{Trace, Tracer, masked};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Check<'_> {
    /// Declared facts that are read as another kind than their field is for, with the kind that they are read as.
    pub(super) fn misfiled(&self, trace: &Trace<'_>) -> Vec<(Span, Class, Option<Class>)> {
        let mut kinds = self.kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let parent = &trace.parent.reading;
        let read_as = |&(span, kind): &(Span, Class)| {
            let first = parent.facts.partition_point(|fact| fact.span.start < span.start);
            let here = parent.facts.iter().skip(first).take_while(|fact| fact.span.start < span.end);
            // A shape alone is often of several kinds: one that fits anywhere is enough.
            if here.clone().any(|fact| fact.class == kind) {
                return None;
            }
            let alone = read(span.of(parent.text)).facts;
            let held = alone.iter().filter_map(|fact| trace.table.get(fact.key)).map(|entry| entry.class);
            if held.chain(alone.iter().map(|fact| fact.class)).any(|class| class == kind) {
                return None;
            }
            let widest = here.chain(&alone).max_by_key(|fact| fact.span.len());
            Some((span, kind, widest.map(|fact| fact.class)))
        };
        kinds.iter().filter_map(read_as).collect()
    }

    /// Claims whose cited children do not say them. Each distinct set of cited children is read once.
    pub(super) fn miscited(&self, trace: &Trace<'_>, order: Order) -> Vec<OrphanRow> {
        let mut found: BTreeMap<Span, String> = BTreeMap::new();
        let mut by_children: BTreeMap<Vec<usize>, Vec<Span>> = BTreeMap::new();
        for claim in self.cited {
            let mut children = claim.children.clone();
            children.sort_unstable();
            children.dedup();
            match children.last() {
                None => _ = found.insert(claim.span, "it cites no child".to_owned()),
                Some(&last) if last >= self.children.len() => {
                    let known = self.children.len();
                    let why = format!("it cites child {last}, and there are {known}, counted from 0");
                    found.insert(claim.span, why);
                }
                Some(_) => by_children.entry(children).or_default().push(claim.span),
            }
        }
        if !by_children.is_empty() {
            let whole = Whole::of(trace);
            for (children, claims) in by_children {
                self.beside(&children, &claims, &whole, order, &mut found);
            }
        }
        let row = |(span, why)| OrphanRow {
            text: masked(&trace.parent.reading, span),
            kind: "claim",
            code: Code::ClaimMiscited,
            span,
            why: Some(why),
        };
        found.into_iter().map(row).collect()
    }

    /// Traces claims beside the children that they cite, and tells what these do not say.
    fn beside(
        &self,
        children: &[usize],
        claims: &[Span],
        whole: &Whole<'_>,
        order: Order,
        found: &mut BTreeMap<Span, String>,
    ) {
        let mut text = String::new();
        // Where each claim starts in that text.
        let mut starts = Vec::with_capacity(claims.len());
        for claim in claims {
            text.push_str("- ");
            starts.push(text.len());
            text.push_str(claim.of(whole.trace.parent.reading.text));
            text.push('\n');
        }
        let mut tracer = Tracer::new(&text, order);
        for context in &self.context {
            tracer.context(context);
        }
        for child in children.iter().filter_map(|child| self.children.get(*child)) {
            tracer.child(child);
        }
        let trace = tracer.finish();
        // The claim that a place of that text is in, and the place in the parent.
        let claim_of = |at: Span| {
            let claim = starts.partition_point(|start| *start <= at.start).checked_sub(1)?;
            let (claim, start) = (*claims.get(claim)?, *starts.get(claim)?);
            let from = claim.start + (at.start - start);
            Some((claim, Span::new(from, from + at.len())))
        };
        let cited = told(children);
        let does = if children.len() == 1 { "does" } else { "do" };
        // What the other children hold is cited wrongly; what none holds has its own finding.
        for orphan in rows::orphans(&trace) {
            let Some((claim, place)) = claim_of(orphan.span) else { continue };
            if orphan.code == Code::StatementAltered {
                if !whole.altered(claim) {
                    found.entry(claim).or_insert_with(|| format!("{cited} {does} not say it like that"));
                }
            } else if !matches!(orphan.kind, "anaphor" | "pronoun") && !whole.orphans.contains(&place) {
                found.entry(claim).or_insert_with(|| format!("{cited} {does} not state `{}`", orphan.text));
            }
        }
        for row in trace.claims.iter().filter(|row| !row.traceable) {
            let Some((claim, place)) = claim_of(row.span) else { continue };
            found.entry(claim).or_insert_with(|| match whole.source(place) {
                Some(child) if !children.contains(&child) => {
                    format!("{cited} {does} not say it; child {child} does")
                }
                Some(_) => format!("{cited} {does} not say all of it"),
                None => "no child says it".to_owned(),
            });
        }
    }
}

/// What is known of the parent beside all its children.
struct Whole<'t> {
    trace: &'t Trace<'t>,
    orphans: FxHashSet<Span>,
    /// Where the parent says something else than its children, by place.
    altered: Vec<Span>,
}

impl<'t> Whole<'t> {
    fn of(trace: &'t Trace<'_>) -> Self {
        let orphans = trace.orphans.iter().map(|orphan| orphan.span).collect();
        let mut altered: Vec<Span> = trace.altered.iter().map(|altered| altered.span).collect();
        altered.sort_unstable();
        Whole { trace, orphans, altered }
    }

    /// Whether something within the claim is altered, whatever is cited.
    fn altered(&self, claim: Span) -> bool {
        let first = self.altered.partition_point(|altered| altered.start < claim.start);
        self.altered.get(first).is_some_and(|altered| altered.start < claim.end)
    }

    /// The child that says the most of the claim here; `None` if none says enough.
    fn source(&self, place: Span) -> Option<usize> {
        let claims = &self.trace.claims;
        let first = claims.partition_point(|row| row.span.end <= place.start);
        let row = claims.get(first).filter(|row| row.traceable && row.span.start < place.end)?;
        row.sources.first().map(|source| source.child)
    }
}

/// `child 3`, `children 1 and 3`
fn told(children: &[usize]) -> String {
    let numbers: Vec<String> = children.iter().map(usize::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("child {last}"),
        Some((last, before)) => format!("children {} and {last}", before.join(", ")),
        None => "no child".to_owned(),
    }
}
