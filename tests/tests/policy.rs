//! Policies as callers meet them: presets, files, and errors that say what to do.
#![expect(clippy::panic, reason = "helpers of tests")]

use manifest_core::{
    Band, Bound, FloorOn, Order, Policy, PolicyError, Ppm, Preset, Required, Signals, Single, bands, deepest,
};

#[test]
fn the_presets_hold_the_recorded_numbers() {
    for policy in [Policy::exact(), Policy::remediation(), Policy::narrative()] {
        assert_eq!(policy.provenance().promote, Ppm::new(700_000));
        assert_eq!(policy.provenance().warning, Ppm::new(500_000));
        assert_eq!(policy.orphan_density().promote, Ppm::new(300_000));
        assert_eq!(policy.orphan_density().warning, Ppm::new(450_000));
        assert_eq!(policy.drops_share(), Ppm::new(100_000));
        assert_eq!(policy.probe().least, 60);
        assert_eq!((policy.bound(), policy.floor_on()), (Bound::Point, FloorOn::Kept));
        assert_eq!((policy.order(), policy.observe()), (Order::Sequence, false));
        let ledger = policy.ledger();
        assert_eq!((ledger.share, ledger.least_bytes, ledger.most_bytes), (Ppm::new(50_000), 600, 8192));
        assert_eq!((policy.small().claims, policy.small().referents), (4, 5));
    }
    let of = |policy: Policy| {
        (policy.required(), policy.invented(), policy.altered(), policy.ledger().mend, policy.floor().get())
    };
    assert_eq!(of(Policy::exact()), (Required::Every, Single::Rejects, Single::Rejects, false, 850_000));
    assert_eq!(
        of(Policy::remediation()),
        (Required::Salient, Single::Rejects, Single::Rejects, true, 850_000)
    );
    assert_eq!(of(Policy::narrative()), (Required::Named, Single::Listed, Single::Listed, true, 600_000));
    assert_eq!(Policy::default(), Policy::remediation());
}

#[test]
fn the_ledger_budget_is_a_share_between_two_limits() {
    let budget = Policy::remediation().ledger();
    assert_eq!(budget.bytes(0), 600);
    assert_eq!(budget.bytes(12_000), 600);
    assert_eq!(budget.bytes(40_000), 2000);
    assert_eq!(budget.bytes(10_000_000), 8192);
    assert_eq!(budget.bytes(usize::MAX), 8192);
}

#[test]
fn no_progress_is_above_both_limits() {
    let growth = Policy::remediation().growth();
    assert!(!growth.exceeded_by(150, 10));
    assert!(growth.exceeded_by(151, 120));
    assert!(!growth.exceeded_by(250, 200));
    assert!(growth.exceeded_by(251, 200));
    assert!(growth.exceeded_by(151, 0));
    assert!(!growth.exceeded_by(usize::MAX, usize::MAX));
}

#[test]
fn a_file_overrides_its_base() {
    let file = r#"
        base = "narrative"
        floor = 0.9
        bound = "lower"
        floor_on = "estimated"
        invented = "rejects"
        order = "parallel"
        observe = true
        depth = 2
        recall = 1

        [provenance]
        promote = 0.8

        [ledger]
        most_bytes = 4096
    "#;
    let policy: Policy = toml::from_str(file).unwrap();
    assert_eq!(policy.base(), Preset::Narrative);
    assert_eq!(policy.required(), Required::Named);
    assert_eq!((policy.invented(), policy.altered()), (Single::Rejects, Single::Listed));
    assert_eq!(policy.floor(), Ppm::new(900_000));
    assert_eq!(
        (policy.bound(), policy.floor_on(), policy.order()),
        (Bound::Lower, FloorOn::Estimated, Order::Parallel)
    );
    assert!(policy.observe());
    assert_eq!((policy.depth(), policy.recall()), (Some(2), Some(Ppm::ONE)));
    assert_eq!(
        (policy.provenance().promote, policy.provenance().warning),
        (Ppm::new(800_000), Ppm::new(500_000))
    );
    assert_eq!((policy.ledger().least_bytes, policy.ledger().most_bytes), (600, 4096));
    let json: Policy = serde_json::from_str(r#"{"floor": 0.5}"#).unwrap();
    assert_eq!(json, Policy::remediation().with_floor(0.5).unwrap());
    assert_eq!(toml::from_str::<Policy>("").unwrap(), Policy::remediation());
}

#[test]
fn a_policy_survives_being_written() {
    let changed = Policy::narrative()
        .with_floor(0.123_456)
        .and_then(|policy| policy.with_orphan_density(0.1, 0.2))
        .and_then(|policy| policy.with_ledger(0.01, 10, 20))
        .and_then(|policy| policy.with_recall(0.95))
        .and_then(|policy| policy.with_depth(4))
        .unwrap()
        .observing(true)
        .mending(false);
    for policy in [Policy::exact(), Policy::remediation(), Policy::narrative(), changed] {
        let json = serde_json::to_string(&policy).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&json).unwrap(), policy, "{json}");
        let file = toml::to_string(&policy).unwrap();
        assert_eq!(toml::from_str::<Policy>(&file).unwrap(), policy, "{file}");
    }
}

