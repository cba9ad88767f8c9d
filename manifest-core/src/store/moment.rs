//! Instants, without a clock.

use std::time::{Duration, SystemTime};

/// An instant: milliseconds since 1970-01-01T00:00:00Z. The core has no clock; callers and stores say what time it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// From milliseconds since 1970-01-01T00:00:00Z.
    pub const fn from_unix_millis(millis: u64) -> Self {
        Moment(millis)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn unix_millis(self) -> u64 {
        self.0
    }

    /// This instant and `more`, at most the last one that can be written.
    #[must_use = "the later instant is returned, not written back"]
    pub fn after(self, more: Duration) -> Self {
        Moment(self.0.saturating_add(u64::try_from(more.as_millis()).unwrap_or(u64::MAX)))
    }

    /// How long ago `earlier` was; zero if it is yet to come.
    pub fn since(self, earlier: Moment) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// Instants before 1970 become 1970.
impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Moment::default().after(since)
    }
}
