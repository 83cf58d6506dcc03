//! From a board to its certificate.

use crate::certificate::choose::choose;
use crate::certificate::entries::Entries;
use crate::certificate::grid::Grid;
use crate::certificate::oracle::Oracle;
use crate::certificate::statement::Certificate;
use crate::shape::Bits;
use crate::solve::fits_narrow;
use crate::{Board, Limits, SolveError};

/// A certificate and what it took.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate.
    pub certificate: Certificate,
    /// How often the options of a shape were generated, by the search and for the certificate.
    pub expansions: u64,
}

/// Finds the nimber of a board by [`Method::ProofNumber`](crate::Method::ProofNumber) and writes down why.
///
/// Three quarters of the memory are for the search, one for the certificate.
///
/// # Errors
///
/// [`SolveError::Cancelled`] soon after the caller asks for it, [`SolveError::OutOfMemory`] if there is no room for the
/// certificate.
pub fn certify(board: Board, limits: &Limits<'_>) -> Result<Certified, SolveError> {
    if fits_narrow(&board.position()) {
        with::<u64>(board, limits)
    } else {
        with::<u128>(board, limits)
    }
}

/// What part of the memory is for the certificate.
const QUARTER: usize = 4;

/// Says what the entries need as what all needs.
fn of_the_whole(fault: SolveError) -> SolveError {
    let whole = |bytes: u64| bytes.saturating_mul(QUARTER as u64);
    match fault {
        SolveError::OutOfMemory { limit, needed, entries } => {
            SolveError::OutOfMemory { limit: whole(limit), needed: whole(needed), entries }
        }
        other => other,
    }
}

fn with<B: Bits>(board: Board, limits: &Limits<'_>) -> Result<Certified, SolveError> {
    let grid = Grid::new(board);
    let for_entries = limits.memory / QUARTER;
    let mut oracle = Oracle::<B>::new(board, limits.memory - for_entries, limits)?;
    let entries = choose(&grid, &mut oracle, for_entries / Entries::BYTES).map_err(of_the_whole)?;
    let nimber = entries.value(&grid, grid.all()).unwrap_or_default();
    let certificate = Certificate { board, nimber, grid, entries };
    Ok(Certified { certificate, expansions: oracle.expansions() })
}