/// The message of a file that makes no policy.
fn refused(file: &str) -> String {
    match toml::from_str::<Policy>(file) {
        Ok(policy) => panic!("{file} was accepted: {policy:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_file_that_makes_no_policy_is_told_why() {
    for (file, said) in [
        ("flor = 0.9", "unknown field `flor`, expected one of `base`, `required`"),
        (
            "[ledger]\nmax = 1",
            "unknown field `max`, expected one of `mend`, `share`, `least_bytes`, `most_bytes`",
        ),
        (
            "base = \"strict\"",
            "unknown variant `strict`, expected one of `exact`, `remediation`, `narrative`",
        ),
        ("bound = \"upper\"", "expected `point` or `lower`"),
        ("floor = 85", "policy field `floor` is 85; expected above 0, up to 1"),
        ("floor = 0", "policy field `floor` is 0; expected above 0, up to 1"),
        ("floor = nan", "policy field `floor` is NaN"),
        ("recall = 0", "policy field `recall` is 0; expected above 0, up to 1"),
        ("recall = 1.5", "policy field `recall` is 1.5"),
        ("depth = 0", "policy field `depth` is 0; expected 1 or more"),
        ("drops_share = -0.1", "policy field `drops_share` is -0.1; expected 0 to 1"),
        (
            "[provenance]\npromote = 0.4",
            "`provenance` has promote = 0.4 and warning = 0.5; expected promote at or above warning",
        ),
        (
            "[orphan_density]\nwarning = 0.2",
            "`orphan_density` has promote = 0.3 and warning = 0.2; expected promote at or below warning",
        ),
        (
            "[ledger]\nleast_bytes = 9000",
            "`ledger.least_bytes` is 9000, above `ledger.most_bytes`, which is 8192",
        ),
        (
            "[small]\norphans_promote = 3",
            "`small.orphans_promote` is 3, above `small.orphans_warning`, which is 2",
        ),
        ("[growth]\nfactor = 0.5", "policy field `growth.factor` is 0.5; expected 1 to 4000"),
        ("[probe]\nleast = 0", "policy field `probe.least` is 0; expected 1 or more"),
        ("[trend]\ncycles = 0", "policy field `trend.cycles` is 0; expected 1 or more"),
        (
            "depth = 4\nrecall = 0.95",
            "`depth` is 4, and at recall 0.95 that keeps 0.815, below the floor 0.85; expected at most depth 3",
        ),
    ] {
        let message = refused(file);
        assert!(message.contains(said), "{file}\n  says: {message}\n  not:  {said}");
    }
}

#[test]
fn setters_check_as_files_do() {
    let error = Policy::default().with_provenance(0.5, 0.7).unwrap_err();
    assert!(matches!(error, PolicyError::InvertedBand { field: "provenance", .. }), "{error}");
    let error = Policy::default().with_floor(f64::NAN).unwrap_err();
    assert!(matches!(error, PolicyError::OutOfRange { field: "floor", .. }), "{error}");
    let error = Policy::default().with_recall(0.9).and_then(|policy| policy.with_depth(2)).unwrap_err();
    assert!(matches!(error, PolicyError::DepthUnaffordable { depth: 2, deepest: 1, .. }), "{error}");
    let error = Policy::named("remedation").unwrap_err().to_string();
    assert!(
        error.contains(
            "no policy is called `remedation`; expected one of `exact`, `remediation`, `narrative`"
        )
    );
    assert_eq!(Policy::named("exact").unwrap(), Policy::exact());
}

#[test]
fn a_plan_knows_how_deep_it_may_be() {
    let plan = Policy::default().with_recall(0.95).unwrap();
    assert_eq!(plan.deepest(), Some(3));
    assert_eq!(plan.deepest(), Some(deepest(plan.floor(), Ppm::new(950_000))));
    assert_eq!(Policy::default().deepest(), None);
    assert!(plan.clone().with_depth(3).is_ok() && plan.with_depth(4).is_err());
}

#[test]
fn a_band_with_one_bound_has_no_warning() {
    let policy = Policy::default().with_provenance(0.7, 0.7).unwrap();
    let signals = |provenance| Signals { provenance, claims: 100, ..Signals::default() };
    assert_eq!(bands(&signals(0.70), &policy).provenance, Band::Promote);
    assert_eq!(bands(&signals(0.69), &policy).provenance, Band::Beyond);
}
