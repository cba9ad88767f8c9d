//! What an error says of a value that is refused: short, without a credential, in plain words.
#![expect(clippy::indexing_slicing, reason = "a missing part of an answer fails the test")]

mod common;

use common::{answer, error_of, file, folder, message_of, run};

const KEY: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Words of the program that no user knows.
const INNER: [&str; 12] = [
    "usize",
    "u32",
    "u64",
    "f64",
    "a sequence",
    "type map",
    "struct",
    "variant",
    "ident",
    "EOF",
    "invalid type",
    "invalid digit",
];

#[track_caller]
fn plain(text: &str) {
    assert!(!text.contains(&KEY[4..]), "it shows the key: {text}");
    for word in INNER {
        assert!(!text.contains(word), "it says `{word}`: {text}");
    }
}

#[test]
fn a_refused_value_of_a_line_is_short_masked_and_plain() {
    let long = format!("{}{KEY}", "word ".repeat(10_000));
    for (line, told) in [
        (r#"{"children":{"a":1},"parent":"x"}"#.to_owned(), "children: a list is expected, not an object"),
        (r#"{"children":["a"],"parent":5}"#.to_owned(), "parent: a text is expected, not 5"),
        (
            r#"{"children":["a"],"parent":"x","depth":-1}"#.to_owned(),
            "depth: a whole number, 1 or more is expected",
        ),
        (
            r#"{"children":["a"],"parent":"x","depth":0}"#.to_owned(),
            "depth: a whole number, 1 or more is expected, not 0",
        ),
        (
            format!(r#"{{"children":["a"],"parent":"x","budget_bytes":"{KEY}"}}"#),
            "budget_bytes: a whole number",
        ),
        (
            format!(r#"{{"children":["a"],"parent":"x","order":"{KEY}"}}"#),
            "expected `sequence` or `parallel`",
        ),
        (format!(r#"{{"children":["a"],"parent":"x","order":"{long}"}}"#), "order: unknown name"),
        (format!(r#"{{"children":["a"],"parent":"x","pinned":"{KEY}"}}"#), "a list of texts, or \"all\""),
        (
            format!(r#"{{"children":[{{"text":"a","role":"{KEY}"}}],"parent":"x"}}"#),
            "children[0].role: unknown name",
        ),
        (format!("\"{KEY}\""), "an object is expected"),
        ("not json".to_owned(), "no JSON value"),
        (r#"{"children":["a"#.to_owned(), "the line ends within a text"),
        (r#"{"parent":"x"}"#.to_owned(), "the key `children` is missing"),
        (
            r#"{"children":["a"],"parent":"x","mend":"\u001b[31mred"}"#.to_owned(),
            "mend: true or false is expected",
        ),
    ] {
        let answer = answer(&["check", "--jsonl"], &line);
        let message = message_of(&answer);
        assert_eq!(error_of(&answer).1, 1);
        assert!(message.contains(told), "{told} is not told: {message}");
        assert!(message.chars().count() < 200 && !message.contains('\u{1b}'), "{message}");
        plain(message);
        let one = run(&["check"], &line);
        assert_eq!(one.status, 2);
        plain(&one.err);
    }
}

#[test]
fn a_refused_policy_or_flag_is_short_masked_and_plain() {
    let folder = folder("refusals");
    for (text, told) in [
        (format!("floor = \"{KEY}\""), "line 1: floor: a number is expected, not the text"),
        (format!("observe = true\norder = \"{KEY}\""), "line 2: order: unknown name"),
        (format!("{KEY} = 1"), "unknown key"),
        (format!("base = [\"{KEY}\"]"), "base"),
        ("[ledger]\nleast_bytes = \"x\"".to_owned(), "ledger.least_bytes: a whole number"),
        (format!("floor {KEY}"), "line 1"),
    ] {
        let policy = file(&folder, "policy.toml", &text);
        let run = run(&["check", "--jsonl", "--policy", &policy], "{}\n");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{text}");
        assert!(run.err.contains(told) && run.err.contains("policy.toml"), "{told} is not told: {}", run.err);
        plain(&run.err);
    }
    let long = "x".repeat(5_000);
    for args in [
        &["check", "--jsonl", "--policy", KEY][..],
        &["check", "--jsonl", "--policy", &long],
        &["check", "--jsonl", "--max-line", KEY],
        &["check", "--jsonl", "--max-line", &long],
        &["check", "--jsonl", "--max-line", "99999999999999999999999"],
        &["audit", "x", "--ledger-bytes", "-5"],
        &["check", "--jsonl", &format!("--token={KEY}")],
        &[KEY],
    ] {
        let run = run(args, "{}\n");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.len() < 600 && !run.err.is_empty(), "{}", run.err);
        plain(&run.err);
    }
    let help = run(&["check", "--help"], "");
    assert!(help.status == 0 && help.out.contains("--policy") && help.err.is_empty(), "{}", help.err);
}

#[test]
fn a_policy_file_has_a_limit() {
    let folder = folder("refusals_policy");
    let policy = file(&folder, "big.toml", "# much\n".repeat(400_000));
    let told = run(&["check", "--jsonl", "--policy", &policy], "{}\n");
    assert_eq!(told.status, 2);
    assert!(told.err.contains("big.toml") && told.err.contains("limit"), "{}", told.err);
}
