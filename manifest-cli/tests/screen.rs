//! What a screen may show of others' text, and what the largest limits do.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn manifest(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_manifest"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn escapes_and_direction_marks_of_a_text_do_not_reach_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let (sources, summary) = (folder.path().join("c"), folder.path().join("s"));
    std::fs::write(&sources, "Path `/srv/\u{1b}[31mx/db.rs` and /srv/a\u{202e}b/c.rs on db-7").unwrap();
    std::fs::write(&summary, "It ran.").unwrap();
    let (sources, summary) = (sources.to_str().unwrap(), summary.to_str().unwrap());
    for args in [
        &["check", sources, summary][..],
        &["facts", sources],
        &["ledger", sources],
        &["check", "\u{1b}[31mx", summary],
    ] {
        let out = manifest(args, "");
        let shown = [out.stdout, out.stderr].concat();
        let shown = String::from_utf8(shown).unwrap();
        assert!(!shown.is_empty() && !shown.contains(['\u{1b}', '\u{202e}']), "{args:?}: {shown:?}");
    }
}

#[test]
fn the_largest_limit_is_a_limit() {
    let line = "{\"id\":1,\"children\":[\"db-7 failed\"],\"parent\":\"x\"}\n";
    let out = manifest(&["check", "--jsonl", "--max-line", &u64::MAX.to_string()], line);
    let answers = String::from_utf8(out.stdout).unwrap();
    assert_eq!(answers.lines().count(), 1);
    assert!(answers.contains("db-7"), "{answers}");
}
