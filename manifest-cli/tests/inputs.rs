//! Inputs that are no plain text file of a sensible size: each is told for what it is, and none is read without end.
#![expect(clippy::indexing_slicing, reason = "a missing part of an answer fails the test")]

mod common;

use common::{file, folder, run};
use serde_json::{Value, json};

fn lines(records: &[Value]) -> String {
    records.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

/// A session with one compaction.
fn session() -> String {
    lines(&[
        json!({"role": "user", "content": "Deploy build-7 to node-4, ticket PAY-119."}),
        json!({"role": "assistant", "content": "Deployed build-7 to node-4."}),
        json!({"role": "system", "compaction": true, "content": "build-7 was deployed."}),
    ])
}

fn json_of(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_default()
}

#[test]
fn a_summary_above_the_limit_is_an_error_and_is_not_cut() {
    let at = folder("inputs_summary");
    let open = file(&at, "open.jsonl", session());
    let summary = file(&at, "summary.txt", "build-7 was deployed to node-4. ".repeat(100));
    let told = run(&["audit", &open, "--summary", &summary, "--compaction", "1", "--max-line", "1000"], "");
    assert_eq!((told.status, told.out.as_str()), (2, ""), "{}", told.err);
    assert!(told.err.contains("summary.txt") && told.err.contains("--max-line"), "{}", told.err);
    assert_eq!(run(&["audit", &open, "--summary", &summary, "--compaction", "1"], "").status, 0);
}

#[test]
fn a_compaction_that_is_too_long_to_be_read_is_mentioned() {
    let at = folder("inputs_long");
    let long = session().replace("build-7 was deployed.", &"build-7 was deployed. ".repeat(200));
    let long = file(&at, "long.jsonl", long);
    let told = run(&["audit", &long, "--max-line", "1000"], "");
    assert_eq!(told.status, 2);
    assert!(
        told.err.contains("no compaction") && told.err.contains("--max-line was passed over"),
        "{}",
        told.err
    );
}

#[test]
fn an_encoded_run_beside_prose_is_audited() {
    let at = folder("inputs_encoded");
    let run_of = "gAAAAABo1234".repeat(60);
    let summary = format!("build-7 was deployed to node-4, its key is {run_of}");
    let beside = file(&at, "beside.jsonl", session().replace("build-7 was deployed.", &summary));
    let told = run(&["audit", "--json", &beside], "");
    assert_eq!(json_of(&told.out)["audited"], json!(true), "{}", told.out);
    let alone = file(&at, "alone.jsonl", session().replace("build-7 was deployed.", &run_of));
    let told = run(&["audit", "--json", &alone], "");
    assert_eq!(json_of(&told.out)["audited"], json!(false), "{}", told.out);
}

#[test]
fn a_session_of_half_surrogates_is_still_a_session() {
    let at = folder("inputs_surrogates");
    let half = session().replace("node-4", r"node-4 \ud83d");
    let half = file(&at, "half.jsonl", half);
    let told = run(&["audit", "--json", &half], "");
    let findings = json_of(&told.out);
    assert_eq!((&findings["form"], told.status), (&json!("chat messages"), 0), "{}{}", told.out, told.err);
    assert_eq!(findings["reading"]["lone_surrogates"], json!(2));
}

#[test]
fn two_compactions_in_a_row_are_told_as_such() {
    let at = folder("inputs_row");
    let twice = session() + &lines(&[json!({"role": "system", "compaction": true, "content": "Again."})]);
    let twice = file(&at, "twice.jsonl", twice);
    let told = run(&["audit", &twice], "");
    assert_eq!(told.status, 2);
    assert!(
        told.err.contains("between compaction 1 and 2") && !told.err.contains("another file"),
        "{}",
        told.err
    );
    assert_eq!(run(&["audit", &twice, "--compaction", "1"], "").status, 0);
}

#[test]
fn a_document_without_messages_is_not_white_space() {
    let at = folder("inputs_document");
    for (text, what) in [
        ("[]", "without a message"),
        ("{\"messages\": []}", "without a message"),
        ("[", "ends before its first message"),
        (" \n\n", "white space"),
    ] {
        let path = file(&at, "doc.json", text);
        let told = run(&["audit", &path], "");
        assert_eq!(told.status, 2);
        assert!(told.err.contains(what), "{text:?}: {}", told.err);
    }
    let records: Vec<Value> = session().lines().map(json_of).collect();
    let path = file(&at, "chat.json", Value::from(records).to_string());
    let findings = json_of(&run(&["audit", "--json", &path], "").out);
    assert_eq!(findings["reading"]["lines"], json!(1), "{findings}");
}

#[test]
fn packed_data_that_is_damaged_is_told_in_words() {
    let at = folder("inputs_packed");
    for (name, head, kind) in [
        ("cut.gz", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3][..], "gzip"),
        ("cut.zst", &[0x28, 0xb5, 0x2f, 0xfd, 4, 0x58, 1, 2, 3, 4][..], "zstd"),
    ] {
        let path = file(&at, name, head);
        let told = run(&["audit", &path], "");
        assert_eq!(told.status, 2);
        assert!(told.err.contains(&format!("{kind} data is damaged or cut off")), "{}", told.err);
        assert!(!told.err.contains('{') && !told.err.contains("Error"), "{}", told.err);
    }
}

