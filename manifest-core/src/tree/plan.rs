//! Which children a parent is made from, level by level, before any of it is written.

use std::ops::Range;

/// The shape of a tree: for each level, from 1, the consecutive children of each of its nodes.
///
/// ```
/// use manifest_core::tree::Plan;
/// let plan = Plan::by_fan_in(48, 8)?;
/// assert_eq!(plan.levels().iter().map(Vec::len).collect::<Vec<_>>(), [6, 1]);
/// assert_eq!(plan.depth(), 2);
/// # Ok::<(), manifest_core::tree::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    levels: Vec<Vec<Range<usize>>>,
}

/// Why children cannot be planned so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is nothing to summarize.
    #[error("there are no leaves: a tree needs one at least")]
    NoLeaves,
    /// Fewer than two children a node never come to one root.
    #[error("a fan-in of {0} never comes to one root: it must be 2 or more")]
    FanIn(usize),
    /// The children of a level are not taken once each, in order.
    #[error("level {level}: {}", gap(*.expected, *.found))]
    Gap {
        /// From 1.
        level: usize,
        /// The child that is next.
        expected: usize,
        /// The child that the next node begins with; `None` where nodes are missing.
        found: Option<usize>,
    },
    /// The last level has not one node.
    #[error("the last level has {0} nodes; a tree has one root")]
    Roots(usize),
}

fn gap(expected: usize, found: Option<usize>) -> String {
    match found {
        Some(found) => format!("a node begins with child {found}, where child {expected} is next"),
        None => format!("child {expected} belongs to no node"),
    }
}

impl Plan {
    /// Up to `fan_in` consecutive children a node, evenly, until one node is left. One leaf gets one node.
    ///
    /// # Errors
    /// [`PlanError::NoLeaves`] and [`PlanError::FanIn`].
    pub fn by_fan_in(leaves: usize, fan_in: usize) -> Result<Plan, PlanError> {
        if leaves == 0 {
            return Err(PlanError::NoLeaves);
        }
        if fan_in < 2 {
            return Err(PlanError::FanIn(fan_in));
        }
        let mut levels = Vec::new();
        let mut below = leaves;
        loop {
            let nodes = below.div_ceil(fan_in);
            // The first `more` nodes take one child more than the others.
            let (each, more) = (below / nodes, below % nodes);
            let start = |node: usize| node * each + node.min(more);
            levels.push((0..nodes).map(|node| start(node)..start(node + 1)).collect());
            if nodes == 1 {
                return Ok(Plan { levels });
            }
            below = nodes;
        }
    }

    /// Consecutive leaves of up to `bytes` together for each node of the first level (`sizes` are theirs; a larger leaf stands
    /// alone), then up to `fan_in` children a node.
    ///
    /// # Errors
    /// [`PlanError::NoLeaves`] and [`PlanError::FanIn`].
    pub fn by_bytes(sizes: &[usize], bytes: usize, fan_in: usize) -> Result<Plan, PlanError> {
        let mut first: Vec<Range<usize>> = Vec::new();
        let mut held = 0_usize;
        for (leaf, size) in sizes.iter().enumerate() {
            match first.last_mut() {
                Some(node) if held.saturating_add(*size) <= bytes => {
                    node.end = leaf + 1;
                    held += size;
                }
                _ => {
                    first.push(leaf..leaf + 1);
                    held = *size;
                }
            }
        }
        if first.len() == 1 {
            return Ok(Plan { levels: vec![first] });
        }
        let above = Plan::by_fan_in(first.len(), fan_in)?;
        let mut levels = vec![first];
        levels.extend(above.levels);
        Ok(Plan { levels })
    }

