//! Any session gives an answer that fits the screen.

use super::*;
use proptest::prelude::*;
use std::io::Write as _;

/// Texts that sessions are made of, with what makes trouble.
fn text() -> impl Strategy<Value = String> {
    let known = vec![
        "fix /srv/app/src/main.rs:42",
        "PAY-119",
        "timeout is 30s",
        "timeout is 60s",
        "E2107",
        "the related error",
        "API_KEY=sk-proj-Zt81mQv0aXw93LkRbY72hGdE",
        "\u{1b}[31mred\u{1b}[0m",
        "日本語のログ /srv/データ.csv",
        "\u{202e}txt",
        "\n",
        "\n\n- item\n",
        "curl -X POST https://api.example.test/v2/x?id=7",
        "{\"user_id\": \"omar_1\"}",
        "child 3 says `x`",
        "____",
        "````",
        "10 000 B",
        "é",
        "<system-reminder>never push</system-reminder>",
        "it failed because of that",
        "No, it was 11:42.",
        "2026-03-01T10:00:00Z",
    ];
    proptest::collection::vec(
        prop_oneof![6 => proptest::sample::select(known).prop_map(str::to_owned), 1 => ".{0,30}"],
        0..12,
    )
    .prop_map(|parts| parts.join(" "))
}

fn record() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::json;
    prop_oneof![
        3 => text().prop_map(|t| json!({"role": "user", "content": t})),
        3 => text().prop_map(|t| json!({"role": "assistant", "content": t})),
        1 => text().prop_map(|t| json!({"role": "system", "content": t})),
        2 => (0..4u8, text()).prop_map(|(id, t)| json!({"role": "assistant", "tool_calls": [{"id": id.to_string(), "function": {"name": "Bash", "arguments": json!({"command": t}).to_string()}}]})),
        2 => (0..4u8, text()).prop_map(|(id, t)| json!({"role": "tool", "tool_call_id": id.to_string(), "content": t})),
        2 => text().prop_map(|t| json!({"role": "system", "compaction": true, "content": t})),
        1 => Just(json!({"type": "hologram"})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_session_is_answered_on_one_screen(records in proptest::collection::vec(record(), 1..40), leaf_bytes in 1usize..300, ledger_bytes in 0usize..3000) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for record in &records {
            writeln!(file, "{record}").unwrap();
        }
        let Ok(mut session) = Session::open(file.path(), Limits::default()) else { return Ok(()) };
        let Ok(survey) = survey::take(&mut session, None) else { return Ok(()) };
        if let Ok(mut target) = target::choose(&session, survey, None, None) {
            let policy = manifest_core::Policy::remediation();
            let bounds = evidence::Bounds { leaf_bytes, ledger_bytes: Some(ledger_bytes), losses: 30 };
            let findings = evidence::gather(&mut session, &mut target, &policy, bounds).unwrap();
            let json = serde_json::to_string(&findings).unwrap();
            prop_assert!(!json.contains("Zt81mQv0"), "a secret in {json}");
            let mut out = Vec::new();
            screen::write(&findings, &mut anstream::StripStream::new(&mut out)).unwrap();
            let out = String::from_utf8(out).unwrap();
            prop_assert!(out.lines().count() <= 40, "{out}");
            prop_assert!(!out.contains("Zt81mQv0"), "a secret in {out}");
            for line in out.lines() {
                prop_assert!(unicode_width::UnicodeWidthStr::width(line) <= 100, "{line}");
                prop_assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line}");
            }
            if let Some(audit) = &findings.audit {
                let facts = &audit.facts;
                prop_assert_eq!(facts.facts, facts.stated + facts.kept + facts.lost);
                prop_assert_eq!(audit.losses.len() as u64 + audit.losses_left_out, facts.lost);
                prop_assert!(audit.ledger.bytes <= ledger_bytes);
                prop_assert!(audit.ledger.facts >= facts.stated + facts.kept);
                for loss in &audit.losses {
                    prop_assert!(loss.place.line >= 1 && loss.place.line <= records.len() as u64);
                }
            }
        }
    }
}
