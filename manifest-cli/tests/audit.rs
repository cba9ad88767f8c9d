//! `manifest audit` as a stranger runs it.

mod common;

use common::bench::{Bench, audit, boundary, call, loss, result, said, session, summary};
use serde_json::{Value, json};

#[test]
fn the_screen_says_what_was_lost_where_and_whether_it_was_needed() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    assert_eq!(answer.status, 0, "{}", answer.err);
    assert!(screen.contains("Claude Code session, 10 lines"), "{screen}");
    assert!(
        screen.contains("Compaction 1 of 1, line 5, 2026-03-01 11:00, auto, at 155,000 tokens"),
        "{screen}"
    );
    let row = |needle: &str| {
        screen.lines().find(|l| l.contains(needle)).unwrap_or_else(|| panic!("{needle}\n{screen}")).to_owned()
    };
    let path = row("/srv/importer/src/replay_window.rs  ");
    assert!(path.trim_start().starts_with("3 Bash output"), "{path}");
    assert!(path.ends_with(" 8, guessed"), "used again by the Read call of line 8, shown by nothing: {path}");
    assert!(row("s3://acme-prod-archive").trim_start().starts_with("1 user"), "{screen}");
    let told = screen.lines().skip_while(|l| !l.contains("E2107")).nth(1).unwrap_or_default();
    assert!(
        told.contains("error E2107") || told.contains("fails with E2107"),
        "the value in its line: {screen}"
    );
    assert!(!screen.contains("____"), "{screen}");
    assert!(row("E2107").ends_with(" 10, by the user"), "{screen}");
    assert!(screen.contains("60s") && screen.contains("OPS-777"), "{screen}");
    assert!(row("With a ledger of 2 KiB").contains("instead of"), "{screen}");
    assert!(screen.contains("Verdict: reject"), "{screen}");
    assert!(screen.contains("fact.lost") && screen.contains("referent.invented"), "{screen}");
}

#[test]
fn the_gravest_losses_lead_and_those_of_one_line_stand_together() {
    let bench = Bench::new();
    let call = |id, command: &str| call(id, "Bash", &json!({"command": command}));
    let again = "relayctl drain --zone eu-4 --wait 30 --force && relayctl drain --zone eu-5 --wait 30";
    let file = bench.lines(
        "session.jsonl",
        &[
            said("user", "Drain the relays, 30 at a time."),
            call("c1", again),
            result("c1", "drained 30 of 48\nrelay-7f2c9 stopped: RLY-3391 backlog not acknowledged\n"),
            boundary(),
            summary("The relays were drained, but one stopped with an error."),
            call("c2", again),
            result("c2", "30"),
            call("c3", again),
            said("assistant", "It was relay-7f2c9 with RLY-3391, after 30 and 48."),
        ],
    );
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    let losses: Vec<&str> = screen.lines().skip_while(|l| !l.starts_with("Lost")).skip(1).collect();
    assert!(
        losses[0].contains("RLY-3391  relay-7f2c9"),
        "the code and what stands beside it first: {screen}"
    );
    assert!(losses[0].ends_with(" 9, guessed"), "{screen}");
    assert_eq!(losses[1].trim(), "relay-7f2c9 stopped: RLY-3391 backlog not acknowledged", "{screen}");
    let place = |value: &str| losses.iter().position(|l| l.contains(value)).unwrap_or(usize::MAX);
    assert!(place("--zone") > place("RLY-3391") && place(" 30") > place("RLY-3391"), "{screen}");
    assert_eq!(losses.iter().filter(|l| l.trim_start().starts_with("3 Bash output")).count(), 2, "{screen}");
}

#[test]
fn what_was_forbidden_and_is_not_in_the_summary_is_named() {
    let bench = Bench::new();
    let file = bench.lines(
        "session.jsonl",
        &[
            said("user", "Drain relay-7f2c9. Never drain a held relay by hand."),
            said("assistant", "Drained relay-7f2c9 at noon."),
            boundary(),
            summary("The user asked to drain relay-7f2c9; it was drained at noon."),
        ],
    );
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    let row = screen.lines().skip_while(|l| !l.starts_with("Forbidden")).nth(1).unwrap_or_default();
    assert!(
        row.trim_start().starts_with("1 user")
            && row.ends_with("\u{201c}Never drain a held relay by hand\u{201d}"),
        "{screen}"
    );
    assert!(screen.contains("Verdict: reject"), "{screen}");
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(findings["rules"][0]["text"], "Never drain a held relay by hand");
    assert_eq!(findings["rules"][0]["role"], "user");
}

