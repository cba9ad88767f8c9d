//! What goes out at the batch door: the keys of an answer, the verdicts, and the exit statuses.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answer, answers, check, codes, cut, file, folder, keys, run};
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

fn children_of(line: &Value) -> Vec<&str> {
    let children = line["children"].as_array().expect("children are a list");
    children.iter().map(|c| c.as_str().or(c["text"].as_str()).expect("a child has a text")).collect()
}

fn rows<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    let rows = report[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {report}"));
    assert!(!rows.is_empty(), "nothing under `{key}` to look at: {report}");
    rows
}

/// Whether every one of `names` is a whole number in `object`, and nothing else stands there but `others`.
fn counts(object: &Value, names: &[&str], others: &[&str]) {
    let mut all = [names, others].concat();
    all.sort_unstable();
    assert_eq!(keys(object), all);
    for name in names {
        assert!(object[*name].is_u64(), "`{name}` is a count: {object}");
    }
}

fn share(value: &Value) {
    assert!(value.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v)), "a share: {value}");
}

#[test]
fn every_key_of_a_report_has_its_name_and_type() {
    let line = rich();
    let (children, parent) = (children_of(&line), line["parent"].as_str().unwrap());
    let report = check(&line);
    assert_eq!(
        keys(&report),
        [
            "claims",
            "conflicts",
            "feedback",
            "from_context",
            "id",
            "ledger",
            "lost",
            "orphans",
            "reasons",
            "retry",
            "signals",
            "verdict"
        ]
    );
    assert_eq!((&report["id"], &report["verdict"]), (&json!("rich"), &json!("reject")));
    assert_eq!(report["retry"], json!(true));
    assert!(report["feedback"].as_str().is_some_and(|f| f.contains("E_QUOTA_4417")));
    for reason in rows(&report, "reasons") {
        assert_eq!(keys(reason), ["code", "message"]);
        assert!(reason["code"].as_str().is_some_and(|c| c.contains('.')), "{reason}");
        assert!(reason["message"].as_str().is_some_and(|m| !m.is_empty()), "{reason}");
    }
    for lost in rows(&report, "lost") {
        assert_eq!(keys(lost), ["child", "kind", "span", "text"]);
        assert_eq!(cut(child(&children, &lost["child"]), &lost["span"]), lost["text"], "{lost}");
        assert!(lost["kind"].is_string(), "{lost}");
    }
    for orphan in rows(&report, "orphans") {
        let own: Vec<_> = keys(orphan).into_iter().filter(|k| *k != "why").collect();
        assert_eq!(own, ["code", "kind", "span", "text"]);
        assert_eq!(cut(parent, &orphan["span"]), orphan["text"], "{orphan}");
        let code = orphan["code"].as_str().unwrap();
        assert!(["referent.orphaned", "referent.invented", "statement.altered"].contains(&code), "{orphan}");
    }
    for conflict in rows(&report, "conflicts") {
        let own: Vec<_> = keys(conflict).into_iter().filter(|k| *k != "attribute").collect();
        assert_eq!(own, ["sides", "state", "subject"]);
        let state = conflict["state"].as_str().unwrap();
        assert!(["kept", "collapsed", "superseded", "stale"].contains(&state), "{conflict}");
        assert!(rows(conflict, "sides").len() >= 2);
        for side in rows(conflict, "sides") {
            assert_eq!(keys(side), ["child", "span", "text"]);
            assert_eq!(cut(child(&children, &side["child"]), &side["span"]), side["text"], "{side}");
        }
    }
    for claim in rows(&report, "claims") {
        assert_eq!(keys(claim), ["score", "sources", "span", "text", "traceable"]);
        assert_eq!(cut(parent, &claim["span"]), claim["text"], "{claim}");
        assert!(claim["traceable"].is_boolean(), "{claim}");
        share(&claim["score"]);
        for source in claim["sources"].as_array().unwrap() {
            assert_eq!(keys(source), ["child", "score", "span"]);
            assert!(!cut(child(&children, &source["child"]), &source["span"]).is_empty(), "{source}");
            share(&source["score"]);
        }
    }
    assert!(report["claims"].as_array().unwrap().iter().any(|c| c["sources"][0].is_object()));
    for row in rows(&report, "from_context") {
        assert_eq!(keys(row), ["kind", "span", "text"]);
        assert_eq!(cut(parent, &row["span"]), row["text"], "{row}");
    }
    assert_eq!(keys(&report["ledger"]), ["entries", "text"]);
    for entry in rows(&report["ledger"], "entries") {
        assert_eq!(keys(entry), ["child", "kind", "span", "text"]);
        let source = cut(child(&children, &entry["child"]), &entry["span"]);
        assert!(entry["text"].as_str().unwrap().contains(source), "{entry} carries {source}");
        assert!(
            report["ledger"]["text"].as_str().unwrap().contains(entry["text"].as_str().unwrap()),
            "{entry}"
        );
    }
}

