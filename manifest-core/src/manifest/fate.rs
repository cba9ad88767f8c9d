//! What became of each fact of each child, compactly.
//!
//! ```text
//! one item a child: [stated, carried, merged, dropped]
//! stated, carried   [gap, own, …]          own: 0, or 1 + the index of the node's own equal fact
//! merged            [gap, child, fact, …]  the earlier fact that it equals
//! dropped           [[reason, gap, run, …], …]  runs of facts by the index of their reason
//! ```
//!
//! A `gap` counts the facts passed over since the last one named. So no list can name a fact twice, and a run of a
//! thousand dropped facts is two numbers.

use super::canonical::{Cursor, Writer};
use super::error::FormatError;
use std::ops::Range;

/// What became of one fact of a child. Facts are indices into the facts of a manifest: those of its text, then those of
/// its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// The node's text states it.
    Stated {
        /// The node's own fact of equal value, where its text writes the value so that one is read.
        own: Option<u32>,
    },
    /// The node's ledger carries it.
    Carried {
        /// The node's own fact of equal value, where its ledger writes the value so that one is read.
        own: Option<u32>,
    },
    /// It equals a fact that is accounted before it.
    Merged {
        /// Index of that fact's child.
        child: u32,
        /// Index of that fact there.
        fact: u32,
    },
    /// A logged decision ended it here.
    Dropped {
        /// Index of the reason among the node's drops.
        reason: u32,
    },
}

/// Why facts end at a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(tag = "why", content = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum DropReason {
    /// The policy does not ask for it.
    NotRequired,
    /// The caller gave it up, for this reason.
    ByCaller(String),
    /// The summary gave it up, for this reason.
    BySummary(String),
    /// It was required and lost, and the gate only observed.
    Observed,
    /// It is a credential.
    Secret,
    /// The reader of this version, unlike the one that made the child's manifest, reads no such fact there: so the gate
    /// could not ask for it.
    NotRead,
}

impl DropReason {
    fn parts(&self) -> (&'static str, Option<&str>) {
        match self {
            DropReason::NotRequired => ("not_required", None),
            DropReason::ByCaller(reason) => ("by_caller", Some(reason)),
            DropReason::BySummary(reason) => ("by_summary", Some(reason)),
            DropReason::Observed => ("observed", None),
            DropReason::Secret => ("secret", None),
            DropReason::NotRead => ("not_read", None),
        }
    }

    /// Writes `[why, reason?]`.
    pub(super) fn write(&self, to: &mut Writer) {
        let (why, reason) = self.parts();
        to.list(1 + usize::from(reason.is_some()));
        to.text(why);
        if let Some(reason) = reason {
            to.text(reason);
        }
    }

    pub(super) fn read(bytes: &[u8], at: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let parts = (cursor.list()?, cursor.text()?);
        Ok(match parts {
            (1, "not_required") => DropReason::NotRequired,
            (1, "observed") => DropReason::Observed,
            (1, "secret") => DropReason::Secret,
            (1, "not_read") => DropReason::NotRead,
            (2, "by_caller") => DropReason::ByCaller(cursor.text()?.to_owned()),
            (2, "by_summary") => DropReason::BySummary(cursor.text()?.to_owned()),
            _ => return Err(FormatError::Expected { expected: "a reason of this version", at }),
        })
    }
}

/// What became of the facts of one child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChildFates {
    pub(super) stated: Vec<(u32, Option<u32>)>,
    pub(super) carried: Vec<(u32, Option<u32>)>,
    pub(super) merged: Vec<(u32, (u32, u32))>,
    pub(super) dropped: Vec<(u32, Vec<Range<u32>>)>,
}

impl ChildFates {
    /// Collects fates, given by ascending fact.
    pub(super) fn of(fates: impl IntoIterator<Item = (u32, Fate)>) -> Self {
        let mut out = ChildFates::default();
        for (fact, fate) in fates {
            match fate {
                Fate::Stated { own } => out.stated.push((fact, own)),
                Fate::Carried { own } => out.carried.push((fact, own)),
                Fate::Merged { child, fact: earlier } => out.merged.push((fact, (child, earlier))),
                Fate::Dropped { reason } => {
                    let place = out.dropped.partition_point(|(known, _)| *known < reason);
                    if out.dropped.get(place).is_none_or(|(known, _)| *known != reason) {
                        out.dropped.insert(place, (reason, Vec::new()));
                    }
                    let Some((_, runs)) = out.dropped.get_mut(place) else { continue };
                    match runs.last_mut() {
                        Some(last) if last.end == fact => last.end += 1,
                        _ => runs.push(fact..fact + 1),
                    }
                }
            }
        }
        out
    }

