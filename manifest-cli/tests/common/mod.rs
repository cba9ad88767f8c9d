//! Runs the program as a caller does, and reads its answers more strictly than a JSON map would.
#![allow(dead_code, reason = "each test file uses its part of it")]
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

pub(crate) mod bench;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run gave.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program, not yet started.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manifest"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program over `input`. It is written beside the reading, so that neither side waits for the other.
pub(crate) fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = program(args).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.as_ref().to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early closes the pipe; that is for its status to tell.
        let _ = stdin.write_all(&input);
    });
    let done = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Run {
        status: done.status.code().expect("the program ends by itself, not by a signal"),
        out: String::from_utf8(done.stdout).expect("answers are UTF-8"),
        err: String::from_utf8(done.stderr).expect("messages are UTF-8"),
    }
}

/// A session of eight shards, each held by a code of its own.
pub(crate) fn eight_shards() -> String {
    (1..=8)
        .map(|n| {
            let text = format!(
                "error: shard-{n} aborted by applier: LDG-{} apply gap at fork segment; {} entries wait. The importer of shard-{n} is held.",
                4400 + n,
                20 + n
            );
            serde_json::json!({"role": "tool", "content": text}).to_string() + "\n"
        })
        .collect()
}

/// The answers of a run over JSON lines.
pub(crate) fn answers(run: &Run) -> Vec<Value> {
    run.out.lines().map(strict).collect()
}

/// The one answer of a run over one line.
pub(crate) fn answer(args: &[&str], line: impl AsRef<[u8]>) -> Value {
    let run = run(args, line);
    let mut all = answers(&run);
    assert_eq!(all.len(), 1, "one line, one answer: {}{}", run.out, run.err);
    all.remove(0)
}

/// The answer of `check --jsonl` to one object.
pub(crate) fn check(object: &Value) -> Value {
    answer(&["check", "--jsonl"], format!("{object}\n"))
}

/// A bad line's error: its id, its line, its code; the message is not empty.
pub(crate) fn error_of(answer: &Value) -> (Value, u64, String) {
    assert_eq!(keys(answer), ["error", "id", "line"], "{answer}");
    let error = &answer["error"];
    assert_eq!(keys(error), ["code", "message"], "{answer}");
    assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()), "{answer}");
    let code = error["code"].as_str().expect("a code is a text").to_owned();
    (answer["id"].clone(), answer["line"].as_u64().expect("a line is a number"), code)
}

/// The message of a bad line's error.
pub(crate) fn message_of(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_else(|| panic!("no error message in {answer}"))
}

/// The keys of an object, sorted.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .unwrap_or_else(|| panic!("an object: {value}"))
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

/// The codes of a report's reasons.
pub(crate) fn codes(report: &Value) -> Vec<&str> {
    let reasons = report["reasons"].as_array().unwrap_or_else(|| panic!("reasons: {report}"));
    reasons.iter().map(|r| r["code"].as_str().expect("a code is a text")).collect()
}

/// The text that a span cuts out of another.
pub(crate) fn cut<'t>(text: &'t str, span: &Value) -> &'t str {
    let ends = span.as_array().unwrap_or_else(|| panic!("a span is a list: {span}"));
    assert_eq!(ends.len(), 2, "a span has two ends: {span}");
    let end = |at: usize| {
        usize::try_from(ends[at].as_u64().expect("an end is a whole number"))
            .expect("an end fits the machine")
    };
    text.get(end(0)..end(1)).unwrap_or_else(|| panic!("{span} does not cut {text:?}"))
}

/// Reads one line of output, and fails where an object has a key twice: a map would keep the last one in silence.
fn strict(line: &str) -> Value {
    struct Strict(Value);
    struct Reader;
    impl<'de> Deserialize<'de> for Strict {
        fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
            input.deserialize_any(Reader)
        }
    }
    impl<'de> Visitor<'de> for Reader {
        type Value = Strict;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }
        fn visit_unit<E>(self) -> Result<Strict, E> {
            Ok(Strict(Value::Null))
        }
        fn visit_bool<E>(self, v: bool) -> Result<Strict, E> {
            Ok(Strict(v.into()))
        }
        fn visit_u64<E>(self, v: u64) -> Result<Strict, E> {
            Ok(Strict(v.into()))
        }
        fn visit_i64<E>(self, v: i64) -> Result<Strict, E> {
            Ok(Strict(v.into()))
        }
        fn visit_f64<E>(self, v: f64) -> Result<Strict, E> {
            Ok(Strict(v.into()))
        }
        fn visit_str<E>(self, v: &str) -> Result<Strict, E> {
            Ok(Strict(v.into()))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strict, A::Error> {
            let mut all = Vec::new();
            while let Some(Strict(v)) = seq.next_element()? {
                all.push(v);
            }
            Ok(Strict(Value::Array(all)))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
            let mut all = BTreeMap::new();
            while let Some((key, Strict(v))) = map.next_entry::<String, Strict>()? {
                assert!(all.insert(key.clone(), v).is_none(), "the key `{key}` stands twice");
            }
            Ok(Strict(Value::Object(all.into_iter().collect())))
        }
    }
    serde_json::from_str::<Strict>(line).unwrap_or_else(|e| panic!("{e}: {line}")).0
}

/// A folder of this test's own, empty, under the build's temporary folder.
pub(crate) fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Writes a file into a folder and gives its path as an argument.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file can be written");
    path.display().to_string()
}
