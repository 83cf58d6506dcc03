//! The degree-3 algorithm against the exact value.

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::generate::{Constraints, Part, connected};
use sprague_geography::value::subcubic::{self, NotSubcubic};
use sprague_geography::value::{recursion, table};
use sprague_geography::{Graph, Limits};

use crate::data;

#[test]
fn it_is_exact_on_every_start_of_every_connected_subcubic_graph_to_nine_vertices() {
    let (mut graphs, mut starts, mut calls) = (0, 0, 0);
    for order in 1..=9 {
        connected(order, &Constraints::SUBCUBIC, Part::WHOLE, |family| {
            for small in family.children() {
                let graph = Graph::from(&small);
                graphs += 1;
                for (start, value) in table::values(&small).into_iter().enumerate() {
                    let found = subcubic::value(&graph, start).unwrap();
                    assert_eq!(found.value, u16::from(value), "{graph:?} from {start}");
                    starts += 1;
                    calls += found.oracle_calls;
                }
            }
            Ok(())
        })
        .unwrap();
    }
    let expected = &data::numbers("tests/data/subcubic.tsv")[0];
    assert_eq!((graphs, starts), (expected[0], expected[1]));
    let mean = calls as f64 / starts as f64;
    assert!((3.5..6.0).contains(&mean), "{mean} oracle calls");
}

/// Graphs in which every edge that would give a vertex a fourth neighbour was left out.
fn subcubic_graphs() -> impl Strategy<Value = Graph> {
    (12_usize..=28).prop_flat_map(|order| {
        prop::collection::vec((0..order, 0..order), order..4 * order).prop_map(move |pairs| {
            let mut graph = Graph::edgeless(order);
            for (v, w) in pairs {
                if v != w && graph.degree(v) < 3 && graph.degree(w) < 3 {
                    graph.join(v, w).unwrap();
                }
            }
            graph
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn it_is_exact_on_larger_graphs(graph in subcubic_graphs(), start in 0_usize..12) {
        let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
        let limits = Limits { memory: 1 << 28, cancel: &cancel, progress: &progress };
        let expected = recursion::value(&graph, start, &limits).unwrap().value;
        prop_assert_eq!(subcubic::value(&graph, start).unwrap().value, expected);
    }
}

#[test]
fn a_wider_vertex_is_refused_where_it_can_be_reached() {
    let graph = Graph::from_edges(7, [(0, 1), (0, 2), (0, 3), (0, 4), (5, 6)]).unwrap();
    assert_eq!(subcubic::value(&graph, 3), Err(NotSubcubic { vertex: 0, degree: 4 }));
    assert_eq!(subcubic::value(&graph, 5).unwrap().value, 1);
}
