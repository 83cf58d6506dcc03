//! The split of a set of cells into its connected components, cells without neighbours left out.

use crate::shape::bits::Bits;
use crate::shape::canonical::Shape;
use crate::shape::frame::Frame;

/// The components that a domino leaves of a shape. A domino has six neighbours, so there are no more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<B> {
    shapes: [Shape<B>; 6],
    len: usize,
}

impl<B: Bits> Parts<B> {
    /// The components, in no particular order.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[Shape<B>] {
        &self.shapes[..self.len]
    }

    /// The components, in no particular order.
    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Shape<B>] {
        &mut self.shapes[..self.len]
    }
}

impl<B: Bits> Frame<B> {
    /// The components of two or more cells, by their first cells.
    #[inline]
    pub(crate) fn components(&self, cells: B) -> impl Iterator<Item = B> + '_ {
        // Cells without neighbours have no moves.
        let mut rest = cells & self.around(cells);
        std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| {
                let component = self.flood(rest.lowest(), rest);
                rest ^= component;
                component
            })
        })
    }

    /// The components of a set of cells without isolated ones, each of which meets `landmarks`, in no
    /// particular order.
    #[inline]
    pub(crate) fn components_at(&self, cells: B, landmarks: B) -> impl Iterator<Item = B> + '_ {
        let mut rest = cells;
        std::iter::from_fn(move || {
            let landmarks = landmarks & rest;
            (!landmarks.is_empty()).then(|| {
                let component = self.flood_until(landmarks.lowest(), rest, landmarks);
                rest ^= component;
                component
            })
        })
    }

    /// What a domino leaves of a shape, as canonical shapes.
    #[inline]
    pub(crate) fn parts(&self, shape: Shape<B>, domino: B) -> Parts<B> {
        let rest = shape.cells() & !domino;
        let rest = rest & self.around(rest);
        let mut parts = Parts { shapes: [Shape::default(); 6], len: 0 };
        // Every component touches the domino.
        for component in self.components_at(rest, self.around(domino)) {
            parts.shapes[parts.len] = self.canonical(component);
            parts.len += 1;
        }
        parts
    }

    /// The component of `cells` that holds the cells `seed`.
    #[inline]
    pub(crate) fn flood(&self, seed: B, cells: B) -> B {
        let mut component = seed;
        loop {
            let grown = component | self.around(component) & cells;
            if grown == component {
                return component;
            }
            component = grown;
        }
    }

    /// The component of `cells` that holds the cells `seed`, where every component of `cells` meets
    /// `landmarks`: done early if one of them holds them all.
    #[inline]
    fn flood_until(&self, seed: B, cells: B, landmarks: B) -> B {
        let mut component = seed;
        loop {
            if (landmarks & !component).is_empty() {
                return cells;
            }
            let grown = component | self.around(component) & cells;
            if grown == component {
                return component;
            }
            component = grown;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sides of a grid of at most 128 cells, the shorter first.
    pub(crate) fn sides() -> impl Strategy<Value = (usize, usize)> {
        (1_usize..=11).prop_flat_map(|short| (Just(short), short..=128 / short))
    }

    /// Sides and a random set of cells of the grid, neither sparse nor dense more often than not.
    pub(crate) fn cells() -> impl Strategy<Value = ((usize, usize), u128)> {
        (sides(), any::<u128>(), any::<u128>(), 0..3).prop_map(|((short, long), a, b, density)| {
            let all = u128::MAX >> (128 - short * long);
            let cells = match density {
                0 => a & b,
                1 => a,
                _ => a | b,
            };
            ((short, long), cells & all)
        })
    }

    /// Sides and a connected set of two or more cells of the grid.
    pub(crate) fn connected() -> impl Strategy<Value = ((usize, usize), u128)> {
        cells().prop_filter_map("no two neighbouring cells", |((short, long), cells)| {
            let frame = Frame::<u128>::new(short, long);
            let largest = frame.components(cells).max_by_key(|component| component.count())?;
            Some(((short, long), largest))
        })
    }

    /// The components by the definition: neighbours one by one.
    fn components_by_definition((short, long): (usize, usize), cells: u128) -> Vec<u128> {
        let mut component_of: Vec<usize> = (0..short * long).collect();
        let is_cell = |bit: usize| cells >> bit & 1 == 1;
        let mut join = |a: usize, b: usize| {
            if is_cell(a) && is_cell(b) {
                let (from, to) = (component_of[a], component_of[b]);
                for component in &mut component_of {
                    if *component == from {
                        *component = to;
                    }
                }
            }
        };
        for line in 0..long {
            for place in 0..short {
                if place + 1 < short {
                    join(line * short + place, line * short + place + 1);
                }
                if line + 1 < long {
                    join(line * short + place, (line + 1) * short + place);
                }
            }
        }
        let mut components = vec![0_u128; short * long];
        for bit in (0..short * long).filter(|&bit| is_cell(bit)) {
            components[component_of[bit]] |= 1 << bit;
        }
        components.retain(|component| component.count_ones() > 1);
        components.sort_by_key(|component| component.trailing_zeros());
        components
    }

    proptest! {
        #[test]
        fn the_components_are_those_of_the_definition((sides, cells) in cells()) {
            let frame = Frame::<u128>::new(sides.0, sides.1);
            let components: Vec<_> = frame.components(cells).collect();
            prop_assert_eq!(components, components_by_definition(sides, cells));
        }

        #[test]
        fn a_domino_leaves_the_components_of_the_rest((sides, cells) in connected()) {
            let frame = Frame::<u128>::new(sides.0, sides.1);
            let shape = frame.canonical(cells);
            for domino in frame.dominoes(shape.cells()) {
                let mut parts = frame.parts(shape, domino);
                parts.as_mut_slice().sort_unstable();
                let mut by_definition: Vec<_> =
                    components_by_definition(sides, shape.cells() & !domino)
                        .into_iter()
                        .map(|component| frame.canonical(component))
                        .collect();
                by_definition.sort_unstable();
                prop_assert_eq!(parts.as_slice(), by_definition);
            }
        }

        #[test]
        fn the_dominoes_are_those_of_the_rules((sides, cells) in cells()) {
            let (short, long) = sides;
            let frame = Frame::<u128>::new(short, long);
            let mut dominoes: Vec<_> = frame.dominoes(cells).collect();
            dominoes.sort_unstable();
            let mut by_the_rules = Vec::new();
            for bit in 0..short * long {
                let mut domino = |other: usize| {
                    let both = 1_u128 << bit | 1 << other;
                    if both & !cells == 0 {
                        by_the_rules.push(both);
                    }
                };
                if bit % short + 1 < short {
                    domino(bit + 1);
                }
                if bit / short + 1 < long {
                    domino(bit + short);
                }
            }
            by_the_rules.sort_unstable();
            prop_assert_eq!(dominoes, by_the_rules);
        }
    }
}
