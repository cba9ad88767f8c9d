//! The gate against an independent reading of the written rules, over random evidence, and monotonicity.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use manifest_core::{
    Bound, Evidence, FormFault, Judgement, Policy, Preset, StatedRecall, VerdictKind, judge,
};
use proptest::prelude::*;
use std::cmp::Ordering;

mod oracle;

use oracle::Case;

fn verdict(judgement: &Judgement) -> &'static str {
    match (judgement.verdict.kind, judgement.verdict.retry) {
        (VerdictKind::Commit, true) => "commit",
        (VerdictKind::Halt, true) => "halt",
        (VerdictKind::Flatten, false) => "flatten",
        (VerdictKind::Reject, true) => "reject",
        (VerdictKind::Reject, false) => "final",
        other => panic!("no such verdict: {other:?}"),
    }
}

/// Mostly nothing, sometimes something: else every case would be rejected for ten reasons.
fn rare(most: usize) -> impl Strategy<Value = usize> {
    prop_oneof![12 => Just(0), 1 => 1..=most]
}

fn ratio(most: usize) -> impl Strategy<Value = (usize, usize)> {
    (0..=most).prop_flat_map(|whole| (0..=whole, Just(whole)))
}

fn seldom() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.05)
}

fn form_fault() -> impl Strategy<Value = Option<FormFault>> {
    use FormFault::{Empty, NoProgress, NotASummary, Renested, Truncated};
    prop::option::weighted(
        0.1,
        prop::sample::select(vec![Empty, NotASummary, NoProgress, Renested, Truncated]),
    )
}

prop_compose! {
    fn case()(
        preset in prop::sample::select(vec![Preset::Exact, Preset::Remediation, Preset::Narrative]),
        good in prop::bool::weighted(0.5),
        claims in ratio(20),
        referents in ratio(20),
        (required, carried) in ratio(20).prop_map(|(part, whole)| (whole, part)),
        drops in rare(4),
        found in [rare(10), rare(10), rare(10), rare(3), rare(3), rare(3)],
        form in form_fault(),
        (unchanged, unknown) in (seldom(), seldom()),
        budget in prop::option::of(50_usize..150),
        (rendered, pinned) in (0_usize..110, 0_usize..60),
        recall in prop::option::of((40_u64..120).prop_flat_map(|asked| (0..=asked, Just(asked)))),
        high in prop::bool::weighted(0.7),
        depth in 0_u32..6,
        flags in prop::array::uniform4(prop::bool::ANY),
    ) -> Case {
        let [lost, invented, altered, collapsed, stale, secrets] = found;
        let [flatten, defer, lower, letter] = flags;
        Case {
            preset,
            claims: if good { (claims.1, claims.1) } else { claims },
            referents: if good { (0, referents.1) } else { referents },
            required,
            carried,
            lost: lost.min(required),
            invented,
            altered,
            collapsed,
            stale,
            secrets,
            drops: drops.min(required),
            form,
            unchanged,
            unknown,
            budget,
            rendered,
            pinned,
            recall: recall.map(|(hits, asked)| (if high { asked - hits / 20 } else { hits }, asked)),
            depth,
            flatten,
            defer,
            lower,
            letter,
        }
    }
}

/// One more piece of evidence of loss.
fn worsen(case: &Case, how: usize) -> Case {
    let mut worse = case.clone();
    match how {
        0 => worse.claims.0 = worse.claims.0.saturating_sub(1),
        1 => worse.claims.1 += 1,
        2 => worse.referents.0 = (worse.referents.0 + 1).min(worse.referents.1),
        3 => worse.referents = (worse.referents.0 + 1, worse.referents.1 + 1),
        4 => worse.lost += 1,
        5 => worse.invented += 1,
        6 => worse.altered += 1,
        7 => worse.collapsed += 1,
        8 => worse.stale += 1,
        9 => worse.secrets += 1,
        10 => worse.drops += 1,
        11 => worse.form = worse.form.or(Some(FormFault::Truncated)),
        12 => worse.unchanged = true,
        13 => worse.unknown = true,
        14 => worse.rendered += 1,
        15 => worse.pinned += 1,
        16 => worse.recall = worse.recall.map(|(hits, asked)| (hits.saturating_sub(1), asked)),
        17 => worse.depth += 1,
        18 => worse.carried = worse.carried.saturating_sub(1),
        19 => worse.flatten = false,
        20 => worse.defer = false,
        21 => worse.lower = true,
        _ => worse.letter = true,
    }
    worse
}

/// Better first.
fn order(a: &'static str, b: &'static str) -> Ordering {
    let rank = |verdict| ["commit", "halt", "flatten", "reject", "final"].iter().position(|v| *v == verdict);
    rank(a).cmp(&rank(b))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_gate_agrees_with_a_second_reading_of_the_rules(case in case()) {
        prop_assume!(!case.at_the_floor());
        let judgement = judge(&case.evidence(), &case.policy());
        prop_assert_eq!(verdict(&judgement), case.verdict(), "{:?}", judgement);
    }

    #[test]
    fn a_verdict_that_is_not_commit_has_reasons_and_a_cause(case in case()) {
        let judgement = judge(&case.evidence(), &case.policy());
        let commit = judgement.verdict.is_commit();
        prop_assert_eq!(judgement.cause.is_none(), commit);
        prop_assert!(commit || !judgement.reasons.is_empty());
    }

    #[test]
    fn more_evidence_of_loss_never_improves_a_verdict(case in case(), how in 0_usize..23) {
        let worse = worsen(&case, how);
        let (before, after) = (judge(&case.evidence(), &case.policy()), judge(&worse.evidence(), &worse.policy()));
        // Without flattening a collapse may still be deferred: the caller's wish, no evidence.
        prop_assume!(how != 19 || !case.defer);
        prop_assert_ne!(order(verdict(&after), verdict(&before)), Ordering::Less, "{} improved it: {:?}", how, after);
    }

    #[test]
    fn no_evidence_makes_the_gate_panic(
        figures in prop::array::uniform2(any::<f64>()),
        counts in prop::array::uniform8(any::<usize>()),
        depth in any::<u32>(),
        hits in any::<u64>(),
    ) {
        let mut e = Evidence::default();
        [e.signals.provenance, e.signals.orphan_density] = figures;
        let facts = &mut e.signals.facts;
        [e.signals.claims, e.signals.referents, facts.required, facts.lost, e.required_carried, e.declared_drops,
            e.rendered_bytes, e.pinned_bytes] = counts;
        e.budget_bytes = Some(counts[0] ^ counts[1]);
        e.depth = depth;
        e.recall = StatedRecall::new(hits, u64::MAX).ok();
        for policy in [Policy::exact(), Policy::narrative().with_bound(Bound::Lower)] {
            let judgement = judge(&e, &policy);
            prop_assert!(!judgement.verdict.is_commit() || facts_are_sound(&e));
        }
    }
}

fn facts_are_sound(e: &Evidence) -> bool {
    e.signals.facts.lost == 0 && (0.0..=1.0).contains(&e.signals.provenance)
}

#[test]
fn random_evidence_reaches_every_verdict() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeMap::<&str, usize>::new();
    for _ in 0..2000 {
        let case = case().new_tree(&mut runner).unwrap().current();
        *seen.entry(case.verdict()).or_default() += 1;
    }
    for kind in ["commit", "halt", "flatten", "reject", "final"] {
        assert!(seen.get(kind).is_some_and(|count| *count > 40), "{seen:?}");
    }
}
