//! What a transcript consists of: units of talk and work, and compactions between them.

use manifest_core::Role;
use std::rc::Rc;

/// What a part of a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Something said.
    Said,
    /// Reasoning that the agent kept to itself.
    Thought,
    /// A tool call: its name and arguments.
    Call,
    /// What the tool gave back.
    Output,
    /// Instructions, reminders, the environment: context, no evidence.
    Context,
    /// Of a type that no reader knows; kept as text.
    Unknown,
}

/// A stretch of text with one origin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// What it is.
    pub(crate) kind: Kind,
    /// Who said it.
    pub(crate) role: Role,
    /// The text, with its escapes undone, otherwise as it stood.
    pub(crate) text: String,
    /// The tool's name, for calls and outputs.
    pub(crate) tool: Option<Rc<str>>,
    /// The id that binds a call to its output.
    pub(crate) call: Option<String>,
    /// When, as the record says it.
    pub(crate) at: Option<String>,
    /// Line of the source, from 1.
    pub(crate) line: u64,
    /// Whether each line of the text is a line of the source (texts and exports), or all of it stands on `line`.
    pub(crate) spread: bool,
    /// Whether the tool reported a failure.
    pub(crate) failed: bool,
}

impl Part {
    /// A part with no tool and no time.
    pub(crate) fn new(kind: Kind, role: Role, text: impl Into<String>, line: u64) -> Self {
        Part {
            kind,
            role,
            text: text.into(),
            tool: None,
            call: None,
            at: None,
            line,
            spread: false,
            failed: false,
        }
    }
}

/// What belongs together: a message, or a call with its result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Its number, from 1, in the order of the source.
    pub(crate) number: u64,
    /// Its parts, in order; never empty.
    pub(crate) parts: Vec<Part>,
}

impl Unit {
    /// Whether it is nothing but context.
    pub(crate) fn is_context(&self) -> bool {
        self.parts.iter().all(|p| p.kind == Kind::Context)
    }

    /// Bytes of text.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|p| p.text.len()).sum()
    }
}

/// What a compaction left in place of what it removed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Summary {
    /// A text.
    Text(String),
    /// Nothing.
    Empty,
    /// Something that cannot be read; what it is.
    Opaque(String),
}

impl Summary {
    /// The text, if there is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Summary::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The kind of a recorded summary: a text of one unbroken run of 200 letters and digits or more is encrypted or
    /// encoded, no summary.
    pub(crate) fn of(text: &str) -> Summary {
        let text = text.trim();
        if text.is_empty() {
            return Summary::Empty;
        }
        let longest = text.split_whitespace().map(str::len).max().unwrap_or(0);
        // Beside a sentence an encoded run is a part of what is told.
        let prose = text.split_whitespace().filter(|word| word.len() < 40).count() >= 4;
        if longest >= 200 && longest * 10 >= text.len() * 9 && text.is_ascii() && !prose {
            return Summary::Opaque("one encoded run of characters".to_owned());
        }
        Summary::Text(text.to_owned())
    }
}

/// A place where what came before was replaced.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compaction {
    /// Its number in the session, from 1.
    pub(crate) number: usize,
    /// What stands in place of what was removed.
    pub(crate) summary: Summary,
    /// Lines that the program wraps around a summary: no claim about the work.
    pub(crate) frame: String,
    /// Messages that the compaction kept word for word beside the summary, where they stand in its own record.
    pub(crate) kept: Vec<String>,
    /// The line from which on the messages before it were kept word for word.
    pub(crate) kept_from: Option<u64>,
    /// Line of the source.
    pub(crate) line: u64,
    /// When.
    pub(crate) at: Option<String>,
    /// Why it ran: `auto`, `manual`.
    pub(crate) trigger: Option<String>,
    /// Tokens of context before it, as the record says.
    pub(crate) pre_tokens: Option<u64>,
}

impl Compaction {
    /// A compaction at `line` with nothing known of it but its summary.
    pub(crate) fn new(summary: Summary, line: u64) -> Self {
        Compaction {
            number: 0,
            summary,
            frame: String::new(),
            kept: Vec::new(),
            kept_from: None,
            line,
            at: None,
            trigger: None,
            pre_tokens: None,
        }
    }
}

/// One item of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// A unit.
    Unit(Unit),
    /// A compaction.
    Compaction(Compaction),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_told_apart() {
        assert_eq!(Summary::of(" \n"), Summary::Empty);
        assert_eq!(Summary::of(" done. "), Summary::Text("done.".into()));
        assert!(matches!(Summary::of(&"gAAAAABo".repeat(60)), Summary::Opaque(_)));
        let beside = format!("The key of build 41 is {}", "gAAAAABo".repeat(60));
        assert_eq!(Summary::of(&beside), Summary::Text(beside));
        let long_url = format!(
            "See https://example.test/{} for the log, and retry the deploy of build 41.",
            "a".repeat(300)
        );
        assert!(matches!(Summary::of(&long_url), Summary::Text(_)));
        assert!(matches!(Summary::of(&"要約".repeat(200)), Summary::Text(_)));
    }
}
