//! Verdicts at the batch door: what each key of the input does to them, and the exit statuses.
#![expect(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answer, check, codes, file, folder, keys, run};
use serde_json::{Value, json};

const QUOTA: &str = "The importer crashed with E_QUOTA_4417 on build-7.";

/// A line in which something stands under every key of the answer. Bytes and characters differ before each span.
fn rich() -> Value {
    json!({
        "id": "rich",
        "children": [
            {"id": "n-1", "text": "user: ⛔ The importer crashed with E_QUOTA_4417 at 11:42.", "role": "user"},
            {"text": "ü: Timeout is 30s on build-7.", "role": "assistant", "at": "2026-03-01T10:00:00Z"},
            {"text": "ü: Timeout is 45s on build-7.", "role": "tool", "at": "2026-03-01T10:05:00Z"},
        ],
        "parent": "⛔ The importer crashed. Timeout is 30s. The related error was E_DISK_9999 under /srv/import.",
        "order": "parallel",
        "context": ["The importer lives under /srv/import."],
    })
}

fn rows<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    let rows = report[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {report}"));
    assert!(!rows.is_empty(), "nothing under `{key}` to look at: {report}");
    rows
}

fn share(value: &Value) {
    assert!(value.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v)), "a share: {value}");
}

#[test]
fn a_stated_fact_is_stated_and_a_missing_one_is_lost() {
    let kept = check(&json!({"children": [QUOTA], "parent": QUOTA}));
    assert_eq!((&kept["verdict"], &kept["feedback"]), (&json!("commit"), &json!("")));
    assert_eq!((&kept["lost"], &kept["reasons"]), (&json!([]), &json!([])));
    assert!(kept["signals"]["facts"]["stated"].as_u64().unwrap() >= 2);
    for policy in ["exact", "remediation"] {
        let line = json!({"children": [QUOTA], "parent": "The importer crashed on build-7."});
        let lost = answer(&["check", "--jsonl", "--policy", policy], line.to_string());
        assert_eq!((&lost["verdict"], &lost["retry"]), (&json!("reject"), &json!(true)), "{policy}");
        assert_eq!(codes(&lost), ["fact.lost"], "{policy}");
        assert_eq!(
            lost["lost"],
            json!([{"text": "E_QUOTA_4417", "kind": "error_code", "child": 0, "span": [26, 38]}])
        );
        // What would mend it, which is nothing under `exact`.
        let offered = lost["ledger"]["text"].as_str().unwrap();
        assert_eq!(offered.contains("E_QUOTA_4417"), policy == "remediation", "{offered}");
    }
    // Nothing is required under `narrative` that nobody pinned or declared.
    let line = json!({"children": [QUOTA], "parent": "The importer crashed on build-7."});
    assert_eq!(answer(&["check", "--jsonl", "--policy", "narrative"], line.to_string())["verdict"], "commit");
}

#[test]
fn each_key_of_the_input_does_what_it_says() {
    let base = json!({"children": [QUOTA], "parent": "The importer crashed on build-7."});
    let with = |more: Value| {
        let mut line = base.clone();
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check(&line)
    };
    // `ledger` stands beside the parent; `mend` puts the offered one there; `ledger_bytes` is its size.
    let beside = with(json!({"ledger": ["error: E_QUOTA_4417"]}));
    assert_eq!((&beside["verdict"], &beside["signals"]["facts"]["carried"]), (&json!("commit"), &json!(1)));
    let mended = with(json!({"mend": true}));
    assert_eq!((&mended["verdict"], &mended["signals"]["facts"]["carried"]), (&json!("commit"), &json!(1)));
    assert_eq!(with(json!({"ledger_bytes": 0}))["ledger"], json!({"text": "", "entries": []}));
    // A drop that the caller logs is no loss.
    let dropped = with(json!({"drops": [{"text": "E_QUOTA_4417", "reason": "known and closed"}]}));
    assert_eq!((&dropped["verdict"], &dropped["signals"]["facts"]["lost"]), (&json!("commit"), &json!(0)));
    // A budget that the text itself breaks.
    assert!(codes(&with(json!({"budget_bytes": 10}))).contains(&"budget.exhausted"));
    assert!(!codes(&with(json!({"budget_bytes": 4000}))).contains(&"budget.exhausted"));
    // Pins that no budget holds.
    let pinned = with(json!({"pinned": ["E_QUOTA_4417"], "budget_bytes": 5}));
    assert!(codes(&pinned).contains(&"budget.infeasible"), "{pinned}");
    assert_eq!((&pinned["verdict"], &pinned["retry"]), (&json!("reject"), &json!(false)));
    // Children that the last compaction covers.
    let same = with(json!({"previous": {"children": [QUOTA], "parent": "The importer crashed on build-7."}}));
    assert!(codes(&same).contains(&"children.unchanged"), "{same}");
    assert_eq!((&same["verdict"], &same["retry"]), (&json!("reject"), &json!(false)));
    let grown = with(json!({"previous": {"children": ["Something else."], "parent": "Something."}}));
    assert!(!codes(&grown).contains(&"children.unchanged"), "{grown}");
}

