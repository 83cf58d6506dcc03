//! One number for what was found on a graph, blind to the numbering of its vertices.
//!
//! Each vertex is hashed with its degree, its value, and the sums of these over its neighbours; the
//! graph is the hash of the sum over its vertices; a sweep adds its graphs. So isomorphic graphs
//! count the same, the order of graphs and slices does not matter, and one wrong value anywhere
//! changes the sum but for a chance of one in 2^64.

use crate::SmallGraph;
use crate::small_graph::{MAX_SMALL_ORDER, members};

/// The hash of a graph with a value for each vertex, given as the set of the vertices of each value.
#[inline(always)]
pub(super) fn fingerprint(graph: &SmallGraph, by_value: &[u16]) -> u64 {
    // Degree and value in a byte each: neither do their sums over neighbours outgrow it.
    let mut colours = [0_u64; MAX_SMALL_ORDER];
    for (v, colour) in colours.iter_mut().enumerate().take(graph.order()) {
        *colour = u64::from(graph.row(v).count_ones());
    }
    for (value, &set) in (0_u64..).zip(by_value).skip(1) {
        for v in members(set) {
            colours[v] |= value << 8;
        }
    }
    let vertex = |v: usize| {
        let around: u64 = members(graph.row(v)).map(|w| colours[w]).sum();
        mix(colours[v] | around << 16)
    };
    mix((0..graph.order()).map(vertex).fold(0, u64::wrapping_add))
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014) behind one step of its sequence.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
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
        let hash = |graph, values: [u8; 4]| fingerprint(graph, ByValue::of(&values).sets());
        let there = hash(&path, [1, 2, 3, 4]);
        assert_eq!(there, hash(&renumbered, [2, 3, 1, 4]));
        assert_ne!(there, hash(&path, [1, 2, 3, 5]));
        assert_ne!(there, hash(&path, [2, 1, 3, 4]));
    }
}
