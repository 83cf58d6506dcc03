//! Time as the core knows it: told with every event, never asked for.

use std::time::{Duration, SystemTime};

/// The last second of the year 9999, since 1970.
const LAST_DATE: Duration = Duration::from_secs(253_402_300_799);

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
    /// The wall time as RFC 3339 in UTC, to the second. A clock that is set to where there is no such date, as
    /// before 1970, is at the nearest one that there is.
    pub(crate) fn stamp(&self) -> String {
        let since_epoch = self.wall.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let date = SystemTime::UNIX_EPOCH + since_epoch.min(LAST_DATE);
        humantime::format_rfc3339_seconds(date).to_string()
    }
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_may_be_set_to_anything() {
        let stamp = |wall| Now { moment: Moment(0), wall }.stamp();
        let second = Duration::from_secs(1);
        assert_eq!(stamp(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00Z");
        assert_eq!(stamp(SystemTime::UNIX_EPOCH - second), "1970-01-01T00:00:00Z");
        let last = SystemTime::UNIX_EPOCH + LAST_DATE;
        assert_eq!(stamp(last), "9999-12-31T23:59:59Z");
        assert_eq!(stamp(last + second), "9999-12-31T23:59:59Z");
    }
}
