//! Root retention: what a measured recall means for the whole tree.

use super::StatedRecall;
use crate::policy::{FloorOn, Policy, Ppm, power};
use crate::report::RecallFigures;

/// What is known about a tree when one of its parents is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured<'a> {
    /// Stated recall of this level, pooled over its first drafts so far.
    pub recall: StatedRecall,
    /// Stated recall of every level, where they differ; empty where only one is known.
    pub levels: &'a [StatedRecall],
    /// Direct recall of leaf facts at the root, once there is one.
    pub root: Option<StatedRecall>,
    /// Summaries on the longest path from a leaf; 0 counts as 1. The policy's planned depth counts where it is larger.
    pub depth: u32,
    /// Required facts.
    pub required: usize,
    /// Required facts that the ledger carries.
    pub carried: usize,
}

/// Root retention against a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// Stated recall of this level (of the root, where only that was measured).
    pub recall: StatedRecall,
    /// The depth that counted.
    pub depth: u32,
    /// `R_est`: the recall that the policy gates on, to the power of the depth.
    pub estimated: Ppm,
    /// The product of the levels' recalls, where they were given.
    pub product: Option<Ppm>,
    /// Direct recall at the root, where enough probes were asked; it decides instead of the estimate.
    pub direct: Option<Ppm>,
    /// `R_kept = c + (1 − c)·R`, `c` the share of required facts that the ledger carries; 1 without required facts.
    pub kept: Ppm,
    /// The policy's floor.
    pub floor: Ppm,
    /// Whether the floor is met.
    pub met: bool,
    /// Whether the direct recall is further from the levels' product than the policy accepts.
    pub diverges: bool,
}

impl Retention {
    /// The retention that follows from what was measured, or `None` where too few probes were asked.
    ///
    /// A measured recall of 0 is below every floor, unless the ledger carries every required fact.
    pub fn of(measured: &Measured<'_>, policy: &Policy) -> Option<Retention> {
        let least = policy.probe().least;
        let root = measured.root.filter(|recall| recall.is_measured(least));
        let level = Some(measured.recall).filter(|recall| recall.is_measured(least));
        let (recall, depth) = match (level, root) {
            (Some(level), _) => (level, measured.depth.max(policy.depth().unwrap_or(1)).max(1)),
            (None, Some(root)) => (root, 1),
            (None, None) => return None,
        };
        let figure = |recall: StatedRecall| recall.figure(policy.bound());
        let estimated = power(figure(recall), depth);
        let product = (!measured.levels.is_empty())
            .then(|| measured.levels.iter().fold(Ppm::ONE, |kept, level| times(kept, figure(*level))));
        let direct = root.map(figure);
        let decides = direct.unwrap_or(estimated);
        let kept = kept(measured.carried, measured.required, decides);
        let floor = policy.floor();
        let all_carried = measured.required > 0 && measured.carried >= measured.required;
        let met = match policy.floor_on() {
            FloorOn::Estimated => decides >= floor,
            _ => all_carried || (root.unwrap_or(recall).hits() > 0 && kept >= floor),
        };
        let points = || {
            let levels = measured.levels.iter().fold(Ppm::ONE, |kept, level| times(kept, level.point()));
            if measured.levels.is_empty() { power(recall.point(), depth) } else { levels }
        };
        let diverges = level.is_some()
            && root.is_some_and(|root| {
                root.point().get().abs_diff(points().get()) > policy.probe().divergence.get()
            });
        Some(Retention { recall, depth, estimated, product, direct, kept, floor, met, diverges })
    }

    /// The figures as reports show them.
    pub fn figures(&self) -> RecallFigures {
        RecallFigures {
            r: self.recall.point().as_f64(),
            lower: self.recall.lower().as_f64(),
            asked: self.recall.asked(),
            depth: self.depth,
            r_est: self.estimated.as_f64(),
            r_kept: self.kept.as_f64(),
        }
    }

    /// The estimate that was held against the floor: the direct recall at the root, else `R_est`.
    pub fn decides(&self) -> Ppm {
        self.direct.unwrap_or(self.estimated)
    }
}

/// `kept · r`, rounded half up.
fn times(kept: Ppm, r: Ppm) -> Ppm {
    Ppm::ratio(u64::from(kept.get()) * u64::from(r.get()), 1_000_000_000_000)
}

