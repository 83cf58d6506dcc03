//! The grid that a position lies on, turned so that its lines are short, and the rules on it.
//!
//! A cell is a bit: cell `place` of line `line` is bit `line * width + place`, with `width` the shorter
//! side of the grid. Every connected set of cells that fits the grid in any orientation also fits it
//! with its own shorter side along the lines, so that all shapes of a grid live in one frame and a
//! shape needs no sides beside its bits.

use crate::Position;
use crate::shape::bits::Bits;

/// The longest side that a shape can have along the lines: 11 x 11 cells fit 128 bits, 12 x 12 do not.
pub(crate) const MAX_WIDTH: usize = 11;

/// The geometry of a grid: masks and shifts for everything that is done with sets of its cells.
#[derive(Clone, Debug)]
pub(crate) struct Frame<B> {
    /// Cells of a line: the shorter side of the grid.
    pub(super) width: u32,
    /// All cells except those at the first place of their lines.
    not_first: B,
    /// All cells except those at the last place of their lines.
    not_last: B,
    /// All cells at a place, for each place.
    pub(super) places: [B; MAX_WIDTH],
    /// The shifts that fold all lines onto the first: `width` times the powers of two.
    pub(super) folds: Vec<u32>,
    /// For each bit its line.
    pub(super) lines: Vec<u8>,
    /// The cells of a line stood up: bit `p` of the index is bit `p * width` of the entry.
    pub(super) upright: Vec<B>,
}

impl<B: Bits> Frame<B> {
    /// The frame of a grid whose sides are `short` and `long` cells.
    ///
    /// The grid must have at most `B::BITS` cells and `short` must not exceed `long`.
    pub(crate) fn new(short: usize, long: usize) -> Self {
        debug_assert!(0 < short && short <= long && short * long <= B::BITS as usize);
        let width = short as u32;
        let area = short as u32 * long as u32;
        let mut places = [B::EMPTY; MAX_WIDTH];
        let mut lines = Vec::with_capacity(area as usize);
        for bit in 0..area {
            places[(bit % width) as usize] |= B::ONE << bit;
            lines.push((bit / width) as u8);
        }
        let all = places.iter().fold(B::EMPTY, |all, &place| all | place);
        // A shape can be stood up only if it fits a square of the shorter side.
        let upright = (0..1_u64 << width)
            .map(|line| line.members().fold(B::EMPTY, |up, p| up | B::ONE << (p * width)))
            .collect();
        Self {
            width,
            not_first: all & !places[0],
            not_last: all & !places[short - 1],
            places,
            folds: std::iter::successors(Some(width), |fold| Some(2 * fold))
                .take_while(|&fold| fold < area)
                .collect(),
            lines,
            upright,
        }
    }

    /// The frame of a position's grid.
    pub(crate) fn of(position: &Position) -> Self {
        let (rows, cols) = (position.grid_rows(), position.grid_cols());
        Self::new(rows.min(cols), rows.max(cols))
    }

    /// The frame of as many of these lines as 64 bits hold, where a shape has the same cells as here; nothing if all lines fit, or a
    /// shape of those few could not be stood up.
    pub(crate) fn narrow(&self) -> Option<Frame<u64>> {
        let lines = u64::BITS / self.width;
        (self.lines.len() > u64::BITS as usize && self.width <= lines)
            .then(|| Frame::new(self.width as usize, lines as usize))
    }

    /// The number of its cells.
    pub(crate) fn area(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The same cells in a word of this frame's, if it has them all.
    #[inline]
    pub(crate) fn holding(&self, cells: u128) -> Option<B> {
        B::from_wide(cells).filter(|&cells| (cells & !self.all()).is_empty())
    }

    /// All cells of the grid.
    pub(crate) fn all(&self) -> B {
        self.places.iter().fold(B::EMPTY, |all, &place| all | place)
    }

    /// The empty cells of the position that the frame was made of.
    pub(crate) fn cells(&self, position: &Position) -> B {
        let mut cells = B::EMPTY;
        for row in 0..position.grid_rows() {
            for col in 0..position.grid_cols() {
                if position.is_empty(row, col) {
                    cells |= self.cell(position, [row, col]);
                }
            }
        }
        cells
    }

    /// A cell, `[row, column]`, of the position that the frame was made of.
    pub(crate) fn cell(&self, position: &Position, [row, col]: [usize; 2]) -> B {
        let (line, place) =
            if position.grid_rows() >= position.grid_cols() { (row, col) } else { (col, row) };
        B::ONE << (line as u32 * self.width + place as u32)
    }

    /// The position of a set of cells in the corner, on a grid that is as long and as wide as the set.
    pub(crate) fn position(&self, cells: B) -> Position {
        let places = |bit: u32| (bit / self.width, bit % self.width);
        let members = || cells.members().map(places);
        let lines = 1 + members().map(|(line, _)| line).max().unwrap_or(0);
        let width = 1 + members().map(|(_, place)| place).max().unwrap_or(0);
        let empty = members().fold(0, |empty, (line, place)| empty | 1 << (line * width + place));
        Position::of(lines as u8, width as u8, empty)
    }

    /// Every cell moved one place on along its line; those at the last place are lost.
    #[inline]
    pub(crate) fn to_right(&self, cells: B) -> B {
        (cells & self.not_last) << 1
    }

    /// Every cell moved one place back along its line; those at the first place are lost.
    #[inline]
    pub(crate) fn to_left(&self, cells: B) -> B {
        (cells & self.not_first) >> 1
    }

    /// Every cell moved to the next line, which may lie beyond the grid.
    #[inline]
    pub(crate) fn to_down(&self, cells: B) -> B {
        cells << self.width
    }

    /// Every cell moved to the line before; those of the first line are lost.
    #[inline]
    pub(crate) fn to_up(&self, cells: B) -> B {
        cells >> self.width
    }

    /// The cells next to some of `cells`. May reach beyond the grid: cut it with a set of cells.
    #[inline]
    pub(crate) fn around(&self, cells: B) -> B {
        self.to_right(cells) | self.to_left(cells) | self.to_down(cells) | self.to_up(cells)
    }

    /// The domino of the first two cells of the first line.
    #[inline]
    pub(crate) fn along(&self) -> B {
        B::ONE | B::ONE << 1
    }

    /// The domino of the first cells of the first two lines.
    #[inline]
    pub(crate) fn across(&self) -> B {
        B::ONE | B::ONE << self.width
    }

    /// Every domino that fits into `cells`, as a set of two cells: those along the lines, then those
    /// across them.
    #[inline]
    pub(crate) fn dominoes(&self, cells: B) -> impl Iterator<Item = B> + use<B> {
        let along = cells & (cells >> 1) & self.not_last;
        let across = cells & (cells >> self.width);
        let width = self.width;
        let domino = |step: u32| move |bit: u32| (B::ONE | B::ONE << step) << bit;
        along.members().map(domino(1)).chain(across.members().map(domino(width)))
    }
}
