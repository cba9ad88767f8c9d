//! What depth costs: a share of facts kept at each level, raised to the number of levels.
//!
//! One place for gate, planner and derive: the functions are `const`, so that an expansion can ask them while it
//! compiles.

use super::{Message, Ppm};

/// `r^depth`: the share that is left at the root of a tree whose every level keeps `r`, by repeated
/// multiplication in parts per million, rounded half up at each step. `r` above 1 counts as 1.
///
/// ```
/// use manifest_core::{Ppm, power};
/// assert_eq!(power(Ppm::new(900_000), 3), Ppm::new(729_000));
/// assert_eq!(power(Ppm::new(900_000), 5), Ppm::new(590_490));
/// ```
pub const fn power(r: Ppm, depth: u32) -> Ppm {
    let mut kept = Ppm::ONE;
    let mut level = 0;
    while level < depth {
        let next = step(kept, r);
        if next.get() == kept.get() {
            // Rounding holds it here, however many levels follow.
            return kept;
        }
        kept = next;
        level += 1;
    }
    kept
}

/// The largest depth at which a tree that keeps `r` a level keeps at least `floor`: 0 if one level is too many
/// already, [`u32::MAX`] if no depth is (an `r` of 1, a floor of 0).
///
/// ```
/// use manifest_core::{Ppm, deepest};
/// assert_eq!(deepest(Ppm::new(850_000), Ppm::new(950_000)), 3);
/// assert_eq!(deepest(Ppm::new(850_000), Ppm::new(900_000)), 1);
/// ```
pub const fn deepest(floor: Ppm, r: Ppm) -> u32 {
    let mut kept = Ppm::ONE;
    let mut depth = 0;
    loop {
        let next = step(kept, r);
        if next.get() < floor.get() {
            return depth;
        }
        if next.get() == kept.get() {
            return u32::MAX;
        }
        kept = next;
        depth += 1;
    }
}

const fn step(kept: Ppm, r: Ppm) -> Ppm {
    let r = if r.get() > 1_000_000 { 1_000_000 } else { r.get() };
    let product = (kept.get() as u64 * r as u64 + 500_000) / 1_000_000;
    // At most 1 000 000: both factors are.
    #[expect(clippy::cast_possible_truncation, reason = "both factors are at most one million")]
    Ppm::new(product as u32)
}

/// Fails to compile (or panics, at run time) where a planned depth keeps less than the floor; for the expansion of
/// the derive only, which calls it in a constant.
#[expect(clippy::panic, reason = "runs in the compiler: the panic is the message")]
pub(crate) const fn assert_depth(depth: u32, recall: u32, floor: u32) {
    let (recall, floor) = (Ppm::new(recall), Ppm::new(floor));
    let kept = power(recall, depth);
    if kept.get() >= floor.get() {
        return;
    }
    let text = Message::new()
        .text("depth ")
        .number(depth)
        .text(" at recall ")
        .share(recall.get())
        .text(" keeps ")
        .share((kept.get() + 500) / 1000 * 1000)
        .text(", below the floor ")
        .share(floor.get())
        .text(": at most depth ")
        .number(deepest(floor, recall));
    panic!("{}", text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_powers() {
        assert_eq!(power(Ppm::new(900_000), 3), Ppm::new(729_000));
        assert_eq!(power(Ppm::new(900_000), 5).rounded(), "0.590");
        assert_eq!(power(Ppm::new(950_000), 4).rounded(), "0.815");
        assert_eq!(power(Ppm::new(123), 0), Ppm::ONE);
        assert_eq!(power(Ppm::ZERO, 1), Ppm::ZERO);
        assert_eq!(power(Ppm::ONE, u32::MAX), Ppm::ONE);
        assert_eq!(power(Ppm::new(u32::MAX), 9), Ppm::ONE);
    }

    #[test]
    fn the_deepest_tree_stands_at_its_exact_bound() {
        assert_eq!(deepest(Ppm::new(729_000), Ppm::new(900_000)), 3);
        assert_eq!(deepest(Ppm::new(729_001), Ppm::new(900_000)), 2);
        assert_eq!(deepest(Ppm::new(850_000), Ppm::new(850_000)), 1);
        assert_eq!(deepest(Ppm::new(850_000), Ppm::new(849_999)), 0);
        assert_eq!(deepest(Ppm::new(850_000), Ppm::ONE), u32::MAX);
        assert_eq!(deepest(Ppm::ZERO, Ppm::ZERO), u32::MAX);
        assert_eq!(deepest(Ppm::ONE, Ppm::new(999_999)), 0);
    }

    #[test]
    fn rounding_that_holds_a_power_up_ends() {
        assert_eq!(deepest(Ppm::new(400_000), Ppm::new(999_999)), u32::MAX);
        assert_eq!(power(Ppm::new(999_999), u32::MAX), Ppm::new(500_000));
    }

    #[test]
    #[should_panic(expected = "depth 4 at recall 0.95 keeps 0.815, below the floor 0.85: at most depth 3")]
    fn the_message_of_a_depth_that_the_floor_cannot_afford() {
        assert_depth(4, 950_000, 850_000);
    }

    #[test]
    #[should_panic(
        expected = "depth 4294967295 at recall 0.000001 keeps 0, below the floor 0.999999: at most depth 0"
    )]
    fn the_longest_message_fits() {
        assert_depth(u32::MAX, 1, 999_999);
    }
}
