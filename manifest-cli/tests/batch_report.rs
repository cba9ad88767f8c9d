//! The answers at the batch door: every key and figure of a report, and that it is the same each time.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answers, check, cut, keys, run};
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

fn child<'c>(children: &[&'c str], at: &Value) -> &'c str {
    children[usize::try_from(at.as_u64().expect("a child is an index")).unwrap()]
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
fn the_same_input_gives_the_same_bytes() {
    let input =
        format!("{}\n{}\n", rich(), json!({"children": [QUOTA, QUOTA], "parent": "The importer crashed."}));
    for verb in ["check", "facts", "ledger"] {
        let first = run(&[verb, "--jsonl"], &input);
        assert_eq!(answers(&first).len(), 2);
        assert_eq!(first.out, run(&[verb, "--jsonl"], &input).out, "{verb}");
    }
}
