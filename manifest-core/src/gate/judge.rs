//! From evidence to a verdict.

use super::evidence::{Evidence, Findings};
use super::{Cause, FormFault};
use crate::code::{Code, Reason};
use crate::policy::{Band, Policy, Ppm, Single};
use crate::probe::{Measured, Retention};
use crate::report::{Recall, Verdict, VerdictKind};
use crate::signal::{self, SignalBands};

/// When the leaves under a committed parent may be reclaimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reclaim {
    /// After the root's probe, in the ordinary course.
    #[default]
    AfterProbe,
    /// Not before a probe confirms every required fact at the root: the estimated retention is below the floor.
    Deferred,
}

/// What a gate decides about one parent, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use = "a parent may replace its children only if the verdict is `commit`"]
pub struct Judgement {
    /// What is decided.
    pub verdict: Verdict,
    /// The cause of a verdict that is not `commit`.
    pub cause: Option<Cause>,
    /// Every reason, the strongest first. A commit may have some too.
    pub reasons: Vec<Reason>,
    /// Stated recall and what follows from it, for the report's figures.
    pub recall: Recall,
    /// Root retention in full, if a recall was measured.
    pub retention: Option<Retention>,
    /// When leaves may go after a commit.
    pub reclaim: Reclaim,
    /// Whether the policy only observes.
    pub observed: bool,
}

impl Judgement {
    /// Whether the parent passes: committed, or only observed.
    pub fn passes(&self) -> bool {
        self.verdict.is_commit() || self.observed
    }
}

/// How much one reason weighs. The heaviest makes the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Note,
    Halt,
    Flatten,
    Reject,
    Final,
}

impl Weight {
    fn verdict(self) -> Verdict {
        let (kind, retry) = match self {
            Weight::Note => (VerdictKind::Commit, true),
            Weight::Halt => (VerdictKind::Halt, true),
            Weight::Flatten => (VerdictKind::Flatten, false),
            Weight::Reject => (VerdictKind::Reject, true),
            Weight::Final => (VerdictKind::Reject, false),
        };
        Verdict { kind, retry }
    }

    fn of(band: Band) -> Weight {
        match band {
            Band::Promote => Weight::Note,
            Band::Warning => Weight::Halt,
            Band::Beyond => Weight::Reject,
        }
    }
}

/// Reasons as they are found.
#[derive(Default)]
struct Docket {
    entries: Vec<(Weight, Option<Cause>, Reason)>,
}

impl Docket {
    fn add(&mut self, weight: Weight, cause: Option<Cause>, code: Code, message: impl Into<String>) {
        self.entries.push((weight, cause, Reason { code, message: message.into() }));
    }

    /// A reason for each line, and one that says how many more there are. `count` is what the figures say, where
    /// they say more than was found.
    fn add_all(&mut self, weight: Weight, cause: Option<Cause>, code: Code, found: &Findings, count: usize) {
        let count = found.count().max(count);
        for line in found.lines() {
            self.add(weight, cause, code, line.as_str());
        }
        let more = count - found.lines().len().min(count);
        if more > 0 {
            let message = if found.lines().is_empty() {
                format!("{count}: {}", code.help())
            } else {
                format!("and {more} more: {}", code.help())
            };
            self.add(weight, cause, code, message);
        }
    }

    /// The heaviest reasons first, equal ones in the order of their codes, equal codes as they were found.
    fn sort(&mut self) {
        self.entries.sort_by_key(|(weight, _, reason)| (std::cmp::Reverse(*weight), reason.code));
    }

    /// The cause of the verdict: of its heaviest reasons, those about fidelity come first.
    fn cause(&self, weight: Weight) -> Option<Cause> {
        let mut causes = self
            .entries
            .iter()
            .filter(|(of, ..)| *of == weight && weight > Weight::Note)
            .filter_map(|(_, cause, _)| *cause);
        let first = causes.clone().next();
        causes.find(|cause| rank(cause) == 0).or(first)
    }
}

/// Fidelity before form: a lost fact says more than a secret beside it.
fn rank(cause: &Cause) -> u8 {
    match cause {
        Cause::NotASummary | Cause::FidelityBudgetExceeded { .. } => 0,
        _ => 1,
    }
}

