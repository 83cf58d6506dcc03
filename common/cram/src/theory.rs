//! What theorems say of boards, with no search: the cluster checks its answers against it.

use crate::{Board, Nimber};

/// What the symmetry of a board says of its nimber.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// It is 0.
    Zero,
    /// It is not 0.
    NotZero,
    /// Nothing.
    Nothing,
}

/// The nimber of the board of one row and `cells` columns.
///
/// A domino takes two neighbouring cells out of a row and may leave two rows: Dawson's Kayles, the
/// octal game 0.07. Computed by the game's recursion in time proportional to the square of `cells`.
/// Guy and Smith, "The G-values of various games", 1956; OEIS A002187 (shifted by one).
#[must_use]
pub fn dawson(cells: usize) -> Nimber {
    let mut nimbers: Vec<u8> = Vec::with_capacity(cells + 1);
    for row in 0..=cells {
        let mut options = [false; 256];
        for left in 0..row.saturating_sub(1) {
            options[usize::from(nimbers[left] ^ nimbers[row - 2 - left])] = true;
        }
        let least = options.iter().position(|&is_option| !is_option);
        nimbers.push(least.expect("the nimbers of this game stay below 10") as u8);
    }
    Nimber::new(nimbers[cells])
}

/// The nimber of the board of two rows and `columns` columns: 0 if `columns` is even, 1 if odd.
///
/// Uiterwijk, ICGA Journal 40(4), 2018.
#[must_use]
pub fn two_rows(columns: usize) -> Nimber {
    Nimber::new((columns % 2) as u8)
}

/// What the half turn of a board says of its nimber.
///
/// On an even by even board the second player answers every domino with its image under the half
/// turn, which never meets the domino: 0. On an even by odd board the first player covers the two
/// central cells and then answers in the same way: not 0. On an odd by odd board nothing follows, as
/// the central cell can be covered by a domino whose image meets it; the one exception is the board of
/// one cell, which has no move.
#[must_use]
pub fn symmetry(board: &Board) -> Symmetry {
    match (board.rows() % 2, board.cols() % 2) {
        (0, 0) => Symmetry::Zero,
        (1, 1) if board.cells() == 1 => Symmetry::Zero,
        (1, 1) => Symmetry::Nothing,
        _ => Symmetry::NotZero,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::{Answer, Limits, Method, Outcome, solve};

    fn answer(method: Method, rows: usize, cols: usize) -> Answer {
        let limits = Limits {
            memory: 1 << 30,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
            threads: 1,
        };
        let position = Board::new(rows, cols).unwrap().position();
        solve(method, &position, &limits).unwrap().answer
    }

    #[test]
    fn a_row_is_dawsons_kayles() {
        for cells in 1..=128 {
            for method in [Method::Mex, Method::Couples, Method::ProofNumber] {
                let nimber = answer(method, 1, cells);
                assert_eq!(nimber, Answer::Nimber(dawson(cells)), "{method} 1x{cells}");
            }
        }
    }

    #[test]
    fn two_rows_are_worth_the_parity_of_their_columns() {
        for columns in 1..=14 {
            let nimber = Answer::Nimber(two_rows(columns));
            assert_eq!(answer(Method::Mex, 2, columns), nimber, "2x{columns}");
        }
        for columns in 1..=24 {
            let nimber = Answer::Nimber(two_rows(columns));
            assert_eq!(answer(Method::Couples, 2, columns), nimber, "2x{columns}");
            assert_eq!(answer(Method::ProofNumber, 2, columns), nimber, "2x{columns}");
        }
    }

    #[test]
    fn symmetry_says_who_wins() {
        for rows in 1..=30 {
            for cols in rows..=30 / rows {
                let outcome = answer(Method::Outcome, rows, cols).outcome();
                match symmetry(&Board::new(rows, cols).unwrap()) {
                    Symmetry::Zero => assert_eq!(outcome, Outcome::P, "{rows}x{cols}"),
                    Symmetry::NotZero => assert_eq!(outcome, Outcome::N, "{rows}x{cols}"),
                    Symmetry::Nothing => {}
                }
            }
        }
    }
}
