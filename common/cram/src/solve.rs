//! One entry to all methods: a position and a method in, an answer and the work's account out.

use crate::proof_number::Switches;
use crate::{Limits, Method, Nimber, Outcome, Position, SolveError};
use crate::{brute_force, couples, mex, outcome, proof_number};

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
    match method {
        Method::BruteForce => brute_force::solve(position, limits),
        Method::Mex if fits_narrow(position) => mex::solve::<u64>(position, limits),
        Method::Mex => mex::solve::<u128>(position, limits),
        Method::Outcome if fits_narrow(position) => outcome::solve::<u64>(position, limits),
        Method::Outcome => outcome::solve::<u128>(position, limits),
        Method::Couples if fits_narrow(position) => couples::solve::<u64>(position, limits),
        Method::Couples => couples::solve::<u128>(position, limits),
        Method::ProofNumber => solve_with(Switches::default(), position, limits),
    }
}

/// Values a position by [`Method::ProofNumber`] with parts of the engine turned off.
///
/// # Errors
///
/// As [`solve`].
pub fn solve_with(
    switches: Switches,
    position: &Position,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    if fits_narrow(position) {
        proof_number::solve::<u64>(position, switches, limits)
    } else {
        proof_number::solve::<u128>(position, switches, limits)
    }
}

/// Whether the cells of a position's grid fit a word of 64 bits.
pub(crate) fn fits_narrow(position: &Position) -> bool {
    position.grid_rows() * position.grid_cols() <= u64::BITS as usize
}
