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

/// What every maximum matching covers in the graphs made from one graph by adding a vertex.
///
/// The new vertex s is unmatched or matched to one of its neighbours w, so nu(Q + s) is nu(Q), or
/// one more if nu(Q - w) = nu(Q) for a neighbour w in Q. That takes the sizes for the sets Q of the
/// old graph with no vertex or one vertex missing, and for each the set of such w.
#[derive(Clone, Debug, Default)]
pub struct ExtendedSizes {
    sizes: BitmaskSizes,
    order: usize,
    /// For the old graph without vertex v, and at the end for all of it: its size and the
    /// vertices that some maximum matching of it misses.
    shrunk: Vec<(usize, u16)>,
}

impl ExtendedSizes {
    /// The bytes that the table takes for extensions of graphs of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        size_of::<(usize, u16)>() * (order + 1) + (1 << order)
    }

    /// Replaces what the table holds by what is needed for extensions of a graph. Takes 2^order
    /// times the mean degree steps.
    pub fn fill(&mut self, graph: &SmallGraph) {
        self.sizes.fill(graph);
        self.order = graph.order();
        let missing_one = (0..graph.order()).map(|v| graph.vertices() & !(1 << v));
        self.shrunk.clear();
        for set in missing_one.chain([graph.vertices()]) {
            let size = self.sizes.within(set);
            let missable = members(set)
                .filter(|w| self.sizes.within(set & !(1 << w)) == size)
                .fold(0, |missable, w| missable | 1 << w);
            self.shrunk.push((size, missable));
        }
    }

    /// The vertices that every maximum matching covers, in the graph that has a new vertex, the
    /// last, joined to these neighbours. Takes a step a vertex.
    #[must_use]
    #[inline(always)]
    pub fn covered(&self, neighbours: u16) -> u16 {
        let extended =
            |(size, missable): (usize, u16)| size + usize::from(missable & neighbours != 0);
        let old = self.shrunk[self.order];
        let whole = extended(old);
        let covered_new = u16::from(old.0 < whole) << self.order;
        self.shrunk[..self.order].iter().enumerate().fold(covered_new, |covered, (v, &shrunk)| {
            covered | u16::from(extended(shrunk) < whole) << v
        })
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
