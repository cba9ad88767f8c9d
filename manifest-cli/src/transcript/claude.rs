//! Claude Code sessions: one record a line, a compaction as a boundary and the summary behind it.

use super::blocks;
use super::chat;
use super::frame;
use super::item::{Compaction, Kind, Summary};
use super::json::{flag, render, text};
use super::reader::{Origin, Out, RecordReader, time};
use manifest_core::Role;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// The reader of sessions.
#[derive(Debug, Default)]
pub(crate) struct Claude {
    /// A boundary whose summary has not come yet.
    boundary: Option<Compaction>,
    /// Records given already, by the hash of their id (a resumed session repeats them), with their line.
    seen: HashMap<u64, u64>,
    /// Working folders and branches given as context already.
    places: HashSet<u64>,
    hasher: RandomState,
}

impl RecordReader for Claude {
    fn record(&mut self, record: &Value, line: u64, out: &mut Out<'_>) {
        let at = time(record);
        let kind = text(record, "type").unwrap_or("record");
        if let Some(id) = text(record, "uuid") {
            let id = self.hasher.hash_one(id);
            if self.seen.contains_key(&id) {
                out.tally.repeated += 1;
                return;
            }
            self.seen.insert(id, line);
        }
        if flag(record, "isSidechain") || record.get("parent_tool_use_id").is_some_and(Value::is_string) {
            out.tally.side_chain += 1;
            return;
        }
        let origin = Origin { role: Role::System, context: true, at, line };
        match kind {
            "user" | "assistant" => {
                out.tally.understood += 1;
                self.message(record, kind, &origin, out);
            }
            "system" => {
                out.tally.understood += 1;
                self.system(record, &origin, out);
            }
            "attachment" => attachment(record, &origin, out),
            "summary"
            | "custom-title"
            | "ai-title"
            | "agent-name"
            | "tag"
            | "last-prompt"
            | "mode"
            | "permission-mode"
            | "pr-link"
            | "queue-operation"
            | "progress"
            | "file-history-snapshot"
            | "stream_event"
            | "result"
            | "marble-origami-commit"
            | "speculation-accept"
            | "agent-color"
            | "agent-setting"
            | "content-replacement"
            | "worktree-state"
            | "attribution-snapshot" => {
                out.tally.understood += 1;
                out.tally.skip(kind, line);
            }
            _ => {
                let open = Origin { role: Role::Tool, context: false, ..origin };
                out.unknown(&format!("type.{kind}"), render(record), &open);
            }
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.settle(out);
    }
}

impl Claude {
    fn message(&mut self, record: &Value, kind: &str, origin: &Origin<'_>, out: &mut Out<'_>) {
        let message = record.get("message").unwrap_or(record);
        let content = message.get("content").unwrap_or(&Value::Null);
        if flag(record, "isCompactSummary") {
            let recorded = blocks::flat(content, origin, out);
            let (body, frame) = frame::unframe(&recorded);
            let mut compaction =
                self.boundary.take().unwrap_or_else(|| Compaction::new(Summary::Empty, origin.line));
            compaction.summary = Summary::of(&body);
            compaction.frame = frame;
            compaction.at = compaction.at.or_else(|| origin.at.map(str::to_owned));
            out.compaction(compaction);
            return;
        }
        let role =
            text(message, "role").and_then(chat::role).or_else(|| chat::role(kind)).unwrap_or_default();
        let meta = flag(record, "isMeta");
        if !meta {
            self.settle(out);
            self.place(record, origin, out);
        }
        // A line of an error of the service, told in the assistant's name.
        let silent = meta || flag(record, "isApiErrorMessage") || role == Role::System;
        blocks::content(content, &Origin { role, context: silent, ..*origin }, out);
    }

    fn system(&mut self, record: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
        if text(record, "subtype") == Some("compact_boundary") {
            self.settle(out);
            let meta = ["compactMetadata", "compact_metadata"].iter().find_map(|key| record.get(*key));
            let read = |keys: [&str; 2]| meta.and_then(|m| keys.iter().find_map(|key| m.get(*key)));
            self.boundary = Some(Compaction {
                at: origin.at.map(str::to_owned),
                trigger: read(["trigger", "trigger"]).and_then(Value::as_str).map(str::to_owned),
                pre_tokens: read(["preTokens", "pre_tokens"]).and_then(Value::as_u64),
                kept_from: meta.and_then(|meta| self.kept_from(meta)),
                ..Compaction::new(Summary::Empty, origin.line)
            });
            return;
        }
        match record.get("content") {
            Some(content) if !content.is_null() => {
                let body = blocks::flat(content, origin, out);
                out.part(origin.part(Kind::Context, body));
            }
            _ => {
                let name = text(record, "subtype").unwrap_or("system");
                out.tally.skip(&format!("system.{name}"), origin.line);
            }
        }
    }

    /// The line of the first message that the compaction left as it was: the newest ones may stay beside the summary.
    fn kept_from(&self, meta: &Value) -> Option<u64> {
        let line = |id: &str| self.seen.get(&self.hasher.hash_one(id)).copied();
        let segment = ["preservedSegment", "preserved_segment"].iter().find_map(|key| meta.get(*key));
        let head = segment.and_then(|s| text(s, "headUuid").or_else(|| text(s, "head_uuid")));
        let listed = meta.get("preservedMessages").and_then(|m| m.get("uuids")).and_then(Value::as_array);
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        head.into_iter().chain(listed).filter_map(line).min()
    }

    /// A boundary that no summary followed is a compaction with an empty one.
    fn settle(&mut self, out: &mut Out<'_>) {
        if let Some(compaction) = self.boundary.take() {
            out.compaction(compaction);
        }
    }

    /// The working folder and the branch, once each: a summary may name them, and only the records do.
    fn place(&mut self, record: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
        for key in ["cwd", "gitBranch"] {
            if let Some(place) = text(record, key).filter(|place| !place.is_empty())
                && self.places.insert(self.hasher.hash_one((key, place)))
            {
                out.part(origin.part(Kind::Context, format!("{key}: {place}")));
            }
        }
    }
}

/// A file, a reminder or a message that the program attached. What the user typed while the agent worked stands in
/// one too.
fn attachment(record: &Value, origin: &Origin<'_>, out: &mut Out<'_>) {
    out.tally.understood += 1;
    let body = record.get("attachment").unwrap_or(record);
    if text(body, "type") == Some("queued_command") {
        let origin = Origin { role: Role::User, context: false, ..*origin };
        blocks::content(body.get("prompt").unwrap_or(&Value::Null), &origin, out);
        return;
    }
    out.part(origin.part(Kind::Context, render(body)));
}
