//! The children of a target one by one, the same in every pass, and the units behind the compaction.

use super::target::Target;
use crate::transcript::{Item, Kind, Session, Summary, TranscriptError, Unit, leaves};
use manifest_core::Role;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Where a child stands in the session.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Line of the source.
    pub(crate) line: u64,
    /// Number of the unit; 0 for what the last compaction left.
    pub(crate) unit: u64,
    /// Who said it.
    pub(crate) role: Role,
    /// What it is.
    pub(crate) origin: Origin,
    /// Whether a line of its text is a line of the source.
    pub(crate) spread: bool,
    /// Whether the tool reported a failure.
    pub(crate) failed: bool,
}

/// The places of those children that something is told of: a session has too many to keep all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(HashMap<usize, Place>);

impl Places {
    /// Remembers where a child stands, by its number.
    pub(crate) fn insert(&mut self, child: usize, place: Place) {
        self.0.insert(child, place);
    }

    /// Where a child stands.
    pub(crate) fn get(&self, child: usize) -> Option<&Place> {
        self.0.get(&child)
    }
}

/// What a child is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Something said or thought.
    Said,
    /// Arguments of a tool.
    Call(Rc<str>),
    /// Output of a tool.
    Output(Option<Rc<str>>),
    /// The summary before, by the number of its compaction.
    Summary(usize),
    /// A record of an unknown type.
    Unknown,
}

impl Place {
    /// The tool that it is a call or an output of.
    pub(crate) fn tool(&self) -> Option<&str> {
        match &self.origin {
            Origin::Call(tool) | Origin::Output(Some(tool)) => Some(tool),
            _ => None,
        }
    }

    /// Where, as a person reads it: `user`, `Bash output`.
    pub(crate) fn who(&self) -> String {
        match (&self.origin, self.role) {
            (Origin::Call(tool), _) => format!("{tool} call"),
            (Origin::Output(Some(tool)), _) if self.failed => format!("{tool} error"),
            (Origin::Output(Some(tool)), _) => format!("{tool} output"),
            (Origin::Output(None), _) => "tool output".to_owned(),
            (Origin::Summary(number), _) => format!("summary {number}"),
            (Origin::Unknown, _) => "unknown record".to_owned(),
            (Origin::Said, role) => role_name(role).to_owned(),
        }
    }
}

/// A role as it stands in reports.
pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("line", &self.line)?;
        map.serialize_entry("unit", &self.unit)?;
        map.serialize_entry("role", role_name(self.role))?;
        match &self.origin {
            Origin::Call(tool) => {
                map.serialize_entry("tool", &**tool)?;
                map.serialize_entry("part", "call")?;
            }
            Origin::Output(tool) => {
                if let Some(tool) = tool {
                    map.serialize_entry("tool", &**tool)?;
                }
                map.serialize_entry("part", "output")?;
                if self.failed {
                    map.serialize_entry("failed", &true)?;
                }
            }
            Origin::Summary(number) => map.serialize_entry("summary", number)?,
            Origin::Unknown => map.serialize_entry("part", "unknown")?,
            Origin::Said => {}
        }
        map.end()
    }
}

/// One step of a walk.
pub(crate) enum Step<'a> {
    /// A child, in order.
    Child(Place, &'a str),
    /// A unit behind it.
    After(&'a Unit),
}

/// Walks over the children, the compaction and what comes behind it, up to the next one.
pub(crate) fn walk(
    session: &mut Session,
    target: &Target,
    leaf_bytes: usize,
    visit: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<(), TranscriptError> {
    if let Some(previous) = &target.previous {
        let place =
            |role, origin| Place { line: previous.line, unit: 0, role, origin, spread: false, failed: false };
        if let Summary::Text(text) = &previous.summary
            && visit(Step::Child(place(Role::Assistant, Origin::Summary(previous.number)), text)).is_break()
        {
            return Ok(());
        }
        for text in &previous.kept {
            if visit(Step::Child(place(Role::User, Origin::Said), text)).is_break() {
                return Ok(());
            }
        }
    }
    let mut seen = 0;
    session.read(&mut |item| {
        match item {
            Item::Compaction(_) => {
                seen += 1;
                if seen > target.before + 1 {
                    return ControlFlow::Break(());
                }
            }
            Item::Unit(unit) if seen == target.before => {
                for leaf in leaves(&unit, leaf_bytes) {
                    if leaf.kind() == Kind::Context {
                        continue;
                    }
                    let tool = leaf.part.tool.clone();
                    let place = Place {
                        line: leaf.line,
                        unit: leaf.unit,
                        role: leaf.role(),
                        spread: leaf.part.spread,
                        failed: leaf.part.failed,
                        origin: match leaf.kind() {
                            Kind::Call => Origin::Call(tool.unwrap_or_else(|| "tool".into())),
                            Kind::Output => Origin::Output(tool),
                            Kind::Unknown => Origin::Unknown,
                            _ => Origin::Said,
                        },
                    };
                    visit(Step::Child(place, leaf.text))?;
                }
            }
            Item::Unit(unit) if seen > target.before => return visit(Step::After(&unit)),
            Item::Unit(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}