/// `c + (1 − c)·r` with `c = carried / required`, rounded half up; 1 without required facts.
fn kept(carried: usize, required: usize, r: Ppm) -> Ppm {
    if carried >= required {
        return Ppm::ONE;
    }
    let (carried, required) = (carried as u128, required as u128);
    let parts = carried * 1_000_000 + (required - carried) * u128::from(r.get()) + required / 2;
    u32::try_from(parts / required).map_or(Ppm::ONE, Ppm::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(hits: u64, asked: u64, depth: u32) -> Measured<'static> {
        let recall = StatedRecall::new(hits, asked).unwrap();
        Measured { recall, depth, required: 10, ..Measured::default() }
    }

    fn of(measured: &Measured<'_>) -> Retention {
        Retention::of(measured, &Policy::remediation()).unwrap()
    }

    #[test]
    fn the_recorded_trees() {
        let three = of(&measured(54, 60, 3));
        assert_eq!((three.estimated.rounded().as_str(), three.met), ("0.729", false));
        let five = of(&measured(54, 60, 5));
        assert_eq!((five.estimated.rounded().as_str(), five.met), ("0.590", false));
        assert!(of(&measured(54, 60, 1)).met);
    }

    #[test]
    fn the_ledger_lifts_what_is_kept() {
        let tree = Measured { carried: 5, ..measured(54, 60, 3) };
        let retention = of(&tree);
        assert_eq!(retention.kept, Ppm::new(864_500));
        assert!(retention.met);
        let letter = Policy::remediation().with_floor_on(FloorOn::Estimated);
        assert!(!Retention::of(&tree, &letter).unwrap().met);
    }

    #[test]
    fn without_required_facts_or_with_all_carried_the_floor_is_met() {
        assert!(of(&Measured { required: 0, ..measured(6, 60, 9) }).met);
        assert!(of(&Measured { carried: 10, ..measured(6, 60, 9) }).met);
        assert!(of(&Measured { carried: 10, ..measured(0, 60, 1) }).met);
    }

    #[test]
    fn a_measured_zero_is_below_every_floor() {
        let low = Policy::remediation().with_floor(0.000_001).unwrap();
        for carried in [0, 9] {
            assert!(!Retention::of(&Measured { carried, ..measured(0, 60, 1) }, &low).unwrap().met);
        }
        assert!(!Retention::of(&Measured { required: 0, ..measured(0, 60, 1) }, &low).unwrap().met);
    }

    #[test]
    fn fewer_than_sixty_probes_are_not_measured() {
        assert_eq!(Retention::of(&measured(59, 59, 1), &Policy::remediation()), None);
        assert_eq!(Retention::of(&Measured::default(), &Policy::remediation()), None);
    }

    #[test]
    fn the_lower_bound_gates_where_the_policy_says_so() {
        let lower = Policy::remediation().with_bound(crate::policy::Bound::Lower);
        let tree = measured(54, 60, 1);
        assert!(of(&tree).met);
        let retention = Retention::of(&tree, &lower).unwrap();
        assert!(!retention.met, "{retention:?}");
        assert_eq!(retention.estimated, tree.recall.lower());
    }

    #[test]
    fn the_planned_depth_counts_where_it_is_larger() {
        let plan = Policy::remediation().with_depth(3).unwrap();
        assert_eq!(Retention::of(&measured(54, 60, 1), &plan).unwrap().depth, 3);
        assert_eq!(Retention::of(&measured(54, 60, 4), &plan).unwrap().depth, 4);
        assert_eq!(of(&measured(54, 60, 0)).depth, 1);
    }

    #[test]
    fn a_direct_recall_at_the_root_decides_and_its_distance_warns() {
        let levels = [StatedRecall::new(54, 60).unwrap(); 3];
        let root = StatedRecall::new(57, 60).ok();
        let retention = of(&Measured { levels: &levels, root, ..measured(54, 60, 3) });
        assert_eq!(retention.product, Some(Ppm::new(729_000)));
        assert!(retention.met && retention.diverges);
        let near = StatedRecall::new(497, 600).ok(); // 0.828…: 0.0993 from the product
        assert!(!of(&Measured { levels: &levels, root: near, ..measured(54, 60, 3) }).diverges);
        let few = StatedRecall::new(40, 40).ok();
        assert_eq!(of(&Measured { root: few, ..measured(54, 60, 3) }).direct, None);
        let alone = Measured { root, required: 1, ..Measured::default() };
        assert!(of(&alone).met && !of(&alone).diverges);
    }
}
