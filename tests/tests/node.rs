//! Nodes: drafts that pass their gate or come back, and what goes up from one level to the next.

use manifest_core::{
    Cause, Child, Class, Code, Conflict, Draft, Drop, Manifest, Policy, Previous, Role, StatedRecall,
    VerdictKind,
};

const LEAVES: [&str; 3] = [
    "The importer crashed with E_QUOTA_4417 on node db-7.",
    "The quota of bucket media-eu was raised to 640 GiB.",
    "A second run of the importer finished on node db-7.",
];

const SUMMARY: &str = "The importer crashed with E_QUOTA_4417 on node db-7. The quota of bucket media-eu was raised to \
                       640 GiB. A second run of the importer finished on node db-7.";

#[derive(Manifest, Default)]
#[manifest(policy = "remediation")]
struct Incident {
    #[manifest(text)]
    narrative: String,
    #[manifest(fact, required, kind = "error_code")]
    error_codes: Vec<String>,
    #[manifest(fact)]
    causes: Vec<String>,
    #[manifest(conflicts)]
    conflicts: Vec<Conflict>,
    #[manifest(drops)]
    dropped: Vec<Drop>,
}

fn incident(narrative: &str) -> Incident {
    Incident { narrative: narrative.to_owned(), ..Incident::default() }
}

#[test]
fn what_passes_is_released_with_the_text_that_was_audited() {
    let gated = Draft::trace(&LEAVES, SUMMARY.to_owned()).gate(&Policy::exact()).unwrap();
    assert!(gated.report().verdict.is_commit());
    assert_eq!(gated.children().len(), 3);
    let (summary, audit) = gated.release();
    assert_eq!((summary.as_str(), audit.text()), (SUMMARY, SUMMARY));
    assert_eq!(audit.digest(), *blake3::hash(SUMMARY.as_bytes()).as_bytes());
    assert_eq!((audit.ledger(), audit.policy()), ("", &Policy::exact()));
}

#[test]
fn what_is_refused_comes_back_whole_and_may_be_amended() {
    let draft = Draft::trace(&LEAVES, "The importer crashed. The quota was raised.".to_owned());
    let refused = draft.gate(&Policy::exact()).unwrap_err();
    assert_eq!((refused.verdict.kind, refused.verdict.retry), (VerdictKind::Reject, true));
    assert!(matches!(refused.cause, Cause::FidelityBudgetExceeded { .. }));
    assert!(refused.report.lost.iter().any(|row| row.text == "E_QUOTA_4417"));
    assert!(refused.report.feedback().contains("E_QUOTA_4417"));
    assert!(refused.to_string().starts_with("reject, not committed (another attempt may pass): fact.lost: "));
    assert!(std::error::Error::source(&refused).is_some());
    assert_eq!(refused.draft.summary(), "The importer crashed. The quota was raised.");
    let gated = refused.draft.amend(SUMMARY.to_owned()).gate(&Policy::exact()).unwrap();
    assert_eq!(gated.summary(), SUMMARY);
}

#[test]
fn what_is_no_summary_cannot_be_mended_by_another_attempt() {
    let refused = Draft::trace(&LEAVES, String::new()).gate(&Policy::narrative()).unwrap_err();
    assert_eq!((refused.cause, refused.verdict.retry), (Cause::NotASummary, false));
    assert!(refused.to_string().contains("another attempt cannot pass"));
}

#[test]
fn observing_passes_with_the_same_verdict() {
    let policy = Policy::exact().observing(true);
    let gated = Draft::trace(&LEAVES, "The importer crashed.".to_owned()).gate(&policy).unwrap();
    let report = gated.report();
    assert!(report.observed && report.verdict.kind == VerdictKind::Reject && !report.lost.is_empty());
}

#[test]
fn a_check_says_the_same_and_keeps_the_draft() {
    let draft = Draft::trace(&LEAVES, "The importer crashed.".to_owned());
    let report = draft.check(&Policy::exact());
    assert_eq!(draft.text(), "The importer crashed.");
    let refused = draft.gate(&Policy::exact()).unwrap_err();
    assert_eq!(report, *refused.report);
}

#[test]
fn declared_facts_count_as_stated() {
    let bare = "The importer crashed on node db-7. The quota of bucket media-eu was raised to 640 GiB. A second run of \
                the importer finished on node db-7.";
    let refused = Draft::trace(&LEAVES, incident(bare)).gate(&Incident::policy()).unwrap_err();
    assert!(refused.report.lost.iter().any(|row| row.text == "E_QUOTA_4417"));
    let with_code = Incident { error_codes: vec!["E_QUOTA_4417".to_owned()], ..incident(bare) };
    let gated = refused.draft.amend(with_code).gate(&Incident::policy()).unwrap();
    assert_eq!(gated.audit().text(), format!("{bare}\n\n- E_QUOTA_4417"));
}

