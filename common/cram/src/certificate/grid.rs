//! Sets of cells of a board, for certificates alone: dominoes, components and one key for all images of a shape.
//!
//! Nothing here is shared with the search, so that a mistake there is not repeated here.
//!
//! Cell `place` of line `line` is bit `line * width + place`, where `width` is the shorter side of the board. A shape is
//! a connected set. Of its eight images those count that have at least as many lines as places; each is pushed into the corner
//! of the first line and the first place, and the least of them, as a number, is the key.

use crate::Board;

/// A set of cells of a board.
pub(super) type Cells = u128;

/// What is done with sets of cells of one board.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    width: u32,
    lines: u32,
    not_first: Cells,
    not_last: Cells,
    /// The cells of a line in the opposite order.
    mirrored: Vec<u16>,
    /// The cells of a line, one in each of the lines from the first on, all at the first place.
    upright: Vec<Cells>,
}

impl Grid {
    /// The grid of a board.
    pub(super) fn new(board: Board) -> Self {
        let width = board.rows().min(board.cols()) as u32;
        let lines = board.rows().max(board.cols()) as u32;
        let (mut not_first, mut not_last) = (0, 0);
        for bit in 0..width * lines {
            not_first |= Cells::from(bit % width != 0) << bit;
            not_last |= Cells::from(bit % width != width - 1) << bit;
        }
        let rows = || 0..1_u32 << width;
        let mirrored = rows().map(|row| (row.reverse_bits() >> (u32::BITS - width)) as u16);
        let upright = rows().map(|row| {
            (0..width).fold(0, |up, place| up | Cells::from(row >> place & 1) << (place * width))
        });
        Self {
            width,
            lines,
            not_first,
            not_last,
            mirrored: mirrored.collect(),
            upright: upright.collect(),
        }
    }

    /// All cells of the board.
    pub(super) fn all(&self) -> Cells {
        Cells::MAX >> (Cells::BITS - self.width * self.lines)
    }

    /// The cells next to some of `cells`, with others beyond the last line.
    #[inline]
    fn around(&self, cells: Cells) -> Cells {
        (cells & self.not_last) << 1
            | (cells & self.not_first) >> 1
            | cells << self.width
            | cells >> self.width
    }

    /// Every two neighbouring cells of `cells`.
    pub(super) fn dominoes(&self, cells: Cells) -> impl Iterator<Item = Cells> + use<> {
        let width = self.width;
        let along = members(cells & cells >> 1 & self.not_last).map(|bit| 0b11 << bit);
        let across = members(cells & cells >> width).map(move |bit| (1 | 1 << width) << bit);
        along.chain(across)
    }

    /// The rows of a set that a person reads: `.` for its cells, `#` for the others, `/` between the lines.
    pub(super) fn drawn(&self, cells: Cells) -> String {
        let lines = (Cells::BITS - cells.leading_zeros()).div_ceil(self.width).max(1);
        let places = |line: u32| {
            (line * self.width..(line + 1) * self.width).take_while(|&bit| bit < Cells::BITS)
        };
        let row = |line: u32| places(line).map(|bit| if cells >> bit & 1 == 1 { '.' } else { '#' });
        (0..lines).map(|line| row(line).collect::<String>()).collect::<Vec<_>>().join("/")
    }

    /// The two cells of a domino, `[line, place]` from 0.
    pub(super) fn ends(&self, domino: Cells) -> [[usize; 2]; 2] {
        [domino.trailing_zeros(), Cells::BITS - 1 - domino.leading_zeros()]
            .map(|bit| [(bit / self.width) as usize, (bit % self.width) as usize])
    }

    /// The component of `cells` that holds its first cell.
    #[inline]
    fn first_component(&self, cells: Cells) -> Cells {
        let mut component = cells & cells.wrapping_neg();
        loop {
            let grown = component | self.around(component) & cells;
            if grown == component {
                return component;
            }
            component = grown;
        }
    }

    /// The keys of the components of two or more cells.
    #[inline]
    pub(super) fn components(&self, cells: Cells) -> impl Iterator<Item = Cells> {
        let mut rest = cells & self.around(cells);
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let component = self.first_component(rest);
                rest ^= component;
                self.key(component)
            })
        })
    }

    /// Whether a set is the key of a shape on the board.
    pub(super) fn is_key(&self, cells: Cells) -> bool {
        cells != 0
            && cells & !self.all() == 0
            && self.first_component(cells) == cells
            && self.key(cells) == cells
    }

    /// The key of a shape.
    #[inline]
    pub(super) fn key(&self, shape: Cells) -> Cells {
        let width = self.width;
        let first_line = shape.trailing_zeros() / width;
        let lines = (Cells::BITS - 1 - shape.leading_zeros()) / width - first_line + 1;
        let shape = shape >> (first_line * width);
        let row = |line: u32| (shape >> (line * width)) as usize & ((1 << width) - 1);
        let fold = (0..lines).fold(0, |fold, line| fold | row(line));
        let first_place = fold.trailing_zeros();
        let places = usize::BITS - fold.leading_zeros() - first_place;

        let mut least = Cells::MAX;
        if places <= lines {
            let mirrored = (0..lines).fold(0, |image, line| {
                image | Cells::from(self.mirrored[row(line)]) << (line * width)
            });
            let mirrored = mirrored >> (width - first_place - places);
            least = least.min(self.least_turn(shape >> first_place, lines, places));
            least = least.min(self.least_turn(mirrored, lines, places));
        }
        if lines <= places {
            let (mut turned, mut mirrored) = (0, 0);
            for line in 0..lines {
                let column = self.upright[row(line) >> first_place];
                turned |= column << line;
                mirrored |= column << (lines - 1 - line);
            }
            least = least.min(self.least_turn(turned, places, lines));
            least = least.min(self.least_turn(mirrored, places, lines));
        }
        least
    }

    /// The lesser of a set in the corner and its half turn.
    #[inline]
    fn least_turn(&self, cells: Cells, lines: u32, places: u32) -> Cells {
        let cells_to_last = (lines - 1) * self.width + places;
        cells.min(cells.reverse_bits() >> (Cells::BITS - cells_to_last))
    }
}

