//! How long to wait before the next attempt to reach the coordinator.
//!
//! Full jitter: a random time between nothing and a bound that doubles, so that a thousand workers
//! that lost their coordinator together do not come back together. Marc Brooker, "Exponential
//! Backoff and Jitter" (AWS Architecture Blog, 2015).

use std::time::Duration;

const FIRST_BOUND: Duration = Duration::from_millis(200);
const LAST_BOUND: Duration = Duration::from_secs(10);

/// The waiting times between attempts.
#[derive(Debug)]
pub(super) struct Backoff {
    bound: Duration,
}

impl Backoff {
    /// The state after a success.
    pub(super) fn new() -> Self {
        Self { bound: FIRST_BOUND }
    }

    /// The time before the next attempt, by a random number.
    pub(super) fn next_wait(&mut self, random: u64) -> Duration {
        let wait = jittered(self.bound, random);
        self.bound = (self.bound * 2).min(LAST_BOUND);
        wait
    }
}

/// When the next attempt is, in words.
pub(super) fn when(wait: Duration) -> String {
    match wait.as_secs_f64() {
        // What would be told as no time.
        seconds if seconds < 0.05 => "at once".to_owned(),
        seconds => format!("in {seconds:.1} s"),
    }
}

/// The fraction `random / 2^64` of `bound`.
fn jittered(bound: Duration, random: u64) -> Duration {
    let nanos = (bound.as_nanos() * u128::from(random)) >> 64;
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_stay_below_a_bound_that_doubles_up_to_ten_seconds() {
        let mut backoff = Backoff::new();
        let mut bound = FIRST_BOUND;
        for _ in 0..12 {
            assert!(backoff.next_wait(u64::MAX) < bound);
            bound = (bound * 2).min(LAST_BOUND);
        }
        assert_eq!(backoff.bound, LAST_BOUND);
    }

    #[test]
    fn no_wait_is_told_as_no_time() {
        let told = [0, 49, 51, 200, 9_949].map(|wait| when(Duration::from_millis(wait)));
        assert_eq!(told, ["at once", "at once", "in 0.1 s", "in 0.2 s", "in 9.9 s"]);
    }

    #[test]
    fn jitter_covers_the_whole_range() {
        assert_eq!(jittered(LAST_BOUND, 0), Duration::ZERO);
        assert_eq!(jittered(LAST_BOUND, 1 << 63), LAST_BOUND / 2);
        assert!(jittered(LAST_BOUND, u64::MAX) < LAST_BOUND);
    }
}
