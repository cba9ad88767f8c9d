//! The policy that a command line names: presets, files, and mistakes in them.
#![expect(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answer, file, folder, run};
use serde_json::{Value, json};

const QUOTA: &str = "The importer crashed with E_QUOTA_4417 on build-7.";

fn rows<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    let rows = report[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {report}"));
    assert!(!rows.is_empty(), "nothing under `{key}` to look at: {report}");
    rows
}

#[test]
fn a_policy_is_a_name_or_a_file() {
    let at = folder("verdict_policy");
    let line = json!({"children": [QUOTA], "parent": "The importer crashed on build-7."}).to_string();
    let verdict = |policy: &str| answer(&["check", "--jsonl", "--policy", policy], &line)["verdict"].clone();
    assert_eq!(verdict("exact"), "reject");
    assert_eq!(verdict("narrative"), "commit");
    assert_eq!(verdict(&file(&at, "a.toml", "base = \"narrative\"\n")), "commit");
    assert_eq!(verdict(&file(&at, "b.toml", "base = \"exact\"\n")), "reject");
    // Without a base it is remediation; a file needs no suffix.
    assert_eq!(verdict(&file(&at, "policy", "")), "reject");
    // A file in the current folder needs no `./` either.
    file(&at, "here.conf", "base = \"narrative\"\n");
    let mut child = common::program(&["check", "--policy", "here.conf"]);
    let mut child = child.current_dir(&at).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), line.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    // Its numbers count.
    let strict = file(&at, "strict.toml", "[provenance]\npromote = 1.0\nwarning = 1.0\n");
    let line =
        json!({"children": [QUOTA], "parent": format!("{QUOTA} Gardeners prefer wet springs.")}).to_string();
    assert_eq!(answer(&["check", "--jsonl"], &line)["verdict"], "halt");
    let report = answer(&["check", "--jsonl", "--policy", &strict], &line);
    assert!(rows(&report, "reasons")[0]["message"].as_str().unwrap().contains('1'), "{report}");
    assert_eq!(
        report["signals"],
        answer(&["check", "--jsonl"], &line)["signals"],
        "findings do not depend on it"
    );
}

#[test]
fn a_mistake_in_a_policy_names_the_field() {
    let at = folder("verdict_policy_mistakes");
    let line = json!({"children": [QUOTA], "parent": QUOTA}).to_string();
    for (text, told) in [
        ("floor = 1.5", "floor"),
        ("floor = 0.0", "floor"),
        ("floor = -0.1", "floor"),
        ("floor = nan", "floor"),
        ("floor = \"high\"", "floor"),
        ("flor = 0.9", "flor"),
        ("base = \"strict\"", "strict"),
        ("required = \"all\"", "required"),
        ("recall = 0.0", "recall"),
        ("depth = 0\nrecall = 0.9", "depth"),
        ("depth = 5\nrecall = 0.9", "depth"),
        ("depth = -1", "depth"),
        ("drops_share = 2", "drops_share"),
        ("order = \"paralel\"", "paralel"),
        ("observe = \"yes\"", "observe"),
        ("[provenance]\npromote = 1.1", "provenance.promote"),
        ("[provenance]\npromote = 0.4\nwarning = 0.5", "provenance"),
        ("[orphan_density]\npromote = 0.5\nwarning = 0.4", "orphan_density"),
        ("[ledger]\nshare = 5", "ledger.share"),
        ("[ledger]\nleast_bytes = 9000\nmost_bytes = 10", "ledger.least_bytes"),
        ("[growth]\nfactor = 0.5", "growth.factor"),
        ("[legder]\nshare = 0.5", "legder"),
        ("floor = 0.9\nfloor = 0.8", "floor"),
        ("floor 0.9", "line 1"),
    ] {
        let policy = file(&at, "policy.toml", text);
        for args in [vec!["check", "--jsonl", "--policy", &policy], vec!["check", "--policy", &policy]] {
            let run = run(&args, &line);
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{text}");
            assert!(
                run.err.starts_with("manifest: ") && run.err.contains("policy.toml"),
                "{text}: {}",
                run.err
            );
            assert!(run.err.contains(told), "`{told}` is not named: {}", run.err);
        }
    }
    for (name, told) in
        [("strict", "remediation"), ("no/such/file.toml", "no/such/file.toml"), ("", "remediation")]
    {
        let run = run(&["check", "--jsonl", "--policy", name], &line);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{name:?}");
        assert!(run.err.contains(told), "{name:?}: {}", run.err);
    }
    let latin = file(&at, "latin.toml", b"base = \"caf\xe9\"");
    let run = run(&["check", "--jsonl", "--policy", &latin], &line);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("latin.toml") && run.err.contains("UTF-8"), "{}", run.err);
}
