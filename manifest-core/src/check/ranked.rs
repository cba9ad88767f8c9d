//! The facts of some children by how likely later work needs them.

use crate::child::Child;
use crate::fact::salience::Salience;
use crate::fact::{Class, Fact, Known, read};
use crate::text::Span;
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
    let mut known = Known::default();
    for (number, child) in children.iter().enumerate() {
        let text = Text::of(read(&child.text));
        known.learn(&text.reading);
        table.add(number, Seen::of(child), &text.reading, &text.statements.all);
        facts.extend(text.reading.facts.into_iter().map(|fact| (number, fact)));
    }
    table.hide(&known);
    let salience = Salience::of(&table, children.len());
    let bare: Vec<Vec<Span>> =
        if known.is_empty() { Vec::new() } else { children.iter().map(|c| known.spans(&c.text)).collect() };
    let hidden = |child: usize, span: Span| {
        let spans = bare.get(child).map_or(&[][..], Vec::as_slice);
        let near = spans.partition_point(|bare| bare.end <= span.start);
        spans.get(near).is_some_and(|bare| bare.overlaps(span))
    };
    facts
        .into_iter()
        .map(|(child, mut fact)| {
            // What one text gives away as a credential is one in the others, too.
            if hidden(child, fact.span) {
                fact.class = Class::Secret;
            }
            let salience = table.place(fact.key).map_or(0.0, |place| salience.rank(place));
            RankedFact { fact, child, salience }
        })
        .collect()
}
