//! Sizes of maximum matchings of every induced subgraph of a small graph, from the definition.
//!
//! In a maximum matching of the subgraph on a set R the lowest vertex v of R is either unmatched,
//! which leaves R - v, or matched to one of its neighbours w in R, which leaves R - v - w. This
//! is the check on [`blossom`](super::blossom_size), with which it shares nothing.

use crate::small_graph::{SmallGraph, members};

/// The sizes of maximum matchings of all induced subgraphs of one small graph.
///
/// The table is kept from graph to graph, so that a sweep allocates it once: a byte a set.
#[derive(Clone, Debug, Default)]
pub struct BitmaskSizes {
    /// Indexed by the set of vertices.
    sizes: Vec<u8>,
}

impl BitmaskSizes {
    /// Replaces what the table holds by the sizes for a graph. Takes 2^order times the mean degree
    /// steps.
    pub fn fill(&mut self, graph: &SmallGraph) {
        let sets = 1_usize << graph.order();
        self.sizes.clear();
        self.sizes.resize(sets, 0);
        for set in 1..sets {
            let lowest = set.trailing_zeros() as usize;
            let rest = set & (set - 1);
            let mut best = self.sizes[rest];
            for mate in members(graph.row(lowest) & rest as u16) {
                best = best.max(1 + self.sizes[rest & !(1 << mate)]);
            }
            self.sizes[set] = best;
        }
    }

    /// The size of a maximum matching of the subgraph induced by a set of vertices.
    ///
    /// # Panics
    ///
    /// If the set leaves the graph that the table was filled for.
    #[must_use]
    #[inline]
    pub fn within(&self, set: u16) -> usize {
        usize::from(self.sizes[usize::from(set)])
    }
}

/// The size of a maximum matching of the subgraph of `graph` induced by the set `within`.
///
/// Takes 2^order times the mean degree steps; [`BitmaskSizes`] answers for all sets at that cost.
///
/// # Panics
///
/// If `within` leaves the graph.
#[must_use]
pub fn bitmask_size(graph: &SmallGraph, within: u16) -> usize {
    let mut sizes = BitmaskSizes::default();
    sizes.fill(graph);
    sizes.within(within)
}
