//! What `manifest audit` says of files: packed, torn, none at all, and what a terminal is spared.

mod common;

use common::bench::{Answer, Bench, audit, boundary, loss, manifest, said, session, summary};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn a_session_without_a_compaction_says_what_to_do() {
    let bench = Bench::new();
    let records = [
        json!({"role": "user", "content": "Roll back release 2026.03.1 on host edge-9."}),
        json!({"role": "assistant", "content": "Done: edge-9 runs 2026.02.7 again."}),
    ];
    let file = bench.lines("chat.jsonl", &records);
    let answer = audit(&file, &[]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(
        answer.err.contains("no compaction is recorded") && answer.err.contains("--summary FILE"),
        "{}",
        answer.err
    );
    let given = bench.file("summary.txt", "The release was rolled back on edge-9.");
    let findings = audit(&file, &["--json", "--summary", &given.display().to_string()]).json();
    assert_eq!(findings["audited"], true);
    loss(&findings, "2026.02.7");
    let screen = audit(&file, &["--summary", &given.display().to_string()]);
    assert!(screen.screen().contains("The whole session, summary from"), "{}", screen.out);
    let empty = bench.file("empty.txt", " \n");
    let answer = audit(&file, &["--summary", &empty.display().to_string()]);
    assert_eq!(answer.status, 2);
    assert!(answer.err.contains("empty"), "{}", answer.err);
}

#[test]
fn an_empty_or_opaque_summary_is_said() {
    let bench = Bench::new();
    let rollout = |message: &str, encrypted: bool| {
        let mut history = vec![
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix PAY-4"}]}),
        ];
        if encrypted {
            history.push(json!({"type": "compaction", "encrypted_content": "gAAAAABo"}));
        }
        vec![
            json!({"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}),
            json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix PAY-4 on host edge-9"}]}}),
            json!({"type": "compacted", "payload": {"message": message, "replacement_history": history}}),
        ]
    };
    for (name, records, why) in [
        ("empty.jsonl", rollout("", false), "The summary is empty"),
        ("opaque.jsonl", rollout("", true), "The summary cannot be read: an encrypted item"),
    ] {
        let file = bench.lines(name, &records);
        let answer = audit(&file, &[]);
        let screen = answer.screen();
        assert_eq!(answer.status, 0, "{}", answer.err);
        assert!(screen.contains(why) && screen.contains("nothing to audit"), "{screen}");
        assert!(screen.contains("The lines before it (2–2) still stand in the file."), "{screen}");
        assert_eq!(audit(&file, &["--json"]).json()["audited"], false);
        assert_eq!(audit(&file, &["--strict"]).status, 1);
        let given = bench.file("given.txt", "The user wants PAY-4 fixed.");
        let args = ["--json", "--compaction", "1", "--summary", &given.display().to_string()];
        assert_eq!(audit(&file, &args).json()["audited"], true);
    }
    // What the new history keeps word for word is not lost.
    let file = bench.lines("kept.jsonl", &rollout("Work goes on.", false));
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(findings["facts"]["kept"], 1, "{}", findings["facts"]);
    loss(&findings, "edge-9");
}

#[test]
fn what_was_wrong_with_the_file_is_noted() {
    let bench = Bench::new();
    let mut text: String = session().iter().map(|r| format!("{r}\n")).collect::<Vec<_>>().concat();
    text.insert_str(0, "{\"type\": oops}\n");
    text.push_str("{\"type\":\"hologram\",\"sessionId\":\"s\",\"text\":\"x\"}\n{\"type\":\"user\",\"mess");
    let file = bench.file("broken.jsonl", &text);
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    assert_eq!(answer.status, 0, "{}", answer.err);
    assert!(screen.contains("line 13 breaks off"), "{screen}");
    assert!(screen.contains("could not be read (line 1: no JSON"), "{screen}");
    assert!(screen.contains("of unknown types: type.hologram (1)"), "{screen}");
    let reading = &audit(&file, &["--json"]).json()["reading"];
    assert_eq!((reading["truncated"].as_u64(), reading["broken"].as_u64()), (Some(13), Some(2)));
}

#[test]
fn what_is_no_session_is_an_error_that_says_why() {
    let bench = Bench::new();
    for (name, content, why) in [
        ("empty.jsonl", &b""[..], "is empty: 0 bytes"),
        ("zeros.jsonl", &[0; 8_000], "7.8 KiB of NUL bytes"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        ("wide.txt", b"\xff\xfeh\0i\0", "UTF-16"),
    ] {
        let answer = audit(&bench.file(name, content), &[]);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{name}");
        assert!(answer.err.contains(why), "{name}: {}", answer.err);
        assert_eq!(answer.err.lines().count(), 1, "{}", answer.err);
    }
    let folder = audit(bench.dir.path(), &[]);
    assert_eq!(folder.status, 2);
    assert!(folder.err.contains("is a folder"), "{}", folder.err);
    let nothing = audit(&bench.path("missing.jsonl"), &[]);
    assert_eq!(nothing.status, 2);
    assert!(nothing.err.contains("missing.jsonl"), "{}", nothing.err);
    let only = bench.lines("only.jsonl", &[boundary(), summary("All is well."), said("user", "go on")]);
    let answer = audit(&only, &[]);
    assert_eq!(answer.status, 2);
    assert!(answer.err.contains("the session began in another file"), "{}", answer.err);
}

#[test]
fn packed_files_and_standard_input_give_the_same_answer() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    let bytes = std::fs::read(&file).expect("the session");
    let expected = audit(&file, &["--json"]).json();
    let strip = |mut v: Value| {
        v["file"] = Value::Null;
        v
    };
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&bytes).expect("gzip");
    let gz = bench.file("session.jsonl.gz", gz.finish().expect("gzip"));
    let zst = ruzstd::encoding::compress_to_vec(&bytes[..], ruzstd::encoding::CompressionLevel::Fastest);
    let zst = bench.file("session.jsonl.zst", zst);
    for packed in [gz, zst] {
        assert_eq!(strip(audit(&packed, &["--json"]).json()), strip(expected.clone()));
    }
    let mut child = manifest(&["audit", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("its input").write_all(&bytes).expect("the session");
    let answer = Answer::of(&child.wait_with_output().expect("its answer"));
    assert_eq!(strip(answer.json()), strip(expected));
}

#[test]
fn colour_is_for_terminals_and_no_color_is_honoured() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    let run = |vars: &[(&str, &str)]| {
        let mut command = manifest(&["audit"]);
        command.arg(&file).envs(vars.iter().copied());
        Answer::of(&command.output().expect("the program runs")).out
    };
    assert!(run(&[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    assert!(!run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\x1b'));
    assert!(!run(&[]).contains('\x1b'));
}

#[test]
fn what_a_session_says_is_not_obeyed_by_the_terminal() {
    let bench = Bench::new();
    let records = [
        said("user", "look at \u{1b}[2J/srv/\u{202e}evil\u{1b}]0;x\u{7}/report_7.csv and E2107"),
        boundary(),
        summary("\u{1b}[31mThe user saw OPS-777.\u{1b}[0m"),
    ];
    let file = bench.lines("hostile.jsonl", &records);
    let out = audit(&file, &[]).out;
    assert!(!out.contains('\u{1b}') && !out.contains('\u{7}') && !out.contains('\u{202e}'), "{out:?}");
}

#[test]
fn the_help_documents_the_exit_status() {
    let output = manifest(&["audit", "--help"]).output().expect("the program runs");
    let help = Answer::of(&output).out;
    assert!(
        help.contains("Exit status: 0 audited") && help.contains("--strict") && help.contains("2 an error"),
        "{help}"
    );
}