#[test]
fn a_required_kind_is_required_under_every_policy() {
    let draft = |summary| Draft::trace(&LEAVES, incident(summary)).gate(&Policy::narrative());
    let refused = draft("The importer crashed on node db-7. The quota was raised to 640 GiB.").unwrap_err();
    let lost: Vec<_> = refused.report.lost.iter().map(|row| (row.kind, row.text.as_str())).collect();
    assert_eq!(lost, [(Class::ErrorCode.as_str(), "E_QUOTA_4417")]);
    let kept = draft("The importer crashed with E_QUOTA_4417 on node db-7. The quota was raised to 640 GiB.");
    assert!(kept.is_ok(), "{kept:?}");
}

#[test]
fn a_declared_fact_that_no_child_holds_rejects() {
    let mut foreign = incident(SUMMARY);
    foreign.error_codes = vec!["E_QUOTA_4418".to_owned()];
    let refused = Draft::trace(&LEAVES, foreign).gate(&Incident::policy()).unwrap_err();
    assert!(refused.report.reasons.iter().any(|reason| reason.code == Code::ReferentInvented));
    assert!(refused.report.orphans.iter().any(|row| row.text.contains("4418")));
}

#[test]
fn a_declared_phrase_that_no_child_holds_rejects_too() {
    let with_cause = |cause: &str| Incident { causes: vec![cause.to_owned()], ..incident(SUMMARY) };
    let held = Draft::trace(&LEAVES, with_cause("second run of the importer")).gate(&Incident::policy());
    assert!(held.is_ok(), "{held:?}");
    let refused = Draft::trace(&LEAVES, with_cause("broken cable")).gate(&Incident::policy()).unwrap_err();
    let invented: Vec<_> = refused.report.orphans.iter().map(|row| (row.code, row.text.as_str())).collect();
    assert_eq!(invented, [(Code::ReferentInvented, "broken cable")]);
    // A context that the summarizer saw excuses it.
    let excused = Draft::trace(&LEAVES, with_cause("broken cable")).context(["Ask about the broken cable."]);
    let report = excused.check(&Incident::policy());
    assert!(
        !report.reasons.iter().any(|reason| reason.code == Code::ReferentInvented),
        "{:?}",
        report.reasons
    );
}

#[test]
fn a_declared_number_that_no_child_holds_is_invented() {
    let number = Incident { causes: vec!["41".to_owned()], ..incident(SUMMARY) };
    let report = Draft::trace(&LEAVES, number).check(&Incident::policy());
    let rows: Vec<_> = report.orphans.iter().map(|row| (row.code, row.text.as_str())).collect();
    assert_eq!(rows, [(Code::ReferentInvented, "41")]);
    // The same number in prose is one orphan among many.
    let report =
        Draft::trace(&LEAVES, incident(&format!("{SUMMARY} It took 41."))).check(&Incident::policy());
    assert!(report.orphans.iter().all(|row| row.code != Code::ReferentInvented), "{:?}", report.orphans);
}

#[test]
fn declared_facts_are_required_above() {
    let policy = Policy::narrative();
    let with_code = Incident { error_codes: vec!["E_QUOTA_4417".to_owned()], ..incident(SUMMARY) };
    let lower = Draft::trace(&LEAVES, with_code).gate(&policy).unwrap();
    assert_eq!(lower.audit().required(), ["E_QUOTA_4417"]);

    let lower = [lower];
    let short = "The importer crashed on node db-7. A second run of the importer finished.".to_owned();
    let refused = Draft::trace(&lower, short.clone()).gate(&policy).unwrap_err();
    assert_eq!(refused.report.lost.iter().map(|row| row.text.as_str()).collect::<Vec<_>>(), ["E_QUOTA_4417"]);

    // Only the caller can drop it: the summary's own word is not enough.
    let own_word = Incident { dropped: vec![Drop::new("E_QUOTA_4417", "old")], ..incident(&short) };
    let refused = Draft::trace(&lower, own_word).gate(&policy).unwrap_err();
    assert!(refused.report.lost.iter().any(|row| row.text == "E_QUOTA_4417"));
    let dropped = Draft::trace(&lower, short).drops([Drop::new("E_QUOTA_4417", "the quota was raised")]);
    let gated = dropped.gate(&policy).unwrap();
    assert!(gated.audit().required().is_empty());

    // And what is kept goes on being required.
    let kept = "The importer crashed with E_QUOTA_4417 on node db-7.".to_owned();
    let root = Draft::trace(&lower, kept).gate(&policy).unwrap();
    assert_eq!(root.audit().required(), ["E_QUOTA_4417"]);
}

