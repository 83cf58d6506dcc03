//! Reductions: cells that can be struck out of a set without changing its nimber.
//!
//! On the graph of empty cells a domino deletes two adjacent cells. Let some cells N be *saturated* by
//! cells I without neighbours outside N: whichever way dominoes between I and N are played, each cell of N that
//! remains has a neighbour left in I. Then a cell all of whose neighbours lie in N, itself not in I, can be
//! struck out. A domino on it and a neighbour `a` in N leaves what a domino on `a` and a cell of I leaves, up to
//! further cells of this kind, and by induction they do not count. Three cases of it are looked for:
//!
//! * star: a cell with several neighbours of degree 1 keeps one of them (N is the cell, I the one kept);
//! * bridge: a cell all of whose neighbours have a neighbour of degree 1 of their own;
//! * twins: two opposite corners of a block of 2 x 2 cells, without neighbours outside the block, saturate
//!   the other two corners, as if each of those had a neighbour of degree 1 of its own.
//!
//! Striking out a cell can make room for the next, so it is repeated until nothing changes.

use crate::proof_number::Switches;
use crate::shape::{Bits, Frame};

/// A set of the same nimber as `cells` in which nothing is left to strike out.
#[inline]
pub(super) fn reduced<B: Bits>(frame: &Frame<B>, switches: Switches, cells: B) -> Reduced<B> {
    let mut reduced = Reduced { cells, keeps_together: true };
    if !switches.reduce() {
        return reduced;
    }
    loop {
        let Superfluous { leaves, bridges } = superfluous(frame, switches, reduced.cells);
        if (leaves | bridges).is_empty() {
            return reduced;
        }
        reduced.cells &= !(leaves | bridges);
        reduced.keeps_together &= bridges.is_empty();
    }
}

/// What reductions leave of a set of cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduced<B> {
    pub(super) cells: B,
    /// Whether everything that was struck out had one neighbour.
    pub(super) keeps_together: bool,
}

/// Cells that can be struck out.
struct Superfluous<B> {
    /// Those with one neighbour.
    leaves: B,
    /// The others.
    bridges: B,
}

impl<B: Bits> Superfluous<B> {
    const NONE: Self = Self { leaves: B::EMPTY, bridges: B::EMPTY };
}

/// Cells that can be struck out of `cells` all at once.
///
/// No cell of N is among them, nor a cell of I that N needs, so that what lets one be struck out still
/// holds when the others are gone.
#[inline]
fn superfluous<B: Bits>(frame: &Frame<B>, switches: Switches, cells: B) -> Superfluous<B> {
    let (left, right) = (cells & frame.to_right(cells), cells & frame.to_left(cells));
    let (up, down) = (cells & frame.to_down(cells), cells & frame.to_up(cells));
    let (one_beside, one_above) = (left ^ right, up ^ down);
    // An odd number of neighbours, and not three.
    let leaves = (one_beside ^ one_above) & !(left & right | up & down);
    let corners = one_beside & one_above;
    let blocks = right & frame.to_up(right);
    let (twins, twin_hosts) =
        if switches.twins { twins(frame, blocks, corners) } else { (B::EMPTY, B::EMPTY) };
    if leaves.is_empty() && twins.is_empty() {
        return Superfluous::NONE;
    }

    let (left, right) = (cells & frame.to_right(leaves), cells & frame.to_left(leaves));
    let (up, down) = (cells & frame.to_down(leaves), cells & frame.to_up(leaves));
    // The first leaf of a cell in this order stays, and none where twins saturate the cell.
    let mut saturated = twin_hosts;
    let mut struck = frame.to_left(left & saturated);
    saturated |= left;
    struck |= frame.to_right(right & saturated);
    saturated |= right;
    struck |= frame.to_up(up & saturated);
    saturated |= up;
    struck |= frame.to_down(down & saturated);
    saturated |= down;

    let bridges = cells & !(leaves | twins) & !frame.around(cells & !saturated);
    Superfluous {
        leaves: if switches.star { struck } else { B::EMPTY },
        bridges: if switches.bridge { bridges } else { B::EMPTY },
    }
}

/// The pairs of twins and the cells that they saturate, given the upper left corners of the full blocks of
/// 2 x 2 cells and the cells that have one neighbour beside them and one above or below.
#[inline]
fn twins<B: Bits>(frame: &Frame<B>, blocks: B, corners: B) -> (B, B) {
    let (right, down) = (frame.to_left(corners), frame.to_up(corners));
    let falling = blocks & corners & frame.to_left(down);
    let rising = blocks & right & down;
    if (falling | rising).is_empty() {
        return (B::EMPTY, B::EMPTY);
    }
    let ends = |upper_left: B| upper_left | frame.to_right(frame.to_down(upper_left));
    let others = |upper_left: B| frame.to_right(upper_left) | frame.to_down(upper_left);
    (ends(falling) | others(rising), others(falling) | ends(rising))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use proptest::prelude::*;

    use super::*;
    use crate::Limits;
    use crate::mex::Mex;
    use crate::shape::tests::connected;

    /// The nimber of a set of cells by its definition.
    fn nimber(frame: &Frame<u128>, cells: u128) -> crate::Nimber {
        let limits = Limits {
            memory: 1 << 30,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
            threads: 1,
        };
        let mut mex = Mex::new(frame, &limits).unwrap();
        frame.components(cells).fold(crate::Nimber::ZERO, |sum, component| {
            sum ^ mex.nimber(frame.canonical(component)).unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, max_local_rejects: 1 << 20, ..ProptestConfig::default() })]

        #[test]
        fn a_reduced_set_has_the_same_nimber(
            (star, bridge, twins) in any::<(bool, bool, bool)>(),
            ((short, long), cells) in connected().prop_filter("large", |(_, cells)| {
                cells.count_ones() <= 24
            })
        ) {
            let frame = Frame::<u128>::new(short, long);
            let switches = Switches { star, bridge, twins, ..Switches::default() };
            let Reduced { cells: reduced, keeps_together } = reduced(&frame, switches, cells);
            if keeps_together {
                prop_assert_eq!(frame.flood(reduced.lowest(), reduced), reduced);
            }
            prop_assert_eq!(reduced & !cells, 0);
            prop_assert_eq!(nimber(&frame, reduced), nimber(&frame, cells));
        }
    }
}
