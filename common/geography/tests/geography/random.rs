//! Graphs for the property tests.

use proptest::prelude::*;
use sprague_geography::{Graph, SmallGraph};

/// Any graph of one of these orders, with edges as rare or as frequent as it happens.
pub(crate) fn graphs(orders: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Graph> {
    (orders, 0.05..0.95).prop_flat_map(|(order, density)| {
        let pairs: Vec<_> = (0..order).flat_map(|w| (0..w).map(move |v| (v, w))).collect();
        prop::collection::vec(prop::bool::weighted(density), pairs.len()).prop_map(move |chosen| {
            let edges = pairs.iter().zip(chosen).filter(|(_, chosen)| *chosen);
            Graph::from_edges(order, edges.map(|(&pair, _)| pair)).unwrap()
        })
    })
}

/// Any graph of one of these orders and one of its vertices.
pub(crate) fn positions(
    orders: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = (Graph, usize)> {
    graphs(orders).prop_flat_map(|graph| {
        let order = graph.order();
        (Just(graph), 0..order)
    })
}

/// The same graph as a small one.
pub(crate) fn small(graph: &Graph) -> SmallGraph {
    SmallGraph::try_from(graph).unwrap()
}
