//! The first guess of the proof numbers of a couple that was never searched.
//!
//! What has to be shown for a loss is that every option is won, for a win that one is lost, so that a loss is
//! taken to cost work in proportion to the cells and a win hardly more for a large shape than for a small
//! one. The two slopes were chosen by the geometric mean of the expansions on several boards; the answer does
//! not depend on them.

use crate::board::MAX_CELLS;
use crate::proof_number::table::Numbers;

/// The unit of work: numbers are small integers, and the slopes need fractions of them.
pub(super) const UNIT: u32 = 16;

/// The first guesses for shapes of every number of cells.
pub(super) const BY_CELLS: [Numbers; MAX_CELLS + 1] = {
    let mut guesses = [Numbers { win: 0, loss: 0 }; MAX_CELLS + 1];
    let mut cells = 0;
    while cells <= MAX_CELLS {
        guesses[cells] =
            Numbers { win: UNIT + UNIT * cells as u32 / 20, loss: UNIT + UNIT * cells as u32 / 2 };
        cells += 1;
    }
    guesses
};
