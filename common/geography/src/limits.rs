//! What a caller allows a computation, and why one stopped before it was done.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

/// What a computation may use, and how it is watched and stopped from outside.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most bytes that the tables of the computation take together.
    pub memory: usize,
    /// Set by the caller to stop the computation; looked at every few thousand steps.
    pub cancel: &'a AtomicBool,
    /// Grows as the computation advances, by steps of its own; nothing but the growth has meaning.
    pub progress: &'a AtomicU64,
}

impl Limits<'_> {
    /// Notes that the computation advanced by some steps and asks whether it may go on.
    ///
    /// # Errors
    ///
    /// [`Stop::Cancelled`] if the caller asked for it.
    pub(crate) fn advance(&self, steps: u64) -> Result<(), Stop> {
        self.progress.fetch_add(steps, Ordering::Relaxed);
        if self.cancel.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Asks whether tables of `needed` bytes are allowed.
    ///
    /// # Errors
    ///
    /// [`Stop::OutOfMemory`] if they are not.
    pub(crate) fn allow(&self, needed: usize) -> Result<(), Stop> {
        if needed <= self.memory {
            Ok(())
        } else {
            Err(Stop::OutOfMemory { limit: self.memory as u64, needed: needed as u64 })
        }
    }
}

/// Why a computation ended without a result. What it had found is gone; nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Stop {
    /// The caller asked for it.
    #[error("cancelled")]
    Cancelled,
    /// The tables would outgrow what the caller allows.
    #[error("{needed} bytes are needed where {limit} are allowed")]
    OutOfMemory {
        /// Bytes allowed.
        limit: u64,
        /// Bytes that the next step would have taken.
        needed: u64,
    },
    /// The token's component has more vertices than the method handles.
    #[error("a component of {order} vertices is too large: at most {limit} are possible")]
    TooLarge {
        /// Vertices of the component.
        order: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// There is no such slice of a sweep.
    #[error("there is no slice {index} of {of} on {vertices} vertices")]
    NoSuchSlice {
        /// Vertices of the graphs.
        vertices: u8,
        /// The slice asked for, from 0.
        index: u32,
        /// The number of slices.
        of: u32,
    },
}
