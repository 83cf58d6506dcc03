//! Time as the core knows it: told with every event, never asked for.

use std::time::{Duration, SystemTime};

/// Milliseconds since the coordinator started, by a clock that only runs forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl Moment {
    /// The moment that much later.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(milliseconds(duration)))
    }

    /// Milliseconds from `earlier` to this moment; 0 if it is not earlier.
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// When an event happened: by the clock that decisions are made by, and by the one that people
/// read. The second may jump; nothing is decided by it.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// For decisions.
    pub moment: Moment,
    /// For records.
    pub wall: SystemTime,
}

impl Now {
    /// The wall time as RFC 3339 in UTC, to the second.
    pub(crate) fn stamp(&self) -> String {
        humantime::format_rfc3339_seconds(self.wall).to_string()
    }
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
