//! Chat messages, with plain content or with blocks: one a line, or in one array.

use super::blocks;
use super::codex;
use super::item::{Compaction, Kind, Summary};
use super::json::{flag, render, render_argument_text, render_arguments, text};
use super::reader::{Origin, Out, RecordReader, time};
use manifest_core::Role;
use serde_json::Value;

/// The reader of chat messages.
#[derive(Debug, Default)]
pub(crate) struct Chat;

impl RecordReader for Chat {
    fn record(&mut self, record: &Value, line: u64, out: &mut Out<'_>) {
        // A line that holds a whole conversation.
        if let Some(list) = record.get("messages").and_then(Value::as_array) {
            for message in list {
                one(message, line, out);
            }
            return;
        }
        one(record, line, out);
    }
}

/// The role that a message names.
pub(crate) fn role(name: &str) -> Option<Role> {
    Some(match name {
        "user" | "human" => Role::User,
        "assistant" | "ai" | "model" => Role::Assistant,
        "tool" | "function" | "toolResult" => Role::Tool,
        "system" | "developer" => Role::System,
        _ => return None,
    })
}

fn one(message: &Value, line: u64, out: &mut Out<'_>) {
    let at = time(message);
    let bare = Origin { role: Role::Tool, context: false, at, line };
    let Some(name) = text(message, "role") else {
        match text(message, "type") {
            // An item of the responses form, without an envelope.
            Some(kind) if codex::is_item(kind) => codex::item(message, at, line, true, out),
            Some(kind) => out.unknown(&format!("type.{kind}"), render(message), &bare),
            None => out.unknown("record", render(message), &bare),
        }
        return;
    };
    out.tally.understood += 1;
    if flag(message, "compaction") {
        let recorded = message.get("content").map(|v| blocks::flat(v, &bare, out)).unwrap_or_default();
        let (body, frame) = super::frame::unframe(&recorded);
        out.compaction(Compaction {
            frame,
            at: at.map(str::to_owned),
            trigger: text(message, "trigger").map(str::to_owned),
            pre_tokens: message.get("pre_tokens").and_then(Value::as_u64),
            ..Compaction::new(Summary::of(&body), line)
        });
        return;
    }
    let Some(role) = role(name) else {
        out.unknown(&format!("role.{name}"), render(message), &bare);
        return;
    };
    let origin = Origin { role, context: role == Role::System, at, line };
    for key in ["reasoning_content", "reasoning"] {
        if let Some(thought) = text(message, key) {
            out.part(origin.part(Kind::Thought, thought));
        }
    }
    match message.get("content") {
        Some(content) if role == Role::Tool => {
            let body = blocks::flat(content, &origin, out);
            let id = text(message, "tool_call_id");
            blocks::output(&body, id, text(message, "name"), false, &origin, out);
        }
        Some(content) => blocks::content(content, &origin, out),
        None => {}
    }
    if let Some(calls) = message.get("tool_calls").and_then(Value::as_array) {
        for call in calls {
            let body = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
            let args = body.get("arguments").or_else(|| body.get("input")).or_else(|| body.get("args"));
            blocks::call(text(body, "name"), text(call, "id"), &arguments(args), &origin, out);
        }
    }
    if let Some(call) = message.get("function_call").filter(|c| c.is_object()) {
        blocks::call(text(call, "name"), None, &arguments(call.get("arguments")), &origin, out);
    }
}

/// Arguments as lines, whether they stand as JSON or as the text of JSON.
pub(crate) fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => render_argument_text(text),
        Some(other) => render_arguments(other),
    }
}