/// The bits of a set in ascending order.
#[inline]
pub(super) fn members(cells: Cells) -> impl Iterator<Item = u32> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    type Pair = (i32, i32);

    /// A board and some of its cells.
    fn cells() -> impl Strategy<Value = (Board, Cells)> {
        (1_usize..=11).prop_flat_map(|rows| (Just(rows), 1..=128 / rows)).prop_flat_map(
            |(rows, cols)| {
                let board = Board::new(rows, cols).unwrap();
                let all = Cells::MAX >> (128 - board.cells());
                let dense = (any::<Cells>(), any::<Cells>()).prop_map(move |(a, b)| (a | b) & all);
                (Just(board), dense)
            },
        )
    }

    fn pairs(grid: &Grid, cells: Cells) -> BTreeSet<Pair> {
        members(cells).map(|bit| ((bit / grid.width) as i32, (bit % grid.width) as i32)).collect()
    }

    fn are_neighbours(a: Pair, b: Pair) -> bool {
        (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1
    }

    /// The components of two or more cells by walking from cell to cell.
    fn components(pairs: &BTreeSet<Pair>) -> Vec<BTreeSet<Pair>> {
        let mut rest = pairs.clone();
        let mut components = Vec::new();
        while let Some(first) = rest.pop_first() {
            let (mut component, mut frontier) = (BTreeSet::from([first]), vec![first]);
            while let Some(cell) = frontier.pop() {
                let near: Vec<Pair> =
                    rest.iter().copied().filter(|&other| are_neighbours(cell, other)).collect();
                for other in near {
                    rest.remove(&other);
                    component.insert(other);
                    frontier.push(other);
                }
            }
            if component.len() > 1 {
                components.push(component);
            }
        }
        components
    }

    /// The least image that fits the width, as a number.
    fn key(grid: &Grid, shape: &BTreeSet<Pair>) -> Cells {
        let turns: [fn(Pair) -> Pair; 8] = [
            |(a, b)| (a, b),
            |(a, b)| (a, -b),
            |(a, b)| (-a, b),
            |(a, b)| (-a, -b),
            |(a, b)| (b, a),
            |(a, b)| (b, -a),
            |(a, b)| (-b, a),
            |(a, b)| (-b, -a),
        ];
        let image = |turn: fn(Pair) -> Pair| {
            let cells: Vec<Pair> = shape.iter().copied().map(turn).collect();
            let line = cells.iter().map(|cell| cell.0).min().unwrap();
            let place = cells.iter().map(|cell| cell.1).min().unwrap();
            let (lines, places) = cells.iter().fold((0, 0), |(lines, places), cell| {
                (lines.max(cell.0 - line + 1), places.max(cell.1 - place + 1))
            });
            (places <= lines).then(|| {
                cells.iter().fold(0, |set, cell| {
                    set | 1 << ((cell.0 - line) as u32 * grid.width + (cell.1 - place) as u32)
                })
            })
        };
        turns.into_iter().filter_map(image).min().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn components_and_their_keys_are_those_of_the_definition((board, cells) in cells()) {
            let grid = Grid::new(board);
            let mut found: Vec<Cells> = grid.components(cells).collect();
            let mut defined: Vec<Cells> =
                components(&pairs(&grid, cells)).iter().map(|shape| key(&grid, shape)).collect();
            found.sort_unstable();
            defined.sort_unstable();
            prop_assert_eq!(&found, &defined);
            prop_assert!(found.into_iter().all(|key| grid.is_key(key)));
        }

        #[test]
        fn dominoes_are_those_of_the_rules((board, cells) in cells()) {
            let grid = Grid::new(board);
            let found: BTreeSet<Cells> = grid.dominoes(cells).collect();
            let cells: Vec<u32> = members(cells).collect();
            let pair = |bit: u32| ((bit / grid.width) as i32, (bit % grid.width) as i32);
            let mut defined = BTreeSet::new();
            for &a in &cells {
                for &b in cells.iter().filter(|&&b| are_neighbours(pair(a), pair(b))) {
                    defined.insert((1 as Cells) << a | 1 << b);
                }
            }
            prop_assert_eq!(found, defined);
        }
    }

    #[test]
    fn only_least_images_in_the_corner_are_keys() {
        let grid = Grid::new("3x4".parse().unwrap());
        for key in [0b11, 0b1011, 0b011_011] {
            assert_eq!(grid.is_key(key), grid.key(key) == key, "{key:b}");
        }
        for cells in [0, 1 << 12, 0b101, 0b110, 0b110_011 << 3] {
            assert!(!grid.is_key(cells), "{cells:b}");
        }
    }
}
