//! The facts of some children by how likely later work needs them.

use crate::child::Child;
use crate::fact::salience::Salience;
use crate::fact::{Fact, read};
use crate::trace::{Seen, Table, Text};

/// A fact of some children with how likely later work needs it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankedFact {
    /// The fact.
    pub fact: Fact,
    /// Index of its child.
    pub child: usize,
    /// 0 to 1.
    pub salience: f64,
}

/// The facts of `children`, in their order, each with its salience over all of them.
pub fn ranked_facts(children: &[Child<'_>]) -> Vec<RankedFact> {
    let mut table = Table::default();
    let mut facts = Vec::new();
    for (number, child) in children.iter().enumerate() {
        let text = Text::of(read(&child.text));
        table.add(number, Seen::of(child), &text.reading, &text.statements.all);
        facts.extend(text.reading.facts.into_iter().map(|fact| (number, fact)));
    }
    let salience = Salience::of(&table, children.len());
    facts
        .into_iter()
        .map(|(child, fact)| {
            let salience = table.place(fact.key).map_or(0.0, |place| salience.rank(place));
            RankedFact { fact, child, salience }
        })
        .collect()
}
