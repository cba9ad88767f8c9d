//! The gate against the written rules: recorded cases.

use manifest_core::{
    Band, Cause, Code, Cycle, Evidence, Findings, FloorOn, FormFault, Judgement, Level, Policy, Ppm, Reclaim,
    StatedRecall, VerdictKind, judge,
};

/// A parent that nothing is wrong with.
fn sound() -> Evidence {
    let mut evidence = Evidence::default();
    evidence.signals.provenance = 0.9;
    evidence.signals.claims = 10;
    evidence.signals.referents = 10;
    evidence.signals.facts.required = 20;
    evidence.signals.facts.stated = 20;
    evidence.depth = 1;
    evidence
}

fn with(change: impl FnOnce(&mut Evidence)) -> Evidence {
    let mut evidence = sound();
    change(&mut evidence);
    evidence
}

fn under(evidence: &Evidence) -> Judgement {
    judge(evidence, &Policy::remediation())
}

fn found(line: &str) -> Findings {
    [line].into_iter().collect()
}

fn recall(hits: u64, asked: u64) -> Option<StatedRecall> {
    StatedRecall::new(hits, asked).ok()
}

fn codes(judgement: &Judgement) -> Vec<Code> {
    judgement.reasons.iter().map(|reason| reason.code).collect()
}

#[test]
fn a_sound_parent_is_committed_without_a_reason() {
    for policy in [Policy::exact(), Policy::remediation(), Policy::narrative()] {
        let judgement = judge(&sound(), &policy);
        assert!(judgement.verdict.is_commit() && judgement.passes());
        assert_eq!((judgement.cause, judgement.reasons.len()), (None, 0));
    }
}

#[test]
fn no_evidence_is_not_committed() {
    let judgement = under(&Evidence::default());
    assert!(!judgement.verdict.is_commit());
    assert!(!judgement.reasons.is_empty());
}

#[test]
fn each_finding_has_its_verdict_code_and_cause() {
    use VerdictKind::{Halt, Reject};
    let beyond = Cause::FidelityBudgetExceeded { band: Band::Beyond };
    let warning = Cause::FidelityBudgetExceeded { band: Band::Warning };
    let unfit = |code| Cause::UnfitText { code };
    let form = |fault: FormFault| with(|e| e.form.push((fault, format!("{fault:?}"))));
    let findings = vec![
        (with(|e| e.lost = found("a")), Reject, true, Code::FactLost, beyond),
        (with(|e| e.signals.facts.lost = 2), Reject, true, Code::FactLost, beyond),
        (with(|e| e.invented = found("a")), Reject, true, Code::ReferentInvented, beyond),
        (with(|e| e.altered = found("a")), Reject, true, Code::StatementAltered, beyond),
        (with(|e| e.collapsed = found("a")), Reject, true, Code::ConflictCollapsed, beyond),
        (with(|e| e.signals.conflicts.collapsed = 1), Reject, true, Code::ConflictCollapsed, beyond),
        (with(|e| e.stale = found("a")), Reject, true, Code::StatementStale, beyond),
        (with(|e| e.signals.conflicts.stale = 1), Reject, true, Code::StatementStale, beyond),
        (with(|e| e.secrets = found("a")), Reject, true, Code::SecretInText, unfit(Code::SecretInText)),
        (with(|e| e.signals.provenance = 0.6), Halt, true, Code::ClaimUntraceable, warning),
        (with(|e| e.signals.provenance = 0.4), Reject, true, Code::ClaimUntraceable, beyond),
        (with(|e| e.signals.orphan_density = 0.4), Halt, true, Code::ReferentOrphaned, warning),
        (with(|e| e.signals.orphan_density = 0.5), Reject, true, Code::ReferentOrphaned, beyond),
        (with(|e| e.declared_drops = 3), Halt, true, Code::DropsMany, warning),
        (form(FormFault::Empty), Reject, false, Code::ParentEmpty, Cause::NotASummary),
        (form(FormFault::NotASummary), Reject, false, Code::ParentNotASummary, Cause::NotASummary),
        (form(FormFault::NoProgress), Reject, true, Code::ParentNoProgress, unfit(Code::ParentNoProgress)),
        (form(FormFault::Renested), Reject, true, Code::ParentRenested, unfit(Code::ParentRenested)),
        (form(FormFault::Truncated), Reject, true, Code::ParentTruncated, Cause::BudgetExhausted),
        (
            with(|e| e.children_unchanged = true),
            Reject,
            false,
            Code::ChildrenUnchanged,
            Cause::ChildrenUnchanged,
        ),
        (
            with(|e| e.unknown_critical.push("lineage".to_owned())),
            Reject,
            false,
            Code::SectionCriticalUnknown,
            Cause::UnknownSection,
        ),
        (
            with(|e| (e.budget_bytes, e.rendered_bytes) = (Some(99), 100)),
            Halt,
            true,
            Code::BudgetExhausted,
            Cause::BudgetExhausted,
        ),
        (
            with(|e| (e.budget_bytes, e.pinned_bytes) = (Some(99), 100)),
            Reject,
            false,
            Code::BudgetInfeasible,
            Cause::BudgetInfeasible,
        ),
    ];
    for (evidence, kind, retry, code, cause) in findings {
        let judgement = under(&evidence);
        assert_eq!((judgement.verdict.kind, judgement.verdict.retry), (kind, retry), "{code}");
        assert_eq!((codes(&judgement), judgement.cause), (vec![code], Some(cause)));
        assert!(!judgement.reasons[0].message.contains('\n') && !judgement.reasons[0].message.is_empty());
    }
}

