//! What one level of a tree spends its bytes on, and what it costs.

use std::time::Duration;

/// The account of one level.
///
/// *Information* is the bytes of distinct leaf facts that the level states; *scaffolding* is what it spends on structure:
/// headers, handles, markers, ledger framing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// Facts of the level below.
    pub facts_in: usize,
    /// Of these, stated in the level's texts.
    pub stated: usize,
    /// Of these, carried in its ledgers.
    pub carried: usize,
    /// Of these, dropped.
    pub dropped: usize,
    /// Bytes of distinct leaf facts that the level states.
    pub information_bytes: usize,
    /// Bytes that the level spends on structure.
    pub scaffolding_bytes: usize,
    /// Bytes of leaves that are kept because a reclaim was deferred.
    pub deferred_bytes: usize,
    /// Time spent on probes.
    pub probe_time: Duration,
}

impl Level {
    /// Whether structure outweighs information: the fidelity budget boundary.
    pub fn past_boundary(&self) -> bool {
        self.scaffolding_bytes > self.information_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_is_where_structure_exceeds_information() {
        let level = |information_bytes, scaffolding_bytes| Level {
            information_bytes,
            scaffolding_bytes,
            ..Level::default()
        };
        assert!(!level(80, 80).past_boundary());
        assert!(level(80, 81).past_boundary());
        assert!(!level(0, 0).past_boundary());
    }
}
