//! Text without turns: notes, logs, records of a form that nobody knows.

use super::item::{Kind, Part};
use super::reader::{LineReader, Out};
use manifest_core::Role;

/// Bytes at which a stretch ends at the next blank line, and at which it ends at any line.
const SOFT: usize = 4 << 10;
const HARD: usize = 16 << 10;

/// The reader of texts; each stretch of lines is a unit.
#[derive(Debug)]
pub(crate) struct Plain {
    role: Role,
    text: String,
    first: u64,
}

impl Plain {
    /// The reader; a log's lines count as the output of a tool, another text's as said by the assistant.
    pub(crate) fn new(log: bool) -> Self {
        Plain { role: if log { Role::Tool } else { Role::Assistant }, text: String::new(), first: 0 }
    }

    fn cut(&mut self, out: &mut Out<'_>) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        out.tally.understood += 1;
        let kind = if self.role == Role::Tool { Kind::Output } else { Kind::Said };
        let mut part = Part::new(kind, self.role, text.trim_end(), self.first);
        part.spread = true;
        out.gather.unit(vec![part]);
    }
}

impl LineReader for Plain {
    fn line(&mut self, text: &str, line: u64, out: &mut Out<'_>) {
        let blank = text.trim().is_empty();
        if self.text.len() >= HARD || (blank && self.text.len() >= SOFT) {
            self.cut(out);
        }
        if self.text.is_empty() {
            if blank {
                return;
            }
            self.first = line;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.cut(out);
    }
}