#[test]
fn pins_and_declarations_hold_under_narrative() {
    let parent = "The importer crashed on a build machine.";
    for (key, value) in
        [("pinned", json!(["E_QUOTA_4417"])), ("declared", json!(["E_QUOTA_4417"])), ("pinned", json!("all"))]
    {
        let mut line = json!({"children": [QUOTA], "parent": parent});
        let args = ["check", "--jsonl", "--policy", "narrative"];
        assert_eq!(answer(&args, line.to_string())["signals"]["facts"]["lost"], json!(0));
        line[key] = value.clone();
        let report = answer(&args, line.to_string());
        assert_eq!(report["verdict"], "reject", "{key} {value}");
        let lost: Vec<_> = rows(&report, "lost").iter().map(|r| r["text"].as_str().unwrap()).collect();
        let expected = if value == "all" { vec!["E_QUOTA_4417", "build-7"] } else { vec!["E_QUOTA_4417"] };
        assert_eq!(lost, expected, "{key} {value}");
    }
}

#[test]
fn order_decides_between_a_change_and_a_conflict() {
    let line = |order: &str, parent: &str| {
        check(&json!({
            "children": ["Timeout is 30s.", "Timeout is 45s."],
            "parent": parent, "order": order,
        }))
    };
    let changed = line("sequence", "Timeout is 45s.");
    assert_eq!(
        (&changed["verdict"], &changed["signals"]["conflicts"]["collapsed"]),
        (&json!("commit"), &json!(0))
    );
    let stale = line("sequence", "Timeout is 30s.");
    assert_eq!(stale["verdict"], "reject");
    assert!(codes(&stale).contains(&"statement.stale"), "{stale}");
    let collapsed = line("parallel", "Timeout is 45s.");
    assert_eq!(collapsed["verdict"], "reject");
    assert!(codes(&collapsed).contains(&"conflict.collapsed"), "{collapsed}");
    // Without `order`, children are in sequence.
    let plain = check(&json!({
        "children": ["Timeout is 30s.", "Timeout is 45s."], "parent": "Timeout is 45s.",
    }));
    assert_eq!(plain, changed);
}

#[test]
fn context_excuses_and_supports_nothing() {
    let mut line = json!({"children": [QUOTA], "parent": "The importer crashed with E_QUOTA_4417 on build-7, see /srv/import.log."});
    let invented = check(&line);
    assert!(codes(&invented).contains(&"referent.invented"), "{invented}");
    line["context"] = json!(["Logs are under /srv/import.log."]);
    let excused = check(&line);
    assert_eq!(excused["verdict"], "commit", "{excused}");
    assert_eq!(excused["signals"]["from_context"], json!(1));
    assert_eq!(rows(&excused, "from_context")[0]["text"], "/srv/import.log");
    // A claim that only the context makes has no source.
    let line = json!({
        "children": [QUOTA], "parent": "The importer crashed with E_QUOTA_4417 on build-7. Every release needs two signatures from the security desk.",
        "context": ["Every release needs two signatures from the security desk."],
    });
    let unsupported = check(&line);
    let claim = &rows(&unsupported, "claims")[1];
    assert_eq!((&claim["traceable"], &claim["sources"]), (&json!(false), &json!([])));
}

