//! What fields declare is checked like the text: kinds, subjects and claims that cite their children.

use manifest_core::{
    Check, Child, Cited, Claim, Code, ConflictRule, ConflictState, Draft, Manifest, Policy, Preset, Report,
    Span, VerdictKind,
};
use std::collections::BTreeMap;

const LEAVES: [&str; 4] = [
    "The importer crashed with E_QUOTA_4417 on node db-7.",
    "The quota of bucket media-eu was raised to 640 GiB.",
    "A second run of the importer finished on node db-9; its timeout is 30s.",
    "Alice approved the change of the quota on 2026-03-04.",
];

const SUMMARY: &str = "The importer crashed with E_QUOTA_4417 on node db-7. The quota of bucket media-eu was raised to \
                       640 GiB. A second run of the importer finished on node db-9; its timeout is 30s. Alice approved \
                       the change of the quota on 2026-03-04.";

#[derive(Manifest, Default)]
struct Incident {
    #[manifest(text)]
    narrative: String,
    #[manifest(fact, required, kind = "error_code")]
    codes: Vec<String>,
    #[manifest(fact, kind = "date")]
    days: Vec<String>,
    #[manifest(fact, subject = "timeout")]
    timeout: Option<String>,
    #[manifest(fact)]
    limits: BTreeMap<String, String>,
    #[manifest(claims)]
    claims: Vec<Claim>,
}

fn incident() -> Incident {
    Incident { narrative: SUMMARY.to_owned(), ..Incident::default() }
}

fn judged(incident: Incident, policy: &Policy) -> Report {
    Draft::trace(&LEAVES, incident).check(policy)
}

fn codes(report: &Report) -> Vec<Code> {
    report.reasons.iter().map(|reason| reason.code).collect()
}

fn misfiled(report: &Report) -> Vec<&str> {
    let of = |reason: &&manifest_core::Reason| reason.code == Code::FactMisfiled;
    report.reasons.iter().filter(of).map(|reason| reason.message.as_str()).collect()
}

fn owned(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[test]
fn a_value_of_another_kind_is_told_and_blocks_nothing() {
    let filed = Incident { codes: owned(&["E_QUOTA_4417"]), days: owned(&["2026-03-04"]), ..incident() };
    let report = judged(filed, &Incident::policy());
    assert!(report.verdict.is_commit() && report.reasons.is_empty(), "{:?}", report.reasons);

    let crossed = Incident { codes: owned(&["2026-03-04"]), days: owned(&["E_QUOTA_4417"]), ..incident() };
    let report = judged(crossed, &Incident::policy());
    assert!(report.verdict.is_commit());
    let told = misfiled(&report);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].contains("`E_QUOTA_4417`") && told[0].ends_with("is declared as date and read as error_code")
    );
    assert!(
        told[1].contains("`2026-03-04`") && told[1].ends_with("is declared as error_code and read as date")
    );

    let phrase = Incident { codes: owned(&["second run"]), ..incident() };
    let report = judged(phrase, &Incident::policy());
    assert!(misfiled(&report)[0].ends_with("declared as error_code and read as no exact fact"));
}

#[test]
fn a_required_kind_is_required_under_every_policy() {
    for preset in [Preset::Exact, Preset::Remediation, Preset::Narrative] {
        let without = SUMMARY.replace(" with E_QUOTA_4417", "");
        let policy = Policy::preset(preset);
        let missing = judged(Incident { narrative: without.clone(), ..incident() }, &policy);
        assert_eq!(missing.verdict.kind, VerdictKind::Reject, "{preset}");
        assert!(missing.lost.iter().any(|row| row.text == "E_QUOTA_4417"), "{preset}");
        let declared = Incident { narrative: without, codes: owned(&["E_QUOTA_4417"]), ..incident() };
        let report = judged(declared, &policy);
        assert!(report.lost.iter().all(|row| row.text != "E_QUOTA_4417"), "{preset}: {:?}", report.lost);
    }
}

#[test]
fn a_value_belongs_to_its_subject() {
    let right = Incident { timeout: Some("30s".to_owned()), ..incident() };
    let report = judged(right, &Incident::policy());
    assert!(report.verdict.is_commit(), "{:?}", report.reasons);
    // The value stands in no child.
    let foreign = Incident { timeout: Some("45s".to_owned()), ..incident() };
    assert!(codes(&judged(foreign, &Incident::policy())).contains(&Code::ReferentInvented));
    let keyed = |value: &str| BTreeMap::from([("quota".to_owned(), value.to_owned())]);
    let right = Incident { limits: keyed("640 GiB"), ..incident() };
    assert!(judged(right, &Incident::policy()).verdict.is_commit());
    let foreign = Incident { limits: keyed("641 GiB"), ..incident() };
    assert!(codes(&judged(foreign, &Incident::policy())).contains(&Code::ReferentInvented));
}

fn claiming(claims: &[(&str, &[usize])]) -> Incident {
    let claims = claims.iter().map(|(text, children)| Claim::new(*text, children.iter().copied())).collect();
    Incident { claims, ..incident() }
}