#[test]
fn the_ledger_alone_is_printed_to_be_put_beside_the_summary() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    let answer = audit(&file, &["--ledger", "--ledger-bytes", "400"]);
    let ledger = answer.screen();
    assert!(ledger.contains("E2107") && ledger.trim_end().len() <= 400, "{ledger}");
    assert!(!ledger.contains("Verdict"), "{ledger}");
    let findings = audit(&file, &["--json", "--ledger-bytes", "400"]).json();
    assert_eq!(findings["offered"].as_str(), Some(ledger.trim_end()));
    // What is invented no ledger mends.
    assert!(audit(&file, &[]).screen().contains("Next: write the summary anew"));
    let file = bench.lines(
        "rule.jsonl",
        &[
            said("user", &format!("Look at E2107.\n{}", "An entry waits.\n".repeat(400))),
            said("user", "Never drain a held relay by hand."),
            boundary(),
            summary("E2107 was looked at."),
        ],
    );
    assert!(audit(&file, &[]).screen().contains("Next: --ledger prints what"));
    let answer = audit(&file, &["--ledger"]);
    assert!(answer.screen().contains("\"Never drain a held relay by hand\" [2]"), "{}", answer.screen());
    // Behind the summary it is read as what it is, and the gate is content.
    let answer = audit(&file, &["--ledger"]);
    let whole = bench.file("whole.txt", format!("E2107 was looked at.\n\n{}", answer.screen()));
    let mended = audit(&file, &["--summary", &whole.display().to_string(), "--compaction", "1"]);
    assert!(mended.screen().contains("Verdict: commit"), "{}", mended.screen());
    let opaque = bench.lines("opaque.jsonl", &[said("user", "Drain relay-7f2c9."), boundary(), summary("")]);
    let told = audit(&opaque, &["--ledger"]);
    assert_eq!(told.out, "", "{}", told.err);
    assert!(told.err.contains("needs its text, with --summary FILE"), "{}", told.err);
}

#[test]
fn what_looks_like_a_ledger_and_holds_what_nothing_before_does_is_prose() {
    let bench = Bench::new();
    let text = "The importer failed with E2107 on relay-7f2c9; the timeout is 30s.";
    let file = bench.lines("session.jsonl", &[said("user", text)]);
    let audited = |ledger: &str| {
        let whole = bench.file("whole.txt", format!("{text}\n\n{ledger}")).display().to_string();
        audit(&file, &["--json", "--summary", &whole]).json()
    };
    assert_eq!(audited("ids: E2107 relay-7f2c9\nvalues: timeout=30s")["verdict"], "commit");
    for (ledger, invented) in [
        ("ids: FAKE-9999 E2107\nvalues: timeout=30s", "FAKE-9999"),
        ("ids: E2107\nvalues: timeout=99s", "99s"),
    ] {
        let found = audited(ledger);
        assert_eq!(found["verdict"], "reject", "{ledger}");
        let doubts = found["doubts"].as_array().expect("doubts");
        assert!(
            doubts.iter().any(|d| d["text"].as_str().is_some_and(|t| t.contains(invented))),
            "{doubts:#?}"
        );
    }
}

#[test]
fn every_loss_is_listed_as_json() {
    let bench = Bench::new();
    let codes: Vec<String> = (1000..4000).map(|n| format!("job-{n}x failed with E{n}.")).collect();
    let file = bench.lines(
        "session.jsonl",
        &[
            said("user", &codes.join("\n")),
            boundary(),
            summary("Some jobs failed."),
            said("user", "E3999 again."),
        ],
    );
    let findings = audit(&file, &["--json"]).json();
    let listed = findings["losses"].as_array().map_or(0, Vec::len) as u64;
    assert_eq!((Some(listed), &findings["losses_left_out"]), (findings["facts"]["lost"].as_u64(), &json!(0)));
    assert!(listed >= 6000, "{listed}");
    assert_eq!(findings["losses"][0]["text"], "E3999");
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    assert!(screen.contains("more (--json lists them)"), "{screen}");
}

