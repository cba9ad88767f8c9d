//! Every form, and every bad input, read whole.

use super::*;
use manifest_core::Role;
use proptest::prelude::*;
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;

/// All items of a file with these bytes.
fn try_read(content: &[u8]) -> Result<(Form, Vec<Item>, Tally), TranscriptError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    let mut session = Session::open(file.path(), Limits::default())?;
    let mut items = Vec::new();
    let tally = session.read(&mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    })?;
    Ok((session.form(), items, tally))
}

fn read(content: &str) -> (Form, Vec<Item>, Tally) {
    try_read(content.as_bytes()).unwrap()
}

/// The items as short lines: `role/kind[tool]@line text`.
fn show(items: &[Item]) -> Vec<String> {
    let mut out = Vec::new();
    for item in items {
        match item {
            Item::Unit(unit) => {
                let parts: Vec<String> = unit
                    .parts
                    .iter()
                    .map(|p| {
                        let tool = p.tool.as_deref().map(|t| format!("[{t}]")).unwrap_or_default();
                        format!("{:?}{tool}@{} {}", p.kind, p.line, p.text.replace('\n', "|"))
                    })
                    .collect();
                out.push(parts.join(" + "));
            }
            Item::Compaction(c) => out.push(format!("compaction {}@{} {:?}", c.number, c.line, c.summary)),
        }
    }
    out
}

fn compactions(items: &[Item]) -> Vec<&Compaction> {
    items.iter().filter_map(|i| if let Item::Compaction(c) = i { Some(c) } else { None }).collect()
}

const CHAT: &str = r#"{"role":"system","content":"Be kind."}
{"role":"user","content":"deploy build 41","timestamp":"2026-03-01T10:00:00Z"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"shell","arguments":"{\"cmd\":\"kubectl get pods\",\"n\":[1,2]}"}}]}
{"role":"tool","tool_call_id":"c1","content":"pod api-7f9 failed\nexit 3"}
{"role":"assistant","content":[{"type":"text","text":"It failed."},{"type":"image_url","image_url":{"url":"data:x"}}]}
{"role":"system","compaction":true,"content":"Build 41 failed with exit 3."}
{"role":"user","content":"go on"}
"#;

#[test]
fn chat_messages_as_lines() {
    let (form, items, tally) = read(CHAT);
    assert_eq!(form, Form::Chat);
    assert_eq!(
        show(&items),
        [
            "Context@1 Be kind.",
            "Said@2 deploy build 41",
            "Call[shell]@3 shell|cmd: kubectl get pods|n: 1, 2 + Output[shell]@4 pod api-7f9 failed|exit 3",
            "Said@5 It failed.",
            "compaction 1@6 Text(\"Build 41 failed with exit 3.\")",
            "Said@7 go on",
        ]
    );
    assert_eq!(tally.opaque["image_url"].line, 5);
    let Item::Unit(user) = &items[1] else { panic!() };
    assert_eq!((user.parts[0].role, user.parts[0].at.as_deref()), (Role::User, Some("2026-03-01T10:00:00Z")));
}

#[test]
fn chat_messages_in_one_array_or_under_messages() {
    let lines: Vec<&str> = CHAT.lines().collect();
    let expected: Vec<String> = show(&read(CHAT).1);
    let array = format!("[\n{}\n]\n", lines.join(",\n"));
    let document = format!("{{\"model\": \"m\",\n\"messages\": [{}]}}", lines.join(","));
    for text in [array, document] {
        let (form, items, tally) = read(&text);
        assert_eq!(form, Form::ChatDocument);
        let strip = |v: Vec<String>| -> Vec<String> {
            v.into_iter()
                .map(|s| s.split('@').map(|p| p.trim_start_matches(|c: char| c.is_ascii_digit())).collect())
                .collect()
        };
        assert_eq!(strip(show(&items)), strip(expected.clone()));
        assert_eq!(tally.truncated, None);
    }
}

