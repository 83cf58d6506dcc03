//! One entry to all methods: a position and a method in, an answer and the work's account out.

use crate::{Limits, Method, Nimber, Outcome, Position, SolveError};

/// What a method says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The nimber.
    Nimber(Nimber),
    /// Only who wins.
    Outcome(Outcome),
}

impl Answer {
    /// Who wins.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Nimber(nimber) => nimber.outcome(),
            Self::Outcome(outcome) => outcome,
        }
    }
}

/// An answer and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The nimber, or who wins.
    pub answer: Answer,
    /// Shapes, sums or couples, as the method has it, that the table holds facts on at the end.
    pub entries: u64,
    /// How often the children of a node were generated.
    pub expansions: u64,
    /// The most bytes that the tables took together.
    pub table_bytes: u64,
    /// A hash of the work that does not depend on the machine or the limits: the same position and
    /// method give the same fingerprint.
    pub fingerprint: u64,
}

/// Values a position by a method.
///
/// # Errors
///
/// [`SolveError::Cancelled`] soon after the caller asks for it, [`SolveError::OutOfMemory`] if the
/// tables would outgrow `limits.memory`, [`SolveError::TooLarge`] for a position beyond what brute
/// force can do.
pub fn solve(
    method: Method,
    position: &Position,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let _ = (method, limits);
    Err(SolveError::TooLarge { cells: position.cells(), limit: 0 })
}