fn child<'c>(children: &[&'c str], at: &Value) -> &'c str {
    children[usize::try_from(at.as_u64().expect("a child is an index")).unwrap()]
}

#[test]
fn every_figure_has_its_name_and_type() {
    const FATES: [&str; 6] = ["required", "stated", "carried", "merged", "dropped", "lost"];
    for line in [rich(), json!({"children": ["a b"], "parent": "a b"}), json!({"children": [], "parent": ""})]
    {
        let report = check(&line);
        let signals = &report["signals"];
        counts(
            signals,
            &["claims", "referents", "pronouns_unresolved", "from_context"],
            &["provenance", "orphan_density", "conflicts", "facts", "recall"],
        );
        share(&signals["provenance"]);
        share(&signals["orphan_density"]);
        counts(&signals["conflicts"], &["kept", "collapsed", "superseded", "stale"], &[]);
        counts(&signals["facts"], &FATES, &["by_class"]);
        for class in signals["facts"]["by_class"].as_object().unwrap().values() {
            counts(class, &FATES, &[]);
        }
        assert_eq!(signals["recall"], json!("not_measured"));
    }
}

#[test]
fn figures_agree_with_the_rows_they_count() {
    let report = check(&rich());
    let signals = &report["signals"];
    let count = |key: &str, of: &dyn Fn(&Value) -> bool| rows(&report, key).iter().filter(|r| of(r)).count();
    assert_eq!(signals["claims"], json!(report["claims"].as_array().unwrap().len()));
    assert_eq!(signals["facts"]["lost"], json!(report["lost"].as_array().unwrap().len()));
    assert_eq!(signals["from_context"], json!(report["from_context"].as_array().unwrap().len()));
    for state in ["kept", "collapsed", "superseded", "stale"] {
        assert_eq!(
            signals["conflicts"][state],
            json!(count("conflicts", &|c| c["state"] == state)),
            "{state}"
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let ratio = |part: usize, whole: &Value| part as f64 / whole.as_f64().unwrap();
    let close = |a: &Value, b: f64| assert!((a.as_f64().unwrap() - b).abs() < 1e-9, "{a} is not {b}");
    close(&signals["provenance"], ratio(count("claims", &|c| c["traceable"] == true), &signals["claims"]));
    let orphans = count("orphans", &|o| o["kind"] != "statement" && o["kind"] != "pronoun");
    close(&signals["orphan_density"], ratio(orphans, &signals["referents"]));
    for fate in ["required", "stated", "carried", "merged", "dropped", "lost"] {
        let classes = signals["facts"]["by_class"].as_object().unwrap().values();
        let sum: u64 = classes.map(|class| class[fate].as_u64().unwrap()).sum();
        assert!(sum <= signals["facts"][fate].as_u64().unwrap(), "`{fate}` by class is more than the whole");
    }
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

#[test]
fn facts_have_their_spans_and_salience() {
    let children =
        ["ü: The importer crashed with E_QUOTA_4417.", "Retry 3 of E_QUOTA_4417 took 30s on build-7."];
    let out = answer(&["facts", "--jsonl"], json!({"id": "f", "children": children}).to_string());
    assert_eq!((keys(&out).as_slice(), &out["id"]), (&["facts", "id"][..], &json!("f")));
    let mut last = (0, 0);
    for fact in rows(&out, "facts") {
        assert_eq!(keys(fact), ["child", "kind", "salience", "span", "text"]);
        assert_eq!(cut(child(&children, &fact["child"]), &fact["span"]), fact["text"], "{fact}");
        assert!(fact["kind"].is_string());
        share(&fact["salience"]);
        let place = (fact["child"].as_u64().unwrap(), fact["span"][0].as_u64().unwrap());
        assert!(place > last, "in the order of the texts: {out}");
        last = place;
    }
    let texts: Vec<_> = rows(&out, "facts").iter().map(|f| f["text"].as_str().unwrap()).collect();
    for text in ["E_QUOTA_4417", "30s", "build-7"] {
        assert!(texts.contains(&text), "{text} is missing: {texts:?}");
    }
    // What two children say outranks what one does.
    let salience = |text: &str| {
        let fact = rows(&out, "facts").iter().find(|f| f["text"] == text).expect(text);
        fact["salience"].as_f64().unwrap()
    };
    assert!(salience("E_QUOTA_4417") > salience("30s").max(salience("build-7")), "{out}");
    assert_eq!(answer(&["facts", "--jsonl"], r#"{"children": []}"#), json!({"id": null, "facts": []}));
}

#[test]
fn a_ledger_never_exceeds_its_bytes() {
    let children: Vec<String> = (0..40)
        .map(|n| format!("Job job-{n:04} on build-{n} failed with E_QUOTA_{n:04} after {n}.5 s."))
        .collect();
    let mut last = 0;
    for bytes in [0, 1, 10, 20, 50, 100, 599, 600, 1000, 4000, 100_000] {
        let line = json!({"children": children, "parent": "Jobs failed.", "ledger_bytes": bytes}).to_string();
        let out = answer(&["ledger", "--jsonl"], &line);
        assert_eq!(keys(&out), ["entries", "id", "ledger"]);
        let text = out["ledger"].as_str().unwrap();
        assert!(text.len() <= bytes, "{} bytes of {bytes}: {text}", text.len());
        let entries = out["entries"].as_array().unwrap();
        assert!(entries.len() >= last, "more bytes, fewer entries: {bytes}");
        last = entries.len();
        for entry in entries {
            assert_eq!(keys(entry), ["child", "kind", "span", "text"]);
            assert!(text.contains(entry["text"].as_str().unwrap()), "{entry} is not in {text}");
        }
    }
    assert!(last >= 80, "40 jobs and 40 codes fit: {last}");
    // `--bytes` where the line says nothing; the line where it does.
    let line = json!({"children": children}).to_string();
    assert!(answer(&["ledger", "--jsonl", "--bytes", "80"], &line)["ledger"].as_str().unwrap().len() <= 80);
    let line = json!({"children": children, "ledger_bytes": 300}).to_string();
    assert!(answer(&["ledger", "--jsonl", "--bytes", "80"], &line)["ledger"].as_str().unwrap().len() > 80);
    // By default 5 % of the children, at least 600 bytes.
    let line = json!({"children": children}).to_string();
    let text = answer(&["ledger", "--jsonl"], &line)["ledger"].as_str().unwrap().len();
    assert!((300..=600).contains(&text), "{text}");
}

#[test]
fn a_ledger_stands_beside_its_parent() {
    let stated = json!({"children": [QUOTA], "parent": QUOTA}).to_string();
    let ledger = answer(&["ledger", "--jsonl"], &stated);
    assert!(!ledger["ledger"].as_str().unwrap().contains("E_QUOTA_4417"), "stated already: {ledger}");
    let line = json!({"children": [QUOTA], "parent": "The importer crashed."}).to_string();
    let ledger = answer(&["ledger", "--jsonl"], &line)["ledger"].as_str().unwrap().to_owned();
    assert!(ledger.contains("E_QUOTA_4417") && ledger.contains("build-7"), "{ledger}");
    // A check accepts what `ledger` made.
    let mended = check(&json!({"children": [QUOTA], "parent": "The importer crashed.", "ledger": [ledger]}));
    assert_eq!(mended["verdict"], "commit", "{mended}");
}

#[test]
fn facts_and_ledgers_of_files() {
    let at = folder("verdict_lists");
    file(&at, "a.txt", "Nothing here.\nThe importer crashed with E_QUOTA_4417.\n");
    file(&at, "b.txt", "It took 30s.");
    let path = at.display().to_string();
    let facts = run(&["facts", &path], "");
    assert_eq!((facts.status, facts.err.as_str()), (0, ""));
    let line = facts.out.lines().find(|l| l.contains("E_QUOTA_4417")).expect("the code is listed");
    assert!(line.contains("error_code") && line.contains("a.txt:2"), "{line}");
    let column = |text: &str| facts.out.lines().find_map(|l| l.find(text)).expect(text);
    assert_eq!(column("E_QUOTA_4417"), column("30s"), "a table has columns: {}", facts.out);
    let told = run(&["facts", &path, "--bytes", "5"], "");
    assert_eq!(told.status, 2, "facts have no budget: {}", told.out);
    let ledger = run(&["ledger", &path], "");
    assert_eq!((ledger.status, ledger.err.as_str()), (0, ""));
    assert!(ledger.out.contains("E_QUOTA_4417") && ledger.out.contains("30s"), "{}", ledger.out);
    let small = run(&["ledger", &path, "--bytes", "5"], "");
    assert!(small.out.trim_end().len() <= 5, "{}", small.out);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let input =
        format!("{}\n{}\n", rich(), json!({"children": [QUOTA, QUOTA], "parent": "The importer crashed."}));
    for verb in ["check", "facts", "ledger"] {
        let first = run(&[verb, "--jsonl"], &input);
        assert_eq!(answers(&first).len(), 2);
        assert_eq!(first.out, run(&[verb, "--jsonl"], &input).out, "{verb}");
    }
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
