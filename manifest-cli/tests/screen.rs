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

/// The screen of `check` over these sources and this summary, with more arguments.
fn checked(sources: &[(&str, &str)], summary: &str, more: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let under = folder.path().join("sources");
    std::fs::create_dir(&under).unwrap();
    for (name, text) in sources {
        std::fs::write(under.join(name), text).unwrap();
    }
    let parent = folder.path().join("summary.txt");
    std::fs::write(&parent, summary).unwrap();
    let mut args = vec!["check", under.to_str().unwrap(), parent.to_str().unwrap()];
    args.extend(more);
    let out = manifest(&args, "");
    (String::from_utf8(out.stdout).unwrap(), out.status.code())
}

const SOURCES: &[(&str, &str)] = &[
    ("1.txt", "user: Move the queue.\n\nuse `relayctl drain --zone eu-4` on host-a17 and host-a18"),
    (
        "2.txt",
        "assistant: Host-a17 is drained.\nThe move stopped with RLY-3391 on relay-7f2c9, 640 GiB are left.",
    ),
];

#[test]
fn a_check_tells_each_code_once_and_the_gravest_loss_first() {
    let (shown, status) = checked(SOURCES, "The queue was moved in part on host-a99; 640 GiB are left.", &[]);
    assert_eq!(status, Some(1));
    assert!(shown.starts_with("REJECT"), "{shown}");
    let codes = |code: &str| shown.lines().filter(|l| l.trim_start().starts_with(code)).count();
    assert_eq!((codes("fact.lost"), codes("referent.invented")), (1, 1), "{shown}");
    let lost: Vec<&str> = shown.lines().skip_while(|l| !l.starts_with("lost")).skip(1).collect();
    assert!(lost[0].contains("2.txt:2") && lost[0].contains("stopped with RLY-3391 on"), "{shown}");
    assert!(shown.contains("\u{201c}host-a99\u{201d}"), "{shown}");
    assert!(shown.lines().all(|l| l.chars().count() <= 100), "{shown}");
}

#[test]
fn the_ledger_that_mends_is_printed_whole() {
    let (shown, status) = checked(SOURCES, "The queue was moved in part; 640 GiB are left.", &["--mend"]);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.starts_with("COMMIT"), "{shown}");
    let ledger: String = shown.lines().skip_while(|l| !l.starts_with("the ledger beside")).skip(1).collect();
    for value in ["RLY-3391", "relay-7f2c9", "host-a17"] {
        assert!(ledger.contains(value), "{shown}");
    }
}

#[test]
fn a_line_with_a_secret_shows_no_more_than_the_finding() {
    let key = "sk-proj-Zt81mQv0aXw93LkRbY72hGdE";
    let sources = [("1.txt", format!("API_KEY={key} failed with RLY-3391 on relay-7f2c9"))];
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (shown, _) = checked(&sources, "It failed.", &[]);
    assert!(shown.contains("RLY-3391") && !shown.contains("Zt81mQv0"), "{shown}");
}
