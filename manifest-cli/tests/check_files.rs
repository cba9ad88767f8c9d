//! `manifest check` over files and folders, as a person runs it.
#![expect(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answer, check, codes, file, folder, run};
use serde_json::{Value, json};

const QUOTA: &str = "The importer crashed with E_QUOTA_4417 on build-7.";

fn rows<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    let rows = report[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {report}"));
    assert!(!rows.is_empty(), "nothing under `{key}` to look at: {report}");
    rows
}

#[test]
fn two_files_are_checked_for_a_person() {
    let at = folder("verdict_files");
    let source = file(&at, "source.txt", QUOTA);
    let whole = file(&at, "whole.txt", QUOTA);
    let less = file(&at, "less.txt", "The importer crashed on build-7.");
    let passed = run(&["check", &source, &whole], "");
    assert_eq!((passed.status, passed.err.as_str()), (0, ""));
    assert!(passed.out.starts_with("COMMIT – "), "{}", passed.out);
    let failed = run(&["check", &source, &less], "");
    assert_eq!(failed.status, 1);
    assert!(failed.out.starts_with("REJECT – "), "{}", failed.out);
    for told in ["fact.lost", "E_QUOTA_4417", "source.txt:1"] {
        assert!(failed.out.contains(told), "{told} is not told: {}", failed.out);
    }
    let observed = run(&["check", &source, &less, "--observe"], "");
    assert_eq!(observed.status, 0);
    assert!(observed.out.starts_with("REJECT") && observed.out.contains("observed"), "{}", observed.out);
    // `--json` is the batch's answer without an id.
    let json = answer(&["check", &source, &less, "--json"], "");
    let mut line = check(&json!({"children": [QUOTA], "parent": "The importer crashed on build-7."}));
    line.as_object_mut().unwrap().remove("id");
    assert_eq!(json, line);
    assert_eq!(run(&["check", &source, &less, "--mend"], "").status, 0);
    let ledger = file(&at, "ledger.txt", "error: E_QUOTA_4417");
    assert_eq!(run(&["check", &source, &less, "--ledger", &ledger], "").status, 0);
}

#[test]
fn a_folder_is_read_in_the_order_of_its_names() {
    let at = folder("verdict_folder");
    std::fs::create_dir_all(at.join("sources/below")).unwrap();
    let sources = at.join("sources");
    file(&sources, "02-later.txt", "Timeout is 45s.");
    file(&sources, "01-first.txt", "Timeout is 30s.");
    file(&sources, ".hidden", "Timeout is 60s.");
    file(&sources.join("below"), "03.txt", "Timeout is 90s.");
    let latest = file(&at, "latest.txt", "Timeout is 45s.");
    let early = file(&at, "early.txt", "Timeout is 30s.");
    let path = sources.display().to_string();
    assert_eq!(run(&["check", &path, &latest], "").status, 0);
    let report = answer(&["check", &path, &early, "--json"], "");
    assert!(codes(&report).contains(&"statement.stale"), "{report}");
    let sides = &rows(&report, "conflicts")[0]["sides"];
    assert_eq!((&sides[0]["child"], &sides[1]["child"]), (&json!(0), &json!(1)), "{sides}");
}

#[test]
fn a_summary_in_the_folder_of_its_sources_is_not_its_own_source() {
    let at = folder("verdict_inside");
    file(&at, "a.txt", QUOTA);
    let summary = file(&at, "summary.txt", "The importer crashed with E_DISK_9999 on build-7.");
    let ledger = file(&at, "z-ledger.txt", "error: E_QUOTA_4417");
    let path = at.display().to_string();
    for args in [
        vec!["check", &path, &summary, "--json"],
        vec!["check", &path, &summary, "--ledger", &ledger, "--json"],
    ] {
        let report = answer(&args, "");
        assert!(codes(&report).contains(&"referent.invented"), "{args:?}: {report}");
    }
    // Nor under another name of the same folder.
    let dotted = format!("{path}/../verdict_inside");
    assert_eq!(run(&["check", &dotted, &summary], "").status, 1);
}

#[test]
fn one_path_is_told_that_it_takes_two() {
    let source = file(&folder("verdict_one"), "source.txt", QUOTA);
    let run = run(&["check", &source], "");
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("SOURCES") && run.err.contains("SUMMARY"), "{}", run.err);
    for args in [
        vec!["check", &source, &source, "--jsonl"],
        vec!["check", "--mend"],
        vec!["check", "--json"],
        vec!["chekc"],
    ] {
        let run = common::run(&args, "");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args:?}");
        assert!(!run.err.is_empty());
    }
}