#[test]
fn a_folder_a_missing_file_and_empty_sources_are_named() {
    let at = folder("inputs_paths");
    let text = file(&at, "text.txt", "build-7 was deployed to node-4.");
    let empty = file(&at, "empty.txt", " \n");
    let dir = at.join("dir");
    assert!(std::fs::create_dir_all(&dir).is_ok());
    let dir = dir.display().to_string();
    let missing = at.join("none.txt").display().to_string();
    for (args, what) in [
        (&["check", &text, &dir][..], "is a folder; a file is expected"),
        (&["check", &text, &missing], "no such file"),
        (&["audit", &missing], "no such file"),
        (&["audit", &dir], "is a folder"),
        (&["check", "--policy", &missing.replace(".txt", ".toml"), &text, &text], "no such file"),
        (&["check", &empty, &text], "empty.txt: the sources hold no text"),
        (&["check", &dir, &text], "holds no file"),
    ] {
        let told = run(args, "");
        assert_eq!((told.status, told.out.as_str()), (2, ""), "{args:?}");
        assert!(told.err.contains(what) && !told.err.contains("os error"), "{args:?}: {}", told.err);
    }
}

#[cfg(unix)]
#[test]
fn devices_are_refused_and_pipes_are_bounded() {
    let at = folder("inputs_devices");
    let text = file(&at, "text.txt", "build-7 was deployed to node-4.");
    let open = file(&at, "open.jsonl", session());
    for args in [
        &["audit", "/dev/zero"][..],
        &["audit", &open, "--summary", "/dev/zero", "--compaction", "1"],
        &["check", &text, "/dev/zero"],
        &["check", "/dev/zero", &text],
        &["check", "--policy", "/dev/zero", &text, &text],
        &["facts", "/dev/zero"],
    ] {
        let told = run(args, "");
        assert_eq!((told.status, told.out.as_str()), (2, ""), "{args:?}");
        assert!(told.err.contains("a device"), "{args:?}: {}", told.err);
    }
    // What a pipe gives is read, up to the limit.
    let whole =
        run(&["audit", &open, "--summary", "-", "--compaction", "1"], "build-7 was deployed to node-4.");
    assert_eq!(whole.status, 0, "{}", whole.err);
    let endless = vec![b'x'; 300_000];
    let told = run(&["audit", &open, "--summary", "-", "--compaction", "1", "--max-line", "100000"], endless);
    assert_eq!(told.status, 2);
    assert!(told.err.contains("100000 bytes"), "{}", told.err);
}

#[test]
fn lines_that_a_rollout_writes_above_an_output_are_no_facts() {
    let at = folder("inputs_rollout");
    let item = |payload: Value| json!({"timestamp": "2026-03-01T10:00:00Z", "type": "response_item", "payload": payload});
    let call =
        |id: &str| item(json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": id}));
    let output =
        |id: &str, text: &str| item(json!({"type": "function_call_output", "call_id": id, "output": text}));
    let rollout = lines(&[
        json!({"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": {"id": "s"}}),
        call("a"),
        output("a", "Exit code: 0\nWall time: 0.031 seconds\nOutput:\nbuilt node-4 from PAY-119\n"),
        call("b"),
        output("b", "Exit code: 137\nWall time: 4.5 seconds\nOutput:\nkilled on node-5\n"),
        json!({"timestamp": "2026-03-01T10:00:00Z", "type": "compacted", "payload": {"message": "It was built."}}),
    ]);
    let rollout = file(&at, "rollout.jsonl", rollout);
    let findings = json_of(&run(&["audit", "--json", &rollout], "").out);
    let losses: Vec<&str> =
        findings["losses"].as_array().into_iter().flatten().filter_map(|l| l["text"].as_str()).collect();
    for kept in ["node-4", "PAY-119", "node-5"] {
        assert!(losses.contains(&kept), "{losses:?}");
    }
    assert!(losses.iter().any(|l| l.contains("137")), "a failure's code is a fact: {losses:?}");
    assert!(!losses.iter().any(|l| l.contains("0.031")), "{losses:?}");
}
