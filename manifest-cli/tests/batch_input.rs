//! What comes in at the batch door: good lines, bad lines, and what the program says about them.

mod common;

use common::{answer, answers, check, error_of, file, folder, keys, message_of, program, run};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};

const GOOD: &str = r#"{"id": "good", "children": ["Port 5544 is taken."], "parent": "Port 5544 is taken."}"#;

/// Runs `check --jsonl` over a bad line between two good ones: both are answered in order and the status is 2.
fn bad_line(line: impl AsRef<[u8]>) -> (Value, String, String) {
    let input = [GOOD.as_bytes(), b"\n", line.as_ref(), b"\n", GOOD.as_bytes(), b"\n"].concat();
    let run = run(&["check", "--jsonl"], input);
    assert_eq!(run.status, 2, "{}", run.err);
    assert_eq!(run.err, "", "a bad line is answered where it stands, not on standard error");
    let all = answers(&run);
    assert_eq!(all.len(), 3, "{}", run.out);
    assert_eq!((&all[0]["id"], &all[2]["id"]), (&json!("good"), &json!("good")));
    assert_eq!(all[0], all[2], "a bad line leaves no trace in the next answer");
    let (id, number, code) = error_of(&all[1]);
    assert_eq!(number, 2);
    (id, code, message_of(&all[1]).to_owned())
}

/// A whole JSON object that is not what a check takes: its id comes back, and the message names the field.
#[track_caller]
fn invalid(mut object: Value, field: &str) {
    object["id"] = json!("x-1");
    let (id, code, message) = bad_line(object.to_string());
    assert_eq!((id, code.as_str()), (json!("x-1"), "input.invalid"), "{message}");
    assert!(message.contains(field), "`{field}` is not named: {message}");
    assert!(!message.contains("line 1"), "the line is told by `line`, and it is not 1: {message}");
}

