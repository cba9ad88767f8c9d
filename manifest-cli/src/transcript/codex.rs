//! Codex rollouts: `{"timestamp", "type", "payload"}` a line, and the items of the responses form.

use super::blocks;
use super::chat;
use super::frame;
use super::item::{Compaction, Kind, Summary};
use super::json::{render, text};
use super::reader::{Origin, Out, RecordReader, time};
use manifest_core::Role;
use serde_json::Value;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The reader of rollouts.
#[derive(Debug, Default)]
pub(crate) struct Codex {
    /// Whether the messages stand in events only (old rollouts).
    pub(crate) events: bool,
    /// Contexts given already: each turn repeats its own.
    contexts: HashSet<u64>,
    hasher: RandomState,
}

impl RecordReader for Codex {
    fn record(&mut self, record: &Value, line: u64, out: &mut Out<'_>) {
        let at = time(record);
        let origin = Origin { role: Role::Tool, context: false, at, line };
        let (Some(kind), Some(payload)) = (text(record, "type"), record.get("payload")) else {
            match text(record, "type") {
                Some(kind) if is_item(kind) => item(record, at, line, false, out),
                Some(kind) => out.unknown(&format!("type.{kind}"), render(record), &origin),
                // The first line of an old rollout.
                None if record.get("instructions").is_some() || record.get("id").is_some() => {
                    self.context(record, &origin, out);
                }
                None => out.unknown("record", render(record), &origin),
            }
            return;
        };
        match kind {
            "response_item" => item(payload, at, line, false, out),
            "compacted" => {
                out.tally.understood += 1;
                compacted(payload, &origin, out);
            }
            "session_meta" | "turn_context" => {
                out.tally.understood += 1;
                self.context(payload, &origin, out);
            }
            "event_msg" => self.event(payload, &origin, out),
            "ghost_snapshot" | "session_state" => out.tally.skip(kind, line),
            _ => out.unknown(&format!("type.{kind}"), render(payload), &origin),
        }
    }
}

impl Codex {
    /// The reader; `events` says that the messages stand in events only.
    pub(crate) fn new(events: bool) -> Self {
        Codex { events, ..Codex::default() }
    }

    fn context(&mut self, value: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
        let body = render(value);
        if self.contexts.insert(self.hasher.hash_one(&body)) {
            out.part(origin.part(Kind::Context, body));
        } else {
            out.tally.skip("context, repeated", origin.line);
        }
    }

    fn event(&mut self, payload: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
        let kind = text(payload, "type").unwrap_or("event");
        out.tally.understood += 1;
        match kind {
            "user_message" | "agent_message" if self.events => {
                let role = if kind == "user_message" { Role::User } else { Role::Assistant };
                let message = payload.get("message").unwrap_or(&Value::Null);
                blocks::content(message, &Origin { role, ..*origin }, out);
            }
            "error" | "warning" | "stream_error" | "background_event" => {
                out.part(origin.part(Kind::Context, text(payload, "message").unwrap_or_default()));
            }
            // Repeats of response items, progress, and counters.
            _ if repeats(kind) => out.tally.skip(&format!("event_msg.{kind}"), origin.line),
            _ => out.unknown(&format!("event_msg.{kind}"), render(payload), origin),
        }
    }
}

/// Events that repeat what stands in response items, or hold no text of the work.
fn repeats(kind: &str) -> bool {
    matches!(
        kind,
        "user_message"
            | "agent_message"
            | "agent_reasoning"
            | "agent_reasoning_raw_content"
            | "agent_reasoning_section_break"
            | "token_count"
            | "task_started"
            | "task_complete"
            | "turn_started"
            | "turn_complete"
            | "turn_aborted"
            | "turn_diff"
            | "context_compacted"
            | "thread_rolled_back"
            | "entered_review_mode"
            | "exited_review_mode"
            | "item_started"
            | "item_completed"
            | "plan_update"
            | "session_configured"
            | "view_image_tool_call"
    ) || ["_begin", "_end", "_delta"].iter().any(|end| kind.ends_with(end))
}

/// Whether `kind` is a type of the responses form.
pub(crate) fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "message"
            | "reasoning"
            | "compaction"
            | "compaction_summary"
            | "context_compaction"
            | "ghost_snapshot"
    ) || kind.ends_with("_call")
        || kind.ends_with("_call_output")
}

