//! Sessions in a folder of their own, and what `manifest audit` answers to them.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with one session in it.
pub(crate) struct Bench {
    pub(crate) dir: TempDir,
}

/// What the program answered.
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8");
        Answer {
            status: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err))
    }

    /// The screen, with its limits checked.
    pub(crate) fn screen(&self) -> &str {
        assert!(self.out.lines().count() <= 40, "{} lines\n{}", self.out.lines().count(), self.out);
        for line in self.out.lines() {
            assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
            assert!(!line.contains('\x1b'), "no colour into a pipe: {line}");
        }
        &self.out
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Bench { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a temporary file");
        path
    }

    pub(crate) fn lines(&self, name: &str, records: &[Value]) -> PathBuf {
        let text: Vec<String> = records.iter().map(|r| format!("{r}\n")).collect();
        self.file(name, text.concat())
    }
}

pub(crate) fn manifest(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manifest"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

pub(crate) fn audit(file: &Path, args: &[&str]) -> Answer {
    let output = manifest(&["audit"]).arg(file).args(args).output().expect("the program runs");
    Answer::of(&output)
}

pub(crate) fn said(role: &str, text: &str) -> Value {
    json!({"type": role, "sessionId": "s", "timestamp": "2026-03-01T10:00:00Z", "message": {"role": role, "content": text}})
}

pub(crate) fn call(id: &str, tool: &str, input: &Value) -> Value {
    json!({"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": id, "name": tool, "input": input}]}})
}

pub(crate) fn result(id: &str, text: &str) -> Value {
    json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": text}]}})
}

pub(crate) fn boundary() -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "timestamp": "2026-03-01T11:00:00Z",
        "compactMetadata": {"trigger": "auto", "preTokens": 155_000}})
}

pub(crate) fn summary(text: &str) -> Value {
    json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": text}})
}

/// A session whose summary loses a path, a bucket and an error code, alters a timeout and invents a ticket.
pub(crate) fn session() -> Vec<Value> {
    vec![
        said(
            "user",
            "The importer fails on node db-17. Never write to s3://acme-prod-archive. Ticket PAY-119.",
        ),
        call("c1", "Bash", &json!({"command": "cargo test -p importer --test replay"})),
        result("c1", "error E2107 in /srv/importer/src/replay_window.rs\nthe request timeout is 30s"),
        said("assistant", "The test fails with E2107 because the request timeout is 30s."),
        boundary(),
        summary(
            "This session is being continued from a previous conversation that ran out of context.\n\
             The importer fails on node db-17 (ticket PAY-119). The test fails because the request timeout is 60s. \
             See also OPS-777.",
        ),
        said("assistant", "I will look at the importer again."),
        call("c2", "Read", &json!({"file_path": "/srv/importer/src/replay_window.rs"})),
        result("c2", "     1\tfn main() {}"),
        said("user", "It was E2107, and again: not s3://acme-prod-archive."),
    ]
}

pub(crate) fn loss<'v>(findings: &'v Value, text: &str) -> &'v Value {
    findings["losses"]
        .as_array()
        .and_then(|losses| losses.iter().find(|l| l["text"] == text))
        .unwrap_or_else(|| panic!("{text} is not among the losses: {:#}", findings["losses"]))
}