#[test]
fn what_stands_at_a_bound_is_not_beyond_it() {
    for evidence in [
        with(|e| e.declared_drops = 2),
        with(|e| (e.budget_bytes, e.rendered_bytes, e.pinned_bytes) = (Some(100), 100, 100)),
        with(|e| e.signals.provenance = 0.7),
        with(|e| e.signals.orphan_density = 0.3),
        with(|e| (e.recall, e.signals.facts.required) = (recall(51, 60), 1)),
    ] {
        assert!(under(&evidence).verdict.is_commit(), "{evidence:?}");
        let letter = Policy::remediation().with_floor_on(FloorOn::Estimated);
        assert!(judge(&evidence, &letter).verdict.is_commit(), "{evidence:?}");
    }
}

#[test]
fn narrative_lists_single_inventions_and_alterations() {
    let evidence = with(|e| (e.invented, e.altered) = (found("a"), found("b")));
    assert!(judge(&evidence, &Policy::narrative()).verdict.is_commit());
    assert_eq!(judge(&evidence, &Policy::exact()).verdict.kind, VerdictKind::Reject);
}

#[test]
fn each_of_the_two_has_its_own_switch() {
    use manifest_core::Single::{Listed, Rejects};
    let invented = with(|e| e.invented = found("a"));
    let altered = with(|e| e.altered = found("a"));
    let policy = Policy::remediation().with_invented(Listed).with_altered(Rejects);
    assert!(judge(&invented, &policy).verdict.is_commit() && !judge(&altered, &policy).verdict.is_commit());
    let policy = Policy::remediation().with_invented(Rejects).with_altered(Listed);
    assert!(!judge(&invented, &policy).verdict.is_commit() && judge(&altered, &policy).verdict.is_commit());
}

#[test]
fn of_two_equal_reasons_the_one_about_fidelity_is_the_cause() {
    let evidence = with(|e| {
        (e.budget_bytes, e.rendered_bytes) = (Some(99), 100);
        e.declared_drops = 10;
    });
    let judgement = under(&evidence);
    assert_eq!(codes(&judgement), vec![Code::BudgetExhausted, Code::DropsMany]);
    assert_eq!(judgement.cause, Some(Cause::FidelityBudgetExceeded { band: Band::Warning }));
}

#[test]
fn counts_decide_below_five_referents_only() {
    let strict = Policy::remediation().with_orphan_density(0.1, 0.15).unwrap();
    let of = |orphaned: f64, referents: usize| {
        let evidence = with(|e| {
            e.signals.referents = referents;
            e.signals.orphan_density = orphaned / referents as f64;
        });
        judge(&evidence, &strict).verdict.kind
    };
    assert_eq!((of(1.0, 4), of(1.0, 5)), (VerdictKind::Commit, VerdictKind::Reject));
}

#[test]
fn more_findings_than_lines_are_counted_aloud() {
    let lost = with(|e| e.lost = (0..20).map(|i| format!("fact {i}")).collect());
    let judgement = under(&lost);
    assert_eq!(judgement.reasons.len(), Findings::LINES + 1);
    assert_eq!(judgement.reasons[0].message, "fact 0");
    assert!(judgement.reasons[Findings::LINES].message.starts_with("and 12 more: "));
}

