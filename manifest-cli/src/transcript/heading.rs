//! Lines that say who speaks next, in exports and in texts.

use manifest_core::Role;

/// How a heading is written. An export keeps to one way, so that a heading of another way is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Style {
    /// `## User`, by its level.
    Hash(u8),
    /// `**User**`, `_**User (time)**_`.
    Bold,
    /// `User: text`.
    Prefix,
}

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// A person, the agent, the system.
    Role(Role),
    /// A tool, with its name where the heading has one.
    Tool(Option<String>),
    /// A summary that replaced what came before.
    Compaction,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading<'t> {
    /// How it is written.
    pub(crate) style: Style,
    /// Who speaks.
    pub(crate) speaker: Speaker,
    /// When, where the heading says it.
    pub(crate) at: Option<&'t str>,
    /// What is said on the same line.
    pub(crate) rest: &'t str,
}

const USER: [&str; 5] = ["user", "human", "you", "me", "prompt"];
const ASSISTANT: [&str; 14] = [
    "assistant",
    "agent",
    "ai",
    "claude",
    "codex",
    "chatgpt",
    "gpt",
    "copilot",
    "github copilot",
    "gemini",
    "model",
    "bot",
    "cursor",
    "response",
];
const TOOL: [&str; 7] =
    ["tool result", "tool output", "tool call", "tool use", "tool", "function", "observation"];
const SYSTEM: [&str; 3] = ["system", "developer", "system prompt"];
const COMPACTION: [&str; 6] = [
    "compaction",
    "compacted",
    "compaction summary",
    "conversation compacted",
    "conversation summary",
    "compacted summary",
];

/// The heading that a line is, if it is one.
pub(crate) fn heading(line: &str) -> Option<Heading<'_>> {
    let trimmed = line.trim_end();
    // A heading begins its line; deeper than three spaces is quoted or code.
    let text = trimmed.trim_start();
    if trimmed.len() - text.len() > 3 || text.len() > 4096 {
        return None;
    }
    if text.starts_with('#') {
        let level = text.bytes().take_while(|&b| b == b'#').count();
        let name = text.get(level..)?.strip_prefix(' ')?;
        let name = name.trim().trim_matches(['*', '_']);
        let (speaker, at, rest) = speaker(name)?;
        return rest.trim().is_empty().then_some(Heading {
            style: Style::Hash(u8::try_from(level).ok()?),
            speaker,
            at,
            rest: "",
        });
    }
    if let Some(body) = text.strip_prefix("_**").or_else(|| text.strip_prefix("**")) {
        let end = body.find("**")?;
        let (name, rest) = (body.get(..end)?, body.get(end + 2..)?);
        let rest = rest.strip_prefix('_').unwrap_or(rest).trim_start();
        let rest = rest.strip_prefix(':').unwrap_or(rest).trim_start();
        let (speaker, at, extra) = speaker(name)?;
        return extra.trim().is_empty().then_some(Heading { style: Style::Bold, speaker, at, rest });
    }
    prefix(text)
}

/// `User: text`, `tool NAME: text`.
fn prefix(text: &str) -> Option<Heading<'_>> {
    let colon = text.find(':')?;
    let (name, rest) = (text.get(..colon)?, text.get(colon + 1..)?);
    // `model:` and `prompt:` begin lines of configuration more often than turns.
    let lower = name.to_ascii_lowercase();
    let speaker = match lower.as_str() {
        "user" | "human" => Speaker::Role(Role::User),
        "assistant" | "ai" => Speaker::Role(Role::Assistant),
        "system" => Speaker::Role(Role::System),
        "tool" => Speaker::Tool(None),
        "compaction" => Speaker::Compaction,
        _ => {
            let tool = lower.strip_prefix("tool ")?;
            if tool.is_empty() || tool.len() > 100 || tool.contains(char::is_whitespace) {
                return None;
            }
            Speaker::Tool(name.get(5..).map(str::to_owned))
        }
    };
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some(Heading { style: Style::Prefix, speaker, at: None, rest: rest.trim_start() })
}

