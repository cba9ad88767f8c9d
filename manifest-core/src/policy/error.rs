//! Why a policy is none.

use super::{Ppm, Preset};

/// A setting that makes no policy: which field, what was expected, what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A number outside its range.
    #[error("policy field `{field}` is {value}; expected {expected}: {hint}")]
    OutOfRange {
        /// The field, as a policy file writes it (`ledger.share`).
        field: &'static str,
        /// What was given.
        value: f64,
        /// The range.
        expected: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// The bounds of a band stand the wrong way round.
    #[error(
        "policy field `{field}` has promote = {promote} and warning = {warning}; expected {expected}: \
         exchange the two, or set both"
    )]
    InvertedBand {
        /// The band: `provenance` or `orphan_density`.
        field: &'static str,
        /// The bound of the promote band.
        promote: Ppm,
        /// The bound of the warning band.
        warning: Ppm,
        /// Which must be the larger one.
        expected: &'static str,
    },
    /// Two limits of one setting stand the wrong way round.
    #[error(
        "policy field `{field}` is {low}, above `{other}`, which is {high}: lower the one, or raise the other"
    )]
    InvertedLimits {
        /// The lower limit's field.
        field: &'static str,
        /// The lower limit.
        low: u64,
        /// The upper limit's field.
        other: &'static str,
        /// The upper limit.
        high: u64,
    },
    /// The planned depth keeps less than the floor at the configured recall.
    #[error(
        "policy field `depth` is {depth}, and at recall {recall} that keeps {}, below the floor {floor}; expected at \
         most depth {deepest}: plan fewer levels, or lower the floor", .keeps.rounded()
    )]
    DepthUnaffordable {
        /// The planned depth.
        depth: u32,
        /// The configured recall a level.
        recall: Ppm,
        /// The floor.
        floor: Ppm,
        /// `recall^depth`.
        keeps: Ppm,
        /// The largest depth that the floor affords.
        deepest: u32,
    },
    /// No preset has this name.
    #[error("no policy is called `{name}`; expected one of {}, or the path of a policy file", Preset::NAMES)]
    UnknownPreset {
        /// What was given.
        name: String,
    },
}