#[test]
fn answers_come_in_the_order_of_the_lines() {
    let mut input = String::new();
    for n in 0..200 {
        let _ = writeln!(
            input,
            r#"{{"id": {n}, "children": ["Run {n} took {n} ms."], "parent": "Run {n} took {n} ms."}}"#
        );
    }
    let run = run(&["check", "--jsonl"], input);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let ids: Vec<_> = answers(&run).iter().map(|a| a["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    for id in [
        "null",
        "true",
        "-0",
        "1.50",
        "18446744073709551615",
        "123456789012345678901234567890",
        "1e999",
        r#""a \"quoted\" \u00e9 id""#,
        r#"{"run": [1, {"b": 2, "a": 1}]}"#,
    ] {
        let run = run(
            &["check", "--jsonl"],
            format!("{{\"id\": {id}, \"children\": [\"a b\"], \"parent\": \"a b\"}}\n"),
        );
        assert_eq!(run.status, 0, "{id}: {}", run.out);
        assert!(run.out.starts_with(&format!("{{\"id\":{id},\"verdict\":")), "{id}: {}", run.out);
    }
    assert_eq!(check(&json!({"children": ["a b"], "parent": "a b"}))["id"], Value::Null);
}

#[test]
fn lines_that_are_not_json() {
    for line in [
        &b"nonsense"[..],
        b"{",
        b"{\"id\": 1",
        b"{\"children\": [\"a\"], \"parent\": \"b\"} {}",
        b"{\"children\": [\"a\",], \"parent\": \"b\"}",
        b"{\"children\": [\"a\tb\"], \"parent\": \"b\"}",
        b"{\"children\": [\"a\0b\"], \"parent\": \"b\"}",
        b"\0",
        b"{'children': ['a'], 'parent': 'b'}",
        b"{\"children\": [NaN], \"parent\": \"b\"}",
    ] {
        let (_, code, message) = bad_line(line);
        assert_eq!(code, "json.invalid", "{}: {message}", String::from_utf8_lossy(line));
        assert!(!message.contains("line 1"), "{message}");
    }
}

#[test]
fn an_id_that_stood_before_the_fault_comes_back() {
    let (id, code, _) = bad_line(r#"{"id": "job-7", "children": ["\ud83d"], "parent": "x"}"#);
    assert_eq!((id, code.as_str()), (json!("job-7"), "json.invalid"));
    let (id, ..) = bad_line(r#"{"id": 17, "children": ["cut in the mid"#);
    assert_eq!(id, json!(17));
    let (id, ..) = bad_line(r#"{"children": ["cut in the mid"#);
    assert_eq!(id, Value::Null);
    // A line that breaks off inside the id has none.
    let (id, ..) = bad_line(r#"{"id": "job-"#);
    assert_eq!(id, Value::Null);
}

#[test]
fn an_id_behind_the_fault_comes_back_where_the_line_is_json() {
    let (id, code, _) = bad_line(r#"{"children": 5, "parent": "x", "id": "late"}"#);
    assert_eq!((id, code.as_str()), (json!("late"), "input.invalid"));
}

#[test]
fn lone_surrogates_are_no_text() {
    for text in [r"\ud83d", r"a \ud83d b", r"\udca9\ud83d", r"\ud83dA"] {
        for line in [
            format!(r#"{{"children": ["{text}"], "parent": "x"}}"#),
            format!(r#"{{"children": ["x"], "parent": "{text}"}}"#),
        ] {
            assert_eq!(bad_line(&line).1, "json.invalid", "{line}");
        }
    }
    // A whole pair is one character.
    let report = check(&json!({"children": ["ok \u{1f4a9}"], "parent": "ok \u{1f4a9}"}));
    assert!(report["verdict"].is_string());
}

#[test]
fn bytes_that_are_not_utf8() {
    for (line, at) in [
        (&b"\xff"[..], 0),
        (b"{\"children\": [\"caf\xe9\"], \"parent\": \"x\"}", 18),
        (b"{\"id\": \"\xc0\xaf\"}", 8),
        (b"{\"id\": \"\xed\xa0\x80\"}", 8),
    ] {
        let (id, code, message) = bad_line(line);
        assert_eq!((id, code.as_str()), (Value::Null, "line.not_utf8"));
        assert!(message.contains(&format!("byte {at}")), "{message}");
    }
}

#[test]
fn escaped_nul_and_other_control_characters_are_text() {
    for text in ["a\0b", "\u{1}\u{2}", "\u{7f}\u{85}", "\u{feff}x", "\u{202e}drawkcab", "\u{fffd}"] {
        let report = check(&json!({"id": text, "children": [text], "parent": text}));
        assert_eq!(report["id"], json!(text));
        assert!(report["verdict"].is_string(), "{report}");
    }
}

#[test]
fn what_is_not_an_object() {
    for line in ["[]", "[\"a\", [\"b\"], \"c\"]", "5", "\"text\"", "null", "true"] {
        let (id, code, message) = bad_line(line);
        assert_eq!((id, code.as_str()), (Value::Null, "input.invalid"), "{line}");
        assert!(message.contains("object") && !message.contains("column 0"), "{line}: {message}");
    }
}

#[test]
fn missing_and_null_children_and_parent() {
    invalid(json!({"parent": "x"}), "children");
    invalid(json!({"children": null, "parent": "x"}), "children");
    invalid(json!({"children": ["a"]}), "parent");
    invalid(json!({"children": ["a"], "parent": null}), "parent");
    invalid(json!({}), "children");
    // Empty is not missing.
    assert_eq!(check(&json!({"children": ["a b c"], "parent": ""}))["verdict"], "reject");
    assert!(check(&json!({"children": [], "parent": "x y z"}))["verdict"].is_string());
}

#[test]
fn wrong_types_name_their_field() {
    let with = |key: &str, value: Value| {
        let mut object = json!({"children": ["Port 5544 is taken."], "parent": "Port 5544 is taken."});
        object[key] = value;
        object
    };
    for value in [json!(5), json!("text"), json!({}), json!(true)] {
        invalid(with("children", value), "children");
    }
    for value in [json!(5), json!(["text"]), json!({}), json!(true)] {
        invalid(with("parent", value), "parent");
    }
    invalid(with("children", json!(["a", 5])), "children[1]");
    invalid(with("children", json!(["a", null])), "children[1]");
    invalid(with("children", json!(["a", ["b"]])), "children[1]");
    invalid(with("children", json!(["a", {}])), "text");
    invalid(with("children", json!(["a", {"text": 5}])), "children[1].text");
    invalid(with("children", json!([{"text": "a", "role": "usr"}])), "children[0].role");
    invalid(with("children", json!([{"text": "a", "at": 5}])), "children[0].at");
    invalid(with("order", json!("paralel")), "order");
    invalid(with("order", json!(5)), "order");
    for value in [json!(-1), json!(1.5), json!("4000"), json!([])] {
        invalid(with("budget_bytes", value.clone()), "budget_bytes");
        invalid(with("ledger_bytes", value.clone()), "ledger_bytes");
        invalid(with("depth", value), "depth");
    }
    invalid(with("depth", json!(u64::MAX)), "depth");
    for key in ["ledger", "declared", "context"] {
        invalid(with(key, json!("text")), key);
        invalid(with(key, json!(["text", 5])), &format!("{key}[1]"));
    }
    for value in [json!(5), json!("every"), json!(["text", 5]), json!({"text": "a"}), json!(true)] {
        invalid(with("pinned", value), "pinned");
    }
    for value in [json!("text"), json!(["text"]), json!([["text", "reason"]]), json!([{"text": "a"}])] {
        invalid(with("drops", value), "drops");
    }
    for value in [json!("text"), json!({}), json!({"children": "a"}), json!({"children": [], "parent": 5})] {
        invalid(with("previous", value), "previous");
    }
    for value in [
        json!(0.9),
        json!([60, 60]),
        json!({"hits": 60}),
        json!({"hits": -1, "asked": 60}),
        json!({"hits": 61, "asked": 60}),
    ] {
        invalid(with("recall", value), "recall");
    }
    for key in ["mend", "flatten", "defer"] {
        invalid(with(key, json!("yes")), key);
        invalid(with(key, json!(1)), key);
    }
}

#[test]
fn a_key_twice_is_told() {
    let (id, code, message) = bad_line(r#"{"id": 3, "children": ["a"], "parent": "x", "parent": "y"}"#);
    assert_eq!((id, code.as_str()), (json!(3), "input.invalid"));
    assert!(message.contains("parent"), "{message}");
}

#[test]
fn an_optional_key_may_be_null() {
    let plain = check(&json!({"children": ["Port 5544 is taken."], "parent": "Port 5544 is taken."}));
    let nulls = check(&json!({
        "id": null, "children": [{"id": null, "text": "Port 5544 is taken.", "role": null, "at": null}],
        "parent": "Port 5544 is taken.", "order": null, "budget_bytes": null, "ledger": null, "ledger_bytes": null,
        "mend": null, "pinned": null, "declared": null, "drops": null, "previous": null, "context": null,
        "recall": null, "depth": null, "flatten": null, "defer": null,
    }));
    assert_eq!(plain, nulls);
}

#[test]
fn unknown_keys_are_ignored() {
    let plain = check(&json!({"children": ["Port 5544 is taken."], "parent": "Port 5544 is taken."}));
    let more = check(&json!({
        "children": [{"text": "Port 5544 is taken.", "tokens": 7, "meta": {"text": 5}}],
        "parent": "Port 5544 is taken.", "expect": {"verdict": "reject"}, "Parent": 5, "why": [null, {"id": 1}],
    }));
    assert_eq!(plain, more);
}

#[test]
fn nested_a_hundred_thousand_deep() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = deep(open, close);
        let (id, code, _) = bad_line(format!(r#"{{"id": "deep", "children": {nested}, "parent": "x"}}"#));
        assert_eq!(id, json!("deep"));
        assert!(["input.invalid", "json.invalid"].contains(&code.as_str()), "{code}");
        let (_, code, _) = bad_line(&nested);
        assert!(["input.invalid", "json.invalid"].contains(&code.as_str()), "{code}");
        // What is unknown is skipped, however deep.
        let run = run(&["check", "--jsonl"], format!("{{\"x\": {nested}, {}\n", &GOOD[1..]));
        assert_eq!(run.status, 0, "{}", &run.out[..200.min(run.out.len())]);
    }
    let unclosed = "[".repeat(100_000);
    assert_eq!(bad_line(format!(r#"{{"x": {unclosed}"#)).1, "json.invalid");
}

#[test]
fn lines_over_the_limit() {
    let line = |bytes: usize| {
        let frame = r#"{"children": ["a b"], "parent": "a b", "pad": ""}"#.len();
        format!(r#"{{"children": ["a b"], "parent": "a b", "pad": "{}"}}"#, "x".repeat(bytes - frame))
    };
    let input = format!("{}\n{}\n{}\n", line(1000), line(1001), line(1000));
    let run = run(&["check", "--jsonl", "--max-line", "1000"], input);
    assert_eq!(run.status, 2);
    let all = answers(&run);
    assert_eq!(all.len(), 3);
    assert!(all[0]["verdict"].is_string() && all[2]["verdict"].is_string(), "{}", run.out);
    assert_eq!(error_of(&all[1]), (Value::Null, 2, "line.too_long".to_owned()));
    let message = message_of(&all[1]);
    assert!(
        message.contains("1001") && message.contains("1000") && message.contains("--max-line"),
        "{message}"
    );
}

#[test]
fn a_line_of_sixty_megabytes_is_read() {
    let pad = "x".repeat(60 << 20);
    let input = format!("{{\"pad\": \"{pad}\", {}\n{GOOD}\n", &GOOD[1..]);
    let run = run(&["check", "--jsonl"], input);
    assert_eq!((run.status, answers(&run).len()), (0, 2));
    // Above 64 MiB, it is not.
    let input = format!("{{\"pad\": \"{pad}{}\", {}\n{GOOD}\n", &pad[..5 << 20], &GOOD[1..]);
    let run = common::run(&["check", "--jsonl"], input);
    let all = answers(&run);
    assert_eq!((run.status, all.len()), (2, 2));
    assert_eq!(error_of(&all[0]).2, "line.too_long");
    assert!(all[1]["verdict"].is_string());
}

#[test]
fn line_ends_blank_lines_and_a_byte_order_mark() {
    let plain = answer(&["check", "--jsonl"], GOOD);
    assert!(plain["verdict"].is_string(), "the last line needs no end");
    let input = format!("\u{feff}{GOOD}\r\n\r\n   \n\n{GOOD}\r\nbad");
    let run = run(&["check", "--jsonl"], input);
    let all = answers(&run);
    assert_eq!(all.len(), 3, "{}", run.out);
    assert_eq!((&all[0], &all[1]), (&plain, &plain));
    assert_eq!(error_of(&all[2]), (Value::Null, 6, "json.invalid".to_owned()), "blank lines count as lines");
}

#[test]
fn nothing_in_nothing_out() {
    for verb in ["check", "facts", "ledger"] {
        for input in ["", "\n", " \n\n"] {
            let run = run(&[verb, "--jsonl"], input);
            assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""), "{verb} {input:?}");
        }
    }
}

#[test]
fn facts_and_ledger_answer_bad_lines_alike() {
    for verb in ["facts", "ledger"] {
        let good = r#"{"id": 1, "children": ["Port 5544 is taken."]}"#;
        let input = format!("{good}\nnonsense\n{{\"id\": 3}}\n{{\"id\": 4, \"children\": [5]}}\n{good}\n");
        let run = run(&[verb, "--jsonl"], input);
        assert_eq!(run.status, 2);
        let all = answers(&run);
        assert_eq!(all.len(), 5, "{verb}");
        assert_eq!(error_of(&all[1]), (Value::Null, 2, "json.invalid".to_owned()));
        assert_eq!(error_of(&all[2]), (json!(3), 3, "input.invalid".to_owned()));
        assert_eq!(error_of(&all[3]), (json!(4), 4, "input.invalid".to_owned()));
        assert_eq!(all[0], all[4]);
        assert_eq!(
            keys(&all[0]),
            if verb == "facts" { &["facts", "id"][..] } else { &["entries", "id", "ledger"] }
        );
    }
}

#[test]
fn a_caller_that_talks_line_by_line_gets_each_answer() {
    let mut child = program(&["check", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || stdout.lines().try_for_each(|line| send.send(line.unwrap())));
    for n in 0..3 {
        // The next line has begun already, as it has in a writer that fills a buffer.
        write!(stdin, "{{\"id\": {n}, \"children\": [\"a b\"], \"parent\": \"a b\"}}\n   ").unwrap();
        stdin.flush().unwrap();
        let Ok(line) = lines.recv_timeout(std::time::Duration::from_secs(20)) else {
            let _ = child.kill();
            panic!("no answer to line {n}, though the line was whole");
        };
        assert!(line.starts_with(&format!("{{\"id\":{n},")), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_output_that_is_closed_early_ends_the_run_in_silence() {
    let mut child = program(&["check", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let line = format!("{GOOD}\n");
        for _ in 0..20_000 {
            if stdin.write_all(line.as_bytes()).is_err() {
                return;
            }
        }
    });
    let mut stdout = BufReader::with_capacity(64, child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"id\":\"good\""), "{line}");
    drop(stdout);
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(done.status.success(), "{}", done.status);
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

#[test]
fn a_standard_input_that_cannot_be_read() {
    let here = std::fs::File::open(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let done = program(&["check", "--jsonl"]).stdin(here).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(message.contains("standard input"), "{message}");
}

#[test]
fn one_object_without_jsonl_may_span_lines() {
    let object: Value = serde_json::from_str(GOOD).unwrap();
    let pretty = serde_json::to_string_pretty(&object).unwrap();
    let alone = run(&["check"], &pretty);
    assert_eq!((alone.status, alone.err.as_str()), (0, ""));
    assert_eq!(answers(&alone), [check(&object)]);
    // An id that spans lines does not break the answer's line.
    let run = run(&["check"], "{\"id\": {\n \"a\": 1\n},\n\"children\": [\"a b\"], \"parent\": \"a b\"}");
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert_eq!(answers(&run)[0]["id"], json!({"a": 1}));
}

#[test]
fn one_object_that_is_bad_is_told_on_standard_error() {
    let lines = format!("{GOOD}\n{GOOD}\n");
    for (input, told) in [
        ("", "standard input is empty"),
        ("nonsense", "json.invalid"),
        ("{\"children\": [\"a\"]}", "parent"),
        ("{\n\"children\": 5}", "children"),
        (lines.as_str(), "--jsonl"),
    ] {
        let run = run(&["check"], input);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{input}");
        assert!(run.err.starts_with("manifest: ") && run.err.contains(told), "{input}: {}", run.err);
    }
    let run = run(&["check", "--max-line", "20"], GOOD);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--max-line"), "{}", run.err);
}

#[test]
fn files_and_folders_that_cannot_be_read() {
    let at = folder("input_unreadable");
    let summary = file(&at, "summary.txt", "x");
    let latin = file(&at, "latin.txt", b"caf\xe9");
    let empty = at.join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = empty.display().to_string();
    let missing = at.join("missing.txt").display().to_string();
    for (args, told) in [
        (vec!["check", &missing, &summary], "missing.txt"),
        (vec!["check", &summary, &missing], "missing.txt"),
        (vec!["check", &latin, &summary], "byte 3"),
        (vec!["check", &empty, &summary], "holds no file"),
        (vec!["check", &summary, &empty], "empty"),
        (vec!["check", &summary, &summary, "--max-line", "0"], "--max-line"),
        (vec!["facts", &missing], "missing.txt"),
        (vec!["ledger", &latin], "latin.txt"),
    ] {
        let run = run(&args, "");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.starts_with("manifest: ") && run.err.contains(told), "{args:?}: {}", run.err);
    }
}
