//! Content of a message: a text, or a list of blocks.

use super::frame;
use super::item::{Compaction, Kind, Part, Summary};
use super::json::{self, flag, render, text};
use super::reader::{Origin, Out};
use manifest_core::Role;
use serde_json::Value;

/// Reads the content of one message.
pub(crate) fn content(value: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
    match value {
        Value::String(text) => said(text, origin, out),
        Value::Array(list) => {
            let mut run = String::new();
            for block in list {
                if let Some(text) = plain(block) {
                    if !run.is_empty() {
                        run.push('\n');
                    }
                    run.push_str(text);
                } else {
                    said(&std::mem::take(&mut run), origin, out);
                    one(block, origin, out);
                }
            }
            said(&run, origin, out);
        }
        Value::Null => {}
        Value::Object(map) if map.contains_key("type") => match plain(value) {
            Some(text) => said(text, origin, out),
            None => one(value, origin, out),
        },
        other => said(&render(other), origin, out),
    }
}

/// The text of a block that is nothing but text.
fn plain(block: &Value) -> Option<&str> {
    match block {
        Value::String(text) => Some(text),
        Value::Object(_) => match text(block, "type") {
            Some("text" | "input_text" | "output_text" | "summary_text" | "reasoning_text") | None => {
                text(block, "text")
            }
            Some("refusal") => text(block, "refusal"),
            _ => None,
        },
        _ => None,
    }
}

/// Something said: reminders in it are context, and so is a message of instructions.
fn said(text: &str, origin: &Origin<'_>, out: &mut Out<'_>) {
    if text.trim().is_empty() {
        return;
    }
    if origin.role == Role::User && frame::is_instructions(text) {
        out.part(origin.part(Kind::Context, text));
        return;
    }
    let kind = if origin.role == Role::User && frame::is_machine(text) { Kind::Output } else { Kind::Said };
    for (reminder, text) in frame::reminders(text) {
        out.part(origin.part(if reminder { Kind::Context } else { kind }, text));
    }
}

/// A block that is not plain text.
fn one(block: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
    let Some(kind) = text(block, "type") else {
        out.unknown("block", render(block), origin);
        return;
    };
    match kind {
        "thinking" => {
            out.part(origin.part(Kind::Thought, text(block, "thinking").unwrap_or_default()));
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => call(
            text(block, "name"),
            text(block, "id"),
            &block.get("input").map(json::render_arguments).unwrap_or_default(),
            origin,
            out,
        ),
        "compaction" => {
            let summary = match block.get("content") {
                Some(value) => Summary::of(&flat(value, origin, out)),
                None => Summary::Opaque("a compaction block without a text".to_owned()),
            };
            let mut compaction = Compaction::new(summary, origin.line);
            compaction.at = origin.at.map(str::to_owned);
            out.compaction(compaction);
        }
        _ if kind.ends_with("tool_result") => {
            let body = block.get("content").map(|v| flat(v, origin, out)).unwrap_or_default();
            output(&body, text(block, "tool_use_id"), None, flag(block, "is_error"), origin, out);
        }
        "redacted_thinking" | "image" | "image_url" | "input_image" | "input_audio" | "input_file"
        | "audio" | "file" | "container_upload" | "encrypted_content" => out.tally.opaque(kind, origin.line),
        "document" => match block.get("source") {
            Some(source) if text(source, "type") == Some("text") => {
                said(text(source, "data").unwrap_or_default(), origin, out);
            }
            _ => out.tally.opaque(kind, origin.line),
        },
        _ => out.unknown(&format!("block.{kind}"), render(block), origin),
    }
}

/// A tool call: the tool's name, then its arguments.
pub(crate) fn call(name: Option<&str>, id: Option<&str>, args: &str, origin: &Origin<'_>, out: &mut Out<'_>) {
    let name = name.unwrap_or("tool");
    let text = if args.is_empty() { name.to_owned() } else { format!("{name}\n{args}") };
    let part = origin.part(Kind::Call, text);
    out.part(Part { tool: Some(name.into()), call: id.map(str::to_owned), ..part });
}

/// A tool's result.
pub(crate) fn output(
    text: &str,
    id: Option<&str>,
    tool: Option<&str>,
    failed: bool,
    origin: &Origin<'_>,
    out: &mut Out<'_>,
) {
    let mut stretches = frame::reminders(text).into_iter().peekable();
    let result = |text: &str| Part {
        call: id.map(str::to_owned),
        tool: tool.map(Into::into),
        failed,
        ..origin.part(Kind::Output, text)
    };
    if stretches.peek().is_none() {
        // An empty result still answers its call.
        out.part(result(""));
        return;
    }
    let mut body = String::new();
    let mut context = Vec::new();
    for (reminder, text) in stretches {
        if reminder {
            context.push(origin.part(Kind::Context, text));
        } else {
            body.push_str(text);
        }
    }
    out.part(result(&body));
    for part in context {
        out.part(part);
    }
}

/// The text of a result's or a summary's content; what is no text is counted.
pub(crate) fn flat(value: &Value, origin: &Origin<'_>, out: &mut Out<'_>) -> String {
    match value {
        Value::String(text) => json::unwrap_output(text),
        Value::Array(list) => {
            let mut texts = Vec::new();
            for block in list {
                match (plain(block), text(block, "type")) {
                    (Some(text), _) => texts.push(json::unwrap_output(text)),
                    (None, Some(kind @ ("image" | "image_url" | "input_image" | "audio" | "document"))) => {
                        out.tally.opaque(kind, origin.line);
                    }
                    (None, Some(kind)) => {
                        out.tally.unknown(&format!("block.{kind}"), origin.line);
                        texts.push(render(block));
                    }
                    (None, None) => texts.push(render(block)),
                }
            }
            texts.join("\n")
        }
        Value::Null => String::new(),
        other => render(other),
    }
}