#[test]
fn the_retention_table() {
    // 54 of 60 a level: 0.9 at depth 1, 0.729 at depth 3, 0.590 at depth 5.
    let tree = |depth: u32, flatten: bool, defer: bool| {
        under(&with(|e| (e.recall, e.depth, e.flatten, e.defer) = (recall(54, 60), depth, flatten, defer)))
    };
    let at_or_above = tree(1, true, true);
    assert!(at_or_above.verdict.is_commit());
    assert_eq!((at_or_above.reclaim, codes(&at_or_above)), (Reclaim::AfterProbe, vec![]));

    let fits = tree(3, true, false);
    assert_eq!((fits.verdict.kind, codes(&fits)), (VerdictKind::Flatten, vec![Code::RetentionBelowFloor]));
    assert!(matches!(fits.cause, Some(Cause::BelowFloor { depth: 3, .. })));
    assert_eq!(tree(3, true, true).verdict.kind, VerdictKind::Flatten);

    let deferred = tree(5, false, true);
    assert!(deferred.verdict.is_commit());
    assert_eq!(deferred.reclaim, Reclaim::Deferred);
    assert_eq!(codes(&deferred), vec![Code::RetentionBelowFloor]);

    let neither = tree(5, false, false);
    assert_eq!((neither.verdict.kind, neither.verdict.retry), (VerdictKind::Reject, false));
    let (r, r_est, floor) = (Ppm::new(900_000), Ppm::new(590_490), Ppm::new(850_000));
    assert_eq!(neither.cause, Some(Cause::FidelityCollapse { depth: 5, r, r_est, floor }));
    assert_eq!(
        neither.cause.unwrap().to_string(),
        "fidelity collapse: recall 0.900 at depth 5 leaves 0.590, below the floor 0.85"
    );

    assert_eq!(
        neither.reasons[0].message,
        "recall 0.900 at depth 5 leaves 0.590 of the facts, below the floor 0.85: flatten, defer the reclaim, or make fewer levels"
    );
    let direct = under(&with(|e| (e.recall, e.root_recall) = (recall(54, 60), recall(48, 60))));
    assert!(
        direct.reasons[0]
            .message
            .starts_with("the direct recall at the root leaves 0.800 of the facts, below")
    );

    let unmeasured = under(&with(|e| (e.recall, e.depth) = (recall(40, 59), 5)));
    assert!(unmeasured.verdict.is_commit());
    assert_eq!(codes(&unmeasured), vec![Code::RecallNotMeasured]);
    let unmeasured_and_lost = under(&with(|e| (e.recall, e.lost) = (recall(40, 59), found("a"))));
    assert_eq!(codes(&unmeasured_and_lost), vec![Code::FactLost, Code::RecallNotMeasured]);
    assert!(unmeasured_and_lost.verdict.retry);

    let left_out = under(&with(|e| e.depth = 50));
    assert!(left_out.verdict.is_commit() && left_out.reasons.is_empty());
    assert_eq!(serde_json::to_string(&left_out.recall).unwrap(), "\"not_measured\"");
}

#[test]
fn a_recall_of_zero_is_below_every_floor() {
    let policy = Policy::remediation().with_floor(0.000_001).unwrap();
    let judgement = judge(&with(|e| e.recall = recall(0, 60)), &policy);
    assert!(matches!(judgement.cause, Some(Cause::FidelityCollapse { depth: 1, .. })));
}

#[test]
fn the_figures_of_a_measured_recall_are_shown() {
    let judgement = under(&with(|e| (e.recall, e.depth, e.required_carried) = (recall(54, 60), 3, 10)));
    let figures: serde_json::Value = serde_json::to_value(judgement.recall).unwrap();
    assert_eq!(figures["r"], 0.9);
    assert_eq!((&figures["asked"], &figures["depth"]), (&60.into(), &3.into()));
    assert_eq!(figures["r_est"], 0.729);
    assert_eq!(figures["r_kept"], 0.8645);
    assert!(figures["lower"].as_f64().is_some_and(|lower| (0.81..0.83).contains(&lower)));
}

#[test]
fn the_strongest_reason_makes_the_verdict_and_all_are_listed() {
    let evidence = with(|e| {
        e.signals.provenance = 0.6;
        e.lost = found("a");
        e.form.push((FormFault::NotASummary, "b".to_owned()));
        (e.recall, e.depth, e.flatten) = (recall(54, 60), 3, true);
        e.level = Some(Level::default());
        e.past = vec![Cycle::new(Ppm::ONE, Ppm::ZERO); 3];
    });
    let judgement = under(&evidence);
    assert_eq!((judgement.verdict.kind, judgement.verdict.retry), (VerdictKind::Reject, false));
    assert_eq!(judgement.cause, Some(Cause::NotASummary));
    assert_eq!(
        codes(&judgement),
        vec![
            Code::ParentNotASummary,
            Code::FactLost,
            Code::RetentionBelowFloor,
            Code::ClaimUntraceable,
            Code::TrendFalling
        ]
    );
}

#[test]
fn observing_gives_the_same_verdict_and_blocks_nothing() {
    let evidence = with(|e| e.lost = found("a"));
    let (blocks, observes) = (under(&evidence), judge(&evidence, &Policy::remediation().observing(true)));
    assert_eq!((blocks.verdict, blocks.cause), (observes.verdict, observes.cause));
    assert_eq!(blocks.reasons, observes.reasons);
    assert!(!blocks.passes() && observes.passes() && observes.observed);
}

#[test]
fn notices_never_change_a_verdict() {
    let mut level = Level::default();
    level.scaffolding_bytes = 1;
    let evidence = with(|e| {
        e.level = Some(level);
        e.past = vec![Cycle::new(Ppm::ONE, Ppm::ZERO); 3];
    });
    let judgement = under(&evidence);
    assert!(judgement.verdict.is_commit());
    assert_eq!(codes(&judgement), vec![Code::TrendFalling, Code::LevelPastBoundary]);
}