    /// What became of a fact; `None` for one that is not accounted.
    pub fn get(&self, fact: u32) -> Option<Fate> {
        fn at<T: Copy>(list: &[(u32, T)], fact: u32) -> Option<T> {
            list.binary_search_by_key(&fact, |(known, _)| *known)
                .ok()
                .and_then(|i| list.get(i))
                .map(|(_, t)| *t)
        }
        if let Some(own) = at(&self.stated, fact) {
            return Some(Fate::Stated { own });
        }
        if let Some(own) = at(&self.carried, fact) {
            return Some(Fate::Carried { own });
        }
        if let Some((child, fact)) = at(&self.merged, fact) {
            return Some(Fate::Merged { child, fact });
        }
        let holds = |runs: &[Range<u32>]| {
            let near = runs.partition_point(|run| run.end <= fact);
            runs.get(near).is_some_and(|run| run.contains(&fact))
        };
        let dropped = self.dropped.iter().find(|(_, runs)| holds(runs))?;
        Some(Fate::Dropped { reason: dropped.0 })
    }

    /// How many facts are stated, carried, merged and dropped.
    pub fn counts(&self) -> [u64; 4] {
        let dropped =
            self.dropped.iter().flat_map(|(_, runs)| runs).map(|run| u64::from(run.end - run.start)).sum();
        [self.stated.len() as u64, self.carried.len() as u64, self.merged.len() as u64, dropped]
    }

    pub(super) fn write(&self, to: &mut Writer) {
        to.list(4);
        for list in [&self.stated, &self.carried] {
            to.list(2 * list.len());
            let mut next = 0;
            for (fact, own) in list {
                to.uint(u64::from(fact - next));
                to.uint(own.map_or(0, |own| u64::from(own) + 1));
                next = fact + 1;
            }
        }
        to.list(3 * self.merged.len());
        let mut next = 0;
        for (fact, (child, earlier)) in &self.merged {
            to.uint(u64::from(fact - next));
            to.uint(u64::from(*child));
            to.uint(u64::from(*earlier));
            next = fact + 1;
        }
        to.list(self.dropped.len());
        for (reason, runs) in &self.dropped {
            to.list(1 + 2 * runs.len());
            to.uint(u64::from(*reason));
            let mut next = 0;
            for run in runs {
                to.uint(u64::from(run.start - next));
                to.uint(u64::from(run.end - run.start));
                next = run.end;
            }
        }
    }

    /// Reads what became of one child's facts. It takes no more memory than the bytes, whatever runs they claim.
    pub(super) fn read(bytes: &[u8], at: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let expected = |expected| FormatError::Expected { expected, at };
        if cursor.list()? != 4 {
            return Err(expected("stated, carried, merged and dropped facts"));
        }
        let mut out = ChildFates::default();
        for list in [&mut out.stated, &mut out.carried] {
            let mut next = 0;
            for _ in 0..pairs(&mut cursor, 2)? {
                let fact = step(&mut cursor, next)?;
                let own = u32::try_from(cursor.count()?).map_err(|_| expected("an index"))?;
                list.push((fact, own.checked_sub(1)));
                next = after(fact, 1, at)?;
            }
        }
        let mut next = 0;
        for _ in 0..pairs(&mut cursor, 3)? {
            let fact = step(&mut cursor, next)?;
            let place = |cursor: &mut Cursor<'_>| step(cursor, 0);
            out.merged.push((fact, (place(&mut cursor)?, place(&mut cursor)?)));
            next = after(fact, 1, at)?;
        }
        for _ in 0..cursor.list()? {
            let items = cursor.list()?;
            if items < 3 || items % 2 == 0 {
                return Err(expected("a reason with its runs"));
            }
            let reason = step(&mut cursor, 0)?;
            if out.dropped.last().is_some_and(|(last, _)| *last >= reason) {
                return Err(expected("reasons in ascending order"));
            }
            let mut runs: Vec<Range<u32>> = Vec::new();
            for i in 0..items / 2 {
                let next = runs.last().map_or(0, |run| run.end);
                let start = step(&mut cursor, next)?;
                let end = after(start, cursor.count()?, at)?;
                if end == start || i > 0 && start == next {
                    return Err(expected("runs as long as they can be"));
                }
                runs.push(start..end);
            }
            out.dropped.push((reason, runs));
        }
        Ok(out)
    }
}