#[test]
fn messages_with_blocks() {
    let text = r#"{"role":"user","content":[{"type":"text","text":"read it"},{"type":"text","text":"now"},{"type":"image","source":{}}]}
{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/srv/a.rs"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"     1\tfn main() {}<system-reminder>be careful</system-reminder>"}]},{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"denied"},{"type":"text","text":"and?"}]}
{"role":"assistant","content":[{"type":"novel","note":"kept"},{"type":"redacted_thinking","data":"x"}]}
"#;
    let (form, items, tally) = read(text);
    assert_eq!(form, Form::Chat);
    assert_eq!(
        show(&items),
        [
            "Said@1 read it|now",
            "Thought@2 hm",
            "Call[Read]@2 Read|file path: /srv/a.rs + Output[Read]@3      1\tfn main() {}",
            "Call[Bash]@2 Bash|command: ls + Output[Bash]@3 denied",
            "Context@3 be careful",
            "Said@3 and?",
            "Unknown@4 type: novel|note: kept",
        ]
    );
    let Item::Unit(bash) = &items[3] else { panic!() };
    assert!(bash.parts[1].failed && !bash.parts[0].failed);
    assert_eq!(bash.parts[1].role, Role::Tool);
    assert_eq!(tally.unknown["block.novel"].count, 1);
    assert_eq!(tally.opaque.keys().collect::<Vec<_>>(), ["image", "redacted_thinking"]);
}

#[test]
fn claude_code_session() {
    let text = r#"{"type":"summary","summary":"A title","leafUuid":"z"}
{"type":"file-history-snapshot","messageId":"m","snapshot":{}}
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/home/dev/app","isMeta":true,"message":{"role":"user","content":"Caveat: x"}}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","cwd":"/home/dev/app","gitBranch":"main","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"fix PAY-119"}}
{"type":"assistant","uuid":"u3","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/home/dev/app/pay.rs"}}]}}
{"type":"user","uuid":"u4","sessionId":"s","toolUseResult":{"file":{"content":"dup"}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"     1→let x = 3;"}]}}
{"type":"assistant","uuid":"u5","isSidechain":true,"sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"sub-task"}]}}
{"type":"user","uuid":"u4","sessionId":"s","message":{"role":"user","content":"repeated"}}
{"type":"system","subtype":"compact_boundary","uuid":"u6","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155000},"timestamp":"2026-03-01T11:00:00Z"}
{"type":"attachment","uuid":"u8","attachment":{"type":"queued_command","prompt":"also PAY-120"}}
{"type":"user","uuid":"u7","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued from a previous conversation that ran out of context.\nThe user asked to fix PAY-119."}}
{"type":"assistant","uuid":"u9","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"Going on."}]}}
{"type":"brand-new","uuid":"u10","sessionId":"s","text":"something"}
{"type":"system","subtype":"compact_boundary","uuid":"u11","compactMetadata":{"trigger":"manual"}}
"#;
    let (form, items, tally) = read(text);
    assert_eq!(form, Form::Claude);
    assert_eq!(
        show(&items),
        [
            "Context@3 Caveat: x",
            "Context@4 cwd: /home/dev/app",
            "Context@4 gitBranch: main",
            "Said@4 fix PAY-119",
            "Call[Read]@5 Read|file path: /home/dev/app/pay.rs + Output[Read]@6      1→let x = 3;",
            "Said@10 also PAY-120",
            "compaction 1@9 Text(\"The user asked to fix PAY-119.\")",
            "Said@12 Going on.",
            "Unknown@13 type: brand-new|uuid: u10|sessionId: s|text: something",
            "compaction 2@14 Empty",
        ]
    );
    let found = compactions(&items);
    assert_eq!((found[0].trigger.as_deref(), found[0].pre_tokens), (Some("auto"), Some(155_000)));
    assert!(found[0].frame.starts_with("This session is being continued"));
    assert_eq!((tally.side_chain, tally.repeated), (1, 1));
    assert_eq!(tally.skipped.keys().collect::<Vec<_>>(), ["file-history-snapshot", "summary"]);
    assert_eq!(tally.unknown["type.brand-new"].line, 13);
}

#[test]
fn codex_rollout() {
    let text = r#"{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w/app","instructions":"no force push"}}
{"timestamp":"2026-03-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]}}
{"timestamp":"2026-03-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/w/app</cwd></environment_context>"}]}}
{"timestamp":"2026-03-01T10:00:02Z","type":"turn_context","payload":{"cwd":"/w/app"}}
{"timestamp":"2026-03-01T10:00:02Z","type":"event_msg","payload":{"type":"user_message","message":"fix it"}}
{"timestamp":"2026-03-01T10:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}}
{"timestamp":"2026-03-01T10:00:03Z","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"look"}],"encrypted_content":"gAAA"}}
{"timestamp":"2026-03-01T10:00:04Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}","call_id":"c1"}}
{"timestamp":"2026-03-01T10:00:05Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a.rs\\nb.rs\",\"metadata\":{\"exit_code\":0}}"}}
{"timestamp":"2026-03-01T10:00:06Z","type":"turn_context","payload":{"cwd":"/w/app"}}
{"timestamp":"2026-03-01T10:00:07Z","type":"compacted","payload":{"message":"Another language model started to solve this problem and produced a summary.\nTwo files.","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Another language model started to solve this problem and produced a summary.\nTwo files."}]}]}}
{"timestamp":"2026-03-01T10:00:08Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"c2"}}
{"timestamp":"2026-03-01T10:00:09Z","type":"compacted","payload":{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"gAAAA"}]}}
{"timestamp":"2026-03-01T10:00:10Z","type":"event_msg","payload":{"type":"something_new","text":"kept"}}
"#;
    let (form, items, tally) = read(text);
    assert_eq!(form, Form::Codex(false));
    assert_eq!(
        show(&items),
        [
            "Context@1 id: s|cwd: /w/app|instructions: no force push",
            "Context@2 rules",
            "Context@3 <environment_context>|<cwd>/w/app</cwd></environment_context>",
            "Context@4 cwd: /w/app",
            "Said@6 fix it",
            "Thought@7 look",
            "Call[shell]@8 shell|command: bash, -lc, ls + Output[shell]@9 a.rs|b.rs|metadata:|  exit_code: 0",
            "compaction 1@11 Text(\"Two files.\")",
            "Call[apply_patch]@12 apply_patch|*** Begin Patch",
            "compaction 2@13 Opaque(\"an encrypted item in its replacement history\")",
            "Unknown@14 type: something_new|text: kept",
        ]
    );
    assert_eq!(compactions(&items)[0].kept, ["fix it"]);
    assert_eq!(tally.skipped["event_msg.user_message"].count, 1);
    assert_eq!(tally.unknown["event_msg.something_new"].count, 1);
    assert_eq!(tally.calls_without_result, 1);
}