/// Text and reason of each claim that is cited wrongly.
fn miscited(report: &Report) -> Vec<(&str, &str)> {
    let rows = report.orphans.iter().filter(|row| row.code == Code::ClaimMiscited);
    rows.map(|row| (row.text.as_str(), row.why.as_deref().unwrap_or_default())).collect()
}

#[test]
fn a_claim_is_checked_against_what_it_cites() {
    let right = claiming(&[
        ("The importer crashed with E_QUOTA_4417 on db-7.", &[0]),
        ("The quota of bucket media-eu is now 640 GiB.", &[1]),
        (
            "The importer crashed on node db-7, and a second run finished on node db-9 with a timeout of 30s.",
            &[2, 0],
        ),
        ("Alice approved the change of the quota on 2026-03-04.", &[3]),
    ]);
    let right = Incident { narrative: String::new(), ..right };
    let report = judged(right, &Incident::policy());
    assert_eq!((miscited(&report), report.verdict.is_commit()), (vec![], true), "{:?}", report.reasons);

    let crashed = "The importer crashed with E_QUOTA_4417 on node db-7.";
    let approved = "Alice approved the change of the quota.";
    let wrong = claiming(&[
        (crashed, &[1]),
        (approved, &[1, 2]),
        ("The quota of bucket media-eu was raised to 640 GiB.", &[]),
        ("A second run of the importer finished.", &[2, 7]),
        ("A second run of the importer finished on node db-9.", &[2]),
    ]);
    let report = judged(wrong, &Incident::policy());
    assert_eq!(
        miscited(&report),
        [
            (crashed, "child 1 does not state `E_QUOTA_4417`"),
            ("The quota of bucket media-eu was raised to 640 GiB.", "it cites no child"),
            (approved, "children 1 and 2 do not say it; child 3 does"),
            ("A second run of the importer finished.", "it cites child 7, and there are 4, counted from 0"),
        ]
    );
    assert_eq!(report.verdict.kind, VerdictKind::Reject);
    assert!(codes(&report).contains(&Code::ClaimMiscited));
    assert!(report.feedback().contains("Cited wrongly."), "{}", report.feedback());
    // A policy that lists single findings lists these.
    let report = judged(claiming(&[(crashed, &[1])]), &Policy::narrative());
    assert_eq!((miscited(&report).len(), report.verdict.is_commit()), (1, true), "{:?}", report.reasons);
}

#[test]
fn a_claim_that_no_child_supports_has_its_own_reason() {
    let report = judged(
        claiming(&[("Nobody was asked about the weather in the mountains.", &[1])]),
        &Incident::policy(),
    );
    let [(_, why)] = miscited(&report)[..] else { panic!("{:?}", report.orphans) };
    assert_eq!(why, "no child says it");
}

#[test]
fn a_claim_without_exact_values_is_told_where_it_is_said() {
    let report = judged(claiming(&[("A second run of the importer finished.", &[3])]), &Incident::policy());
    let [(_, why)] = miscited(&report)[..] else { panic!("{:?}", report.orphans) };
    assert_eq!(why, "child 3 does not say it; child 2 does");
}

#[test]
fn citations_are_checked_without_a_struct_too() {
    let children = LEAVES.map(Child::new);
    let parent = LEAVES[0];
    let cited = [Cited::new(Span::new(0, parent.len()), [1])];
    let report = Check::new(&children, parent).cited(&cited).run(&Policy::narrative());
    assert_eq!(miscited(&report).len(), 1);
    // Places and children that do not exist.
    for span in [Span::new(5, 9999), Span::new(9999, 10_000), Span::new(0, 0)] {
        for children_of in [vec![], vec![usize::MAX], vec![0, 0, 1]] {
            let cited = [Cited::new(span, children_of)];
            let kinds = [(span, manifest_core::Class::Path)];
            let _ = Check::new(&children, parent).cited(&cited).kinds(&kinds).run(&Policy::exact());
        }
    }
}

#[derive(Manifest)]
#[manifest(order = "parallel", conflicts = "latest_wins")]
struct Latest(#[manifest(text)] String);

#[test]
fn the_latest_side_of_a_conflict_may_win() {
    let leaves = ["The owner of the importer is Alice.", "The owner of the importer is Bob."];
    let states = |parent: &str, policy: &Policy| {
        let report = Draft::trace(&leaves, Latest(parent.to_owned())).check(policy);
        let states: Vec<ConflictState> = report.conflicts.iter().map(|row| row.state).collect();
        assert_eq!(report.signals.conflicts.collapsed > 0, codes(&report).contains(&Code::ConflictCollapsed));
        states
    };
    let both = Latest::policy().with_conflicts(ConflictRule::KeepBoth);
    assert_eq!(states(leaves[1], &both), [ConflictState::Collapsed]);
    assert_eq!(states(leaves[1], &Latest::policy()), [ConflictState::Superseded]);
    // The earlier side alone hides the latest one.
    assert_eq!(states(leaves[0], &Latest::policy()), [ConflictState::Collapsed]);
    assert_eq!(states("The importer has an owner.", &Latest::policy()), [ConflictState::Collapsed]);
}
