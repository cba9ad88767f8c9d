//! The small door: children and a parent in, a report out. No tree, no store, no state.

mod declared;
mod evidence;
mod inputs;
mod mend;
mod named;
mod ranked;
mod rows;
mod unread;

pub use inputs::Previous;
pub use mend::{ledger, ledger_of};
pub use ranked::{RankedFact, ranked_facts};

use crate::account::{Account, Fate, Fates, account};
use crate::child::Child;
use crate::declare::{Cited, Drop, NamedChild};
use crate::fact::{Class, read};
use crate::feedback;
use crate::gate::{Evidence, judge};
use crate::policy::{Order, Policy, Required};
use crate::probe::{ProbeSet, StatedRecall};
use crate::report::{LedgerRow, Report, Signals};
use crate::signal::{Cycle, Level};
use crate::text::Span;
use crate::trace::{Index, Stater, Text, Trace, Tracer};
use rustc_hash::FxHashSet;

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
    kinds: &'a [(Span, Class)],
    cited: &'a [Cited],
    named: &'a [NamedChild],
    previous: Option<&'a Previous>,
    context: Vec<&'a str>,
    unknown_critical: &'a [String],
    recall: Option<StatedRecall>,
    probes: Option<&'a ProbeSet>,
    level_recalls: Vec<StatedRecall>,
    root_recall: Option<StatedRecall>,
    past: Vec<Cycle>,
    level: Option<Level>,
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
            kinds: &[],
            cited: &[],
            named: &[],
            previous: None,
            context: Vec::new(),
            unknown_critical: &[],
            recall: None,
            probes: None,
            level_recalls: Vec::new(),
            root_recall: None,
            past: Vec::new(),
            level: None,
            depth: 1,
            flatten: false,
            defer: false,
        }
    }

    /// Traces, measures and judges.
    pub fn run(&self, policy: &Policy) -> Report {
        self.run_accounted(policy).0
    }

    /// The same, with what became of each fact.
    pub(crate) fn run_accounted(&self, policy: &Policy) -> (Report, Fates) {
        let mut tracer = Tracer::new(self.parent, self.order.unwrap_or(policy.order()));
        for context in &self.context {
            tracer.context(context);
        }
        for child in self.children {
            tracer.child(child);
        }
        let trace = tracer.finish();
        let (report, account) = self.judge_accounted(&trace, policy);
        (report, Fates::of_account(account, &trace.table))
    }

    /// Judges a finished trace, whose children were read one by one.
    pub fn judge(&self, trace: &Trace<'_>, policy: &Policy) -> Report {
        self.judge_accounted(trace, policy).0
    }

    /// The report, with what became of each fact of the trace's table and the keys of the lost ones.
    fn judge_accounted(&self, trace: &Trace<'_>, policy: &Policy) -> (Report, (Vec<Fate>, FxHashSet<u64>)) {
        let claims = self.claims();
        let stater = Stater::of(&trace.parent, &trace.index);
        let bare = account(trace, &stater, None, policy, &claims);
        let mut offered = self.offer(trace, &stater, &bare, &claims, policy);
        let given = self.ledger.join("\n");
        let mends = self.mend && given.is_empty();
        let with = |ledger: &str| {
            let values = crate::ledger::values(ledger);
            let text = Text::of(read(&values));
            let index = Index::of(&text);
            let mut account =
                account(trace, &stater, Some(&Stater::of_ledger(&text, &index)), policy, &claims);
            account.lost.extend(self.unread(trace, ledger));
            account
        };
        let mut bare = bare;
        bare.lost.extend(self.unread(trace, ""));
        let mut account = match (mends, given.is_empty()) {
            (true, _) if !offered.text.is_empty() => with(&offered.text),
            (_, false) => with(&given),
            _ => bare,
        };
        if mends && !account.lost.is_empty() && crate::ledger::spell_out(&mut offered, &account.lost) {
            account = with(&offered.text);
        }
        let beside = if mends { offered.text.len() } else { given.len() };
        let fates = (std::mem::take(&mut account.fates), std::mem::take(&mut account.lost_keys));
        (self.report(trace, account, offered, beside, policy), fates)
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
        let mut orphans = rows::orphans(trace);
        let unheld = self.unheld(trace, &mut orphans);
        let order = self.order.unwrap_or(policy.order());
        orphans.extend(self.miscited(trace, order));
        orphans.extend(self.unnamed(trace, order));
        orphans.sort_by_key(|o| (o.span.start, o.span.end));
        let mut lost = account.lost;
        if policy.required() == Required::Every {
            lost.extend(rows::lost_statements(trace, &lost));
        }
        let conflicts = rows::conflicts(trace, policy.conflicts());
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
            conflicts: rows::count(&conflicts),
            facts,
            recall: crate::report::Recall::NotMeasured,
        };
        let mut evidence = Evidence { signals: signals.clone(), ..Evidence::default() };
        self.fill(&mut evidence, trace, policy, &lost, &orphans, &conflicts);
        evidence.declared_drops = account.required_dropped;
        evidence.required_carried = account.required_carried;
        evidence.unknown_critical = self.unknown_critical.to_vec();
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
            conflicts,
            claims: trace.claims.clone(),
            from_context: rows::from_context(trace),
            ledger: offered,
            feedback: String::new(),
            observed: judgement.observed,
            cause: judgement.cause,
            reclaim: judgement.reclaim,
        };
        report.feedback = feedback::write(&report);
        report
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

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