#[test]
fn a_rollout_with_events_only_is_read_from_its_events() {
    let text = "{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n\
                {\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"hello\"}}\n\
                {\"type\":\"event_msg\",\"payload\":{\"type\":\"agent_message\",\"message\":\"hi\"}}\n";
    let (form, items, _) = read(text);
    assert_eq!(form, Form::Codex(true));
    assert_eq!(show(&items), ["Context@1 id: s", "Said@2 hello", "Said@3 hi"]);
}

#[test]
fn markdown_export() {
    let text = "# A chat\n\n_**User (2026-03-01 10:00Z)**_\n\ndeploy build 41\n\n---\n\n_**Agent (model x)**_\n\nRunning it.\n\n\
                Output:\n```text\n_**User**_ is no heading here\nexit 3\n```\n\nIt failed.\n```rust\nfn a() {}\n```\n\n\
                <details><summary>Tool use: Bash</summary>\nls\n</details>\n\n_**Compaction**_\n\nBuild 41 failed.\n\n_**User**_\n\ngo on\n";
    let (form, items, _) = read(text);
    assert!(matches!(form, Form::Markdown(_)));
    assert_eq!(
        show(&items),
        [
            "Context@1 # A chat",
            "Said@5 deploy build 41",
            "Said@11 Running it.||Output: + Output@15 _**User**_ is no heading here|exit 3 + Said@19 It failed.|```rust|fn a() {}|``` + Output@24 <details><summary>Tool use: Bash</summary>|ls|</details>",
            "compaction 1@30 Text(\"Build 41 failed.\")",
            "Said@34 go on",
        ]
    );
    let Item::Unit(first) = &items[1] else { panic!() };
    assert_eq!(first.parts[0].at.as_deref(), Some("2026-03-01 10:00Z"));
}

