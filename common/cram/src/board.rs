//! Empty rectangular boards and how they are written: `3x14`.
//!
//! A [`Board`] is only a pair of sides. What is played on is a [`Position`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Position;

/// The most cells that a board or a position's grid has.
pub const MAX_CELLS: usize = 128;

/// A rectangular board of at most [`MAX_CELLS`] cells, both sides at least 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    rows: u8,
    cols: u8,
}

/// Why a text or a pair of sides is not a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// There is no `x` between two sides.
    #[error("a board is written ROWSxCOLUMNS, such as 3x14, not {0:?}")]
    Form(String),
    /// A side is missing or holds something other than digits.
    #[error("{side:?} in {text:?} is not a number of cells")]
    NotANumber {
        /// What stands in the place of the side.
        side: String,
        /// The whole text.
        text: String,
    },
    /// A side is zero.
    #[error("a board of {rows}x{cols} has no cells")]
    Empty {
        /// Rows asked for.
        rows: String,
        /// Columns asked for.
        cols: String,
    },
    /// The board has more than [`MAX_CELLS`] cells.
    #[error("a board of {rows}x{cols} has more than {MAX_CELLS} cells")]
    TooManyCells {
        /// Rows asked for.
        rows: String,
        /// Columns asked for.
        cols: String,
    },
}

impl Board {
    /// The board of `rows` rows and `cols` columns.
    ///
    /// # Errors
    ///
    /// [`BoardError::Empty`] and [`BoardError::TooManyCells`].
    pub fn new(rows: usize, cols: usize) -> Result<Self, BoardError> {
        let fault: fn(String, String) -> BoardError = match rows.checked_mul(cols) {
            Some(0) => |rows, cols| BoardError::Empty { rows, cols },
            Some(1..=MAX_CELLS) => {
                return Ok(Self { rows: rows as u8, cols: cols as u8 });
            }
            _ => |rows, cols| BoardError::TooManyCells { rows, cols },
        };
        Err(fault(rows.to_string(), cols.to_string()))
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// The number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        usize::from(self.cols)
    }

    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows() * self.cols()
    }

    /// The board turned by a quarter, with as many rows as it had columns: the same game.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }

    /// The board with all its cells empty.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::empty_board(self)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (rows, cols) = text.split_once('x').ok_or_else(|| BoardError::Form(start_of(text)))?;
        let side = |side: &str| {
            if side.is_empty() || !side.bytes().all(|letter| letter.is_ascii_digit()) {
                return Err(BoardError::NotANumber { side: start_of(side), text: start_of(text) });
            }
            // A side beyond the largest integer is beyond the largest board too.
            Ok(side.parse().unwrap_or(usize::MAX))
        };
        match (side(rows)?, side(cols)?) {
            // Named as written: the largest integer may stand in for a larger one.
            (usize::MAX, 1..) | (1.., usize::MAX) => {
                Err(BoardError::TooManyCells { rows: start_of(rows), cols: start_of(cols) })
            }
            (rows, cols) => Self::new(rows, cols),
        }
    }
}

/// As much of what was written as an error repeats.
fn start_of(text: &str) -> String {
    const MOST: usize = 60;
    let mut letters = text.chars();
    let start: String = letters.by_ref().take(MOST).collect();
    if letters.next().is_some() { start + "..." } else { start }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_to_128_cells_reads_back_as_written() {
        for rows in 1..=MAX_CELLS {
            for cols in 1..=MAX_CELLS / rows {
                let board = Board::new(rows, cols).unwrap();
                assert_eq!(board.to_string(), format!("{rows}x{cols}"));
                assert_eq!(board.to_string().parse(), Ok(board));
                assert_eq!((board.rows(), board.cols()), (rows, cols));
                assert_eq!(board.cells(), rows * cols);
                assert_eq!(Ok(board.turned()), Board::new(cols, rows));
            }
        }
    }

    #[test]
    fn a_text_that_is_no_board_is_refused_with_its_fault() {
        let fault = |text: &str| text.parse::<Board>().unwrap_err();
        for text in ["", "3", "3X4", "3 4"] {
            assert_eq!(fault(text), BoardError::Form(text.to_owned()));
        }
        for (text, side) in [
            ("3x", ""),
            ("x4", ""),
            ("3x4x5", "4x5"),
            ("-3x4", "-3"),
            ("+3x4", "+3"),
            ("3x 4", " 4"),
            ("3x4.0", "4.0"),
            ("threex4", "three"),
            ("3x٤", "٤"),
        ] {
            let not_a_number =
                BoardError::NotANumber { side: side.to_owned(), text: text.to_owned() };
            assert_eq!(fault(text), not_a_number, "{text}");
        }
        let long = "x".repeat(1000);
        assert_eq!(
            fault(&long),
            BoardError::NotANumber { side: String::new(), text: "x".repeat(60) + "..." }
        );
        for text in ["0x4", "4x0", "0x0", "0x99999999999999999999999"] {
            assert!(matches!(fault(text), BoardError::Empty { .. }), "{text}");
        }
        for text in [
            "1x129",
            "129x1",
            "12x11",
            "99999999999x2",
            "99999999999999999999999x2",
            "4294967296x4294967296",
        ] {
            assert!(matches!(fault(text), BoardError::TooManyCells { .. }), "{text}");
        }
    }

    #[test]
    fn a_side_beyond_every_integer_is_named_as_written() {
        let message = "99999999999999999999999x2".parse::<Board>().unwrap_err().to_string();
        assert_eq!(message, "a board of 99999999999999999999999x2 has more than 128 cells");
    }
}
