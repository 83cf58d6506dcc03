//! Method `brute-force`: the definition of the nimber and nothing else.
//!
//! The nimber of a set of cells is the least number that is the nimber of none of the sets that a domino
//! leaves. Every subset of the position's cells is valued in ascending order, so that what a domino leaves
//! has been valued before. No split, no symmetry, no shape: it shares nothing with the other methods but
//! the position's list of dominoes.

use crate::limits::Meter;
use crate::memo::Budget;
use crate::solve::{Answer, Solved};
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

/// The most cells that [`BruteForce`](crate::Method::BruteForce) handles: one byte for each of their subsets is 16 MiB.
pub const MAX_CELLS: usize = 24;

/// Values a position in time proportional to its dominoes times the subsets of its cells.
pub(crate) fn solve(position: &Position, limits: &Limits<'_>) -> Result<Solved, SolveError> {
    let cells: Vec<[usize; 2]> = (0..position.grid_rows())
        .flat_map(|row| (0..position.grid_cols()).map(move |col| [row, col]))
        .filter(|&[row, col]| position.is_empty(row, col))
        .collect();
    if cells.len() > MAX_CELLS {
        return Err(SolveError::TooLarge { cells: cells.len(), limit: MAX_CELLS });
    }
    let number = |cell: [usize; 2]| {
        let number = cells.iter().position(|&other| other == cell);
        number.expect("a domino covers empty cells")
    };
    let dominoes: Vec<usize> =
        position.dominoes().map(|[a, b]| 1 << number(a) | 1 << number(b)).collect();

    let mut budget = Budget::new(limits);
    let mut meter = Meter::new(limits);
    let subsets = 1_usize << cells.len();
    let mut nimbers: Vec<u8> = budget.vector(subsets, 0)?;
    let mut fingerprint = fingerprint::EMPTY;
    for subset in 0..subsets {
        meter.expand()?;
        let mut options = 0_u32;
        for domino in &dominoes {
            if domino & !subset == 0 {
                // At most 12 dominoes fit 24 cells, so that no nimber exceeds 12.
                options |= 1 << nimbers[subset & !domino];
            }
        }
        let nimber = options.trailing_ones() as u8;
        nimbers.push(nimber);
        fingerprint = fingerprint::with(fingerprint, subset as u128, u64::from(nimber));
    }
    meter.report()?;
    Ok(Solved {
        answer: Answer::Nimber(Nimber::new(nimbers[subsets - 1])),
        entries: subsets as u64,
        expansions: meter.expansions(),
        table_bytes: budget.peak(),
        fingerprint,
    })
}