#[test]
fn terminal_export() {
    let text = "  Agent v2\n  ~/code/app\n\n> fix the importer\n  and its test\n\n⏺ I look at it.\n\n\
                ⏺ Bash(cargo test -p importer\n      --test replay)\n  ⎿  error E2107 in src/replay.rs\n     exit 3\n     … +12 lines (ctrl+o to expand)\n\n\
                ✻ Thought for 3s\n\n● It failed.\n  > quoted\n\n══════ Conversation compacted · ctrl+o for history ══════\n\n> go on\n";
    let (form, items, tally) = read(text);
    assert_eq!(form, Form::Terminal);
    assert_eq!(
        show(&items),
        [
            "Context@1 Agent v2|~/code/app",
            "Said@4 fix the importer|and its test",
            "Said@7 I look at it.",
            "Call[Bash]@9 Bash|cargo test -p importer|    --test replay + Output[Bash]@11 error E2107 in src/replay.rs|   exit 3",
            "Said@17 It failed.|> quoted",
            "compaction 1@20 Opaque(\"an export of a terminal does not show it\")",
            "Said@22 go on",
        ]
    );
    assert_eq!(tally.opaque["output that the terminal folded"].line, 13);
}

#[test]
fn texts_with_turns_and_texts_without() {
    let (form, items, _) = read("user: hi\nthere\nassistant: yes\ntool Bash: exit 3\n");
    assert_eq!(form.as_str(), "text with turns");
    assert_eq!(show(&items), ["Said@1 hi|there", "Said@3 yes", "Output[Bash]@4 exit 3"]);
    let (form, items, _) = read("\nnotes of today\n\nmore\n");
    assert_eq!(form, Form::Plain);
    assert_eq!(show(&items), ["Said@2 notes of today||more"]);
    let (form, items, _) = read("2026-03-01T10:00:00Z INFO up\n2026-03-01T10:00:01Z ERROR down\n");
    assert_eq!(form, Form::Log);
    assert!(matches!(&items[0], Item::Unit(u) if u.parts[0].role == Role::Tool));
}

#[test]
fn long_texts_are_many_units_that_know_their_lines() {
    let lines: Vec<String> = (1..=20_000).map(|i| format!("2026-03-01T10:00:00Z line {i}\n")).collect();
    let text = lines.concat();
    let (_, items, tally) = read(&text);
    assert!(items.len() > 20);
    assert_eq!(tally.lines, 20_000);
    for item in &items {
        let Item::Unit(unit) = item else { panic!() };
        for leaf in leaves(unit, 4096) {
            let n: u64 = leaf.text.lines().next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
            assert_eq!(leaf.line, n);
        }
    }
}

#[test]
fn one_broken_line_never_ends_the_reading() {
    let text = "{\"role\":\"user\",\"content\":\"one\"}\r\n{\"role\":\"user\",\"content\":oops}\r\n[1]\n\n\
                {\"role\":\"user\",\"content\":\"half \\ud83d\"}\n{\"role\":\"user\",\"content\":\"two\"}\n{\"role\":\"user\",\"cont";
    let (_, items, tally) = read(text);
    assert_eq!(show(&items), ["Said@1 one", "Said@5 half \u{fffd}", "Said@6 two"]);
    assert_eq!(tally.broken_lines.iter().map(|b| b.line).collect::<Vec<_>>(), [2, 3, 7]);
    assert_eq!(tally.truncated, Some(7));
    assert_eq!(tally.lone_surrogates, 1);
}

#[test]
fn invalid_utf8_is_replaced_and_counted() {
    let (_, items, tally) = try_read(b"{\"role\":\"user\",\"content\":\"a\xffb\"}\n").unwrap();
    assert_eq!(show(&items), ["Said@1 a\u{fffd}b"]);
    assert_eq!(tally.invalid_utf8, 1);
    let (_, items, tally) = try_read(b"note \xc3(\nnext\n").unwrap();
    assert_eq!(show(&items), ["Said@1 note \u{fffd}(|next"]);
    assert_eq!(tally.invalid_utf8, 1);
}

#[test]
fn nesting_that_no_parser_takes_is_kept_as_text() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let text = format!("{{\"role\":\"user\",\"content\":\"x\"}}\n{{\"role\":\"user\",\"content\":{deep}}}\n");
    let (_, items, tally) = read(&text);
    assert_eq!(items.len(), 2);
    assert_eq!(tally.unknown["json.nested_too_deep"].line, 2);
    let args = serde_json::to_string(&deep).unwrap();
    let call = format!(
        "{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"a\",\"function\":{{\"name\":\"f\",\"arguments\":{args}}}}}]}}\n"
    );
    let (_, items, _) = read(&call);
    assert!(matches!(&items[0], Item::Unit(u) if u.parts[0].text.len() > 200_000));
}

