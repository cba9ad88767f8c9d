//! The passes behind an audit: children into the trace, later work into uses, then the clauses of what was lost.

use super::clauses::{Wanted, clauses};
use super::findings::{Audit, Fates, Findings, LedgerWorth, Loss, Rule, Use};
use super::gate::{by_line, conflicts, doubts, named, relabel};
use super::losses::{Gravest, is_exact, is_telling};
use super::target::Target;
use super::walk::{Origin, Step, role_name, walk};
use crate::transcript::{Kind, Session, TranscriptError, Unit};
use manifest_core::{Check, Child, Class, Fact, LedgerRow, Order, Policy, Span, TracedFact, Tracer, read};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

/// Bytes of the ledger whose worth is told, where nothing else is asked for.
const WORTH: usize = 2048;
/// Losses that are kept for the screen, which shows about ten.
pub(crate) const SHOWN: usize = 200;
/// Losses that are listed, at most: about 300 bytes each while they are made.
pub(crate) const LISTED: usize = 100_000;
/// Secrets whose text is fetched for masking.
const SECRETS: usize = 10_000;
/// The rate of orphans above which input is missing rather than invented.
const MISSING: f64 = 0.20;

/// How often and where a value came back.
#[derive(Clone, Debug, Default)]
struct Seen {
    used: Option<(u64, String)>,
    times: u64,
    read: Option<u64>,
}

impl Seen {
    fn as_use(&self) -> Option<Use> {
        let (line, who) = self.used.clone()?;
        let read_again = self.read.filter(|read| *read <= line);
        Some(Use { line, who, times: self.times, read_again })
    }
}

/// How the passes are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes of a leaf, about.
    pub(crate) leaf_bytes: usize,
    /// Bytes of the ledger whose worth is told, and of the one that is offered; the policy says it where it is not given.
    pub(crate) ledger_bytes: Option<usize>,
    /// Losses that are listed, at most.
    pub(crate) losses: usize,
}

/// Runs all passes.
pub(crate) fn gather(
    session: &mut Session,
    target: &mut Target,
    policy: &Policy,
    bounds: Bounds,
) -> Result<Findings, TranscriptError> {
    let mut found = None;
    if !target.parent.trim().is_empty() {
        found = audit(session, target, policy, bounds)?;
        if found.is_none() {
            target.ledger_as_prose();
            found = audit(session, target, policy, bounds)?;
        }
    }
    let audit = found;
    Ok(Findings {
        file: crate::visible::plain(&session.path().display().to_string()),
        form: session.form().as_str(),
        has_messages: session.form().has_messages(),
        compactions: target.points.len(),
        readable: target.points.iter().filter(|p| p.unreadable.is_none()).map(|p| p.number).collect(),
        compaction: target.point.clone(),
        summary_file: target.given.as_ref().map(|p| crate::visible::plain(&p.display().to_string())),
        before: target.stretch.clone(),
        after: target.rest.clone(),
        audited: audit.is_some(),
        audit,
        reading: target.tally.clone(),
        context_left_out: target.context_left_out,
    })
}

