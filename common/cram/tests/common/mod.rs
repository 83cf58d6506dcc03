//! What the tests of this crate share: generous limits.

use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_cram::{Answer, Limits, Nimber, Solved};

static NEVER: AtomicBool = AtomicBool::new(false);
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// Limits that none of the tests reaches.
pub(crate) fn limits() -> Limits<'static> {
    Limits { memory: 1 << 30, cancel: &NEVER, progress: &PROGRESS, threads: 1 }
}

/// The nimber of an answer that has one.
pub(crate) fn nimber(solved: &Solved) -> Nimber {
    match solved.answer {
        Answer::Nimber(nimber) => nimber,
        Answer::Outcome(outcome) => panic!("{outcome} is no nimber"),
    }
}
