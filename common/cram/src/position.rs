//! Positions: grids with some cells filled, and how they are written: `..#/.../#..`.
//!
//! A position keeps its grid as written. What the searches do with it, parts, symmetries and keys, is
//! the business of the geometry.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Board, MAX_CELLS};

/// A grid of at most [`MAX_CELLS`] cells, each of them empty or filled.
///
/// Dominoes are placed on two neighbouring empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    rows: u8,
    cols: u8,
    /// Bit `row * cols + col` says whether the cell is empty.
    empty: u128,
}

/// So many cells, for an error.
fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") }
}

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// There is nothing between the start, the end and the slashes.
    #[error("row {row} has no cells")]
    EmptyRow {
        /// The row, from 0.
        row: usize,
    },
    /// A row is longer or shorter than the first.
    #[error("row {row} has {} where row 0 has {first}", counted(*cells))]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// Its cells.
        cells: usize,
        /// The cells of the first row.
        first: usize,
    },
    /// A letter other than `.`, `#` and `/`.
    #[error("{letter:?} in row {row}, column {col} is neither '.' (empty) nor '#' (filled)")]
    Letter {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        col: usize,
        /// What stands there.
        letter: char,
    },
    /// The grid has more than [`MAX_CELLS`] cells.
    #[error("the grid has more than {MAX_CELLS} cells")]
    TooManyCells,
}

impl Position {
    /// The board with all its cells empty.
    pub(crate) fn empty_board(board: &Board) -> Self {
        Self {
            rows: board.rows() as u8,
            cols: board.cols() as u8,
            empty: u128::MAX >> (MAX_CELLS - board.cells()),
        }
    }

    /// The position with these empty cells, the bit `row * cols + col` for each, on a grid of at most [`MAX_CELLS`].
    pub(crate) fn of(rows: u8, cols: u8, empty: u128) -> Self {
        debug_assert!(empty.checked_shr(u32::from(rows) * u32::from(cols)).unwrap_or(0) == 0);
        Self { rows, cols, empty }
    }

    /// The number of rows of the grid.
    #[must_use]
    pub fn grid_rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// The number of columns of the grid.
    #[must_use]
    pub fn grid_cols(&self) -> usize {
        usize::from(self.cols)
    }

