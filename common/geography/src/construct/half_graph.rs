//! Half graphs: nested neighbourhoods between two sides.

use crate::Graph;

/// The half graph on 2k vertices: a_i is vertex i and b_j is vertex k + j, for i and j from 0 to k - 1, and they are
/// joined iff i <= j. It has one perfect matching, a_i with b_i, so no start of it has the value 0.
///
/// # Panics
///
/// If the graph would not fit the address space.
#[must_use]
pub fn half_graph(k: usize) -> Graph {
    let pairs = (0..k).flat_map(|j| (0..=j).map(move |i| (i, k + j)));
    Graph::from_edges(2 * k, pairs).expect("the sides have no vertex in common")
}
