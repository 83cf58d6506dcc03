//! What a caller allows a computation, and why one stopped before it was done.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

/// What a computation may use, and how it is watched and stopped from outside.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most bytes that the tables of the computation take together.
    pub memory: usize,
    /// Set by the caller to stop the computation; looked at every few thousand expansions or oftener.
    pub cancel: &'a AtomicBool,
    /// The expansions so far, brought up to date where `cancel` is looked at.
    pub progress: &'a AtomicU64,
}

/// Why a computation ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SolveError {
    /// The caller asked for it.
    #[error("cancelled")]
    Cancelled,
    /// The tables would outgrow what the caller allows, or what the machine has.
    #[error("{needed} bytes are needed where {limit} are allowed ({entries} entries so far)")]
    OutOfMemory {
        /// Bytes allowed.
        limit: u64,
        /// Bytes that the next step would have taken: at least this many are needed.
        needed: u64,
        /// What the tables held.
        entries: u64,
    },
    /// A shape does not lie on the board that it was given for.
    #[error("a shape does not lie on the board")]
    ForeignShape,
    /// The position has more cells than the method handles.
    #[error(
        "a position of {cells} cells is too large for this method: at most {limit} are possible"
    )]
    TooLarge {
        /// Empty cells of the position.
        cells: usize,
        /// The most that are possible.
        limit: usize,
    },
}

/// Counts expansions and keeps the caller informed of them.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limits: Limits<'a>,
    expansions: u64,
    /// After how many expansions the computation is to come to its end.
    end: u64,
}

impl<'a> Meter<'a> {
    /// The expansions from one look at the caller's wishes to the next: well below ten milliseconds.
    const INTERVAL: u64 = 256;

    pub(crate) fn new(limits: &Limits<'a>) -> Self {
        Self::between(limits, 0, u64::MAX)
    }

    /// A meter for a part of a computation: it counts from `start` and is to come to its end at `end`.
    pub(crate) fn between(limits: &Limits<'a>, start: u64, end: u64) -> Self {
        Self { limits: *limits, expansions: start, end }
    }

    /// Lets the computation come to its end after so many expansions more.
    pub(crate) fn allow(&mut self, expansions: u64) {
        self.end = self.expansions.saturating_add(expansions);
    }

    /// Whether the computation is to come to its end.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.expansions >= self.end
    }

    /// The expansions so far.
    pub(crate) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Notes one expansion.
    ///
    /// # Errors
    ///
    /// [`SolveError::Cancelled`] if the caller asked for it.
    #[inline]
    pub(crate) fn expand(&mut self) -> Result<(), SolveError> {
        self.expansions += 1;
        if self.expansions.is_multiple_of(Self::INTERVAL) { self.report() } else { Ok(()) }
    }

    /// Brings the caller's counter up to date and looks at the caller's wishes.
    ///
    /// # Errors
    ///
    /// [`SolveError::Cancelled`] if the caller asked for it.
    pub(crate) fn report(&self) -> Result<(), SolveError> {
        self.limits.progress.store(self.expansions, Ordering::Relaxed);
        if self.limits.cancel.load(Ordering::Relaxed) { Err(SolveError::Cancelled) } else { Ok(()) }
    }
}
