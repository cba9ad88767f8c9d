//! What every reader of a form is.

use super::gather::Gather;
use super::item::{Compaction, Kind, Part};
use super::tally::Tally;
use manifest_core::Role;
use serde_json::Value;

/// Where a reader puts what it finds.
pub(crate) struct Out<'o> {
    /// Units and compactions.
    pub(crate) gather: &'o mut Gather,
    /// Counts.
    pub(crate) tally: &'o mut Tally,
}

impl Out<'_> {
    /// A part.
    pub(crate) fn part(&mut self, part: Part) {
        self.gather.part(part, self.tally);
    }

    /// A compaction.
    pub(crate) fn compaction(&mut self, compaction: Compaction) {
        self.gather.compaction(compaction, self.tally);
    }

    /// A record of a type that the form does not have: kept as text, counted, named.
    pub(crate) fn unknown(&mut self, name: &str, text: String, origin: &Origin<'_>) {
        self.tally.unknown(name, origin.line);
        let part = Part::new(Kind::Unknown, Role::Tool, text, origin.line);
        self.part(Part { at: origin.at.map(str::to_owned), ..part });
    }
}

/// Where a record comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    /// Who said it.
    pub(crate) role: Role,
    /// Whether it is context whatever it says.
    pub(crate) context: bool,
    /// When.
    pub(crate) at: Option<&'a str>,
    /// Line of the source.
    pub(crate) line: u64,
}

impl Origin<'_> {
    /// A part of this origin.
    pub(crate) fn part(&self, kind: Kind, text: impl Into<String>) -> Part {
        let (kind, role) = match kind {
            _ if self.context => (Kind::Context, Role::System),
            Kind::Output | Kind::Unknown => (kind, Role::Tool),
            Kind::Call | Kind::Thought => (kind, Role::Assistant),
            Kind::Context => (kind, Role::System),
            Kind::Said => (kind, self.role),
        };
        Part { at: self.at.map(str::to_owned), ..Part::new(kind, role, text, self.line) }
    }
}

/// Reads a form of JSON records.
pub(crate) trait RecordReader {
    /// One record.
    fn record(&mut self, record: &Value, line: u64, out: &mut Out<'_>);
    /// After the last one.
    fn end(&mut self, _out: &mut Out<'_>) {}
}

/// Reads a form of lines of text.
pub(crate) trait LineReader {
    /// One line, without its end.
    fn line(&mut self, text: &str, line: u64, out: &mut Out<'_>);
    /// After the last one.
    fn end(&mut self, out: &mut Out<'_>);
}

/// When a record says that it was written.
pub(crate) fn time(record: &Value) -> Option<&str> {
    ["timestamp", "at", "created_at", "time"].iter().find_map(|key| super::json::text(record, key))
}