/// Who a heading names, when, and what else stands in it.
fn speaker(name: &str) -> Option<(Speaker, Option<&str>, &str)> {
    // An emoji or a bullet before the name.
    let name = name.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end();
    let lower = name.to_ascii_lowercase();
    let tables: [(&[&str], Option<Role>); 4] = [
        (&USER, Some(Role::User)),
        (&ASSISTANT, Some(Role::Assistant)),
        (&SYSTEM, Some(Role::System)),
        (&TOOL, None),
    ];
    let (word, role) = COMPACTION
        .iter()
        .map(|word| (*word, None))
        .chain(tables.iter().flat_map(|(words, role)| words.iter().map(move |word| (*word, Some(*role)))))
        .filter(|(word, _)| lower.starts_with(word))
        .filter(|(word, _)| {
            !lower
                .get(word.len()..)
                .and_then(|r| r.chars().next())
                .is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
        .max_by_key(|(word, _)| word.len())?;
    let tail = name.get(word.len()..)?.trim_start();
    let is_tool = role == Some(None);
    // `ChatGPT said:`, `User (2026-03-01 10:00Z)`, `Tool: Bash`, `Assistant — model`.
    let tail = tail.strip_prefix("said").unwrap_or(tail).trim_start();
    let (inner, rest) = match tail.strip_prefix('(') {
        Some(inside) => {
            let end = inside.find(')')?;
            (inside.get(..end)?, inside.get(end + 1..)?)
        }
        None => ("", tail),
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix(':').unwrap_or(rest).trim();
    let dashed = rest.strip_prefix(['-', '—', '–', '·', '|', '[', '•']);
    let at =
        [inner, dashed.unwrap_or("")].into_iter().map(|t| t.trim_matches([' ', ']'])).find(|t| is_time(t));
    let label = if is_tool && !rest.is_empty() { rest.trim_matches(['`', '*', ' ']) } else { inner };
    let rest = if is_tool || dashed.is_some() { "" } else { rest };
    let who = match role {
        None => Speaker::Compaction,
        Some(Some(role)) => Speaker::Role(role),
        Some(None) => {
            let label = label.trim();
            if label.len() > 100 || label.split_whitespace().count() > 3 {
                return None;
            }
            Speaker::Tool((!label.is_empty() && !is_time(label)).then(|| label.to_owned()))
        }
    };
    Some((who, at, rest))
}

/// Whether a text begins as a date or a time of day does.
fn is_time(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    matches!(digits, 1 | 2 | 4) && matches!(text.as_bytes().get(digits), Some(b'-' | b':' | b'/' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(line: &str) -> Option<(Style, Speaker)> {
        heading(line).map(|h| (h.style, h.speaker))
    }

    #[test]
    fn headings_of_exports() {
        let user = Speaker::Role(Role::User);
        let assistant = Speaker::Role(Role::Assistant);
        for (line, style, speaker) in [
            ("## User", Style::Hash(2), &user),
            ("### 👤 User", Style::Hash(3), &user),
            ("## **Human**", Style::Hash(2), &user),
            ("#### You said:", Style::Hash(4), &user),
            ("###### ChatGPT said:", Style::Hash(6), &assistant),
            ("**Assistant**", Style::Bold, &assistant),
            ("**User:**", Style::Bold, &user),
            ("**User**: hello", Style::Bold, &user),
            ("_**User (2026-03-01 10:00Z)**_", Style::Bold, &user),
            ("_**Agent (model gpt-x)**_", Style::Bold, &assistant),
            ("User: hello", Style::Prefix, &user),
            ("assistant: ok", Style::Prefix, &assistant),
        ] {
            assert_eq!(who(line), Some((style, speaker.clone())), "{line}");
        }
        assert_eq!(heading("_**User (2026-03-01 10:00Z)**_").unwrap().at, Some("2026-03-01 10:00Z"));
        assert_eq!(heading("**User:** hello there").unwrap().rest, "hello there");
        assert_eq!(who("## Tool: Bash"), Some((Style::Hash(2), Speaker::Tool(Some("Bash".into())))));
        assert_eq!(who("tool get_user: {}"), Some((Style::Prefix, Speaker::Tool(Some("get_user".into())))));
        assert_eq!(who("## Compaction"), Some((Style::Hash(2), Speaker::Compaction)));
        assert_eq!(who("### Conversation summary"), Some((Style::Hash(3), Speaker::Compaction)));
    }

    #[test]
    fn headings_of_the_text_itself() {
        for line in [
            "## User stories",
            "## Users",
            "# Model selection",
            "## Tool calls that failed in the last week were few",
            "**Agent orange**",
            "**Note**",
            "user:password@host",
            "    ## User",
            "model: gpt-x",
            "tool list of names: a",
            "## Agentic loops",
            "## Summary",
        ] {
            assert_eq!(who(line), None, "{line}");
        }
    }
}