#[test]
fn recall_and_depth_make_the_retention_gate_of_one_node() {
    let line = |hits: u64, asked: u64, depth: u64, more: &[(&str, bool)]| {
        let mut line = json!({"children": [QUOTA], "parent": QUOTA, "recall": {"hits": hits, "asked": asked}, "depth": depth});
        for (key, value) in more {
            line[*key] = json!(value);
        }
        check(&line)
    };
    let measured = line(54, 60, 1, &[]);
    assert_eq!(measured["verdict"], "commit");
    let recall = &measured["signals"]["recall"];
    assert_eq!(keys(recall), ["asked", "depth", "lower", "r", "r_est", "r_kept"]);
    assert_eq!((&recall["r"], &recall["r_est"]), (&json!(0.9), &json!(0.9)));
    assert_eq!((&recall["asked"], &recall["depth"]), (&json!(60), &json!(1)));
    share(&recall["lower"]);
    assert!(recall["lower"].as_f64() < recall["r"].as_f64());
    // 0.9^3 = 0.729 is below 0.85.
    let collapsed = line(54, 60, 3, &[]);
    assert_eq!(collapsed["signals"]["recall"]["r_est"], json!(0.729));
    assert_eq!((&collapsed["verdict"], &collapsed["retry"]), (&json!("reject"), &json!(false)));
    assert!(codes(&collapsed).contains(&"retention.below_floor"));
    assert_eq!(line(54, 60, 3, &[("flatten", true)])["verdict"], "flatten");
    assert_eq!(line(54, 60, 3, &[("defer", true)])["verdict"], "commit");
    // Fewer than 60 probes measure nothing.
    assert_eq!(line(59, 59, 3, &[])["signals"]["recall"], json!("not_measured"));
    // A depth without a recall says nothing.
    let plain = check(&json!({"children": [QUOTA], "parent": QUOTA}));
    assert_eq!(check(&json!({"children": [QUOTA], "parent": QUOTA, "depth": 9})), plain);
}

#[test]
fn what_is_no_summary_is_rejected_for_good() {
    for (parent, code) in [
        ("", "parent.empty"),
        (" \n\t ", "parent.empty"),
        ("API Error: 529 overloaded_error", "parent.not_a_summary"),
        ("Hello! How can I help you today?", "parent.not_a_summary"),
    ] {
        let report = check(&json!({"children": [QUOTA], "parent": parent}));
        assert_eq!((&report["verdict"], &report["retry"]), (&json!("reject"), &json!(false)), "{parent:?}");
        assert!(codes(&report).contains(&code), "{parent:?}: {report}");
    }
}

#[test]
fn a_halt_may_be_tried_again() {
    // Two of three claims are without a source, and that is the warning band for so few.
    let report = check(&json!({
        "children": ["The migration finished on Tuesday and the old table was archived."],
        "parent": "The migration finished on Tuesday and the old table was archived. Gardeners prefer wet springs. Violins were tuned.",
    }));
    assert_eq!((&report["verdict"], &report["retry"]), (&json!("halt"), &json!(true)), "{report}");
    assert_eq!(codes(&report), ["claim.untraceable"]);
}

#[test]
fn verdicts_change_the_status_of_one_check_and_not_of_lines() {
    let good = json!({"children": [QUOTA], "parent": QUOTA}).to_string();
    let bad = json!({"children": [QUOTA], "parent": ""}).to_string();
    assert_eq!(run(&["check"], &good).status, 0);
    assert_eq!(run(&["check"], &bad).status, 1);
    assert_eq!(run(&["check", "--observe"], &bad).status, 0);
    assert_eq!(run(&["check", "--jsonl"], &bad).status, 0);
    assert_eq!(run(&["check", "--jsonl", "--observe"], &bad).status, 0);
    // One object or one line: the same answer.
    assert_eq!(run(&["check"], &bad).out, run(&["check", "--jsonl"], &bad).out);
}

#[test]
fn observing_gives_the_same_answer_and_says_so() {
    for line in [
        json!({"id": 1, "children": [QUOTA], "parent": QUOTA}),
        rich(),
        json!({"children": [QUOTA], "parent": ""}),
    ] {
        let plain = check(&line);
        let mut observed = answer(&["check", "--jsonl", "--observe"], line.to_string());
        assert_eq!(observed.as_object_mut().unwrap().remove("observed"), Some(json!(true)));
        assert_eq!(plain, observed);
    }
    // A policy file may say it too.
    let policy = file(&folder("verdict_observe"), "observe.toml", "observe = true\n");
    let line = json!({"children": [QUOTA], "parent": ""}).to_string();
    assert_eq!(answer(&["check", "--jsonl", "--policy", &policy], &line)["observed"], json!(true));
    assert_eq!(run(&["check", "--policy", &policy], &line).status, 0);
}

#[test]
fn states_that_are_words_change_and_conflict_as_numbers_do() {
    for (first, second) in [
        ("The deploy failed.", "The deploy passed."),
        ("The gate is open.", "The gate is closed."),
        ("Replication is enabled.", "Replication is disabled."),
    ] {
        let line = |order: &str, parent: &str| {
            check(&json!({"children": [first, second], "parent": parent, "order": order}))
        };
        let collapsed = line("parallel", first);
        assert!(codes(&collapsed).contains(&"conflict.collapsed"), "{first} {second} {collapsed}");
        let stale = line("sequence", first);
        assert!(codes(&stale).contains(&"statement.stale"), "{first} {second} {stale}");
        assert_eq!(line("sequence", second)["verdict"], "commit", "{first} {second}");
    }
}