#[test]
fn a_summary_that_gives_up_much_is_halted() {
    let leaf = "Code E_AA_11 came up. The pods web-1a, web-2b, web-3c and web-4d restarted.";
    let text = "The pods web-1a, web-2b, web-3c and web-4d restarted.";
    let giving_up = |dropped| Incident { dropped, ..incident(text) };
    let policy = Policy::exact();
    let refused = Draft::trace(&[leaf], Plain(giving_up(vec![]))).gate(&policy).unwrap_err();
    assert_eq!(refused.verdict.kind, VerdictKind::Reject);
    let halted = Draft::trace(&[leaf], Plain(giving_up(vec![Drop::new("E_AA_11", "noise")])))
        .gate(&policy)
        .unwrap_err();
    let codes: Vec<_> = halted.report.reasons.iter().map(|reason| reason.code).collect();
    assert_eq!((halted.verdict.kind, codes), (VerdictKind::Halt, vec![Code::DropsMany]));
    // The caller may.
    let text = text.to_owned();
    let dropped = Draft::trace(&[leaf], text).drops([Drop::new("E_AA_11", "noise")]).gate(&policy);
    assert!(dropped.is_ok(), "{dropped:?}");
}

/// An incident without its required kinds.
struct Plain(Incident);

impl Manifest for Plain {
    fn declare<'s>(&'s self, to: &mut manifest_core::Declaration<'s>) {
        self.0.declare(to);
    }
}

#[test]
fn what_is_measured_on_the_first_draft_stays() {
    let recall = StatedRecall::new(54, 60).unwrap();
    let draft = Draft::trace(&LEAVES, "The importer crashed.".to_owned()).recall(recall, 5);
    let refused = draft.amend(SUMMARY.to_owned()).gate(&Policy::exact()).unwrap_err();
    assert!(matches!(refused.cause, Cause::FidelityCollapse { depth: 5, .. }));
    assert!(!refused.verdict.retry);
    let flattened = refused.draft.flatten(true).gate(&Policy::exact()).unwrap_err();
    assert_eq!(flattened.verdict.kind, VerdictKind::Flatten);
    let deferred = flattened.draft.flatten(false).defer(true).gate(&Policy::exact()).unwrap();
    assert_eq!(deferred.report().reclaim, manifest_core::Reclaim::Deferred);
}

#[test]
fn what_the_caller_adds_reaches_the_check() {
    let draft = || Draft::trace(&LEAVES, SUMMARY.to_owned());
    let has = |report: &manifest_core::Report, code| report.reasons.iter().any(|reason| reason.code == code);
    let policy = Policy::narrative();
    assert!(has(&draft().budget_bytes(10).check(&policy), Code::BudgetExhausted));
    let previous = Previous { children: LEAVES.map(str::to_owned).to_vec(), parent: SUMMARY.to_owned() };
    assert!(has(&draft().previous(previous).check(&policy), Code::ChildrenUnchanged));
    let short = || Draft::trace(&LEAVES, "The importer crashed on node db-7.".to_owned());
    assert!(short().check(&policy).lost.is_empty());
    let pinned = short().pinned(["640 GiB"]);
    assert!(has(&pinned.check(&policy), Code::FactLost));
    let with_ledger = short().pinned(["640 GiB"]).ledger(["640 GiB"]).gate(&policy).unwrap();
    assert_eq!(with_ledger.audit().ledger(), "640 GiB");
    let mended = short().pinned(["640 GiB"]).mend(true).gate(&policy).unwrap();
    assert!(mended.audit().ledger().contains("640 GiB"));
}

#[test]
fn a_gated_node_is_a_child_that_the_assistant_said() {
    let spoken = "user: the importer crashed on node db-7.";
    let lower = Draft::trace(&[spoken], spoken.to_owned()).gate(&Policy::narrative()).unwrap();
    let upper = Draft::trace(&[&lower], spoken.to_owned());
    assert_eq!(upper.children()[0].role, Role::Assistant);
    let leaf = Child::new("a leaf").with_id("leaf-1").with_time("2026-01-02T03:04:05Z").with_role(Role::Tool);
    let kept = Draft::trace(std::slice::from_ref(&leaf), "a leaf".to_owned());
    assert_eq!(kept.children(), [leaf]);
}
