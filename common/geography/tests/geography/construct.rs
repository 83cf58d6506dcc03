//! The constructions: their sizes, and what the smallest of them are worth. The paper's claims are tested
//! in `literature`.

use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::construct::{Digraph, Section5, Variant, arc_gadgets, nim_tree};
use sprague_geography::value::recursion::{self, Valued};
use sprague_geography::{Graph, Limits};

use crate::data;

fn valued(graph: &Graph, start: usize) -> Valued {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 30, cancel: &cancel, progress: &progress };
    recursion::value(graph, start, &limits).unwrap()
}

#[test]
fn ten_arcs_on_four_vertices_take_88_vertices() {
    let pairs = (0..4).flat_map(|tail| (0..4).map(move |head| (tail, head)));
    let arcs = pairs.filter(|(tail, head)| tail != head).take(10);
    assert_eq!(arc_gadgets(&Digraph::from_arcs(4, arcs).unwrap()).graph.order(), 88);
}

#[test]
fn a_nim_tree_has_its_value_and_twice_as_many_vertices_as_the_last() {
    for k in 0..=8 {
        let tree = nim_tree(k);
        assert_eq!((tree.order(), tree.size()), (1 << k, (1 << k) - 1));
        assert_eq!(usize::from(valued(&tree, 0).value), k);
    }
}

#[test]
fn section_5_has_as_many_vertices_edges_and_positions_as_the_table_says() {
    for row in data::numbers("tests/data/section5.tsv") {
        let n = row[0] as usize;
        let figures = Section5::new(n, Variant::Figures);
        assert_eq!(figures.graph.order(), 5 * n * n - 15 * n - 4);
        assert_eq!([figures.graph.order() as u64, figures.graph.size() as u64], row[1..3]);
        // The largest is valued with the other claims: once is enough.
        if n < 9 {
            let found = valued(&figures.graph, figures.start);
            assert_eq!((u64::from(found.value), found.states), (row[3], row[4]), "n = {n}");
        }
    }
}
