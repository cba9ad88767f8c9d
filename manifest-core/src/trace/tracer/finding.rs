//! What tracing found in the parent: orphans, altered statements, claims with their sources.

use super::super::anaphor::{Anaphor, AnaphorKind};
use super::super::parent::masked;
use super::super::resolve::{Resolution, code_of, is_identifier, is_measured, is_referent};
use super::super::statement::Difference;
use super::super::wording::core;
use super::{Altered, Orphan, Tracer};
use crate::code::Code;
use crate::fact::{Class, Fact};
use crate::report::ClaimRow;
use crate::text::{Span, Spans};

impl Tracer<'_> {
    pub(super) fn orphans(
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

    pub(super) fn altered(&self, anaphors: &[Anaphor]) -> Vec<Altered> {
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
            if let Some(source) = candidates.altered().filter(|_| !self.verbatim.holds(at)) {
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
        let mut told = Spans::default();
        for known in &out {
            told.add(known.span);
        }
        for (i, candidate) in self.bindings.swapped().chain(self.copied.exchanged()) {
            // A value of no child is invented or derived, not exchanged.
            let stated = |f: &&Fact| self.table.explains(f) || self.bare.explains(i);
            let Some(fact) = self.parent.reading.facts.get(i).filter(stated) else { continue };
            let at = self.parent.segments.partition_point(|s| s.at.end < fact.at.end);
            let Some(segment) = self.parent.segments.get(at).filter(|s| s.at.contains(fact.at)) else {
                continue;
            };
            let at = core(&self.parent.reading.normal.text, segment.at);
            let span = self.parent.reading.normal.source(at);
            if told.overlap(span) || self.verbatim.holds(at) {
                continue;
            }
            told.add(span);
            let why = candidate.difference.as_ref().map(Difference::describe).unwrap_or_default();
            out.push(Altered { span, source: Some(candidate.clone()), why });
        }
        for (statement, at, candidate) in self.denied.turned() {
            let span = self.parent.reading.normal.source(at);
            let negated = self.negating.get(statement).copied().unwrap_or(false);
            if !negated && !told.overlap(span) && !self.verbatim.holds(at) {
                told.add(span);
                let why = candidate.difference.as_ref().map(Difference::describe).unwrap_or_default();
                out.push(Altered { span, source: Some(candidate.clone()), why });
            }
        }
        for (at, candidate) in self.orders.displaced().chain(self.replaced.turned()) {
            let span = self.parent.reading.normal.source(at);
            if !told.overlap(span) {
                told.add(span);
                let why = candidate.difference.as_ref().map(Difference::describe).unwrap_or_default();
                out.push(Altered { span, source: Some(candidate.clone()), why });
            }
        }
        out.sort_by_key(|a| (a.span.start, a.span.end));
        out
    }

    pub(super) fn claims(&mut self, resolutions: &[Resolution], anaphors: &[Anaphor]) -> Vec<ClaimRow> {
        let aligned = self.aligner.finish();
        let hidden = self.table.iter().fold((false, false), |(secret, payload), (_, e)| {
            (secret || e.class == Class::Secret, payload || e.class == Class::Payload)
        });
        aligned
            .into_iter()
            .map(|claim| {
                let facts = &self.parent.reading.facts;
                let first = facts.partition_point(|f| f.at.start < claim.at.start);
                let facts = facts.iter().zip(resolutions).skip(first);
                let facts = facts
                    .take_while(|(f, _)| f.at.start < claim.at.end)
                    .filter(|(f, _)| claim.at.contains(f.at) && is_referent(f) && f.class != Class::Name);
                let (mut exact, mut veto) = (false, false);
                let explained = self.stands_for_hidden(claim.at, hidden);
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
    /// `secret` and `payload` say whether the children hold one.
    fn stands_for_hidden(&self, at: Span, (secret, payload): (bool, bool)) -> bool {
        let text = at.of(&self.parent.reading.normal.text).to_lowercase();
        let says = |words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|w| words.contains(&w));
        says(&["redacted", "masked", "omitted", "removed", "withheld"]) && secret
            || says(&["leaf", "leaves", "manifest", "expand", "retrieve", "omitted", "elided"]) && payload
    }

    /// The coverage of a claim without the words of its resolved back-references ("the same issue"): they stand for
    /// something named elsewhere in the parent, and have no words of a child to cover.
    fn without_back_references(&self, at: Span, coverage: f64, anaphors: &[Anaphor]) -> f64 {
        let content = |at: Span| {
            let words = &self.parent.words;
            let first = words.partition_point(|w| w.at.start < at.start);
            let here = words.iter().skip(first).take_while(|w| w.at.start < at.end);
            here.filter(|w| w.content && at.contains(w.at)).count()
        };
        // In the order of their statements, and there of their places.
        let first = anaphors.partition_point(|a| a.at.start < at.start);
        let resolved = anaphors
            .iter()
            .skip(first)
            .take_while(|a| a.at.start < at.end)
            .filter(|a| a.resolved && a.kind == AnaphorKind::Description && at.contains(a.at));
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
    is_identifier(class) || is_measured(class) || class == Class::Number && bytes >= 3
}
