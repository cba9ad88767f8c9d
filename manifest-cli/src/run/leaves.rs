//! A transcript as the leaves of a tree: what was said, called and put out, each with its place in the file.

use crate::summarizer::Shape;
use crate::transcript::{Item, Kind, Leaf, Session, TranscriptError, Unit, leaves};
use manifest_core::tree::{Plan, PlanError};
use manifest_core::{Child, Role};
use std::ops::ControlFlow;

/// The leaves of a session.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    /// In order; each is named by its line.
    pub(crate) children: Vec<Child<'static>>,
    /// The first line of each.
    pub(crate) lines: Vec<u64>,
    /// Compactions that the session records. What they left is no source and is passed over.
    pub(crate) compactions: usize,
}

impl Leaves {
    /// Reads the leaves of a session up to its line `last`, each of about `bytes`. Instructions and reminders are context and
    /// no leaves.
    pub(crate) fn of(
        session: &mut Session,
        bytes: usize,
        last: Option<u64>,
    ) -> Result<Leaves, TranscriptError> {
        let mut out = Leaves::default();
        session.read(&mut |item| {
            match item {
                Item::Compaction(_) => out.compactions += 1,
                Item::Unit(unit) if last.is_some_and(|last| line(&unit) > last) => {
                    return ControlFlow::Break(());
                }
                Item::Unit(unit) => out.add(&unit, bytes),
            }
            ControlFlow::Continue(())
        })?;
        Ok(out)
    }

    /// The shape of a recorded tree over these leaves: where it counts by the lines of a file, each of its leaves is all
    /// that stands on them.
    pub(crate) fn plan_of(&self, shape: &Shape) -> Result<Plan, PlanError> {
        let mut levels = shape.plan.levels().to_vec();
        if let (Some(first), false) = (levels.first_mut(), shape.leaves.is_empty()) {
            let mut next = 0;
            for node in first {
                let last = shape.leaves.get(node.end - 1).map_or(u64::MAX, |lines| lines.last_line);
                let end = self.lines.partition_point(|line| *line <= last).max(next);
                *node = next..end;
                next = end;
            }
        }
        Plan::of_levels(self.children.len(), levels)
    }

    fn add(&mut self, unit: &Unit, bytes: usize) {
        for leaf in leaves(unit, bytes) {
            if leaf.kind() == Kind::Context {
                continue;
            }
            self.lines.push(leaf.line);
            self.children.push(child(&leaf));
        }
    }
}

/// The line that a unit begins on.
fn line(unit: &Unit) -> u64 {
    unit.parts.first().map_or(0, |part| part.line)
}

fn child(leaf: &Leaf<'_>) -> Child<'static> {
    let role = if leaf.kind() == Kind::Output { Role::Tool } else { leaf.role() };
    let mut child = Child::new(leaf.text.to_owned()).with_role(role).with_id(name(leaf));
    if leaf.kind() == Kind::Call {
        child = child.as_call();
    }
    match &leaf.part.at {
        Some(at) => child.with_time(at.clone()),
        None => child,
    }
}

/// How a leaf is named: its line, and what stands there.
fn name(leaf: &Leaf<'_>) -> String {
    let tool = leaf.part.tool.as_deref();
    let what = match (leaf.kind(), tool) {
        (Kind::Call, Some(tool)) => format!("{tool} call"),
        (Kind::Call, None) => "call".to_owned(),
        (Kind::Output, Some(tool)) => format!("{tool} output"),
        (Kind::Output, None) => "output".to_owned(),
        (Kind::Thought, _) => "thought".to_owned(),
        _ => match leaf.role() {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::System => "system",
        }
        .to_owned(),
    };
    format!("line {}, {what}", leaf.line)
}