#[test]
fn a_line_of_60_mb_is_read_and_one_over_the_limit_is_passed_over() {
    let long = format!(
        "{{\"role\":\"user\",\"content\":\"{}\"}}\n{{\"role\":\"user\",\"content\":\"end\"}}\n",
        "word ".repeat(12_000_000)
    );
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(long.as_bytes()).unwrap();
    for (max, units, passed) in [(64 << 20, 2, 0), (1 << 20, 1, 1)] {
        let mut session = Session::open(file.path(), Limits { line: max }).unwrap();
        let mut count = 0;
        let tally = session
            .read(&mut |_| {
                count += 1;
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!((count, tally.long_lines), (units, passed));
    }
}

#[test]
fn what_is_no_transcript_is_said() {
    let error = |bytes: &[u8]| try_read(bytes).unwrap_err().to_string();
    assert!(error(b"").contains("is empty: 0 bytes"));
    assert!(error(b"  \n \n").contains("5 B of white space"));
    assert!(error(&[0; 5000]).contains("4.9 KiB of NUL bytes"));
    assert!(error(b"\x89PNG\r\n\x1a\n\0\0").contains("a PNG image"));
    let missing = Session::open(std::path::Path::new("/no/such/file"), Limits::default());
    assert!(matches!(missing, Err(TranscriptError::Io { .. })));
}

#[test]
fn a_gigabyte_of_zeros_is_answered_in_bounded_memory() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    // What is not optimized takes seconds for as much.
    let size: u64 = if cfg!(debug_assertions) { 128 << 20 } else { 1 << 30 };
    file.seek(SeekFrom::Start(size - 1)).unwrap();
    file.write_all(&[0]).unwrap();
    let mut session = Session::open(file.path(), Limits::default()).unwrap();
    let error = session.read(&mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains(&format!("{} of NUL bytes", bytes(size))), "{error}");
}

#[test]
fn a_reading_can_break_off_and_begin_again() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(CHAT.as_bytes()).unwrap();
    let mut session = Session::open(file.path(), Limits::default()).unwrap();
    let mut first = 0;
    session
        .read(&mut |_| {
            first += 1;
            ControlFlow::Break(())
        })
        .unwrap();
    let mut all = 0;
    session
        .read(&mut |_| {
            all += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((first, all), (1, 6));
}

/// Pieces of which hostile files are made.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&'static [u8]> = vec![
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b":",
        b",",
        b"\n",
        b"\r\n",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\"role\":",
        b"\"user\"",
        b"\"content\":",
        b"\"type\":",
        b"\"message\":",
        b"\"messages\":[",
        b"\"sessionId\":\"s\"",
        b"\"payload\":{",
        b"\"compacted\"",
        b"\"compact_boundary\"",
        b"\\ud83d",
        b"1e999",
        b"{\"role\":\"user\",\"content\":\"x\"}\n",
        b"{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"content\":[{\"type\":\"tool_result\"}]}}\n",
        b"{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\"}}\n",
        b"## User\n",
        b"**Assistant**\n",
        b"```\n",
        b"user: a\n",
        b"assistant: b\n",
        b"<details>",
        b"</details>\n",
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        "é。".as_bytes(),
        b"<system-reminder>",
        "⏺ Bash(x)\n".as_bytes(),
        "⎿ y\n".as_bytes(),
        b"> z\n",
        b"null",
        b"true",
    ];
    prop_oneof![
        4 => proptest::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(pieces in proptest::collection::vec(piece(), 0..60)) {
        let bytes = pieces.concat();
        if let Ok((_, items, tally)) = try_read(&bytes) {
            for item in &items {
                if let Item::Unit(unit) = item {
                    prop_assert!(!unit.parts.is_empty());
                    for leaf in leaves(unit, 7) {
                        prop_assert!(!leaf.text.is_empty() && leaf.line >= 1);
                    }
                }
            }
            prop_assert!(tally.bytes <= bytes.len() as u64 || bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"\x28\xb5"));
        }
    }
}