    /// The number of empty cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.empty.count_ones() as usize
    }

    /// Whether a cell is on the grid and empty.
    #[must_use]
    pub fn is_empty(&self, row: usize, col: usize) -> bool {
        row < self.grid_rows()
            && col < self.grid_cols()
            && self.empty >> (row * self.grid_cols() + col) & 1 == 1
    }

    /// The rows as text, `.` for an empty cell and `#` for a filled one.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        (0..self.grid_rows())
            .map(|row| {
                (0..self.grid_cols())
                    .map(|col| if self.is_empty(row, col) { '.' } else { '#' })
                    .collect()
            })
            .collect()
    }

    /// The position after a domino on two cells, or nothing if they are not two neighbouring empty
    /// cells. Cells are `[row, column]` from the top left, from 0.
    #[must_use]
    pub fn play(&self, cells: [[usize; 2]; 2]) -> Option<Self> {
        let [[row, col], [other_row, other_col]] = cells;
        let neighbours = row.abs_diff(other_row) + col.abs_diff(other_col) == 1;
        if !neighbours || !self.is_empty(row, col) || !self.is_empty(other_row, other_col) {
            return None;
        }
        let mut after = *self;
        for [row, col] in cells {
            after.empty &= !(1 << (row * self.grid_cols() + col));
        }
        Some(after)
    }

    /// The places where a domino can go, each the upper or left cell first, from the top left.
    pub fn dominoes(&self) -> impl Iterator<Item = [[usize; 2]; 2]> + '_ {
        (0..self.grid_rows()).flat_map(move |row| {
            (0..self.grid_cols()).flat_map(move |col| {
                [[row, col + 1], [row + 1, col]]
                    .into_iter()
                    .filter(move |&[other_row, other_col]| {
                        self.is_empty(row, col) && self.is_empty(other_row, other_col)
                    })
                    .map(move |other| [[row, col], other])
            })
        })
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut empty = 0;
        let mut cells = 0;
        let mut first = None;
        let mut rows = 0;
        for (row, letters) in text.split('/').enumerate() {
            let mut cols = 0;
            for (col, letter) in letters.chars().enumerate() {
                if !matches!(letter, '.' | '#') {
                    return Err(PositionError::Letter { row, col, letter });
                }
                if cells == MAX_CELLS {
                    return Err(PositionError::TooManyCells);
                }
                empty |= u128::from(letter == '.') << cells;
                cells += 1;
                cols += 1;
            }
            if cols == 0 {
                return Err(PositionError::EmptyRow { row });
            }
            let first = *first.get_or_insert(cols);
            if cols != first {
                return Err(PositionError::Ragged { row, cells: cols, first });
            }
            rows = row + 1;
        }
        Ok(Self { rows: rows as u8, cols: (cells / rows) as u8, empty })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.rows().join("/"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_position_reads_back_as_written(
            cols in 1_usize..=MAX_CELLS,
            rows in 1_usize..=MAX_CELLS,
            empty: u128,
        ) {
            let rows = rows.min(MAX_CELLS / cols);
            let text = (0..rows)
                .map(|row| {
                    (0..cols)
                        .map(|col| if empty >> (row * cols + col) & 1 == 1 { '.' } else { '#' })
                        .collect::<String>()
                })
                .collect::<Vec<_>>();
            let position: Position = text.join("/").parse().unwrap();
            prop_assert_eq!(position.to_string(), text.join("/"));
            prop_assert_eq!(position.rows(), text.clone());
            let dots = text.iter().flat_map(|row| row.chars()).filter(|&letter| letter == '.');
            prop_assert_eq!(position.cells(), dots.count());
        }
    }

    #[test]
    fn a_board_is_a_position_without_filled_cells() {
        let position = "3x2".parse::<Board>().unwrap().position();
        assert_eq!(position.to_string(), "../../..");
    }

    #[test]
    fn a_text_that_is_no_position_is_refused_with_its_place() {
        let fault = |text: &str| text.parse::<Position>().unwrap_err();
        assert_eq!(fault(""), PositionError::EmptyRow { row: 0 });
        assert_eq!(fault("../"), PositionError::EmptyRow { row: 1 });
        assert_eq!(fault("../..."), PositionError::Ragged { row: 1, cells: 3, first: 2 });
        assert_eq!(fault("../.o"), PositionError::Letter { row: 1, col: 1, letter: 'o' });
        assert_eq!(fault("..\n.."), PositionError::Letter { row: 0, col: 2, letter: '\n' });
        assert_eq!(fault(&".".repeat(129)), PositionError::TooManyCells);
        assert_eq!(fault(&"./".repeat(129)), PositionError::TooManyCells);
        assert!(".".repeat(128).parse::<Position>().is_ok());
    }

    #[test]
    fn a_domino_covers_two_neighbouring_empty_cells() {
        let position: Position = "..#/...".parse().unwrap();
        let places: Vec<_> = position.dominoes().collect();
        assert_eq!(
            places,
            [
                [[0, 0], [0, 1]],
                [[0, 0], [1, 0]],
                [[0, 1], [1, 1]],
                [[1, 0], [1, 1]],
                [[1, 1], [1, 2]],
            ]
        );
        let after = position.play([[1, 2], [1, 1]]).unwrap();
        assert_eq!(after.to_string(), "..#/.##");
        for no_place in [[[0, 1], [0, 2]], [[0, 0], [1, 1]], [[0, 0], [0, 0]], [[1, 2], [1, 3]]] {
            assert_eq!(position.play(no_place), None);
        }
    }
}
