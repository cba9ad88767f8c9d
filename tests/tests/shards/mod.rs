//! A session of two shards that stop with two codes, and a summarizer that forgets one of them.

use manifest_core::tree::{Plan, PlanError, Summarizer, Task};
use manifest_core::{Child, Role};
use std::convert::Infallible;
use std::future::{Future, ready};

/// Two shards, two codes: what a merge mixes up.
pub(crate) fn leaves() -> Vec<Child<'static>> {
    let mut out = vec![
        Child::new("Import the missing entries of both shards, and never replay shard-11.")
            .with_role(Role::User),
    ];
    for day in 0..6 {
        out.push(Child::new(format!(
            "The importer wrote batch {day} of the archive on node db-{day}. The metric stayed at {}.{day} ms while it ran.",
            40 + day
        )));
    }
    out.push(
        Child::new("shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait.")
            .with_role(Role::Tool),
    );
    out.push(
        Child::new("shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait.")
            .with_role(Role::Tool),
    );
    out
}

/// Says the first sentence of each child, and what it is told to.
pub(crate) struct First {
    /// What it says `an error` for.
    pub(crate) forgets: &'static str,
}

impl Summarizer<String> for First {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let said = task.children.iter().filter_map(|child| child.text.split_inclusive(['.', ';']).next());
        let text: Vec<String> = said.map(|s| s.trim().replace(self.forgets, "an error")).collect();
        ready(Ok(text.join("\n")))
    }
}

/// Three children a node.
pub(crate) fn plan() -> Result<Plan, PlanError> {
    Plan::by_fan_in(leaves().len(), 3)
}
