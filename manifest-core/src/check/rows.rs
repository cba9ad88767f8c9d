//! The rows of a report: what the parent says beyond its children, and what it leaves out of them.

use super::Check;
use crate::account::statement_row;
use crate::code::Code;
use crate::declare::held;
use crate::policy::ConflictRule;
use crate::report::{ConflictCounts, ConflictRow, ConflictState, LostRow, OrphanRow};
use crate::text::{Span, Spans};
use crate::trace::{Trace, masked};
use rustc_hash::FxHashMap;

impl Check<'_> {
    /// Declared facts that no child holds: mentions that are known already become invented ones, and what no reader
    /// takes for a fact is added. Gives the number of those added.
    pub(super) fn unheld(&self, trace: &Trace<'_>, orphans: &mut Vec<OrphanRow>) -> usize {
        let mut facts = self.facts.to_vec();
        facts.sort_unstable();
        facts.dedup();
        for row in orphans.iter_mut().filter(|row| row.code == Code::ReferentOrphaned) {
            let before = facts.partition_point(|fact| fact.start <= row.span.start);
            if facts.get(..before).and_then(<[Span]>::last).is_some_and(|fact| fact.contains(row.span)) {
                row.code = Code::ReferentInvented;
            }
        }
        let reading = &trace.parent.reading;
        let plain = |fact: &Span| {
            let first = reading.facts.partition_point(|token| token.span.start < fact.start);
            let mut within = reading.facts.iter().skip(first).take_while(|token| token.span.start < fact.end);
            !within.any(|token| fact.contains(token.span))
        };
        let plain: Vec<Span> = facts.into_iter().filter(plain).collect();
        let values: Vec<&str> = plain.iter().map(|span| span.of(reading.text)).collect();
        let children = self.children.iter().map(|child| child.text.as_ref());
        let held = held(&values, children.chain(self.context.iter().copied()));
        let known = orphans.len();
        for (span, _) in plain.into_iter().zip(held).filter(|(_, held)| !held) {
            let text = masked(reading, span);
            orphans.push(OrphanRow { text, kind: "fact", code: Code::ReferentInvented, span, why: None });
        }
        orphans.len() - known
    }
}

/// The conflicts of the children, as the policy's rule for them sees what became of them.
pub(super) fn conflicts(trace: &Trace<'_>, rule: ConflictRule) -> Vec<ConflictRow> {
    let mut rows = trace.conflicts.clone();
    if rule == ConflictRule::LatestWins {
        for row in rows.iter_mut().filter(|row| row.state == ConflictState::Collapsed) {
            if row.sides.last().is_some_and(|latest| latest.told) {
                row.state = ConflictState::Superseded;
            }
        }
    }
    rows
}

/// How many conflicts ended in which state.
pub(super) fn count(conflicts: &[ConflictRow]) -> ConflictCounts {
    let mut counts = ConflictCounts::default();
    for row in conflicts {
        match row.state {
            ConflictState::Kept => counts.kept += 1,
            ConflictState::Collapsed => counts.collapsed += 1,
            ConflictState::Superseded => counts.superseded += 1,
            ConflictState::Stale => counts.stale += 1,
        }
    }
    counts
}

/// Statements of the children that a strict policy wants, and that the parent alters or leaves out.
pub(super) fn lost_statements(trace: &Trace<'_>, tokens: &[LostRow]) -> Vec<LostRow> {
    let mut rows: Vec<LostRow> = Vec::new();
    let mut known: FxHashMap<usize, Spans> = FxHashMap::default();
    // What a tool's output says is no loss where only its speaker was mistaken.
    let altered = trace.altered.iter().filter_map(|a| a.source.as_ref()).filter(|s| !s.is_only_quoted());
    for source in altered {
        known.entry(source.child).or_default().add(source.span);
        rows.push(statement_row(&source.text, source.child, source.span));
    }
    let mut tokens: Vec<(usize, Span)> = tokens.iter().map(|t| (t.child, t.span)).collect();
    tokens.sort_unstable();
    for statement in trace.unstated.iter().chain(&trace.collapsed) {
        // A clause that is hardly more than a token that is named already says nothing new.
        let first = tokens.partition_point(|t| *t < (statement.child, Span::new(statement.span.start, 0)));
        let mut within = tokens
            .iter()
            .skip(first)
            .take_while(|(child, at)| *child == statement.child && at.start < statement.span.end);
        let named =
            within.any(|(_, at)| statement.span.contains(*at) && 2 * at.len() >= statement.span.len());
        let known = known.entry(statement.child).or_default();
        if !named && !known.overlap(statement.span) {
            known.add(statement.span);
            rows.push(statement_row(&statement.text, statement.child, statement.span));
        }
    }
    rows
}

/// The mentions with nothing behind them and the altered statements, as the parent writes them.
pub(super) fn orphans(trace: &Trace<'_>) -> Vec<OrphanRow> {
    let mut rows: Vec<OrphanRow> = trace
        .orphans
        .iter()
        .map(|o| OrphanRow {
            text: masked(&trace.parent.reading, o.span),
            kind: o.kind,
            code: o.code,
            span: o.span,
            why: None,
        })
        .collect();
    rows.extend(trace.altered.iter().map(|a| OrphanRow {
        text: masked(&trace.parent.reading, a.span),
        kind: "statement",
        code: Code::StatementAltered,
        span: a.span,
        why: Some(match &a.source {
            Some(source) => format!("child {} says `{}`: {}", source.child, source.text, a.why),
            None => a.why.clone(),
        }),
    }));
    rows
}

/// The mentions that only the context explains.
pub(super) fn from_context(trace: &Trace<'_>) -> Vec<LostRow> {
    trace
        .from_context
        .iter()
        .map(|(class, span)| LostRow {
            text: masked(&trace.parent.reading, *span),
            kind: class.as_str(),
            child: 0,
            span: *span,
        })
        .collect()
}
