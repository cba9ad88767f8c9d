//! `manifest facts` and `manifest ledger`, over lines and over files.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::{answer, check, cut, file, folder, keys, run};
use serde_json::{Value, json};

const QUOTA: &str = "The importer crashed with E_QUOTA_4417 on build-7.";

fn rows<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    let rows = report[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {report}"));
    assert!(!rows.is_empty(), "nothing under `{key}` to look at: {report}");
    rows
}

fn share(value: &Value) {
    assert!(value.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v)), "a share: {value}");
}

fn child<'c>(children: &[&'c str], at: &Value) -> &'c str {
    children[usize::try_from(at.as_u64().expect("a child is an index")).unwrap()]
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
