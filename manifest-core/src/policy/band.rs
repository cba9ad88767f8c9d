//! Bands: how far a figure lies from where a parent may be promoted.

use super::{PolicyError, Ppm};
use std::fmt;

/// Where a figure lies. Ordered from good to bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Band {
    /// The parent may replace its children.
    #[default]
    Promote,
    /// The parent does not replace its children now.
    Warning,
    /// The parent is rejected.
    Beyond,
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Band::Promote => "promote",
            Band::Warning => "warning",
            Band::Beyond => "beyond",
        })
    }
}

/// The bounds between the bands of one figure. A bound belongs to the better band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bounds {
    /// Where the promote band ends.
    pub promote: Ppm,
    /// Where the warning band ends.
    pub warning: Ppm,
}

impl Bounds {
    pub(crate) const fn new(promote: u32, warning: u32) -> Self {
        Bounds { promote: Ppm::new(promote), warning: Ppm::new(warning) }
    }

    /// The band of a share that is good when it is large.
    pub(crate) fn at_least(self, part: usize, whole: usize) -> Band {
        if self.promote.reached_by(part, whole) {
            Band::Promote
        } else if self.warning.reached_by(part, whole) {
            Band::Warning
        } else {
            Band::Beyond
        }
    }

    /// The band of a share that is good when it is small.
    pub(crate) fn at_most(self, part: usize, whole: usize) -> Band {
        if !self.promote.exceeded_by(part, whole) {
            Band::Promote
        } else if !self.warning.exceeded_by(part, whole) {
            Band::Warning
        } else {
            Band::Beyond
        }
    }

    pub(super) fn check(self, field: &'static str, large_is_good: bool) -> Result<(), PolicyError> {
        let Bounds { promote, warning } = self;
        let (ordered, expected) = if large_is_good {
            (promote >= warning, "promote at or above warning")
        } else {
            (promote <= warning, "promote at or below warning")
        };
        if ordered { Ok(()) } else { Err(PolicyError::InvertedBand { field, promote, warning, expected }) }
    }
}

/// What counts decide where ratios of few would be chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SmallCounts {
    /// With fewer claims than this, the provenance alone goes no further than the warning band – unless two claims
    /// or more stand there and none is traceable.
    pub claims: usize,
    /// With fewer referents than this, counts decide instead of the density.
    pub referents: usize,
    /// Unresolved referents that are still promoted.
    pub orphans_promote: usize,
    /// Unresolved referents that are still in the warning band.
    pub orphans_warning: usize,
}

impl SmallCounts {
    pub(super) const DEFAULT: SmallCounts =
        SmallCounts { claims: 4, referents: 5, orphans_promote: 1, orphans_warning: 2 };
}
