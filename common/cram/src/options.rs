//! The options of a position as positions of their own: what valuing it by the definition can be cut into.

use std::collections::BTreeSet;

use crate::shape::{Bits, Frame, Shape};
use crate::solve::fits_narrow;
use crate::{Nimber, Position};

/// An option of a position as the sum that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionParts {
    /// What the components of two and three cells are worth together: each has one move.
    pub single_moves: Nimber,
    /// The components of four or more cells, each on a grid that it fills from side to side, the same for all images of
    /// it under rotation and reflection.
    pub components: Vec<Position>,
}

/// The options of a position, each sum once.
#[must_use]
pub fn options(position: &Position) -> Vec<OptionParts> {
    if fits_narrow(position) { options_in::<u64>(position) } else { options_in::<u128>(position) }
}

fn options_in<B: Bits>(position: &Position) -> Vec<OptionParts> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let options: BTreeSet<Vec<Shape<B>>> = frame
        .dominoes(cells)
        .map(|domino| {
            let components = frame.components(cells & !domino);
            let mut shapes: Vec<_> = components.map(|cells| frame.canonical(cells)).collect();
            shapes.sort_unstable();
            shapes
        })
        .collect();
    options.iter().map(|shapes| parts(&frame, shapes)).collect()
}

fn parts<B: Bits>(frame: &Frame<B>, shapes: &[Shape<B>]) -> OptionParts {
    let (single, larger): (Vec<Shape<B>>, Vec<Shape<B>>) =
        shapes.iter().partition(|shape| shape.is_single_move());
    OptionParts {
        single_moves: single.iter().fold(Nimber::ZERO, |sum, _| sum ^ Nimber::ONE),
        components: larger.iter().map(|shape| frame.position(shape.cells())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use proptest::prelude::*;

    use super::*;
    use crate::{Answer, Board, Limits, Method, solve};

    fn nimber(method: Method, position: &Position) -> Nimber {
        let limits = Limits {
            memory: 1 << 26,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
            threads: 1,
        };
        match solve(method, position, &limits).unwrap().answer {
            Answer::Nimber(nimber) => nimber,
            Answer::Outcome(_) => unreachable!("the method gives nimbers"),
        }
    }

    /// The least number that no option has.
    fn mex_of_options(position: &Position) -> Nimber {
        let worth = |option: &OptionParts| {
            let parts = option.components.iter().map(|part| nimber(Method::Mex, part));
            parts.fold(option.single_moves, |sum, part| sum ^ part)
        };
        let options: BTreeSet<Nimber> = options(position).iter().map(worth).collect();
        (0..).map(Nimber::new).find(|nimber| !options.contains(nimber)).unwrap()
    }

    proptest! {
        #[test]
        fn the_least_number_that_no_option_has_is_what_brute_force_says(
            rows in 1_usize..=4, cols in 1_usize..=5, filled: u32
        ) {
            let row = |row: usize| (0..cols).map(move |col| {
                if filled >> (row * cols + col) & 3 == 3 { '#' } else { '.' }
            }).collect::<String>();
            let position: Position =
                (0..rows).map(row).collect::<Vec<_>>().join("/").parse().unwrap();
            prop_assert_eq!(mex_of_options(&position), nimber(Method::BruteForce, &position));
        }

        #[test]
        fn components_are_connected_fill_their_grids_and_are_their_own_images(
            rows in 2_usize..=6, cols in 2_usize..=9
        ) {
            let board = Board::new(rows, cols).unwrap().position();
            for part in options(&board).iter().flat_map(|option| &option.components) {
                prop_assert!(part.cells() >= 4);
                let (rows, cols) = (part.grid_rows(), part.grid_cols());
                let row = |row| (0..cols).any(|col| part.is_empty(row, col));
                let col = |col| (0..rows).any(|row| part.is_empty(row, col));
                prop_assert!(row(0) && row(rows - 1) && col(0) && col(cols - 1), "{part}");
                let turned: Vec<String> = part.rows().iter().rev()
                    .map(|row| row.chars().rev().collect()).collect();
                let turned: Position = turned.join("/").parse().unwrap();
                let frame = Frame::<u128>::of(part);
                let shapes = [part, &turned].map(|image| frame.canonical(frame.cells(image)));
                prop_assert_eq!(shapes[0], shapes[1]);
                prop_assert_eq!(&frame.position(shapes[1].cells()), part);
            }
        }
    }

    #[test]
    fn images_are_one_option() {
        let board = |text: &str| text.parse::<Board>().unwrap().position();
        assert_eq!(options(&board("2x2")).len(), 1);
        assert_eq!(options(&board("3x3")).len(), 2);
        // 59 dominoes; none is an image of another but by the two mirrors and the half turn.
        assert_eq!(options(&board("4x9")).len(), 18);
        assert_eq!(
            options(&board("1x3")),
            [OptionParts { single_moves: Nimber::ZERO, components: Vec::new() }]
        );
    }
}