#[test]
fn the_json_form_says_the_same() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(findings["audited"], true);
    assert_eq!(findings["compaction"]["pre_tokens"], 155_000);
    assert_eq!(findings["before"]["units"], 3);
    assert_eq!(findings["after"]["units"], 3);
    assert_eq!(findings["verdict"], "reject");
    let path = loss(&findings, "/srv/importer/src/replay_window.rs");
    assert_eq!((path["line"].as_u64(), path["tool"].as_str()), (Some(3), Some("Bash")));
    assert_eq!(path["used_again"], json!({"line": 8, "who": "Read call", "times": 1}));
    assert_eq!(loss(&findings, "E2107")["used_again"]["line"], 10);
    assert_eq!(loss(&findings, "E2107")["used_again"]["who"], "user");
    let facts = &findings["facts"];
    let n = |key: &str| facts[key].as_u64().unwrap_or(0);
    assert_eq!(n("facts"), n("stated") + n("kept") + n("lost"));
    assert!(n("used_again_lost") >= 3, "{facts}");
    let sum: u64 =
        findings["by_class"].as_object().map_or(0, |c| c.values().filter_map(|f| f["facts"].as_u64()).sum());
    assert_eq!(sum, n("facts"));
    let ledger = &findings["ledger"];
    assert!(ledger["bytes"].as_u64() <= Some(2048));
    assert!(ledger["used_again"].as_u64() > Some(n("used_again") - n("used_again_lost")), "{ledger}");
    let doubts = findings["doubts"].as_array().expect("doubts");
    assert!(doubts.iter().any(|d| d["code"] == "referent.invented" && d["text"] == "OPS-777"), "{doubts:#?}");
    let timeout = doubts.iter().find(|d| d["text"].as_str().is_some_and(|t| t.contains("60s")));
    assert!(timeout.is_some(), "the timeout was 30s: {doubts:#?}");
    assert!(!findings.to_string().contains("child "), "children are told as lines");
}

#[test]
fn strict_turns_the_verdict_into_a_status() {
    let bench = Bench::new();
    let file = bench.lines("session.jsonl", &session());
    assert_eq!(audit(&file, &["--strict"]).status, 1);
    let faithful = [
        said("user", "Deploy build 4171 to node db-17."),
        said("assistant", "Build 4171 runs on node db-17 now."),
        boundary(),
        summary("The user asked to deploy build 4171 to node db-17. Build 4171 runs on node db-17 now."),
    ];
    let file = bench.lines("faithful.jsonl", &faithful);
    let answer = audit(&file, &["--strict"]);
    assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert!(answer.screen().contains("Nothing exact is lost."), "{}", answer.out);
    assert!(answer.screen().contains("Verdict: commit"));
}

