//! What a ledger promises: its budget, its order, that what it lists counts as carried, and that what a policy requires
//! fits it.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use manifest_core::{Check, Child, Policy, Recall, Report, StatedRecall, ledger, ledger_of};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn incident() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/incident")
}

/// The texts of a folder, by name.
fn texts(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// The merges of the incident: children and the summary made from them.
fn merges() -> Vec<(Vec<String>, String)> {
    let mut merges: Vec<(Vec<String>, String)> = (1..=6)
        .map(|n| {
            let parent = std::fs::read_to_string(incident().join(format!("level2/{n}.txt"))).unwrap();
            (texts(&incident().join(format!("level1/{n}"))), parent)
        })
        .collect();
    merges.push((
        texts(&incident().join("level2")),
        std::fs::read_to_string(incident().join("root.txt")).unwrap(),
    ));
    merges
}

fn check(children: &[String], parent: &str, mend: bool) -> Report {
    let children: Vec<Child<'_>> = children.iter().map(Child::from).collect();
    Check::new(&children, parent).mend(mend).run(&Policy::remediation())
}

#[test]
fn the_codes_that_ended_the_incident_are_required_and_lead_what_is_lost() {
    let merges = merges();
    for (merge, code) in [(&merges[2], "LDG-4471"), (&merges[6], "LDG-4417")] {
        let lost: Vec<String> =
            check(&merge.0, &merge.1, false).lost.into_iter().map(|row| row.text).collect();
        let place = lost.iter().position(|text| text == code);
        assert!(place.is_some_and(|place| place < 10), "{code} at {place:?} of {lost:?}");
    }
}

#[test]
fn what_a_merge_loses_its_ledger_carries() {
    for (children, parent) in merges() {
        let report = check(&children, &parent, true);
        assert!(report.lost.is_empty(), "{:?}", report.lost);
    }
}

#[test]
fn a_ledger_reads_back_as_what_it_lists() {
    for (children, parent) in merges() {
        let offered = check(&children, &parent, false).ledger;
        let children: Vec<Child<'_>> = children.iter().map(Child::from).collect();
        let given = Check::new(&children, &parent).ledger([&*offered.text]).run(&Policy::remediation());
        assert!(given.lost.is_empty(), "{:?}", given.lost);
        assert!(given.signals.facts.carried >= offered.entries.len(), "{}", offered.text);
    }
}

#[test]
fn identifiers_stand_together_and_amounts_with_what_they_measure() {
    let children = [
        "user: The importer of PAY-119 stopped, see src/import/batch.rs.",
        "assistant: Set max_wait=45s and ran `cargo run -p billing --retries 2` on ip-10-4-7-19.",
    ];
    let row = ledger(&children, "", 400);
    let line = |heading: &str| row.text.lines().find(|line| line.starts_with(heading)).unwrap_or_default();
    assert!(line("ids: ").contains("ip-10-4-7-19 PAY-119"), "newest first: {}", row.text);
    assert_eq!(line("paths: "), "paths: src/import/batch.rs");
    assert!(line("values: ").contains("max_wait=45s"), "{}", row.text);
    assert!(line("commands: ").contains("`cargo run -p billing --retries 2`"), "{}", row.text);
}

#[test]
fn a_small_ledger_spends_no_byte_on_a_heading() {
    let children = ["user: The importer of PAY-119 stopped.", "assistant: It ran on ip-10-4-7-19."];
    assert_eq!(ledger(&children, "", 20).text, "ip-10-4-7-19 PAY-119");
    assert_eq!(ledger(&children, "", 19).entries.len(), 1);
}

#[test]
fn names_of_fields_secrets_and_what_the_prose_states_are_not_carried() {
    let record = r#"tool get_user: {"reservation_id": "UM3OG5", "address1": "901 Pine Lane", "token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a"}"#;
    let row = ledger(&[record], "", 600);
    assert!(row.text.contains("UM3OG5"), "{}", row.text);
    for absent in ["reservation_id", "address1", "token", "ghp_16C7"] {
        assert!(
            !row.entries.iter().any(|entry| entry.text.starts_with(absent) && !entry.text.contains('=')),
            "{absent}: {}",
            row.text
        );
    }
    assert!(!ledger(&[record], "Their reservation is UM3OG5.", 600).text.contains("UM3OG5"));
}

#[test]
fn a_ledger_that_is_full_says_that_there_is_more_and_the_number_is_no_fact() {
    let children: Vec<String> = (0..400).map(|i| format!("Pod web-{i}-{:x} moved.", i * 7919 + 17)).collect();
    let row = ledger(&children, "", 1024);
    let last = row.text.lines().next_back().unwrap_or_default();
    let left =
        last.strip_prefix('[').and_then(|line| line.strip_suffix(" more facts in the leaves]")).unwrap();
    assert_eq!(left.parse::<usize>().unwrap(), 400 - row.entries.len());
    let amount = format!("Pods left: {left}.");
    let children: Vec<Child<'_>> = children.iter().map(Child::from).chain([Child::from(&amount)]).collect();
    let report = Check::new(&children, "Pods moved.")
        .pinned([&*amount])
        .ledger([&*row.text])
        .run(&Policy::narrative());
    assert!(report.lost.iter().any(|row| row.text == left), "{:?}", report.lost);
    // A small one spends its bytes on facts.
    assert!(
        !ledger(&children.iter().map(|c| &*c.text).collect::<Vec<_>>(), "", 200).text.contains("more facts")
    );
}

/// Tokens of many classes, words between them, and who says them.
fn leaf() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        "[A-Z]{2,3}-[1-9][0-9]{2,3}",
        "[a-z]{2,5}-[a-z]{2,4}-[0-9]{1,2}",
        "[0-9a-f]{7,12}",
        "[A-Z]{1,4}[0-9]{2,4}",
        "src/[a-z]{2,6}/[a-z]{2,6}\\.rs",
        "[a-z]{2,6}_[a-z]{2,6}=[1-9][0-9]{0,2}(s|ms|MiB)?",
        "[1-9][0-9]{0,4}( GiB|%| ms)?",
        "`cargo [a-z]{3,5} -p [a-z]{3,6} --[a-z]{3,6} [1-9]`",
        "\"[a-z]{3,8}\": \"[A-Z0-9]{6}\"",
        "https://[a-z]{3,6}\\.example/[a-z0-9]{2,8}",
        "2026-0[1-9]-1[0-9]( 0[1-9]:[1-5][0-9])?",
        "[A-Z][a-z]{2,6} [A-Z][a-z]{2,6}",
        "[a-z]{1,9}",
        "[\\PC]{1,6}",
    ];
    let head = prop_oneof![
        Just(""),
        Just("user: "),
        Just("assistant: "),
        Just("tool shell: "),
        Just("[tool_call get ")
    ];
    let mark = prop_oneof![Just(" "), Just(", "), Just(". "), Just("\n"), Just(" failed with ")];
    (head, prop::collection::vec((token, mark), 1..30)).prop_map(|(head, tokens)| {
        let mut text = head.to_owned();
        text.extend(tokens.into_iter().flat_map(|(token, mark)| [token, mark.to_owned()]));
        text
    })
}