/// The audit, or nothing where the ledger beside the summary says what nothing before it does: then it is none.
fn audit(
    session: &mut Session,
    target: &Target,
    policy: &Policy,
    Bounds { leaf_bytes, ledger_bytes: given_bytes, losses: listed }: Bounds,
) -> Result<Option<Audit>, TranscriptError> {
    let mut first = First::new(target);
    walk(session, target, leaf_bytes, &mut |step| {
        first.step(step);
        ControlFlow::Continue(())
    })?;
    let First { tracer, children, tools, seen, mut kept, kept_bytes, kept_children, .. } = first;
    if target.ledger.as_deref().is_some_and(|ledger| invents(ledger, &tracer)) {
        return Ok(None);
    }
    let trace = tracer.finish();

    let ledger_bytes = given_bytes.unwrap_or(WORTH);
    let ledger = trace.ledger(ledger_bytes);
    kept.extend(target.beside().flat_map(|text| read(text).facts).map(|f| f.key));
    let Account { total, by_class, lost, secrets, mut worth } =
        account(trace.facts(), &kept, &ledger, &seen, listed);
    worth.budget = ledger_bytes;
    drop((seen, kept));
    let count = lost.count();
    let lost = lost.into_ranked();
    let left_out = (count - lost.len()) as u64;

    let kept_texts: Vec<&str> = target.beside().collect();
    let check = Check::new(&[], &target.parent).ledger(kept_texts);
    let check = match given_bytes {
        Some(bytes) => check.ledger_bytes(bytes),
        None => check,
    };
    let report = check.judge(&trace, policy);
    let rules = rules(&trace, target, &kept_children);
    let wanted: Vec<(usize, Span)> = lost
        .iter()
        .map(|(fact, _)| (fact.child, fact.span))
        .chain(rules.iter().map(|rule| (rule.child, rule.span)))
        .chain(
            ledger
                .entries
                .iter()
                .chain(&report.ledger.entries)
                .filter(|e| e.kind == "statement")
                .map(|e| (e.child, e.span)),
        )
        .collect();
    let wanted = Wanted { clauses: &wanted, secrets: &secrets, places: named(&report, children) };
    let mut told = clauses(session, target, leaf_bytes, &wanted)?;
    let clauses = std::mem::take(&mut told.clauses);
    let (places, mask) = (&told.places, &told.mask);

    let mut losses: Vec<Loss> = lost
        .into_iter()
        .zip(clauses)
        .map(|((fact, used_again), (from, clause))| Loss {
            text: mask.apply(fact.text),
            kind: fact.class.as_str(),
            place: told.place(fact.child, fact.span),
            clause: mask.apply(&clause),
            told_in: (fact.child, from),
            leaves: fact.leaves,
            salience: (fact.salience * 1000.0).round() / 1000.0,
            used_again,
        })
        .collect();
    // Names of tools and of fields come with the tool: they stand behind what nothing else brings back.
    losses.sort_by_key(|loss| loss.used_again.is_none() && is_schema(loss, &tools));
    let line = |child: usize, span: Span| Some(told.place(child, span).line).filter(|line| *line > 0);
    worth.text = mask.apply_lines(&by_line(&ledger, line));
    let offered = mask.apply_lines(&by_line(&report.ledger, line));
    Ok(Some(Audit {
        summary_bytes: target.parent.len() as u64,
        previous_summary_bytes: target
            .previous
            .as_ref()
            .and_then(|p| p.summary.text())
            .map_or(0, |text| text.len() as u64),
        kept_bytes: kept_bytes + target.beside().map(|t| t.len() as u64).sum::<u64>(),
        children,
        facts: total,
        by_class,
        losses,
        rules: rules
            .into_iter()
            .map(|rule| Rule { text: mask.apply(rule.text), place: told.place(rule.child, rule.span) })
            .collect(),
        losses_left_out: left_out,
        doubts: doubts(&report, places, mask),
        conflicts: conflicts(&report, places, mask),
        ledger: worth,
        offered,
        verdict: report.verdict.kind,
        retry: report.verdict.retry,
        reasons: report
            .reasons
            .iter()
            .map(|r| manifest_core::Reason { message: mask.apply(&relabel(&r.message, places)), ..r.clone() })
            .collect(),
        input_missing: report.signals.orphan_density > MISSING && report.signals.referents >= 5,
        signals: report.signals,
    }))
}

/// Whether a ledger holds a name, a code or an amount that no child does: one that was made from them holds none.
fn invents(ledger: &str, tracer: &Tracer<'_>) -> bool {
    let facts = read(ledger).facts;
    let opaque = |fact: &Fact| match fact.class {
        // A bare name with a point is a file or a name of code by what stands around it.
        Class::Path => fact.span.of(ledger).contains('/'),
        Class::Ticket
        | Class::ErrorCode
        | Class::Identifier
        | Class::Uuid
        | Class::Digest
        | Class::Url
        | Class::Email
        | Class::EnvVar
        | Class::Quantity => fact.whole.is_none(),
        _ => false,
    };
    let held = |fact: &Fact| tracer.holds(fact.key) || fact.also.is_some_and(|key| tracer.holds(key));
    facts.iter().any(|fact| opaque(fact) && !held(fact))
}

/// Rules that are listed.
const RULES: usize = 50;

/// What the children forbid, refuse or allow and neither the summary nor what was kept says.
fn rules<'t>(
    trace: &'t manifest_core::Trace<'_>,
    target: &Target,
    kept: &[Range<usize>],
) -> Vec<manifest_core::TracedMandate<'t>> {
    let kept = |child: usize| {
        let next = kept.partition_point(|run| run.end <= child);
        kept.get(next).is_some_and(|run| run.contains(&child))
    };
    let mut rules: Vec<_> = trace
        .mandates()
        .filter(|rule| !rule.stated && !kept(rule.child))
        .filter(|rule| !target.beside().any(|text| text.contains(rule.text)))
        .collect();
    rules.sort_by_key(|rule| (!rule.by_user, std::cmp::Reverse(rule.child), rule.span));
    rules.truncate(RULES);
    rules
}

/// Whether a value is the name of a tool, or of a field of what a tool gave back.
fn is_schema(loss: &Loss, tools: &HashSet<Rc<str>>) -> bool {
    loss.kind == "symbol" && (tools.contains(loss.text.as_str()) || loss.clause.contains("\"____\":"))
}

/// What became of every exact fact.
struct Account<'t> {
    total: Fates,
    by_class: BTreeMap<&'static str, Fates>,
    lost: Gravest<'t>,
    /// Where credentials stand.
    secrets: Vec<(usize, Span)>,
    worth: LedgerWorth,
}