/// One item of the responses form. `bare` says that no rollout is around it: a compaction item then is the
/// compaction itself, and not a copy beside its record.
pub(crate) fn item(item: &Value, at: Option<&str>, line: u64, bare: bool, out: &mut Out<'_>) {
    let kind = text(item, "type").unwrap_or_default();
    let origin = Origin { role: Role::Assistant, context: false, at, line };
    let id = text(item, "call_id");
    out.tally.understood += 1;
    match kind {
        "message" => {
            let name = text(item, "role").unwrap_or("assistant");
            let content = item.get("content").unwrap_or(&Value::Null);
            match chat::role(name) {
                Some(role) => {
                    let origin = Origin { role, context: role == Role::System, ..origin };
                    blocks::content(content, &origin, out);
                }
                None => out.unknown(&format!("role.{name}"), render(item), &origin),
            }
        }
        "reasoning" => {
            let mut thought = String::new();
            for key in ["summary", "content"] {
                if let Some(value) = item.get(key) {
                    let text = blocks::flat(value, &origin, out);
                    if !text.is_empty() {
                        thought.push_str(if thought.is_empty() { "" } else { "\n" });
                        thought.push_str(&text);
                    }
                }
            }
            if thought.is_empty() {
                out.tally.opaque("reasoning, encrypted", line);
            }
            out.part(origin.part(Kind::Thought, thought));
        }
        "compaction" | "compaction_summary" | "context_compaction" if bare => {
            let mut compaction = Compaction::new(Summary::Opaque("an encrypted item".to_owned()), line);
            compaction.at = at.map(str::to_owned);
            out.compaction(compaction);
        }
        "compaction" | "compaction_summary" | "context_compaction" => out.tally.opaque(kind, line),
        "ghost_snapshot" => out.tally.skip(kind, line),
        _ if kind.ends_with("_call_output") => {
            let body = item.get("output").map(|v| blocks::flat(v, &origin, out)).unwrap_or_default();
            let (body, failed) = unheaded(&body);
            blocks::output(body, id, None, failed, &origin, out);
        }
        _ if kind.ends_with("_call") => {
            let args = ["arguments", "input", "action"].iter().find_map(|key| item.get(*key));
            let name = text(item, "name").unwrap_or_else(|| kind.strip_suffix("_call").unwrap_or(kind));
            // Calls that the service runs itself have no output item.
            let id = id.filter(|_| !matches!(kind, "web_search_call" | "image_generation_call"));
            blocks::call(Some(name), id, &chat::arguments(args), &origin, out);
        }
        _ => out.unknown(&format!("item.{kind}"), render(item), &origin),
    }
}

/// An output without the lines that the program writes above it, and whether they tell a failure. What a failure says
/// stays: its code is a fact.
fn unheaded(body: &str) -> (&str, bool) {
    const HEADS: [&str; 7] = [
        "Exit code: ",
        "Process exited with code ",
        "Wall time: ",
        "Chunk ID: ",
        "Total output lines: ",
        "Original token count: ",
        "Output:",
    ];
    let mut at = 0;
    let mut failed = false;
    let mut seen = 0;
    for line in body.split_inclusive('\n').take(HEADS.len()) {
        let text = line.trim_end();
        let Some(head) = HEADS.iter().find(|head| text.starts_with(*head)) else { break };
        let code = head.contains("code ") || head.contains("code:");
        failed |= code && !text.ends_with(" 0");
        at += line.len();
        seen += 1;
        if text == "Output:" {
            break;
        }
    }
    // One such line alone may be what the tool printed.
    if failed || seen < 2 { (body, failed && seen > 1) } else { (body.get(at..).unwrap_or_default(), false) }
}

/// A compaction: the summary, and what the new history kept word for word.
fn compacted(payload: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
    let mut recorded = text(payload, "message").unwrap_or_default().to_owned();
    let mut kept = Vec::new();
    let mut opaque = None;
    for entry in payload.get("replacement_history").and_then(Value::as_array).into_iter().flatten() {
        if entry.get("encrypted_content").is_some_and(Value::is_string) {
            opaque = Some("an encrypted item in its replacement history");
            continue;
        }
        if !matches!(text(entry, "role"), Some("user" | "assistant")) {
            continue;
        }
        let body = entry.get("content").map(|v| blocks::flat(v, origin, out)).unwrap_or_default();
        let is_summary = frame::has_frame(&body) || (!recorded.is_empty() && body.trim() == recorded.trim());
        if is_summary {
            if recorded.trim().is_empty() {
                recorded = body;
            }
        } else if !body.trim().is_empty() && !frame::is_instructions(&body) {
            kept.push(body);
        }
    }
    let (body, frame) = frame::unframe(&recorded);
    let summary = match (Summary::of(&body), opaque) {
        (Summary::Empty, Some(what)) => Summary::Opaque(what.to_owned()),
        (summary, _) => summary,
    };
    out.compaction(Compaction {
        frame,
        kept,
        at: origin.at.map(str::to_owned),
        ..Compaction::new(summary, origin.line)
    });
}