fn leaves() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(leaf(), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_ledger_keeps_its_budget_and_shows_where_each_value_stands(children in leaves(), budget in 0_usize..2000) {
        let row = ledger(&children, "", budget);
        prop_assert!(row.text.len() <= budget, "{} of {budget}: {}", row.text.len(), row.text);
        for entry in &row.entries {
            prop_assert!(row.text.contains(&entry.text));
            let source = children[entry.child].get(entry.span.start..entry.span.end);
            prop_assert!(source.is_some_and(|source| entry.text.ends_with(source)), "{entry:?}");
        }
        prop_assert_eq!(ledger(&children, "", budget), row);
    }

    #[test]
    fn what_stays_keeps_its_order_when_a_child_is_added(children in leaves(), next in leaf(), budget in 100_usize..900) {
        let before = ledger(&children, "", budget);
        let mut more = children.clone();
        more.push(next);
        let after = ledger(&more, "", budget);
        let stays = |row: &manifest_core::LedgerRow, other: &manifest_core::LedgerRow| {
            let known = |entry: &&manifest_core::LedgerEntry| {
                other.entries.iter().any(|e| (e.child, e.span) == (entry.child, entry.span))
            };
            row.entries.iter().filter(known).map(|e| (e.child, e.span)).collect::<Vec<_>>()
        };
        prop_assert_eq!(stays(&before, &after), stays(&after, &before));
    }

    #[test]
    fn what_is_required_fits_the_ledger(children in leaves(), parent in leaf()) {
        let report = check(&children, &parent, true);
        prop_assert!(report.lost.is_empty(), "{:?} beside {}", report.lost, report.ledger.text);
    }

    #[test]
    fn a_larger_ledger_holds_no_less_of_the_first(children in leaves(), budget in 20_usize..400) {
        let children: Vec<Child<'_>> = children.iter().map(Child::from).collect();
        let (small, large) = (ledger_of(&children, "", budget), ledger_of(&children, "", 2 * budget + 64));
        prop_assert!(small.entries.len() <= large.entries.len());
    }
}

#[test]
fn a_rule_that_text_and_ledger_both_state_is_carried() {
    let child = "user: Never drain relay-7f2c9 by hand.";
    let parent = "The user said: never drain relay-7f2c9 by hand.";
    let judged = |ledger: &str| {
        let children = [Child::new(child)];
        // Nothing of the first drafts' probes came through: only what a ledger carries counts.
        let check = Check::new(&children, parent).recall(StatedRecall::new(0, 60).unwrap(), 3);
        check.ledger([ledger]).run(&Policy::remediation())
    };
    let kept = |report: &Report| match report.signals.recall {
        Recall::Measured(figures) => figures.r_kept,
        Recall::NotMeasured => f64::NAN,
    };
    let whole = judged("rules: \"Never drain relay-7f2c9 by hand\" [0]\nids: relay-7f2c9");
    assert!(whole.verdict.is_commit(), "{:?}", whole.reasons);
    assert!((kept(&whole) - 1.0).abs() < 1e-9, "{:?}", whole.signals.recall);
    let without = judged("ids: relay-7f2c9");
    assert!(kept(&without) < 1.0 && !without.verdict.is_commit());
}
