//! The small door: children and a parent in, a report out. No tree, no store, no state.

use crate::account::{Account, Claims, account, statement_row};
use crate::child::Child;
use crate::code::Code;
use crate::declare::{Drop, held};
use crate::fact::salience::Salience;
use crate::fact::{Class, Fact, read};
use crate::feedback;
use crate::gate::{Evidence, FormFault, judge};
use crate::policy::{Order, Policy, Required};
use crate::probe::{ProbeSet, StatedRecall};
use crate::report::{ConflictCounts, ConflictState, LedgerRow, LostRow, OrphanRow, Report, Signals};
use crate::text::Span;
use crate::trace::{self, Index, Stater, Text, Trace, Tracer, masked};
use rustc_hash::FxHashSet;

/// The last compaction of the same range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Previous {
    /// Its children.
    pub children: Vec<String>,
    /// Its parent.
    pub parent: String,
}

/// A check of one parent against its children, with everything that a caller may add.
///
/// ```
/// use manifest_core::{Check, Policy};
/// let children = ["The importer crashed with E_QUOTA_4417.".into()];
/// let report = Check::new(&children, "The importer crashed.").run(&Policy::exact());
/// assert!(!report.verdict.is_commit());
/// assert_eq!(report.lost[0].text, "E_QUOTA_4417");
/// ```
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until `run`"]
#[expect(clippy::struct_excessive_bools, reason = "what a caller may ask for, each by itself")]
pub struct Check<'a> {
    children: &'a [Child<'a>],
    parent: &'a str,
    order: Option<Order>,
    budget_bytes: Option<usize>,
    ledger: Vec<&'a str>,
    ledger_bytes: Option<usize>,
    mend: bool,
    pinned: Vec<&'a str>,
    all_pinned: bool,
    declared: Vec<&'a str>,
    drops: &'a [Drop],
    given_up: &'a [Drop],
    facts: &'a [Span],
    classes: &'a [Class],
    previous: Option<&'a Previous>,
    context: Vec<&'a str>,
    recall: Option<StatedRecall>,
    probes: Option<&'a ProbeSet>,
    depth: u32,
    flatten: bool,
    defer: bool,
}

