//! A time limit for what is computed in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Does some work with a flag that is set when its time is over. Without a budget it never is.
pub(crate) fn within<T>(budget: Option<Duration>, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let over = AtomicBool::new(false);
    let Some(budget) = budget else { return work(&over) };
    thread::scope(|scope| {
        // Nothing is ever sent: the end of the work closes the channel, which ends the wait.
        let (working, ended) = mpsc::channel::<()>();
        let over = &over;
        scope.spawn(move || {
            if ended.recv_timeout(budget) == Err(RecvTimeoutError::Timeout) {
                over.store(true, Ordering::Relaxed);
            }
        });
        let result = work(over);
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_end_is_told_that_its_time_is_over() {
        let turns = within(Some(Duration::from_millis(1)), |over| {
            (0_u64..).find(|_| over.load(Ordering::Relaxed)).is_some()
        });
        assert!(turns);
    }

    #[test]
    fn work_that_ends_does_not_wait_for_its_time() {
        assert_eq!(within(Some(Duration::MAX), |_| 7), 7);
        assert_eq!(within(None, |_| 7), 7);
    }
}
