//! The three policies that have names, and the words that a policy chooses between.

use super::{PolicyError, Ppm};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// The word as policy files and reports write it.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// A named policy to start from.
    Preset {
        /// Every distinct exact value, every binding of it, and the statements that steer work must survive. For
        /// tests and short nodes: at 10 : 1 it cannot be satisfied.
        Exact = "exact",
        /// Pinned, declared and salient facts must survive; one invented or altered item rejects. The default.
        Remediation = "remediation",
        /// Pinned and declared facts must survive; single invented or altered items are listed.
        Narrative = "narrative",
    }
}

impl Preset {
    /// The accepted names, as messages list them.
    pub const NAMES: &'static str = "`exact`, `remediation`, `narrative`";

    /// The floor of this preset.
    pub const fn floor(self) -> Ppm {
        match self {
            Preset::Exact | Preset::Remediation => Ppm::new(850_000),
            Preset::Narrative => Ppm::new(600_000),
        }
    }
}

impl FromStr for Preset {
    type Err = PolicyError;

    fn from_str(name: &str) -> Result<Self, PolicyError> {
        match name {
            "exact" => Ok(Preset::Exact),
            "remediation" => Ok(Preset::Remediation),
            "narrative" => Ok(Preset::Narrative),
            _ => Err(PolicyError::UnknownPreset { name: name.to_owned() }),
        }
    }
}

words! {
    /// Which facts of the children a parent must keep.
    Required {
        /// Every distinct value and binding, and the statements that steer work.
        Every = "every",
        /// Pinned, declared, and salient within the ledger budget.
        Salient = "salient",
        /// Pinned and declared.
        Named = "named",
    }
}

words! {
    /// What one invented referent or one altered statement does.
    Single {
        /// It rejects by itself.
        Rejects = "rejects",
        /// It is listed; an invented referent counts in the density as any orphan.
        Listed = "listed",
    }
}

words! {
    /// Which figure of a measured recall the floor is held against.
    Bound {
        /// The share of probes answered.
        Point = "point",
        /// Its one-sided 95 % Wilson lower bound.
        Lower = "lower",
    }
}

words! {
    /// Which retention meets the floor.
    FloorOn {
        /// What text and ledger keep of the required facts: `c + (1 − c)·r^d`.
        Kept = "kept",
        /// What the text alone is estimated to keep: `r^d`.
        Estimated = "estimated",
    }
}

words! {
    /// What a conflict of the children asks of a parent.
    #[derive(Default)]
    ConflictRule {
        /// To tell all sides, or that there are several.
        #[default]
        #[serde(rename = "keep_both")]
        KeepBoth = "keep_both",
        /// To tell the latest side at least: what it superseded is in the report.
        #[serde(rename = "latest_wins")]
        LatestWins = "latest_wins",
    }
}

words! {
    /// How the children of one parent stand to each other.
    #[derive(Default)]
    Order {
        /// One after the other: a different later value may be a change.
        #[default]
        Sequence = "sequence",
        /// Side by side: two values of one thing are a conflict.
        Parallel = "parallel",
    }
}