/// Judges one parent. All reasons are listed, the strongest makes the verdict: reject without retry, reject with
/// retry, flatten, halt, commit. More evidence of loss never improves it; evidence that is missing denies.
///
/// ```
/// use manifest_core::{Cause, Band, Evidence, Policy, judge};
/// let mut evidence = Evidence::default();
/// evidence.signals.provenance = 0.6;
/// evidence.signals.claims = 10;
/// let judgement = judge(&evidence, &Policy::remediation());
/// assert_eq!(judgement.verdict.kind.as_str(), "halt");
/// assert_eq!(judgement.cause, Some(Cause::FidelityBudgetExceeded { band: Band::Warning }));
/// ```
pub fn judge(evidence: &Evidence, policy: &Policy) -> Judgement {
    let mut docket = Docket::default();
    form(evidence, &mut docket);
    findings(evidence, policy, &mut docket);
    ratios(evidence, policy, &mut docket);
    budget(evidence, policy, &mut docket);
    let (retention, reclaim) = retention(evidence, policy, &mut docket);
    notices(evidence, policy, &mut docket);
    docket.sort();
    let weight = docket.entries.first().map_or(Weight::Note, |(weight, ..)| *weight);
    Judgement {
        verdict: weight.verdict(),
        cause: docket.cause(weight),
        reasons: docket.entries.into_iter().map(|(_, _, reason)| reason).collect(),
        recall: retention.map_or(Recall::NotMeasured, |retention| Recall::Measured(retention.figures())),
        retention,
        reclaim,
        observed: policy.observe(),
    }
}

fn form(evidence: &Evidence, docket: &mut Docket) {
    for (fault, message) in &evidence.form {
        let cause = match fault {
            FormFault::Empty | FormFault::NotASummary => Cause::NotASummary,
            FormFault::Truncated => Cause::BudgetExhausted,
            FormFault::NoProgress | FormFault::Renested => Cause::UnfitText { code: fault.code() },
        };
        let weight = if fault.retry() { Weight::Reject } else { Weight::Final };
        docket.add(weight, Some(cause), fault.code(), message.as_str());
    }
    if evidence.children_unchanged {
        let code = Code::ChildrenUnchanged;
        docket.add(Weight::Final, Some(Cause::ChildrenUnchanged), code, code.help());
    }
    for name in &evidence.unknown_critical {
        let message =
            format!("the critical section `{name}` is unknown to this version: upgrade before gating");
        docket.add(Weight::Final, Some(Cause::UnknownSection), Code::SectionCriticalUnknown, message);
    }
}

fn findings(evidence: &Evidence, policy: &Policy, docket: &mut Docket) {
    let beyond = Some(Cause::FidelityBudgetExceeded { band: Band::Beyond });
    let conflicts = evidence.signals.conflicts;
    let mut reject = |code, found, count| docket.add_all(Weight::Reject, beyond, code, found, count);
    reject(Code::FactLost, &evidence.lost, evidence.signals.facts.lost);
    reject(Code::ConflictCollapsed, &evidence.collapsed, conflicts.collapsed);
    reject(Code::StatementStale, &evidence.stale, conflicts.stale);
    if policy.invented() == Single::Rejects {
        reject(Code::ReferentInvented, &evidence.invented, 0);
        reject(Code::ClaimMiscited, &evidence.miscited, 0);
    }
    if policy.altered() == Single::Rejects {
        reject(Code::StatementAltered, &evidence.altered, 0);
    }
    let code = Code::SecretInText;
    docket.add_all(Weight::Reject, Some(Cause::UnfitText { code }), code, &evidence.secrets, 0);
}

fn ratios(evidence: &Evidence, policy: &Policy, docket: &mut Docket) {
    let signals = &evidence.signals;
    let SignalBands { provenance, orphan_density, .. } = signal::bands(signals, policy);
    if provenance > Band::Promote {
        let (part, whole) = (signal::traceable(signals), signals.claims);
        let bounds = policy.provenance();
        let message = format!(
            "{part} of {whole} claims have a source in the children ({}; promoted from {}, rejected below {})",
            Ppm::ratio(part as u64, whole as u64).rounded(),
            bounds.promote,
            bounds.warning,
        );
        let cause = Cause::FidelityBudgetExceeded { band: provenance };
        docket.add(Weight::of(provenance), Some(cause), Code::ClaimUntraceable, message);
    }
    if orphan_density > Band::Promote {
        let (part, whole) = (signal::orphaned(signals), signals.referents);
        let bounds = policy.orphan_density();
        let message = format!(
            "{part} of {whole} mentions have nothing behind them in the children ({}; promoted up to {}, rejected above {})",
            Ppm::ratio(part as u64, whole as u64).rounded(),
            bounds.promote,
            bounds.warning,
        );
        let cause = Some(Cause::FidelityBudgetExceeded { band: orphan_density });
        let weight = Weight::of(orphan_density);
        docket.add(weight, cause, Code::ReferentOrphaned, message);
        docket.add_all(weight, cause, Code::ReferentOrphaned, &evidence.orphaned, 0);
    }
}

