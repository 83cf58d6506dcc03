//! Generation: published counts, constraints, and parts that are disjoint.

use std::collections::HashSet;

use sprague_geography::generate::{Constraints, Part, connected};
use sprague_geography::{Graph, SmallGraph, Stop, graph6};

use crate::data;

fn graphs(order: usize, constraints: &Constraints, part: Part) -> Vec<SmallGraph> {
    let mut graphs = Vec::new();
    connected(order, constraints, part, |family| {
        graphs.extend(family.children());
        Ok(())
    })
    .unwrap();
    graphs
}

fn count(order: usize, constraints: &Constraints) -> u64 {
    let mut count = 0;
    connected(order, constraints, Part::WHOLE, |family| {
        count += family.neighbourhoods.len() as u64;
        Ok(())
    })
    .unwrap();
    count
}

#[test]
fn the_published_counts_are_reproduced() {
    for row in data::numbers("tests/data/connected-graphs.tsv") {
        let order = row[0] as usize;
        if order <= 10 {
            assert_eq!(count(order, &Constraints::NONE), row[1], "connected, {order} vertices");
        }
        assert_eq!(count(order, &Constraints::trees(order)), row[2], "trees, {order} vertices");
        assert_eq!(count(order, &Constraints::SUBCUBIC), row[3], "subcubic, {order} vertices");
    }
}

#[test]
fn constraints_choose_from_all_graphs() {
    let two_colourable = |graph: &SmallGraph| {
        (0..1_u16 << graph.order()).any(|side| {
            (0..graph.order()).all(|v| {
                let own = if side >> v & 1 == 1 { side } else { !side };
                graph.row(v) & own == 0
            })
        })
    };
    for order in 1..=7 {
        let all = graphs(order, &Constraints::NONE, Part::WHOLE);
        let bipartite = Constraints { bipartite: true, ..Constraints::NONE };
        let expected = all.iter().filter(|graph| two_colourable(graph)).count();
        assert_eq!(graphs(order, &bipartite, Part::WHOLE).len(), expected);
        for edges in 0..=order * (order - 1) / 2 {
            let exactly = Constraints { edges: edges..=edges, ..Constraints::NONE };
            let expected = all.iter().filter(|graph| graph.size() == edges).count();
            assert_eq!(graphs(order, &exactly, Part::WHOLE).len(), expected);
            for max_degree in 0..order {
                let constraints =
                    Constraints { max_degree, edges: edges..=usize::MAX, ..Constraints::NONE };
                let degree = |graph: &SmallGraph| {
                    (0..order).map(|v| graph.row(v).count_ones() as usize).max()
                };
                let expected = all
                    .iter()
                    .filter(|graph| graph.size() >= edges && degree(graph) <= Some(max_degree))
                    .count();
                assert_eq!(graphs(order, &constraints, Part::WHOLE).len(), expected);
            }
        }
    }
}

#[test]
fn parts_are_disjoint_and_together_the_whole() {
    for order in 1..=8 {
        let whole = graphs(order, &Constraints::NONE, Part::WHOLE);
        let expected: HashSet<SmallGraph> = whole.iter().copied().collect();
        assert_eq!(whole.len(), expected.len());
        for of in [1, 2, 3, 7, 100] {
            let parts: Vec<SmallGraph> = (0..of)
                .flat_map(|index| graphs(order, &Constraints::NONE, Part { index, of }))
                .collect();
            assert_eq!(parts.len(), whole.len(), "{order} vertices in {of} parts");
            assert_eq!(parts.into_iter().collect::<HashSet<_>>(), expected);
        }
    }
}

#[test]
fn a_visitor_stops_the_generation() {
    let mut families = 0;
    let stopped = connected(8, &Constraints::NONE, Part::WHOLE, |_| {
        families += 1;
        if families == 3 { Err(Stop::Cancelled) } else { Ok(()) }
    });
    assert_eq!((stopped, families), (Err(Stop::Cancelled), 3));
}

#[test]
fn every_graph_generated_is_connected_and_simple() {
    for graph in graphs(7, &Constraints::NONE, Part::WHOLE) {
        assert!(graph.is_connected());
        let copy = graph6::parse(graph6::write(&Graph::from(&graph)).as_bytes()).unwrap();
        assert_eq!(SmallGraph::try_from(&copy), Ok(graph));
    }
}
