//! The ledger that would stand beside a parent.

use super::Check;
use crate::account::{Account, Claims};
use crate::child::{Child, Role};
use crate::fact::salience::odds;
use crate::fact::{Known, read};
use crate::policy::Policy;
use crate::report::LedgerRow;
use crate::trace::{Index, Mandate, Mandates, Repeat, Seen, Stater, Table, Text, Trace};
use rustc_hash::FxHashSet;

impl Check<'_> {
    /// The ledger that would mend what is lost: the required first, then by salience what the prose does not state.
    pub(super) fn offer(
        &self,
        trace: &Trace<'_>,
        stater: &Stater<'_, '_>,
        account: &Account,
        claims: &Claims<'_>,
        policy: &Policy,
    ) -> LedgerRow {
        if !policy.ledger().mend {
            return LedgerRow::default();
        }
        let budget = self.ledger_bytes.unwrap_or_else(|| policy.ledger().bytes(trace.children_bytes));
        let lost = |mandate: &Mandate| account.lost_mandates.contains(&(mandate.child, mandate.span));
        let rules = crate::ledger::rules(&trace.mandates, budget, lost);
        crate::ledger::compose(
            &trace.table,
            trace.odds(),
            budget,
            &rules,
            &account.lost_keys,
            |key, entry| !stater.states(key, entry, &trace.table) && !claims.withholds(key, entry),
        )
    }
}

/// The ledger that would stand beside `parent` (which may be empty), in at most `budget` bytes.
///
/// ```
/// let ledger = manifest_core::ledger(&["Crash on ip-10-4-7-19, code E2107."], "It crashed.", 200);
/// assert!(ledger.text.contains("E2107") && ledger.text.len() <= 200);
/// ```
pub fn ledger<C: AsRef<str>>(children: &[C], parent: &str, budget: usize) -> LedgerRow {
    let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(c.as_ref())).collect();
    ledger_of(&children, parent, budget)
}

/// The same over children with roles and times.
pub fn ledger_of(children: &[Child<'_>], parent: &str, budget: usize) -> LedgerRow {
    let text = Text::of(read(parent));
    let index = Index::of(&text);
    let stater = Stater::of(&text, &index);
    let negating = text.negating();
    let repeat = Repeat { parent: &text, index: &index, other_script: false };
    let mut mandates = Mandates::default();
    let mut table = Table::default();
    let mut known = Known::default();
    known.learn(&text.reading);
    for (number, child) in children.iter().enumerate() {
        let child_text = Text::of(read(&child.text));
        known.learn(&child_text.reading);
        let told = Role::of_first_line(&child.text).is_some() || child.role != Role::default();
        mandates.child(number, (child.role, told), &child_text, &repeat, &negating);
        table.add(number, Seen::of(child), &child_text.reading, &child_text.statements.all);
    }
    table.hide(&known);
    let mandates = mandates.into_all(&known);
    let rules = crate::ledger::rules(&mandates, crate::ledger::rules_budget(budget), |m| !m.stated);
    let odds = odds(&table, children.len());
    crate::ledger::compose(&table, &odds, budget, &rules, &FxHashSet::default(), |key, entry| {
        !stater.states(key, entry, &table)
    })
}
