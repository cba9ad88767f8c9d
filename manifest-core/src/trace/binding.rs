//! Which value stands with which subject: a value of the parent that the children bind elsewhere.

use super::parent::{Index, Text};
use super::statement::{Candidate, Difference};
use crate::fact::Class;
use std::ops::Range;

/// How much of a value's surroundings a child's segment must hold to speak about the same thing.
const SAME_SUBJECT: f64 = 0.6;
/// By how much the other binding must fit better than the best one that agrees.
const MARGIN: f64 = 0.3;

/// A value of the parent with what stands around it.
#[derive(Clone, Debug)]
struct Slot {
    /// Index of the fact in the parent's reading.
    fact: usize,
    key: u64,
    family: Family,
    /// What stands in its segment beside it, weighted by rarity in the parent.
    anchors: Vec<(u64, f64)>,
    total: f64,
    /// The best share of anchors that a child's segment with this value holds.
    same: f64,
    /// The best share that a child's segment with another value of the family holds.
    other: f64,
    /// That segment.
    at: Option<Candidate>,
}

/// Values that can stand in each other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Amount,
    Opaque,
    Place,
    Moment,
}

/// The family of a class, for classes whose values are bound to subjects.
pub(crate) fn family(class: Class) -> Option<Family> {
    Some(match class {
        Class::Quantity | Class::Number | Class::Percentage | Class::Money => Family::Amount,
        Class::Uuid
        | Class::Digest
        | Class::Identifier
        | Class::Ticket
        | Class::ErrorCode
        | Class::Version => Family::Opaque,
        Class::Address | Class::Path | Class::Url => Family::Place,
        Class::Date | Class::Time | Class::Instant => Family::Moment,
        _ => return None,
    })
}

/// The values of the parent, watched while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    slots: Vec<Slot>,
    /// Slots of each segment of the parent.
    of_segment: Vec<Range<usize>>,
}

impl Bindings {
    /// Watches the values of a parent.
    pub(crate) fn of(parent: &Text<'_>, index: &Index) -> Self {
        let mut out = Bindings::default();
        for segment in &parent.segments {
            let first = out.slots.len();
            let items = parent.items(segment.words.clone(), segment.facts.clone());
            for i in segment.facts.clone() {
                let Some(fact) = parent.reading.facts.get(i).filter(|f| f.whole.is_none()) else { continue };
                let Some(family) = family(fact.class) else { continue };
                let own: Vec<u64> = parent
                    .reading
                    .facts
                    .iter()
                    .filter(|f| fact.at.contains(f.at) || f.at.contains(fact.at))
                    .map(|f| f.key)
                    .collect();
                let anchors: Vec<(u64, f64)> = items
                    .iter()
                    .filter(|item| !own.contains(item))
                    .map(|item| {
                        let n = index.segments.get(item).map_or(1, Vec::len).max(1);
                        (*item, 1.0 / n as f64)
                    })
                    .collect();
                let total = anchors.iter().map(|(_, w)| w).sum();
                if anchors.is_empty() || anchors.len() > 40 {
                    continue;
                }
                out.slots.push(Slot {
                    fact: i,
                    key: fact.key,
                    family,
                    anchors,
                    total,
                    same: 0.0,
                    other: 0.0,
                    at: None,
                });
            }
            out.of_segment.push(first..out.slots.len());
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, child: usize, text: &Text<'_>, index: &Index) {
        let mut touched: Vec<u32> = Vec::new();
        for segment in &text.segments {
            let items = text.items(segment.words.clone(), segment.facts.clone());
            touched.clear();
            for item in &items {
                if let Some(segments) = index.segments.get(item) {
                    touched.extend_from_slice(segments);
                }
            }
            touched.sort_unstable();
            touched.dedup();
            for parent_segment in &touched {
                let Some(range) = self.of_segment.get(*parent_segment as usize).cloned() else { continue };
                for slot in self.slots.get_mut(range).unwrap_or_default() {
                    let held: f64 = slot
                        .anchors
                        .iter()
                        .filter(|(item, _)| items.binary_search(item).is_ok())
                        .map(|(_, w)| w)
                        .sum();
                    let share = held / slot.total;
                    if share == 0.0 {
                        continue;
                    }
                    if items.binary_search(&slot.key).is_ok() {
                        slot.same = slot.same.max(share);
                    } else if share > slot.other {
                        let facts = text.reading.facts.get(segment.facts.clone()).unwrap_or_default();
                        // A list of several values binds none of them to the subject.
                        let mut rivals = facts
                            .iter()
                            .filter(|f| f.whole.is_none() && family(f.class) == Some(slot.family));
                        let Some(rival) = rivals.next() else { continue };
                        if rivals.next().is_some() && slot.family != Family::Amount {
                            continue;
                        }
                        slot.other = share;
                        slot.at = Some(Candidate {
                            child,
                            span: text.reading.normal.source(segment.at),
                            text: text.shown(segment.at).trim().into(),
                            likeness: share,
                            difference: Some(Difference::Binding(
                                format!("it to `{}`", rival.span.of(text.reading.text)).into(),
                            )),
                        });
                    }
                }
            }
        }
    }

    /// The values that the children bind to something else: index of the fact in the parent, and what they say.
    pub(crate) fn swapped(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        self.slots.iter().filter_map(|slot| {
            let at = slot.at.as_ref()?;
            (slot.other >= SAME_SUBJECT && slot.same <= slot.other - MARGIN).then_some((slot.fact, at))
        })
    }
}