impl<'a> Check<'a> {
    /// A check of `parent` against `children`, in their order.
    pub fn new(children: &'a [Child<'a>], parent: &'a str) -> Self {
        Check {
            children,
            parent,
            order: None,
            budget_bytes: None,
            ledger: Vec::new(),
            ledger_bytes: None,
            mend: false,
            pinned: Vec::new(),
            all_pinned: false,
            declared: Vec::new(),
            drops: &[],
            given_up: &[],
            facts: &[],
            classes: &[],
            previous: None,
            context: Vec::new(),
            recall: None,
            probes: None,
            depth: 1,
            flatten: false,
            defer: false,
        }
    }

    /// How the children stand to each other; the policy's own order by default.
    pub fn order(mut self, order: Order) -> Self {
        self.order = Some(order);
        self
    }

    /// Bytes that ledger, text and handle may have together.
    pub fn budget_bytes(mut self, bytes: usize) -> Self {
        self.budget_bytes = Some(bytes);
        self
    }

    /// What stands beside the parent.
    pub fn ledger(mut self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        self.ledger = lines.into_iter().collect();
        self
    }

    /// The size of the ledger that is offered; the policy's own by default.
    pub fn ledger_bytes(mut self, bytes: usize) -> Self {
        self.ledger_bytes = Some(bytes);
        self
    }

    /// Judges the parent with the offered ledger beside it.
    pub fn mend(mut self, mend: bool) -> Self {
        self.mend = mend;
        self
    }

    /// Texts whose facts must survive, whatever the policy requires.
    pub fn pinned(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.pinned = texts.into_iter().collect();
        self
    }

    /// Pins every fact of the children.
    pub fn pin_all(mut self, all: bool) -> Self {
        self.all_pinned = all;
        self
    }

    /// Texts whose facts the caller declares required.
    pub fn declared(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.declared = texts.into_iter().collect();
        self
    }

    /// Facts that the caller gives up, each with its reason.
    pub fn drops(mut self, drops: &'a [Drop]) -> Self {
        self.drops = drops;
        self
    }

    /// Facts that the summary itself gives up, each with its reason. Pinned and declared ones stay required, and a
    /// share of them above the policy's is a warning.
    pub fn given_up(mut self, drops: &'a [Drop]) -> Self {
        self.given_up = drops;
        self
    }

    /// Where in the parent an exact fact is declared: each must be held by a child, whatever it looks like
    /// (a plain phrase by a child that is given here: a trace that was read one by one does not keep texts).
    pub fn facts(mut self, spans: &'a [Span]) -> Self {
        self.facts = spans;
        self
    }

    /// Classes of which every fact of the children is required.
    pub fn classes(mut self, classes: &'a [Class]) -> Self {
        self.classes = classes;
        self
    }

    /// The last compaction of this range.
    pub fn previous(mut self, previous: &'a Previous) -> Self {
        self.previous = Some(previous);
        self
    }

    /// Texts that the summarizer also saw (instructions): they excuse a mention and support no claim.
    pub fn context(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.context = texts.into_iter().collect();
        self
    }

    /// Stated recall of this level's first drafts, and the depth of the tree.
    pub fn recall(mut self, recall: StatedRecall, depth: u32) -> Self {
        self.recall = Some(recall);
        self.depth = depth;
        self
    }

    /// Facts that are probes: neither required nor offered for the ledger while they are asked, unless pinned or
    /// declared.
    pub fn probes(mut self, probes: &'a ProbeSet) -> Self {
        self.probes = Some(probes);
        self
    }

    /// Whether the children fit the context as they are.
    pub fn flatten(mut self, fits: bool) -> Self {
        self.flatten = fits;
        self
    }

    /// Whether the caller prefers to commit and keep the leaves until the root's probe.
    pub fn defer(mut self, defer: bool) -> Self {
        self.defer = defer;
        self
    }

    /// Traces, measures and judges.
    pub fn run(&self, policy: &Policy) -> Report {
        let mut tracer = Tracer::new(self.parent, self.order.unwrap_or(policy.order()));
        for context in &self.context {
            tracer.context(context);
        }
        for child in self.children {
            tracer.child(child);
        }
        self.judge(&tracer.finish(), policy)
    }

    /// Judges a finished trace, whose children were read one by one.
    pub fn judge(&self, trace: &Trace<'_>, policy: &Policy) -> Report {
        let claims = self.claims();
        let stater = Stater::of(&trace.parent, &trace.index);
        let bare = account(trace, &stater, None, policy, &claims);
        let offered = self.offer(trace, &stater, &bare, &claims, policy);
        let given = self.ledger.join("\n");
        let beside = if self.mend && given.is_empty() { offered.text.clone() } else { given };
        let account = if beside.is_empty() {
            bare
        } else {
            let values = crate::ledger::values(&beside);
            let text = Text::of(read(&values));
            let index = Index::of(&text);
            account(trace, &stater, Some(&Stater::of_ledger(&text, &index)), policy, &claims)
        };
        self.report(trace, account, offered, beside.len(), policy)
    }

    fn claims(&self) -> Claims<'a> {
        let keys = |texts: &mut dyn Iterator<Item = &str>| {
            texts.flat_map(|t| read(t).facts.into_iter().map(|f| f.key).collect::<Vec<_>>()).collect()
        };
        Claims {
            pinned: keys(&mut self.pinned.iter().chain(&self.declared).copied()),
            all_pinned: self.all_pinned,
            dropped: keys(&mut self.drops.iter().map(|d| d.text.as_str())),
            given_up: keys(&mut self.given_up.iter().map(|d| d.text.as_str())),
            classes: self.classes,
            probes: self.probes.map(ProbeSet::keys),
        }
    }

    /// The ledger that would mend what is lost: the required first, then by salience what the prose does not state.
    fn offer(
        &self,
        trace: &Trace<'_>,
        stater: &Stater<'_, '_>,
        account: &Account,
        claims: &Claims<'_>,
        policy: &Policy,
    ) -> LedgerRow {
        if !policy.ledger().mend {
            return LedgerRow::default();
        }
        let budget = self.ledger_bytes.unwrap_or_else(|| policy.ledger().bytes(trace.children_bytes));
        crate::ledger::compose(&trace.table, trace.children, budget, &account.lost_keys, |key, entry| {
            !stater.states(key, entry, &trace.table) && !claims.withholds(key, entry)
        })
    }

    fn report(
        &self,
        trace: &Trace<'_>,
        account: Account,
        offered: LedgerRow,
        beside: usize,
        policy: &Policy,
    ) -> Report {
        let text = trace.parent.reading.text;
        let mut orphans: Vec<OrphanRow> = trace
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
        orphans.extend(trace.altered.iter().map(|a| OrphanRow {
            text: masked(&trace.parent.reading, a.span),
            kind: "statement",
            code: Code::StatementAltered,
            span: a.span,
            why: Some(match &a.source {
                Some(source) => format!("child {} says `{}`: {}", source.child, source.text, a.why),
                None => a.why.clone(),
            }),
        }));
        let unheld = self.unheld(trace, &mut orphans);
        orphans.sort_by_key(|o| (o.span.start, o.span.end));
        let mut lost = account.lost;
        if policy.required() == Required::Every {
            lost.extend(lost_statements(trace, &lost));
        }
        let traceable = trace.claims.iter().filter(|c| c.traceable).count();
        let counted = trace.orphans.iter().filter(|o| o.counted).count() + unheld;
        let referents = trace.referents + unheld;
        let mut facts = account.counts;
        facts.lost += lost.len().saturating_sub(facts.lost);
        let signals = Signals {
            provenance: ratio(traceable, trace.claims.len()).unwrap_or(1.0),
            orphan_density: ratio(counted, referents).unwrap_or(0.0),
            claims: trace.claims.len(),
            referents,
            pronouns_unresolved: trace.pronouns_unresolved,
            from_context: trace.from_context.len(),
            conflicts: count(trace),
            facts,
            recall: crate::report::Recall::NotMeasured,
        };
        let mut evidence = Evidence { signals: signals.clone(), ..Evidence::default() };
        self.fill(&mut evidence, trace, policy, &lost, &orphans);
        evidence.declared_drops = account.required_dropped;
        evidence.required_carried = account.required_carried;
        evidence.rendered_bytes = text.len() + beside;
        evidence.pinned_bytes =
            if policy.required() == Required::Every { account.required_bytes } else { account.pinned_bytes };
        let judgement = judge(&evidence, policy);
        let mut report = Report {
            verdict: judgement.verdict,
            reasons: judgement.reasons,
            signals: Signals { recall: judgement.recall, ..signals },
            lost,
            orphans,
            conflicts: trace.conflicts.clone(),
            claims: trace.claims.clone(),
            from_context: trace
                .from_context
                .iter()
                .map(|(class, span)| LostRow {
                    text: span.of(text).to_owned(),
                    kind: class.as_str(),
                    child: 0,
                    span: *span,
                })
                .collect(),
            ledger: offered,
            feedback: String::new(),
            observed: judgement.observed,
            cause: judgement.cause,
            reclaim: judgement.reclaim,
        };
        report.feedback = feedback::write(&report);
        report
    }

    /// Declared facts that no child holds: mentions that are known already become invented ones, and what no reader
    /// takes for a fact is added. Gives the number of those added.
    fn unheld(&self, trace: &Trace<'_>, orphans: &mut Vec<OrphanRow>) -> usize {
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

    fn fill(
        &self,
        evidence: &mut Evidence,
        trace: &Trace<'_>,
        policy: &Policy,
        lost: &[LostRow],
        orphans: &[OrphanRow],
    ) {
        for row in lost {
            evidence.lost.push_with(|| {
                format!(
                    "{} `{}` of child {} at byte {} is lost",
                    row.kind, row.text, row.child, row.span.start
                )
            });
        }
        for row in orphans {
            let line = || match &row.why {
                Some(why) => format!("`{}` at byte {}: {why}", row.text, row.span.start),
                None => format!("{} `{}` at byte {} stands in no child", row.kind, row.text, row.span.start),
            };
            match row.code {
                Code::ReferentInvented => evidence.invented.push_with(line),
                Code::StatementAltered => evidence.altered.push_with(line),
                _ => evidence.orphaned.push_with(line),
            }
        }
        for row in &trace.conflicts {
            let line = || {
                let sides: Vec<String> =
                    row.sides.iter().map(|s| format!("child {} says `{}`", s.child, s.text)).collect();
                sides.join(", ")
            };
            match row.state {
                ConflictState::Collapsed => evidence.collapsed.push_with(line),
                ConflictState::Stale => evidence.stale.push_with(line),
                _ => {}
            }
        }
        for span in &trace.secrets {
            evidence
                .secrets
                .push_with(|| format!("a credential at byte {} ({} bytes)", span.start, span.len()));
        }
        evidence.form = trace.faults.iter().filter_map(|f| form(f, policy)).collect();
        evidence.children_unchanged = self.previous.is_some_and(|p| self.unchanged(p));
        evidence.budget_bytes = self.budget_bytes;
        evidence.recall = self.recall;
        evidence.depth = self.depth;
        evidence.flatten = self.flatten;
        evidence.defer = self.defer;
    }

    /// Whether there is nothing new: the same children, or the last parent alone.
    fn unchanged(&self, previous: &Previous) -> bool {
        let same = |texts: &[String]| {
            texts.len() == self.children.len()
                && texts.iter().zip(self.children).all(|(a, b)| a.trim() == b.text.trim())
        };
        same(&previous.children) || same(std::slice::from_ref(&previous.parent))
    }
}

