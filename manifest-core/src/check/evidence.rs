//! From a trace to what the gate judges.

use super::Check;
use crate::code::Code;
use crate::fact::Class;
use crate::gate::{Evidence, FormFault};
use crate::policy::Policy;
use crate::report::{ConflictRow, ConflictState, LostRow, OrphanRow};
use crate::trace::{self, Trace, masked};

impl Check<'_> {
    pub(super) fn fill(
        &self,
        evidence: &mut Evidence,
        trace: &Trace<'_>,
        policy: &Policy,
        lost: &[LostRow],
        orphans: &[OrphanRow],
        conflicts: &[ConflictRow],
    ) {
        for row in lost {
            evidence.lost.push_with(|| {
                format!(
                    "{} `{}` of child {} at byte {} is lost",
                    row.kind, row.text, row.child, row.span.start
                )
            });
        }
        for row in orphans {
            let line = || match &row.why {
                Some(why) => format!("`{}` at byte {}: {why}", row.text, row.span.start),
                None => format!("{} `{}` at byte {} stands in no child", row.kind, row.text, row.span.start),
            };
            match row.code {
                Code::ReferentInvented => evidence.invented.push_with(line),
                Code::StatementAltered => evidence.altered.push_with(line),
                Code::ClaimMiscited => evidence.miscited.push_with(line),
                _ => evidence.orphaned.push_with(line),
            }
        }
        for row in conflicts {
            let line = || {
                let sides: Vec<String> =
                    row.sides.iter().map(|s| format!("child {} says `{}`", s.child, s.text)).collect();
                sides.join(", ")
            };
            match row.state {
                ConflictState::Collapsed => evidence.collapsed.push_with(line),
                ConflictState::Stale => evidence.stale.push_with(line),
                _ => {}
            }
        }
        for span in &trace.secrets {
            evidence
                .secrets
                .push_with(|| format!("a credential at byte {} ({} bytes)", span.start, span.len()));
        }
        for (span, kind, read_as) in self.misfiled(trace) {
            evidence.misfiled.push_with(|| {
                let text = masked(&trace.parent.reading, span);
                let read_as = read_as.map_or("no exact fact", Class::as_str);
                format!("`{text}` at byte {} is declared as {kind} and read as {read_as}", span.start)
            });
        }
        evidence.form = trace.faults.iter().filter_map(|f| form(f, policy)).collect();
        evidence.children_unchanged = self.previous.is_some_and(|p| self.unchanged(p));
        evidence.budget_bytes = self.budget_bytes;
        evidence.recall = self.recall;
        evidence.level_recalls.clone_from(&self.level_recalls);
        evidence.root_recall = self.root_recall;
        evidence.past.clone_from(&self.past);
        evidence.level = self.level;
        evidence.depth = self.depth;
        evidence.flatten = self.flatten;
        evidence.defer = self.defer;
    }
}

fn form(fault: &trace::FormFault, policy: &Policy) -> Option<(FormFault, String)> {
    use trace::FormFault as Seen;
    Some(match fault {
        Seen::Empty => (FormFault::Empty, "the parent is empty".to_owned()),
        Seen::NotASummary(why) => (FormFault::NotASummary, (*why).to_owned()),
        Seen::NoProgress(parent, children) => {
            if !policy.growth().exceeded_by(*parent, *children) {
                return None;
            }
            (FormFault::NoProgress, format!("the parent has {parent} bytes, its children {children}"))
        }
        Seen::Renested(line) => (FormFault::Renested, format!("`{line}` wraps an earlier summary once more")),
        Seen::Truncated(line) => (FormFault::Truncated, format!("the parent breaks off at `{line}`")),
    })
}
