//! One number for what was found on a graph, blind to the numbering of its vertices.
//!
//! Each vertex is hashed with its degree, its value, and the sums of these over its neighbours; the
//! graph is the hash of the sum over its vertices; a sweep adds its graphs. So isomorphic graphs
//! count the same, the order of graphs and slices does not matter, and one wrong value anywhere
//! changes the sum but for a chance of one in 2^64.

use crate::SmallGraph;
use crate::random;
use crate::small_graph::MAX_SMALL_ORDER;

/// The fingerprints of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprints {
    /// That of the values.
    pub(super) values: u64,
    /// That of which values are not 0, as if those were all 1.
    pub(super) nonzero: u64,
}

/// Hashes a graph with a value for each vertex, given as the set of the vertices of each value.
#[inline(always)]
pub(super) fn fingerprints(graph: &SmallGraph, by_value: &[u16]) -> Fingerprints {
    // Degree, value, and whether it is not 0, in a byte each: neither do their sums over neighbours
    // outgrow it. Loops of fixed length, so that they become vectors.
    let mut colours: [u32; MAX_SMALL_ORDER] = std::array::from_fn(|v| graph.rows()[v].count_ones());
    for (value, &set) in (0_u32..).zip(by_value).skip(1) {
        for (v, colour) in colours.iter_mut().enumerate() {
            *colour |= u32::from(set >> v & 1) * (value << 8 | 1 << 16);
        }
    }
    let mut around = [0_u32; MAX_SMALL_ORDER];
    for (row, colour) in graph.rows().iter().zip(colours).take(graph.order()) {
        for (v, around) in around.iter_mut().enumerate() {
            *around += if row >> v & 1 == 1 { colour } else { 0 };
        }
    }
    let (mut values, mut nonzero) = (0_u64, 0_u64);
    for (&own, &around) in colours.iter().zip(&around).take(graph.order()) {
        values = values.wrapping_add(mix(u64::from(own & 0xffff | around << 16)));
        let without_value = |colour: u32| colour & 0xff | colour >> 8 & 0xff00;
        let zeros = without_value(own) | without_value(around) << 16;
        nonzero = nonzero.wrapping_add(mix(u64::from(zeros)));
    }
    Fingerprints { values: mix(values), nonzero: mix(nonzero) }
}

/// One step of SplitMix64 from a number.
pub(super) fn mix(number: u64) -> u64 {
    random::mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph6;
    use crate::value::table::ByValue;

    fn small(text: &str) -> SmallGraph {
        SmallGraph::try_from(&graph6::parse(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn the_numbering_does_not_matter_and_every_value_does() {
        // The path 0-1-2-3 and the same path as 2-0-1-3.
        let (path, renumbered) = (small("Ch"), small("Cq"));
        assert_ne!(path, renumbered);
        let hash = |graph, values: [u8; 4]| fingerprints(graph, ByValue::of(&values).sets()).values;
        let there = hash(&path, [1, 2, 3, 4]);
        assert_eq!(there, hash(&renumbered, [2, 3, 1, 4]));
        assert_ne!(there, hash(&path, [1, 2, 3, 5]));
        assert_ne!(there, hash(&path, [2, 1, 3, 4]));
    }

    #[test]
    fn one_fingerprint_is_that_of_the_values_cut_down_to_one() {
        let both = |values: [u8; 4]| fingerprints(&small("Ch"), ByValue::of(&values).sets());
        let cut = both([1, 0, 1, 1]);
        assert_eq!(cut.values, cut.nonzero);
        assert_eq!(both([2, 0, 1, 3]).nonzero, cut.nonzero);
        assert_ne!(both([2, 0, 1, 3]).values, cut.values);
    }
}
