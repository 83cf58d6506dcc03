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
    /// Counts the expansions, brought up to date where `cancel` is looked at.
    pub progress: &'a AtomicU64,
    /// How many threads [`Method::ProofNumber`](crate::Method::ProofNumber) may use at once; all other methods use one.
    pub threads: usize,
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
    /// Those that the caller knows of.
    reported: u64,
    /// After how many expansions the computation is to come to its end.
    end: u64,
    /// Set by another thread when the computation is to come to its end.
    is_done: &'a AtomicBool,
}

/// Of a computation that nobody ends from beside it.
static GOES_ON: AtomicBool = AtomicBool::new(false);

impl<'a> Meter<'a> {
    /// The expansions from one look at the caller's wishes to the next: well below ten milliseconds.
    const INTERVAL: u64 = 256;

    pub(crate) fn new(limits: &Limits<'a>) -> Self {
        Self::shared(limits, u64::MAX, &GOES_ON)
    }

    /// The meter of one thread of several: it comes to its end after so many expansions, or when another thread is done.
    pub(crate) fn shared(limits: &Limits<'a>, end: u64, is_done: &'a AtomicBool) -> Self {
        Self { limits: *limits, expansions: 0, reported: 0, end, is_done }
    }

    /// Puts the end off until so many expansions from now.
    pub(crate) fn extend(&mut self, expansions: u64) {
        self.end = self.expansions.saturating_add(expansions);
    }

    /// What the caller allows.
    pub(crate) fn limits(&self) -> &Limits<'a> {
        &self.limits
    }

    /// Whether the computation is to come to its end.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.expansions >= self.end || self.is_done.load(Ordering::Relaxed)
    }

    /// The expansions so far.
    pub(crate) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Adds expansions of which the caller knows.
    pub(crate) fn add(&mut self, expansions: u64) {
        self.expansions += expansions;
        self.reported += expansions;
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
    pub(crate) fn report(&mut self) -> Result<(), SolveError> {
        self.limits.progress.fetch_add(self.expansions - self.reported, Ordering::Relaxed);
        self.reported = self.expansions;
        if self.limits.cancel.load(Ordering::Relaxed) { Err(SolveError::Cancelled) } else { Ok(()) }
    }
}
