//! The first guess of the proof numbers of a couple that was never searched.
//!
//! What has to be shown for a loss is that every option is won, for a win that one is lost. So a loss is
//! taken to cost work in proportion to the cells, a win hardly more for a large shape than for a small one. The fewer nimbers
//! are still possible, the likelier each of them is the shape's, which makes the loss cheaper and the win
//! dearer. The constants were chosen by the geometric mean of the expansions on seven boards from 4x8 to 3x14 under
//! several ways to break ties; the answer does not depend on them.

use crate::board::MAX_CELLS;
use crate::proof_number::facts::Possible;
use crate::proof_number::table::Numbers;

/// What each further option adds to the work to show a loss. The other numbers are in the same unit, of
/// which the simplest couple takes 16.
pub(super) const FURTHER_OPTION: u32 = 12;

/// The numbers for shapes of every number of cells of which four nimbers are possible.
const BY_CELLS: [Numbers; MAX_CELLS + 1] = {
    let mut guesses = [Numbers { win: 0, loss: 0 }; MAX_CELLS + 1];
    let mut cells = 0;
    while cells <= MAX_CELLS {
        guesses[cells] =
            Numbers { win: 16 + 16 * cells as u32 / 20, loss: 16 + 16 * cells as u32 * 7 / 10 };
        cells += 1;
    }
    guesses
};

/// The first guess for a shape of `cells` cells and these possible nimbers, the heap's among them.
#[inline]
pub(super) fn couple(cells: u32, possible: Possible) -> Numbers {
    let Numbers { win, loss } = BY_CELLS[cells as usize];
    let nimbers = possible.len().min(8);
    Numbers { win: win * (52 - 3 * nimbers) / 40, loss: loss * (28 + 3 * nimbers) / 40 }
}

/// The first guess for a sum of this many cells.
#[inline]
pub(super) fn sum(cells: u32) -> Numbers {
    BY_CELLS[cells as usize]
}