/// Checks `parent` against `children`, in their order.
///
/// ```
/// use manifest_core::{Policy, check};
/// let report = check(&["Exit code 3 on node db-7."], "It exited with code 3 on db-7.", &Policy::remediation());
/// assert!(report.verdict.is_commit());
/// ```
pub fn check<C: AsRef<str>>(children: &[C], parent: &str, policy: &Policy) -> Report {
    let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(c.as_ref())).collect();
    Check::new(&children, parent).run(policy)
}

/// The ledger that would stand beside `parent` (which may be empty), in at most `budget` bytes.
///
/// ```
/// let ledger = manifest_core::ledger(&["Crash on ip-10-4-7-19, code E2107."], "It crashed.", 200);
/// assert!(ledger.text.contains("E2107") && ledger.text.len() <= 200);
/// ```
pub fn ledger<C: AsRef<str>>(children: &[C], parent: &str, budget: usize) -> LedgerRow {
    let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(c.as_ref())).collect();
    ledger_of(&children, parent, budget)
}

/// The same over children with roles and times.
pub fn ledger_of(children: &[Child<'_>], parent: &str, budget: usize) -> LedgerRow {
    let text = Text::of(read(parent));
    let index = Index::of(&text);
    let stater = Stater::of(&text, &index);
    let mut table = trace::Table::default();
    for (number, child) in children.iter().enumerate() {
        let child_text = Text::of(read(&child.text));
        table.add(number, trace::Seen::of(child), &child_text.reading, &child_text.statements.all);
    }
    crate::ledger::compose(&table, children.len(), budget, &FxHashSet::default(), |key, entry| {
        !stater.states(key, entry, &table)
    })
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn count(trace: &Trace<'_>) -> ConflictCounts {
    let mut counts = ConflictCounts::default();
    for row in &trace.conflicts {
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
fn lost_statements(trace: &Trace<'_>, tokens: &[LostRow]) -> Vec<LostRow> {
    let mut rows: Vec<LostRow> = Vec::new();
    // What a tool's output says is no loss where only its speaker was mistaken.
    let altered = trace.altered.iter().filter_map(|a| a.source.as_ref()).filter(|s| !s.is_only_quoted());
    for source in altered {
        rows.push(statement_row(&source.text, source.child, source.span));
    }
    for statement in trace.unstated.iter().chain(&trace.collapsed) {
        let known = rows.iter().any(|r| r.child == statement.child && r.span.overlaps(statement.span));
        // A clause that is hardly more than a token that is named already says nothing new.
        let named = tokens.iter().any(|t| {
            t.child == statement.child
                && statement.span.contains(t.span)
                && 2 * t.span.len() >= statement.span.len()
        });
        if !known && !named {
            rows.push(statement_row(&statement.text, statement.child, statement.span));
        }
    }
    rows
}

fn form(fault: &trace::FormFault, policy: &Policy) -> Option<(FormFault, String)> {
    use trace::FormFault as Seen;
    Some(match fault {
        Seen::Empty => (FormFault::Empty, "the parent is empty".to_owned()),
        Seen::NotASummary(why) => (FormFault::NotASummary, (*why).to_owned()),
        Seen::NoProgress(parent, children) => {
            if !policy.growth().exceeded_by(*parent, *children) {
                return None;
            }
            (FormFault::NoProgress, format!("the parent has {parent} bytes, its children {children}"))
        }
        Seen::Renested(line) => (FormFault::Renested, format!("`{line}` wraps an earlier summary once more")),
        Seen::Truncated(line) => (FormFault::Truncated, format!("the parent breaks off at `{line}`")),
    })
}

/// A fact of some children with how likely later work needs it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankedFact {
    /// The fact.
    pub fact: Fact,
    /// Index of its child.
    pub child: usize,
    /// 0 to 1.
    pub salience: f64,
}

/// The facts of `children`, in their order, each with its salience over all of them.
pub fn ranked_facts(children: &[Child<'_>]) -> Vec<RankedFact> {
    let mut table = trace::Table::default();
    let mut facts = Vec::new();
    for (number, child) in children.iter().enumerate() {
        let text = Text::of(read(&child.text));
        table.add(number, trace::Seen::of(child), &text.reading, &text.statements.all);
        facts.extend(text.reading.facts.into_iter().map(|fact| (number, fact)));
    }
    let salience = Salience::of(&table, children.len());
    facts
        .into_iter()
        .map(|(child, fact)| {
            let salience = table.place(fact.key).map_or(0.0, |place| salience.rank(place));
            RankedFact { fact, child, salience }
        })
        .collect()
}