fn budget(evidence: &Evidence, policy: &Policy, docket: &mut Docket) {
    if let Some(budget) = evidence.budget_bytes {
        let Evidence { pinned_bytes: pinned, rendered_bytes: rendered, .. } = *evidence;
        if pinned > budget {
            let message = format!("the facts that must be kept take {pinned} bytes of a budget of {budget}");
            docket.add(Weight::Final, Some(Cause::BudgetInfeasible), Code::BudgetInfeasible, message);
        }
        if rendered > budget {
            let message = format!("ledger, text and handle take {rendered} bytes of a budget of {budget}");
            docket.add(Weight::Halt, Some(Cause::BudgetExhausted), Code::BudgetExhausted, message);
        }
    }
    let (drops, required) =
        (evidence.declared_drops, evidence.signals.facts.required.max(evidence.declared_drops));
    if policy.drops_share().exceeded_by(drops, required) {
        let share = policy.drops_share();
        let message =
            format!("the summary declares {drops} of {required} required facts dropped, above {share}");
        let cause = Cause::FidelityBudgetExceeded { band: Band::Warning };
        docket.add(Weight::Halt, Some(cause), Code::DropsMany, message);
    }
}

fn retention(evidence: &Evidence, policy: &Policy, docket: &mut Docket) -> (Option<Retention>, Reclaim) {
    if evidence.recall.is_none() && evidence.root_recall.is_none() {
        return (None, Reclaim::AfterProbe);
    }
    let measured = Measured {
        recall: evidence.recall.unwrap_or_default(),
        levels: &evidence.level_recalls,
        root: evidence.root_recall,
        depth: evidence.depth,
        required: evidence.signals.facts.required,
        carried: evidence.required_carried,
    };
    let Some(retention) = Retention::of(&measured, policy) else {
        let lost = evidence.lost.count().max(evidence.signals.facts.lost);
        let (asked, least) = (measured.recall.asked(), policy.probe().least);
        // The floor is then met by every required fact being stated or carried; a lost one rejects already, and can
        // be mended by another attempt.
        let rest = if lost == 0 {
            "every required fact is stated or carried".to_owned()
        } else {
            format!("and {lost} required facts are lost")
        };
        let message = format!("{asked} probes asked, fewer than {least}: recall is not measured; {rest}");
        let beyond = Cause::FidelityBudgetExceeded { band: Band::Beyond };
        let (weight, cause) = if lost == 0 { (Weight::Note, None) } else { (Weight::Reject, Some(beyond)) };
        docket.add(weight, cause, Code::RecallNotMeasured, message);
        return (None, Reclaim::AfterProbe);
    };
    if let Some(direct) = retention.direct.filter(|_| retention.diverges) {
        let forecast = retention.product.unwrap_or(retention.estimated);
        let message = format!(
            "the direct recall at the root is {}, the levels' recalls give {}",
            direct.rounded(),
            forecast.rounded()
        );
        docket.add(Weight::Note, None, Code::RetentionDiverges, message);
    }
    if retention.met {
        return (Some(retention), Reclaim::AfterProbe);
    }
    let Retention { depth, floor, .. } = retention;
    let (r, r_est) = (retention.recall.figure(policy.bound()), retention.decides());
    let (weight, cause, outcome, reclaim) = if evidence.flatten {
        let cause = Cause::BelowFloor { depth, r, r_est, floor };
        (
            Weight::Flatten,
            Some(cause),
            "the children fit the context: attach them as they are",
            Reclaim::AfterProbe,
        )
    } else if evidence.defer {
        (
            Weight::Note,
            None,
            "no leaf may go before a probe confirms the required facts at the root",
            Reclaim::Deferred,
        )
    } else {
        let cause = Cause::FidelityCollapse { depth, r, r_est, floor };
        (Weight::Final, Some(cause), "flatten, defer the reclaim, or make fewer levels", Reclaim::AfterProbe)
    };
    let from = match retention.direct {
        Some(_) => "the direct recall at the root".to_owned(),
        None => format!("recall {} at depth {depth}", r.rounded()),
    };
    let beside = if retention.kept == r_est {
        String::new()
    } else {
        format!(", {} with the ledger", retention.kept.rounded())
    };
    let message =
        format!("{from} leaves {} of the facts{beside}, below the floor {floor}: {outcome}", r_est.rounded());
    docket.add(weight, cause, Code::RetentionBelowFloor, message);
    (Some(retention), reclaim)
}

fn notices(evidence: &Evidence, policy: &Policy, docket: &mut Docket) {
    docket.add_all(Weight::Note, None, Code::FactMisfiled, &evidence.misfiled, 0);
    if let Some(trend) = signal::trend(&evidence.past, signal::Cycle::of(&evidence.signals), policy) {
        docket.add(Weight::Note, None, Code::TrendFalling, trend.to_string());
    }
    if let Some(level) = evidence.level.filter(signal::Level::past_boundary) {
        let message = format!(
            "the level spends {} bytes on structure and {} on facts",
            level.scaffolding_bytes, level.information_bytes
        );
        docket.add(Weight::Note, None, Code::LevelPastBoundary, message);
    }
}
