//! Exports: turns under headings, tool output in fences and folds. Also texts whose turns begin `User:`.

use super::heading::{Speaker, Style, heading};
use super::item::{Compaction, Kind, Part, Summary};
use super::reader::{LineReader, Out};
use manifest_core::Role;

/// Longest turn that is held; a longer one becomes several units.
const TURN: usize = 4 << 20;

/// The reader of exports whose turns begin with headings of one style.
#[derive(Debug)]
pub(crate) struct Markdown {
    style: Style,
    speaker: Speaker,
    at: Option<String>,
    /// Parts of the turn so far.
    parts: Vec<Part>,
    bytes: usize,
    /// The part being gathered.
    text: String,
    first: u64,
    region: Region,
    /// Whether the last line that was not blank announces tool output.
    announced: bool,
}

/// Where in a turn the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    /// Text.
    Open,
    /// A fence of `n` times this byte; `true` where its body is tool output.
    Fence(u8, usize, bool),
    /// A fold that holds a tool's work, until its end tag.
    Fold(&'static str),
}

impl Markdown {
    /// The reader for headings of `style`.
    pub(crate) fn new(style: Style) -> Self {
        Markdown {
            style,
            // What stands before the first turn: title, dates, settings.
            speaker: Speaker::Role(Role::System),
            at: None,
            parts: Vec::new(),
            bytes: 0,
            text: String::new(),
            first: 0,
            region: Region::Open,
            announced: false,
        }
    }

    fn push(&mut self, line: &str, number: u64) {
        if self.text.is_empty() {
            if line.trim().is_empty() {
                return;
            }
            self.first = number;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    /// Ends the part being gathered.
    fn cut(&mut self, output: bool) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        let (kind, role) = match (&self.speaker, output) {
            (Speaker::Role(Role::System) | Speaker::Compaction, _) => (Kind::Context, Role::System),
            (Speaker::Tool(_), _) | (Speaker::Role(Role::Assistant), true) => (Kind::Output, Role::Tool),
            (Speaker::Role(role), _) => (Kind::Said, *role),
        };
        let mut part = Part::new(kind, role, text, self.first);
        part.spread = true;
        part.at.clone_from(&self.at);
        if let Speaker::Tool(Some(tool)) = &self.speaker {
            part.tool = Some(tool.as_str().into());
        }
        self.bytes += text.len();
        self.parts.push(part);
    }

    /// Ends the turn.
    fn turn(&mut self, line: u64, out: &mut Out<'_>) {
        let output = matches!(self.region, Region::Fold(_) | Region::Fence(_, _, true));
        if let Some(body) = self.text.trim_end().strip_suffix("\n---").map(str::len) {
            // The rule before the next heading.
            self.text.truncate(body);
        }
        self.cut(output);
        self.region = Region::Open;
        self.announced = false;
        self.bytes = 0;
        let parts = std::mem::take(&mut self.parts);
        if self.speaker == Speaker::Compaction {
            let text: Vec<&str> = parts.iter().map(|p| p.text.as_str()).collect();
            let line = parts.first().map_or(line, |p| p.line);
            let (body, frame) = super::frame::unframe(&text.join("\n"));
            let mut compaction = Compaction::new(Summary::of(&body), line);
            compaction.frame = frame;
            compaction.at.clone_from(&self.at);
            out.compaction(compaction);
            return;
        }
        out.gather.unit(parts);
    }
}

/// A fence that a line opens: its byte, its length, and what stands behind it.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let text = line.trim_start();
    let byte = *text.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = text.bytes().take_while(|&b| b == byte).count();
    let info = text.get(length..)?.trim();
    (length >= 3 && !(byte == b'`' && info.contains('`'))).then_some((byte, length, info))
}

/// Whether a line announces that a tool's work follows.
fn announces(line: &str) -> bool {
    let text = line.trim().trim_start_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    ["tool", "output", "result", "stdout", "stderr", "returned", "console output", "command output"]
        .iter()
        .any(|word| text.starts_with(word))
        && text.len() < 200
}

/// The end tag of a fold that a line opens.
fn fold(line: &str) -> Option<&'static str> {
    let text = line.trim_start();
    if text.starts_with("<tool-use") {
        Some("</tool-use>")
    } else if text.starts_with("<details") {
        Some("</details>")
    } else {
        None
    }
}

impl LineReader for Markdown {
    fn line(&mut self, text: &str, line: u64, out: &mut Out<'_>) {
        match self.region {
            Region::Fence(byte, length, output) => {
                let closes =
                    fence(text).is_some_and(|(b, n, info)| b == byte && n >= length && info.is_empty());
                if closes && output {
                    self.cut(true);
                    self.region = Region::Open;
                    return;
                }
                self.push(text, line);
                if closes {
                    self.region = Region::Open;
                }
                return;
            }
            Region::Fold(end) => {
                self.push(text, line);
                if text.contains(end) {
                    self.cut(true);
                    self.region = Region::Open;
                }
                return;
            }
            Region::Open => {}
        }
        if let Some(found) = heading(text).filter(|h| h.style == self.style) {
            self.turn(line, out);
            out.tally.understood += 1;
            self.speaker = found.speaker;
            self.at = found.at.map(str::to_owned);
            if !found.rest.is_empty() {
                self.push(found.rest, line);
            }
            return;
        }
        if let Some((byte, length, info)) = fence(text) {
            let info = info.to_ascii_lowercase();
            let output = self.speaker == Speaker::Role(Role::Assistant)
                && (self.announced
                    || ["tool", "output", "result", "console"].iter().any(|w| info.starts_with(w)));
            self.region = Region::Fence(byte, length, output);
            if output {
                self.cut(false);
                return;
            }
        } else if self.speaker == Speaker::Role(Role::Assistant)
            && let Some(end) = fold(text)
        {
            self.cut(false);
            self.push(text, line);
            if text.contains(end) {
                self.cut(true);
            } else {
                self.region = Region::Fold(end);
            }
            return;
        }
        // A rule between turns is no text.
        if !(text.trim() == "---" && self.text.is_empty()) {
            self.push(text, line);
        }
        if !text.trim().is_empty() {
            self.announced = announces(text);
        }
        if self.bytes + self.text.len() > TURN && self.speaker != Speaker::Compaction {
            let (speaker, at) = (self.speaker.clone(), self.at.clone());
            let region = self.region;
            self.turn(line, out);
            (self.speaker, self.at, self.region) = (speaker, at, region);
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.turn(0, out);
    }
}
