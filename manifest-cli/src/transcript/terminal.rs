//! What a terminal showed: turns behind `>`, the agent behind `⏺`, tool output behind `⎿`.

use super::item::{Compaction, Kind, Part, Summary};
use super::reader::{LineReader, Out};
use manifest_core::Role;

/// The reader of terminal exports.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Parts of the unit so far: a call and its output, or one turn.
    unit: Vec<Part>,
    kind: Kind,
    role: Role,
    tool: Option<String>,
    text: String,
    first: u64,
}

/// What a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark<'t> {
    /// A turn of the user.
    User(&'t str),
    /// Something said, or a call.
    Agent(&'t str),
    /// Output of the call before.
    Output(&'t str),
    /// The context was compacted.
    Compaction,
    /// What the program says of itself.
    Status,
}

/// The mark that a line carries, if it carries one.
pub(crate) fn mark(line: &str) -> Option<Mark<'_>> {
    let text = line.trim_start();
    if let Some(rest) = text.strip_prefix('⎿') {
        return Some(Mark::Output(rest.trim_start()));
    }
    let ruled = text.trim_start_matches(['═', '─', '✻', '*', ' ']);
    if ruled.len() < text.len() && ruled.starts_with("Conversation compacted") {
        return Some(Mark::Compaction);
    }
    // Marks of turns stand at the margin; what is said is set in.
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let behind = |glyphs: [char; 2]| text.strip_prefix(glyphs).and_then(|rest| rest.strip_prefix(' '));
    if let Some(rest) = behind(['>', '❯']) {
        return Some(Mark::User(rest));
    }
    if let Some(rest) = behind(['⏺', '●']) {
        return Some(Mark::Agent(rest));
    }
    text.starts_with(['✻', '✢', '✶', '✽', '∴']).then_some(Mark::Status)
}

/// `Name(arguments)`: the name, and where the arguments begin.
fn call(text: &str) -> Option<(&str, &str)> {
    let (name, args) = text.split_once('(')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_' || c.is_ascii_lowercase())
        && name.len() <= 100
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
    is_name.then_some((name, args))
}

impl Default for Terminal {
    fn default() -> Self {
        // What stands before the first turn is the program's banner.
        Terminal {
            unit: Vec::new(),
            kind: Kind::Context,
            role: Role::System,
            tool: None,
            text: String::new(),
            first: 0,
        }
    }
}

impl Terminal {
    /// Ends the part being gathered.
    fn cut(&mut self) {
        let text = std::mem::take(&mut self.text);
        let mut text = text.trim_end();
        if self.kind == Kind::Call {
            // The bracket that closes the arguments.
            text = text.strip_suffix(')').unwrap_or(text);
        }
        if text.is_empty() {
            return;
        }
        let mut part = Part::new(self.kind, self.role, text, self.first);
        part.spread = self.kind != Kind::Call;
        part.tool = self.tool.as_deref().map(Into::into);
        self.unit.push(part);
    }

    /// Ends the unit, and begins a part.
    fn begin(&mut self, kind: Kind, role: Role, tool: Option<&str>, out: &mut Out<'_>) {
        self.cut();
        if kind != Kind::Output {
            out.gather.unit(std::mem::take(&mut self.unit));
            self.tool = tool.map(str::to_owned);
        }
        (self.kind, self.role) = (kind, role);
    }

    fn push(&mut self, text: &str, line: u64) {
        if self.text.is_empty() {
            if text.trim().is_empty() {
                return;
            }
            self.first = line;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }
}

impl LineReader for Terminal {
    fn line(&mut self, text: &str, line: u64, out: &mut Out<'_>) {
        match mark(text) {
            Some(Mark::User(rest)) => {
                out.tally.understood += 1;
                self.begin(Kind::Said, Role::User, None, out);
                self.push(rest, line);
            }
            Some(Mark::Agent(rest)) => {
                out.tally.understood += 1;
                if let Some((name, args)) = call(rest) {
                    self.begin(Kind::Call, Role::Assistant, Some(name), out);
                    self.first = line;
                    self.text.push_str(name);
                    self.text.push('\n');
                    self.text.push_str(args);
                } else {
                    self.begin(Kind::Said, Role::Assistant, None, out);
                    self.push(rest, line);
                }
            }
            Some(Mark::Output(rest)) => {
                self.begin(Kind::Output, Role::Tool, None, out);
                self.push(rest, line);
            }
            Some(Mark::Compaction) => {
                self.begin(Kind::Context, Role::System, None, out);
                let why = "an export of a terminal does not show it".to_owned();
                out.compaction(Compaction::new(Summary::Opaque(why), line));
            }
            Some(Mark::Status) => {
                self.begin(Kind::Context, Role::System, None, out);
                out.tally.skip("status line", line);
            }
            None => {
                let said = text.trim_start();
                if said.starts_with("… +") && said.contains("lines") {
                    out.tally.opaque("output that the terminal folded", line);
                } else {
                    self.push(text.strip_prefix("  ").unwrap_or(text), line);
                }
            }
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.cut();
        out.gather.unit(std::mem::take(&mut self.unit));
    }
}