/// How many groups of `size` numbers a list holds.
fn pairs(cursor: &mut Cursor<'_>, size: usize) -> Result<usize, FormatError> {
    let expected = cursor.expected("a list of whole groups");
    let items = cursor.list()?;
    if items % size == 0 { Ok(items / size) } else { Err(expected) }
}

/// The next index, so many after `next`.
fn step(cursor: &mut Cursor<'_>, next: u32) -> Result<u32, FormatError> {
    let error = cursor.expected("an index");
    u32::try_from(cursor.count()?).ok().and_then(|gap| next.checked_add(gap)).ok_or(error)
}

fn after(fact: u32, run: usize, at: usize) -> Result<u32, FormatError> {
    let error = FormatError::Expected { expected: "an index", at };
    u32::try_from(run).ok().and_then(|run| fact.checked_add(run)).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fate() -> impl Strategy<Value = Fate> {
        let own = proptest::option::of(0..9_u32);
        prop_oneof![
            own.clone().prop_map(|own| Fate::Stated { own }),
            own.prop_map(|own| Fate::Carried { own }),
            (0..3_u32, 0..9_u32).prop_map(|(child, fact)| Fate::Merged { child, fact }),
            (0..3_u32).prop_map(|reason| Fate::Dropped { reason }),
            (0..3_u32).prop_map(|reason| Fate::Dropped { reason }),
        ]
    }

    proptest! {
        #[test]
        fn fates_come_back(fates in proptest::collection::vec(proptest::option::of(fate()), 0..60)) {
            let given = fates.iter().enumerate().filter_map(|(i, f)| Some((u32::try_from(i).ok()?, (*f)?)));
            let written = ChildFates::of(given);
            let mut to = Writer::default();
            written.write(&mut to);
            let bytes = to.into_bytes();
            prop_assert_eq!(super::super::canonical::check(&bytes), Ok(()));
            let read = ChildFates::read(&bytes, 0).unwrap();
            prop_assert_eq!(&read, &written);
            for (i, fate) in fates.iter().enumerate() {
                prop_assert_eq!(read.get(u32::try_from(i).unwrap()), *fate);
            }
            prop_assert_eq!(read.counts().iter().sum::<u64>(), fates.iter().flatten().count() as u64);
        }
    }

    #[test]
    fn a_thousand_dropped_facts_are_a_few_bytes() {
        let mut to = Writer::default();
        ChildFates::of((0..1000).map(|fact| (fact, Fate::Dropped { reason: 0 }))).write(&mut to);
        assert!(to.len() < 12);
    }

    #[test]
    fn runs_have_one_writing_and_cost_no_memory() {
        let read = |numbers: &[u64]| {
            let mut to = Writer::default();
            to.list(4);
            for _ in 0..3 {
                to.list(0);
            }
            to.list(1);
            to.list(numbers.len());
            for n in numbers {
                to.uint(*n);
            }
            ChildFates::read(&to.into_bytes(), 0)
        };
        assert_eq!(read(&[0, 2, 1, 1, 4]).unwrap().dropped, [(0, vec![2..3, 4..8])]);
        assert!(read(&[0, 0, 1, 0, 1]).is_err(), "two runs that touch");
        assert!(read(&[0, 0, 0]).is_err(), "an empty run");
        assert!(read(&[0, 1]).is_err(), "half a run");
        assert!(read(&[0]).is_err(), "no run");
        assert!(read(&[0, 1, u64::from(u32::MAX)]).is_err(), "beyond every index");
        assert_eq!(read(&[0, 0, u64::from(u32::MAX)]).unwrap().counts()[3], u64::from(u32::MAX));
    }
}
