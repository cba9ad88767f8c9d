//! Every recorded session of `examples/sessions` is audited, and what is found is what stands in it.
#![expect(clippy::indexing_slicing, reason = "a missing part of an answer fails the test")]

mod common;

use common::{file, folder, run};
use serde_json::{Value, json};
use std::path::Path;

fn recorded(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions").join(name).display().to_string()
}

fn findings(args: &[&str]) -> Value {
    let told = run(args, "");
    assert_eq!((told.status, told.err.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&told.out).unwrap_or_default()
}

/// The line on which a lost value stands first, if it is listed.
fn lost(findings: &Value, text: &str) -> Option<u64> {
    let mut all = findings["losses"].as_array().into_iter().flatten();
    all.find(|loss| loss["text"] == text).and_then(|loss| loss["line"].as_u64())
}

/// What holds of every audit: the parts make the whole, no class is empty, and losses stand in the stretch before.
fn sound(found: &Value) {
    let figure = |name: &str| found["facts"][name].as_u64().unwrap_or(u64::MAX);
    assert_eq!(figure("facts"), figure("stated") + figure("kept") + figure("lost"));
    assert!(figure("lost") > 0 && figure("used_again_lost") <= figure("used_again"));
    let classes = found["by_class"].as_object().into_iter().flatten();
    let counted: u64 = classes.filter_map(|(_, fates)| fates["facts"].as_u64()).sum();
    assert_eq!(counted, figure("facts"));
    let (first, last) = (found["before"]["first_line"].as_u64(), found["before"]["last_line"].as_u64());
    for loss in found["losses"].as_array().into_iter().flatten() {
        let line = loss["line"].as_u64();
        assert!(first <= line && line <= last, "{loss}");
        assert!(loss["kind"] != "secret" && loss["text"].as_str().is_some_and(|t| !t.is_empty()), "{loss}");
    }
}

#[test]
fn recorded_compactions_are_audited_with_what_was_needed_again() {
    for (name, form, line, units, after, needed) in [
        (
            "batch-tests.claude.jsonl",
            "Claude Code session",
            75,
            44,
            18,
            &[("E_QUOTA_4417", 53), ("manifest-core/src/trace/parent.rs", 10), ("build-7", 55)][..],
        ),
        (
            "incident.jsonl",
            "chat messages",
            571,
            469,
            15,
            &[("LDG-4471", 252), ("LDG-4417", 208), ("OPS-5529", 256)],
        ),
        (
            "postgres-recovery.blocks.jsonl",
            "chat messages",
            42,
            32,
            15,
            &[("string_agg", 16), ("ref_pkey", 15), ("1E689A0", 39)],
        ),
    ] {
        let found = findings(&["audit", "--json", &recorded(name)]);
        assert_eq!(
            (&found["form"], &found["compactions"], &found["audited"]),
            (&json!(form), &json!(1), &json!(true))
        );
        assert_eq!(found["compaction"]["line"], json!(line), "{name}");
        assert_eq!(
            (&found["before"]["units"], &found["after"]["units"]),
            (&json!(units), &json!(after)),
            "{name}"
        );
        assert_eq!((&found["verdict"], &found["retry"]), (&json!("reject"), &json!(true)), "{name}");
        sound(&found);
        assert!(found["facts"]["stated"].as_u64() > Some(80), "{name}: {}", found["facts"]);
        assert!(found["facts"]["used_again_lost"].as_u64() > Some(15), "{name}: {}", found["facts"]);
        for (text, at) in needed {
            assert_eq!(lost(&found, text), Some(*at), "{text} in {name}");
            let all = found["losses"].as_array().into_iter().flatten();
            let again = all
                .filter(|loss| loss["text"] == *text)
                .any(|loss| loss["used_again"]["line"].as_u64() > Some(line));
            assert!(again, "{text} is used again in {name}");
        }
        assert!(found["ledger"]["facts"].as_u64() > found["facts"]["stated"].as_u64(), "{name}");
    }
}

#[test]
fn the_incident_commits_with_the_ledger_that_its_audit_prints() {
    let session = recorded("incident.jsonl");
    let ledger = run(&["audit", &session, "--ledger"], "").out;
    assert!(ledger.contains("LDG-4417") && ledger.contains("LDG-4471"), "{ledger}");
    let text = std::fs::read_to_string(&session).unwrap_or_default();
    let record: Value =
        text.lines().nth(570).and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let summary = record["content"].as_str().unwrap_or_default();
    let at = folder("beside");
    let audited = |text: String| {
        let whole = file(&at, "summary.txt", text);
        let found = findings(&["audit", "--json", &session, "--compaction", "1", "--summary", &whole]);
        (found["verdict"].clone(), lost(&found, "LDG-4471"))
    };
    assert_eq!(audited(summary.to_owned()), (json!("reject"), Some(252)));
    assert_eq!(audited(format!("{summary}\n\n{ledger}")), (json!("commit"), None));
}

#[test]
fn what_a_recorded_summary_made_up_is_named() {
    let found = findings(&["audit", "--json", &recorded("batch-tests.claude.jsonl")]);
    let doubts = found["doubts"].as_array().into_iter().flatten();
    let made_up: Vec<&str> =
        doubts.filter(|d| d["code"] == "referent.invented").filter_map(|d| d["text"].as_str()).collect();
    // "About two minutes" are the 117.69s of a test run, in fewer digits: told of more than that run, which no value shows.
    assert_eq!(made_up, ["60 MB"]);
    for name in ["incident.jsonl", "postgres-recovery.blocks.jsonl"] {
        let found = findings(&["audit", "--json", &recorded(name)]);
        let doubts = found["doubts"].as_array().into_iter().flatten();
        assert_eq!(doubts.filter(|d| d["code"] == "referent.invented").count(), 0, "{name} makes nothing up");
    }
}

#[test]
fn recorded_sessions_without_a_compaction_are_audited_with_a_summary_that_is_given() {
    let at = folder("sessions");
    for (name, form, units, held, missing) in [
        (
            "bisect.codex.jsonl",
            "Codex rollout",
            23,
            "fb62d1b",
            &[("7edf45c", 10), ("/home/dev/probe.sh", 13)][..],
        ),
        (
            "release-notes.chat.jsonl",
            "chat messages",
            14,
            "job-17",
            &[("E_QUOTA_4417", 13), ("manifest-core/src/child.rs", 11)],
        ),
        ("span-width.md", "Markdown export", 33, "E0616", &[("E0308", 81), ("E0277", 83), ("958c7b8", 1270)]),
        (
            "build.log",
            "plain text",
            3,
            "build-7",
            &[("E_QUOTA_4417", 234), ("manifest-core/src/trace/copied.rs", 33)],
        ),
    ] {
        let session = recorded(name);
        let told = run(&["audit", &session], "");
        assert_eq!((told.status, told.out.as_str()), (2, ""), "{name}");
        for word in ["no compaction is recorded", form, &format!("{units} units"), "--summary FILE"] {
            assert!(told.err.contains(word), "{word} in {name}: {}", told.err);
        }
        let summary = file(&at, "summary.txt", format!("The work on {held} went on."));
        let found = findings(&["audit", "--json", &session, "--summary", &summary]);
        assert_eq!((&found["form"], &found["compactions"]), (&json!(form), &json!(0)), "{name}");
        assert_eq!(
            (&found["verdict"], &found["before"]["units"]),
            (&json!("reject"), &json!(units)),
            "{name}"
        );
        sound(&found);
        assert!(found["facts"]["facts"].as_u64() > Some(300) && found["facts"]["stated"].as_u64() >= Some(1));
        assert_eq!(lost(&found, held), None, "{held} is stated: {name}");
        for (text, line) in missing {
            assert_eq!(lost(&found, text), Some(*line), "{text} in {name}");
        }
    }
}

#[test]
fn the_torn_line_of_a_recorded_session_is_told() {
    let at = folder("sessions_torn");
    let summary = file(&at, "summary.txt", "The bisect went on.");
    let session = recorded("bisect.codex.jsonl");
    let found = findings(&["audit", "--json", &session, "--summary", &summary]);
    assert_eq!(found["reading"]["broken"], json!(1), "{}", found["reading"]);
    assert_eq!(found["reading"]["broken_lines"][0]["line"], json!(26));
    let shown = run(&["audit", &session, "--summary", &summary], "");
    assert!(shown.status == 0 && shown.out.contains("line 26"), "{}", shown.out);
}