#[test]
fn a_summary_before_is_a_child_and_named_as_such() {
    let bench = Bench::new();
    let mut records = vec![
        said("user", "Keep the key report /srv/reports/q3_final.csv safe."),
        boundary(),
        summary("The user wants /srv/reports/q3_final.csv kept safe."),
        said("assistant", "The export is at /srv/export/run_0042.parquet now."),
        boundary(),
        summary("The export runs."),
        said("assistant", "Where was /srv/reports/q3_final.csv?"),
    ];
    let file = bench.lines("two.jsonl", &records);
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(findings["compaction"]["number"], 2);
    let path = loss(&findings, "/srv/reports/q3_final.csv");
    assert_eq!((path["summary"].as_u64(), path["line"].as_u64()), (Some(1), Some(2)));
    assert_eq!(path["used_again"]["line"], 7);
    assert!(audit(&file, &[]).screen().contains("summary 1"));
    let first = audit(&file, &["--json", "--compaction", "1"]).json();
    assert_eq!((first["compaction"]["number"].as_u64(), first["facts"]["lost"].as_u64()), (Some(1), Some(0)));
    assert_eq!(first["after"]["last_line"], 4, "what comes after ends at the next compaction");
    // What is behind the last compaction is not a part of the one before.
    records.push(said("user", "thanks"));
    let file = bench.lines("three.jsonl", &records);
    assert_eq!(audit(&file, &["--json", "--compaction", "1"]).json()["after"]["last_line"], 4);
    let list = audit(&file, &["--list"]);
    assert_eq!((list.status, list.out.lines().count()), (0, 4), "{}", list.out);
    assert_eq!(audit(&file, &["--list", "--json"]).json()["compactions"][1]["line"], 5);
    let wrong = audit(&file, &["--compaction", "3"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("there is no compaction 3") && wrong.err.contains("--list"), "{}", wrong.err);
}

#[test]
fn messages_that_the_compaction_left_as_they_were_are_not_lost() {
    let bench = Bench::new();
    let id = |mut record: Value, id: &str| {
        record["uuid"] = id.into();
        record
    };
    let mut mark = boundary();
    mark["compactMetadata"]["preservedSegment"] =
        json!({"headUuid": "u3", "anchorUuid": "x", "tailUuid": "u4"});
    let records = [
        id(said("user", "Old: /srv/reports/q3_final.csv"), "u1"),
        id(said("assistant", "I see."), "u2"),
        id(said("user", "New: /srv/reports/q4_final.csv"), "u3"),
        id(said("assistant", "I read it."), "u4"),
        mark,
        summary("The user asked about a report."),
    ];
    let file = bench.lines("preserved.jsonl", &records);
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(
        (findings["facts"]["lost"].as_u64(), findings["facts"]["kept"].as_u64()),
        (Some(1), Some(1)),
        "{findings:#}"
    );
    loss(&findings, "/srv/reports/q3_final.csv");
    assert!(audit(&file, &[]).screen().contains("kept word for word"));
}

#[test]
fn secrets_are_masked_everywhere() {
    let bench = Bench::new();
    let secret = "sk-proj-Zt81mQv0aXw93LkRbY72hGdE";
    let records = [
        said(
            "user",
            &format!("Use OPENAI_API_KEY={secret} for host edge-9 and write to /srv/out/report_7.csv"),
        ),
        said("assistant", &format!("Stored {secret} in /srv/out/.env beside /srv/out/report_7.csv")),
        boundary(),
        summary(&format!("The key {secret} is stored.")),
        said("assistant", &format!("export OPENAI_API_KEY={secret}; cat /srv/out/report_7.csv")),
    ];
    let file = bench.lines("secret.jsonl", &records);
    for args in [&[][..], &["--json"], &["--list"]] {
        let answer = audit(&file, args);
        assert_eq!(answer.status, 0, "{}", answer.err);
        assert!(!answer.out.contains("Zt81mQv0") && !answer.err.contains("Zt81mQv0"), "{}", answer.out);
    }
    assert!(audit(&file, &[]).out.contains("report_7.csv"));
}

#[test]
fn many_orphans_mean_missing_input() {
    let bench = Bench::new();
    let records = [
        said("user", "Go on with the work on host edge-9."),
        said("assistant", "I go on with the work on host edge-9."),
        boundary(),
        summary(
            "Work goes on on host edge-9. Run /opt/tools/bin/lint_all before /opt/tools/bin/ship_it, use port 18443, ticket \
             OPS-4411, branch fix/OPS-4411-retry, commit 9f8e7d6c5b4a3928, and read /etc/acme/rules_v2.toml.",
        ),
    ];
    let file = bench.lines("missing.jsonl", &records);
    let answer = audit(&file, &[]);
    let screen = answer.screen();
    assert!(screen.contains("text that this file lacks"), "{screen}");
    assert!(screen.contains("do not blame it"), "{screen}");
    assert_eq!(audit(&file, &["--json"]).json()["input_missing"], true);
    let file = bench.lines("session.jsonl", &session());
    assert_eq!(audit(&file, &["--json"]).json()["input_missing"], false);
}

#[test]
fn instructions_excuse_a_mention_and_are_no_children() {
    let bench = Bench::new();
    let records = [
        json!({"role": "system", "content": "Always run /opt/tools/bin/lint_all first. The gateway is gw-31.acme.example."}),
        json!({"role": "user", "content": "Ship build 4171."}),
        json!({"role": "assistant", "content": "Build 4171 is shipped."}),
        json!({"role": "system", "compaction": true, "content": "Build 4171 is shipped, after /opt/tools/bin/lint_all."}),
        json!({"role": "user", "content": "thanks"}),
    ];
    let file = bench.lines("chat.jsonl", &records);
    let findings = audit(&file, &["--json"]).json();
    assert_eq!(findings["before"]["units"], 2);
    assert_eq!(findings["facts"]["lost"], 0, "{:#}", findings["losses"]);
    assert!(findings["signals"]["from_context"].as_u64() >= Some(1), "{}", findings["signals"]);
    assert!(!findings["doubts"].to_string().contains("lint_all"));
}
