//! Graphs with a start of a wanted value, made from graphs with one or two vertices less.

use crate::value::table::ByValue;
use crate::{Graph, SmallGraph};

/// All sets of vertices of a graph, given its starts by value, that a new vertex can be joined to so
/// that its value is `k`: some vertex of each value below k, none of value k, any of greater ones.
pub fn neighbourhoods(graph: &SmallGraph, by_value: &ByValue, k: usize) -> Vec<u16> {
    let set = |value: usize| by_value.sets().get(value).copied().unwrap_or(0);
    let free = graph.vertices() & !set(k);
    // All subsets of a set, from the whole of it down to the empty set.
    let subsets =
        std::iter::successors(Some(free), |&subset| (subset != 0).then(|| (subset - 1) & free));
    subsets.filter(|subset| (0..k).all(|value| subset & set(value) != 0)).collect()
}

/// The graph with one vertex more, the last, of value `k` and joined to as few vertices as that takes;
/// none if some smaller value is missing. `values` are those of the starts, indexed by vertex.
#[must_use]
pub fn with_start(graph: &Graph, values: &[u16], k: u16) -> Option<(Graph, usize)> {
    let start = graph.order();
    let neighbours: Option<Vec<usize>> =
        (0..k).map(|value| values.iter().position(|&own| own == value)).collect();
    let edges = neighbours?.into_iter().map(|v| (v, start)).chain(graph.edges());
    let extended = Graph::from_edges(start + 1, edges);
    Some((extended.expect("a new vertex is joined to old ones"), start))
}

/// Growth by a leaf pair: the graph with two vertices more, a leaf and the last, which is joined to
/// the leaf and to `neighbours`.
///
/// Without the last vertex the leaf is alone and has the value 0. So if the neighbours have all the
/// values 1..k as starts of the graph and none has k + 1, then the last vertex has the value k + 1.
///
/// # Panics
///
/// If a neighbour is not in the graph.
#[must_use]
pub fn with_leaf_pair(graph: &Graph, neighbours: &[usize]) -> Graph {
    let (leaf, last) = (graph.order(), graph.order() + 1);
    let new = neighbours.iter().chain([&leaf]).map(|&v| (v, last));
    Graph::from_edges(last + 1, graph.edges().chain(new)).expect("the neighbours are in the graph")
}