    /// A shape of the caller's.
    ///
    /// # Errors
    /// [`PlanError`] unless each level takes all of the one below it, each once and in order, and the last has one node.
    pub fn of_levels(leaves: usize, levels: Vec<Vec<Range<usize>>>) -> Result<Plan, PlanError> {
        if leaves == 0 {
            return Err(PlanError::NoLeaves);
        }
        let mut below = leaves;
        for (level, nodes) in levels.iter().enumerate() {
            let level = level + 1;
            let mut expected = 0;
            for node in nodes {
                if node.start != expected || node.end <= node.start {
                    return Err(PlanError::Gap { level, expected, found: Some(node.start) });
                }
                expected = node.end;
            }
            if expected < below {
                return Err(PlanError::Gap { level, expected, found: None });
            }
            if expected > below {
                return Err(PlanError::Gap { level, expected: below, found: Some(below) });
            }
            below = nodes.len();
        }
        match levels.last().map(Vec::len) {
            Some(1) => Ok(Plan { levels }),
            roots => Err(PlanError::Roots(roots.unwrap_or(leaves))),
        }
    }

    /// The levels, from the leaves up: the children of each node by their index in the level below.
    pub fn levels(&self) -> &[Vec<Range<usize>>] {
        &self.levels
    }

    /// Summaries on the longest path from a leaf to the root.
    pub fn depth(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    /// Nodes of all levels.
    pub fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a level of one node is a list of one range")]
mod tests {
    use super::*;

    #[test]
    fn every_child_has_one_parent_and_the_nodes_are_even() {
        for leaves in 1..200 {
            for fan_in in 2..12 {
                let plan = Plan::by_fan_in(leaves, fan_in).unwrap();
                assert_eq!(Plan::of_levels(leaves, plan.levels.clone()).unwrap(), plan);
                for level in plan.levels() {
                    let sizes: Vec<usize> = level.iter().map(ExactSizeIterator::len).collect();
                    let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
                    assert!(*most <= fan_in && most - least <= 1, "{leaves} / {fan_in}: {sizes:?}");
                }
            }
        }
        assert_eq!(Plan::by_fan_in(10_000, 8).unwrap().depth(), 5);
    }

    #[test]
    fn leaves_are_packed_to_the_bytes_that_one_node_reads() {
        let plan = Plan::by_bytes(&[10, 20, 30, 100, 5, 5], 60, 8).unwrap();
        assert_eq!(plan.levels(), [vec![0..3, 3..4, 4..6], vec![0..3]]);
        assert_eq!(Plan::by_bytes(&[10, 20], 60, 8).unwrap().levels(), [vec![0..2]]);
        assert_eq!(Plan::by_bytes(&[], 60, 8), Err(PlanError::NoLeaves));
        assert_eq!(Plan::by_bytes(&[60, 60], 60, 1), Err(PlanError::FanIn(1)));
        let sizes: Vec<usize> = (0..1000).map(|i| (i * 7919) % 300).collect();
        let plan = Plan::by_bytes(&sizes, 1000, 4).unwrap();
        assert_eq!(Plan::of_levels(1000, plan.levels.clone()).unwrap(), plan);
    }

    #[test]
    fn a_shape_that_loses_doubles_or_crosses_children_is_refused() {
        assert_eq!(Plan::by_fan_in(0, 8), Err(PlanError::NoLeaves));
        assert_eq!(Plan::by_fan_in(8, 1), Err(PlanError::FanIn(1)));
        let of = |levels: Vec<Vec<Range<usize>>>| Plan::of_levels(4, levels).unwrap_err().to_string();
        assert_eq!(of(vec![vec![0..2, 2..3], vec![0..2]]), "level 1: child 3 belongs to no node");
        assert_eq!(
            of(vec![vec![0..2, 3..4], vec![0..2]]),
            "level 1: a node begins with child 3, where child 2 is next"
        );
        assert_eq!(
            of(vec![vec![0..2, 1..4], vec![0..2]]),
            "level 1: a node begins with child 1, where child 2 is next"
        );
        assert_eq!(of(vec![vec![0..0, 0..4]]), "level 1: a node begins with child 0, where child 0 is next");
        assert_eq!(
            of(vec![vec![0..2, 2..5], vec![0..2]]),
            "level 1: a node begins with child 4, where child 4 is next"
        );
        assert_eq!(of(vec![vec![0..2, 2..4]]), "the last level has 2 nodes; a tree has one root");
        assert_eq!(of(vec![]), "the last level has 4 nodes; a tree has one root");
    }
}