fn account<'t>(
    facts: impl Iterator<Item = TracedFact<'t>>,
    kept: &HashSet<u64>,
    ledger: &LedgerRow,
    seen: &HashMap<u64, Seen>,
    listed: usize,
) -> Account<'t> {
    let carried: HashSet<(usize, Span)> = ledger.entries.iter().map(|e| (e.child, e.span)).collect();
    let mut by_class: BTreeMap<&'static str, Fates> = BTreeMap::new();
    let mut worth =
        LedgerWorth { bytes: ledger.text.len(), entries: ledger.entries.len(), ..LedgerWorth::default() };
    let mut lost = Gravest::new(listed);
    let mut secrets = Vec::new();
    for fact in facts {
        if fact.class == Class::Secret && secrets.len() < SECRETS {
            secrets.push((fact.child, fact.span));
        }
        if !is_exact(&fact) {
            continue;
        }
        let again = seen.get(&fact.key).filter(|_| is_telling(&fact)).and_then(Seen::as_use);
        let fates = by_class.entry(fact.class.as_str()).or_default();
        let used = u64::from(again.is_some());
        let in_kept = !fact.stated && kept.contains(&fact.key);
        let held = fact.stated || in_kept || carried.contains(&(fact.child, fact.span));
        fates.facts += 1;
        fates.used_again += used;
        worth.facts += u64::from(held);
        worth.used_again += u64::from(held) * used;
        if fact.stated {
            fates.stated += 1;
        } else if in_kept {
            fates.kept += 1;
        } else {
            fates.lost += 1;
            fates.used_again_lost += used;
            lost.push(fact, again);
        }
    }
    let mut total = Fates::default();
    for fates in by_class.values() {
        total.add(*fates);
    }
    Account { total, by_class, lost, secrets, worth }
}

/// The pass over the children and what comes behind the compaction.
struct First<'t> {
    tracer: Tracer<'t>,
    children: usize,
    /// Tools that are called or answer.
    tools: HashSet<Rc<str>>,
    /// What stands behind the compaction of the exact facts before it, by their keys.
    seen: HashMap<u64, Seen>,
    /// Everything exact that stands in the messages which the compaction left as they were, and their bytes.
    kept: HashSet<u64>,
    kept_bytes: u64,
    /// The children in these messages.
    kept_children: Vec<Range<usize>>,
    kept_from: u64,
}

impl<'t> First<'t> {
    fn new(target: &'t Target) -> Self {
        let mut tracer = Tracer::new(&target.parent, Order::Sequence);
        for context in &target.contexts {
            tracer.context(context);
        }
        First {
            tracer,
            children: 0,
            tools: HashSet::new(),
            seen: HashMap::new(),
            kept: HashSet::new(),
            kept_bytes: 0,
            kept_children: Vec::new(),
            kept_from: target.kept_from.unwrap_or(u64::MAX),
        }
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Child(place, text) => {
                let child = Child::new(text).with_role(place.role);
                let child = if matches!(place.origin, Origin::Call(_)) { child.as_call() } else { child };
                self.tracer.child(&child);
                if place.unit > 0 && place.line >= self.kept_from {
                    self.kept.extend(read(text).facts.into_iter().map(|f| f.key));
                    self.kept_bytes += text.len() as u64;
                    match self.kept_children.last_mut().filter(|run| run.end == self.children) {
                        Some(run) => run.end += 1,
                        None => self.kept_children.push(self.children..self.children + 1),
                    }
                }
                if let Some(tool) = place.tool().filter(|tool| !self.tools.contains(*tool)) {
                    self.tools.insert(tool.into());
                }
                self.children += 1;
            }
            Step::After(unit) => self.after(unit),
        }
    }

    fn after(&mut self, unit: &Unit) {
        for part in &unit.parts {
            let who = match part.kind {
                Kind::Context => continue,
                Kind::Output | Kind::Unknown => None,
                Kind::Call => Some(format!("{} call", part.tool.as_deref().unwrap_or("tool"))),
                Kind::Said | Kind::Thought => Some(role_name(part.role).to_owned()),
            };
            let mut met = HashSet::new();
            for fact in read(&part.text).facts {
                // What stands nowhere before is not used again.
                if !self.tracer.holds(fact.key) || !met.insert(fact.key) {
                    continue;
                }
                let seen = self.seen.entry(fact.key).or_default();
                let line = line_in(part.line, part.spread, &part.text, fact.span.start);
                match &who {
                    Some(who) => {
                        seen.times += 1;
                        if seen.used.is_none() {
                            seen.used = Some((line, who.clone()));
                        }
                    }
                    None => seen.read = seen.read.or(Some(line)),
                }
            }
        }
    }
}

/// The line on which byte `at` of a text stands.
pub(super) fn line_in(line: u64, spread: bool, text: &str, at: usize) -> u64 {
    if spread {
        line + memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count() as u64
    } else {
        line
    }
}
