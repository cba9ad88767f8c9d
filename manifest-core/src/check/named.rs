//! What a summary says beside the children that it says it was made from.

use super::{Check, rows};
use crate::code::Code;
use crate::declare::NamedChild;
use crate::fact::read;
use crate::policy::Order;
use crate::report::OrphanRow;
use crate::text::Span;
use crate::trace::{Trace, Tracer, masked};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

impl Check<'_> {
    /// Named children that there are not, and what only a child says that is not named. What no child says has its own
    /// findings, and a claim that cites children of its own is checked against those.
    pub(super) fn unnamed(&self, trace: &Trace<'_>, order: Order) -> Vec<OrphanRow> {
        let mut out = Vec::new();
        let mut named: BTreeSet<usize> = BTreeSet::new();
        let mut unknown: BTreeSet<&NamedChild> = BTreeSet::new();
        for child in self.named {
            match self.place(child) {
                Some(place) => _ = named.insert(place),
                None if unknown.insert(child) => out.push(self.no_child(child)),
                None => {}
            }
        }
        if named.is_empty() || named.len() >= self.children.len() {
            return out;
        }
        let mut tracer = Tracer::new(self.parent, order);
        for context in &self.context {
            tracer.context(context);
        }
        for child in named.iter().filter_map(|child| self.children.get(*child)) {
            tracer.child(child);
        }
        let beside = tracer.finish();
        let known: FxHashSet<Span> = trace.orphans.iter().map(|orphan| orphan.span).collect();
        let mut found: BTreeMap<Span, String> = BTreeMap::new();
        for orphan in rows::orphans(&beside) {
            let exact =
                !matches!(orphan.kind, "anaphor" | "pronoun") && orphan.code != Code::StatementAltered;
            if exact && !known.contains(&orphan.span) {
                let why = format!("no child that the summary names states `{}`", orphan.text);
                found.entry(claim_of(trace, orphan.span)).or_insert(why);
            }
        }
        let traceable = trace.claims.iter().filter(|claim| claim.traceable);
        let whole: BTreeMap<Span, _> = traceable.map(|claim| (claim.span, &claim.sources)).collect();
        for row in beside.claims.iter().filter(|row| !row.traceable) {
            if let Some(source) = whole.get(&row.span).and_then(|sources| sources.first())
                && !named.contains(&source.child)
            {
                let why = format!("child {} says it, and the summary does not name it", source.child);
                found.entry(row.span).or_insert(why);
            }
        }
        let cites_itself = |span: &Span| {
            self.cited.iter().any(|claim| claim.span.start <= span.start && span.end <= claim.span.end)
        };
        found.retain(|span, _| !cites_itself(span));
        out.extend(found.into_iter().map(|(span, why)| OrphanRow {
            text: masked(&trace.parent.reading, span),
            kind: "claim",
            code: Code::ClaimMiscited,
            span,
            why: Some(why),
        }));
        out
    }

    /// The place of a named child.
    fn place(&self, child: &NamedChild) -> Option<usize> {
        match child {
            NamedChild::Position(place) => Some(*place).filter(|place| *place < self.children.len()),
            NamedChild::Name(name) => {
                self.children.iter().position(|child| child.id.as_deref() == Some(name.as_str()))
            }
        }
    }

    /// The finding of a child that there is not.
    fn no_child(&self, child: &NamedChild) -> OrphanRow {
        let text = child.to_string();
        let text = masked(&read(&text), Span::new(0, text.len()));
        let why =
            format!("there are {} children, counted from 0, and it is none of them", self.children.len());
        OrphanRow { text, kind: "child", code: Code::ClaimMiscited, span: Span::new(0, 0), why: Some(why) }
    }
}

/// The claim that a place is in, or the place alone.
fn claim_of(trace: &Trace<'_>, at: Span) -> Span {
    let first = trace.claims.partition_point(|row| row.span.end <= at.start);
    let claim = trace.claims.get(first).filter(|row| row.span.start <= at.start && at.end <= row.span.end);
    claim.map_or(at, |row| row.span)
}
