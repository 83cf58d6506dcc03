//! Shapes that are their own half turn.

use crate::shape::bits::Bits;
use crate::shape::canonical::Shape;
use crate::shape::frame::Frame;
use crate::theory::Symmetry;

impl<B: Bits> Frame<B> {
    /// What the half turn of a shape says of its nimber.
    ///
    /// If the turn maps the shape to itself, and no cell to itself or to a neighbour, the second player answers every
    /// domino with its image: 0. If it exchanges two neighbours, the first player begins there and then answers in the same
    /// way: not 0.
    pub(crate) fn half_turn(&self, shape: Shape<B>) -> Symmetry {
        let cells = shape.cells();
        let (first, last) = (cells.first(), cells.last());
        // The turn exchanges the first cell with the last, so it maps bit i to bit `turn` - i ...
        let turn = first + last;
        let turned = match turn.checked_sub(B::BITS - 1) {
            Some(up) => cells.reversed() << up,
            None => cells.reversed() >> (B::BITS - 1 - turn),
        };
        if turned != cells {
            return Symmetry::Nothing;
        }
        // ... line l to `lines` - l and place p to `places` - p, if no cell comes to lie beyond its line.
        let lines = self.line(last);
        let places = turn - lines * self.width;
        let outside = (places + 1..self.width).any(|p| cells.meets(self.places[p as usize]));
        if places >= self.width || outside {
            return Symmetry::Nothing;
        }
        let centre = B::ONE << (lines / 2 * self.width + places / 2);
        match (lines % 2, places % 2) {
            (1, 1) => Symmetry::Zero,
            _ if !cells.meets(centre) => Symmetry::Zero,
            (0, 0) => Symmetry::Nothing,
            _ => Symmetry::NotZero,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use proptest::prelude::*;

    use super::*;
    use crate::mex::Mex;
    use crate::shape::tests::cells;
    use crate::{Limits, Nimber};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, max_local_rejects: 1 << 22, ..ProptestConfig::default() })]

        #[test]
        fn the_half_turn_agrees_with_mex(
            (frame, shape) in cells().prop_filter_map("large", |((short, long), cells)| {
                // A random set and its image under the half turn of the grid.
                let cells = cells | cells.reverse_bits() >> (128 - short * long);
                let frame = Frame::<u128>::new(short, long);
                let component = frame.components(cells).max_by_key(|component| component.count())?;
                let shape = frame.canonical(component);
                (shape.size() <= 24).then_some((frame, shape))
            })
        ) {
            let limits = Limits {
                memory: 1 << 30,
                cancel: &AtomicBool::new(false),
                progress: &AtomicU64::new(0),
                threads: 1,
            };
            let nimber = Mex::new(&frame, &limits).unwrap().nimber(shape).unwrap();
            match frame.half_turn(shape) {
                Symmetry::Zero => prop_assert_eq!(nimber, Nimber::ZERO),
                Symmetry::NotZero => prop_assert_ne!(nimber, Nimber::ZERO),
                Symmetry::Nothing => {}
            }
        }
    }

    proptest! {
        #[test]
        fn a_shape_is_its_own_half_turn_by_its_cells(((short, long), cells) in cells()) {
            let cells = cells | cells.reverse_bits() >> (128 - short * long);
            let frame = Frame::<u128>::new(short, long);
            for component in frame.components(cells) {
                let shape = frame.canonical(component);
                let pairs: Vec<(u32, u32)> = shape
                    .cells()
                    .members()
                    .map(|bit| (bit / frame.width, bit % frame.width))
                    .collect();
                let lines = pairs.iter().map(|pair| pair.0).max().unwrap();
                let places = pairs.iter().map(|pair| pair.1).max().unwrap();
                let image = |&(line, place): &(u32, u32)| (lines - line, places - place);
                let is_own = pairs.iter().all(|pair| pairs.contains(&image(pair)));
                let moves = |pair: &(u32, u32)| {
                    let other = image(pair);
                    pair.0.abs_diff(other.0) + pair.1.abs_diff(other.1)
                };
                let nearest = pairs.iter().map(moves).min().unwrap();
                let symmetry = match (is_own, nearest) {
                    (false, _) | (true, 0) => Symmetry::Nothing,
                    (true, 1) => Symmetry::NotZero,
                    (true, _) => Symmetry::Zero,
                };
                prop_assert_eq!(frame.half_turn(shape), symmetry);
            }
        }
    }
}
