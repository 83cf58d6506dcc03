//! Canonical forms: the same for isomorphic graphs, different for others.

use std::collections::HashSet;

use proptest::prelude::*;
use sprague_geography::generate::{Constraints, Part, canonical_form, connected};
use sprague_geography::{Graph, SmallGraph};

use crate::random::{graphs, small};

proptest! {
    #[test]
    fn a_numbering_does_not_change_the_canonical_form(
        (graph, numbers) in graphs(1..=16).prop_flat_map(|graph| {
            let numbers: Vec<usize> = (0..graph.order()).collect();
            (Just(graph), Just(numbers).prop_shuffle())
        })
    ) {
        let form = canonical_form(&small(&graph));
        prop_assert_eq!(form, canonical_form(&small(&graph.induced(&numbers))));
        prop_assert_eq!(form, canonical_form(&form));
        prop_assert_eq!(form.size(), graph.size());
    }
}

#[test]
fn regular_graphs_do_not_tire_the_search() {
    // Where refinement tells nothing: everything, nothing, pairs, a cube, two kinds of circles.
    let pairs = (0..8).map(|v| (2 * v, 2 * v + 1)).collect::<Vec<_>>();
    let all = (0..16).flat_map(|w| (0..w).map(move |v| (v, w))).collect();
    let cube = (0..16).flat_map(|v| (0..4).map(move |k| (v, v ^ 1 << k))).collect();
    let circle = |length: usize| {
        (0..16).map(move |v| (v, v / length * length + (v + 1) % length)).collect::<Vec<_>>()
    };
    let graphs = [vec![], pairs, all, cube, circle(16), circle(8), circle(4)];
    let form =
        |edges: Vec<(usize, usize)>| canonical_form(&small(&Graph::from_edges(16, edges).unwrap()));
    let forms: HashSet<SmallGraph> = graphs.into_iter().map(form).collect();
    assert_eq!(forms.len(), 7);
}

#[test]
fn the_generator_makes_one_graph_of_each_class_of_numbered_graphs() {
    for order in 1..=6 {
        let pairs: Vec<_> = (0..order).flat_map(|w| (0..w).map(move |v| (v, w))).collect();
        let numbered = (0..1_u32 << pairs.len()).map(|chosen| {
            let edges = pairs.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
            small(&Graph::from_edges(order, edges.map(|(_, &pair)| pair)).unwrap())
        });
        let classes: HashSet<SmallGraph> =
            numbered.filter(SmallGraph::is_connected).map(|graph| canonical_form(&graph)).collect();
        let mut generated = Vec::new();
        connected(order, &Constraints::NONE, Part::WHOLE, |family| {
            generated.extend(family.children().map(|graph| canonical_form(&graph)));
            Ok(())
        })
        .unwrap();
        assert_eq!(generated.len(), classes.len(), "{order} vertices");
        assert_eq!(generated.into_iter().collect::<HashSet<_>>(), classes);
    }
}
