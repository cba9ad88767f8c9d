//! The rule that no re-hashing gets around: every fact of every child is accounted for, exactly once.

use super::fate::ChildFates;
use super::record::FactRecord;
use super::{NodeId, NodeManifest, section};
use std::ops::Range;
use thiserror::Error;

/// How a node fails to account for its children's facts. Facts and children are indices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AccountingError {
    /// Not as many children as the node lists.
    #[error("the node lists {listed} children, {given} were given")]
    Count {
        /// Children that the node lists.
        listed: usize,
        /// Children that were given.
        given: usize,
    },
    /// Another child than the node lists.
    #[error("child {child} is {given}, the node lists {listed}")]
    Child {
        /// Its index.
        child: usize,
        /// The id that the node lists.
        listed: NodeId,
        /// The id of the one that was given.
        given: NodeId,
    },
    /// A level that is not one above the highest child's.
    #[error("the node says level {listed}; over these children it is {expected}")]
    Level {
        /// What the node says.
        listed: u32,
        /// One more than the highest level of a child.
        expected: u32,
    },
    /// Facts that are neither stated, carried, merged nor dropped.
    #[error("{n} facts of child {child} are not accounted for, the first is fact {first}", n = facts.len(), first = facts.first().copied().unwrap_or_default())]
    Unaccounted {
        /// The child.
        child: usize,
        /// Its facts.
        facts: Vec<u32>,
    },
    /// A fact that is accounted for twice.
    #[error("fact {fact} of child {child} is accounted for twice")]
    Twice {
        /// The child.
        child: usize,
        /// The fact.
        fact: u32,
    },
    /// A fact that the child does not have.
    #[error("child {child} has no fact {fact}")]
    Beyond {
        /// The child.
        child: usize,
        /// The fact.
        fact: u32,
    },
    /// A fact that is said to live on in another one, which is not its equal, or is not there.
    #[error("fact {fact} of child {child} is not the one that it is said to live on in")]
    Target {
        /// The child.
        child: usize,
        /// The fact.
        fact: u32,
    },
    /// A drop whose reason is not there.
    #[error("facts of child {child} are dropped for reason {reason}, which is not there")]
    Reason {
        /// The child.
        child: usize,
        /// Index of the reason.
        reason: u32,
    },
}

impl NodeManifest {
    /// Whether the node accounts for every fact of its children, given in their order: each is stated, carried, merged or
    /// dropped, exactly once; what it lives on in is its equal; and every reason is there.
    ///
    /// A leaf has no children, and accounts for none.
    ///
    /// # Errors
    /// [`AccountingError`], with the first child that fails.
    pub fn accounting(&self, children: &[&NodeManifest]) -> Result<(), AccountingError> {
        let listed: Vec<NodeId> = self.children().collect();
        if listed.len() != children.len() {
            return Err(AccountingError::Count { listed: listed.len(), given: children.len() });
        }
        for (child, (listed, given)) in listed.into_iter().zip(children).enumerate() {
            if listed != given.id() {
                return Err(AccountingError::Child { child, listed, given: given.id() });
            }
        }
        let expected =
            children.iter().map(|child| child.level()).max().map_or(0, |top| top.saturating_add(1));
        if self.level() != expected {
            return Err(AccountingError::Level { listed: self.level(), expected });
        }
        let fates: Vec<ChildFates> = (0..children.len()).filter_map(|child| self.fates(child)).collect();
        let own: Vec<FactRecord<'_>> = self.facts().collect();
        let facts: Vec<Vec<FactRecord<'_>>> = children.iter().map(|child| child.facts().collect()).collect();
        let node = Accounting { own: &own, of_text: self.text_fact_count(), facts: &facts, fates: &fates };
        for child in 0..children.len() {
            node.child(child, self.count(section::DROPS))?;
        }
        Ok(())
    }
}

/// A node's account of its children.
struct Accounting<'a> {
    own: &'a [FactRecord<'a>],
    of_text: usize,
    facts: &'a [Vec<FactRecord<'a>>],
    fates: &'a [ChildFates],
}

impl Accounting<'_> {
    fn child(&self, child: usize, reasons: usize) -> Result<(), AccountingError> {
        let (Some(fates), Some(facts)) = (self.fates.get(child), self.facts.get(child)) else {
            return Ok(());
        };
        covers(child, fates, facts.len())?;
        let target = |fact| AccountingError::Target { child, fact };
        let fact_of = |fact: u32| facts.get(fact as usize);
        let lists = [(&fates.stated, 0..self.of_text), (&fates.carried, self.of_text..self.own.len())];
        for (list, range) in lists {
            for (fact, own) in list {
                let Some(own) = own else { continue };
                let own =
                    Some(*own as usize).filter(|own| range.contains(own)).and_then(|own| self.own.get(own));
                let equal = own.zip(fact_of(*fact)).is_some_and(|(own, fact)| own.same(fact));
                if !equal {
                    return Err(target(*fact));
                }
            }
        }
        for (fact, (earlier_child, earlier)) in &fates.merged {
            let before = (*earlier_child as usize, *earlier) < (child, *fact);
            let found =
                self.facts.get(*earlier_child as usize).and_then(|facts| facts.get(*earlier as usize));
            let equal = found.zip(fact_of(*fact)).is_some_and(|(found, fact)| found.same(fact));
            let merged = self
                .fates
                .get(*earlier_child as usize)
                .is_some_and(|fates| fates.merged.binary_search_by_key(earlier, |(known, _)| *known).is_ok());
            if !before || !equal || merged {
                return Err(target(*fact));
            }
        }
        match fates.dropped.iter().find(|(reason, _)| *reason as usize >= reasons) {
            Some((reason, _)) => Err(AccountingError::Reason { child, reason: *reason }),
            None => Ok(()),
        }
    }
}

/// Whether fates name each of so many facts exactly once.
fn covers(child: usize, fates: &ChildFates, count: usize) -> Result<(), AccountingError> {
    let one = |fact: u32| fact..fact.saturating_add(1);
    let mut runs: Vec<Range<u32>> = Vec::new();
    runs.extend(fates.stated.iter().chain(&fates.carried).map(|(fact, _)| one(*fact)));
    runs.extend(fates.merged.iter().map(|(fact, _)| one(*fact)));
    runs.extend(fates.dropped.iter().flat_map(|(_, runs)| runs.iter().cloned()));
    runs.sort_unstable_by_key(|run| run.start);
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let mut next = 0;
    let mut missing = Vec::new();
    for run in runs {
        if run.start < next {
            return Err(AccountingError::Twice { child, fact: run.start });
        }
        if run.end > count {
            return Err(AccountingError::Beyond { child, fact: run.start.max(count) });
        }
        missing.extend(next..run.start);
        next = run.end;
    }
    missing.extend(next..count);
    if missing.is_empty() { Ok(()) } else { Err(AccountingError::Unaccounted { child, facts: missing }) }
}
