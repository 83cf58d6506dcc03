//! The constructions: the claims of the paper, and the table of what each variant is worth.

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::construct::{Digraph, Gadgets, Section5, Variant, arc_gadgets, nim_tree};
use sprague_geography::value::recursion::{self, Valued};
use sprague_geography::{Graph, Limits};

use crate::data;

fn valued(graph: &Graph, start: usize) -> Valued {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 30, cancel: &cancel, progress: &progress };
    recursion::value(graph, start, &limits).unwrap()
}

/// The value of the token on `start` when some vertices are deleted.
fn value_without(graph: &Graph, deleted: &[usize], start: usize) -> u16 {
    let kept: Vec<usize> = (0..graph.order()).filter(|v| !deleted.contains(v)).collect();
    let start = kept.iter().position(|&v| v == start).unwrap();
    valued(&graph.induced(&kept), start).value
}

/// All digraphs of an order.
fn digraphs(order: usize) -> impl Iterator<Item = Digraph> {
    let pairs: Vec<_> = (0..order)
        .flat_map(|tail| (0..order).filter(move |&head| head != tail).map(move |head| (tail, head)))
        .collect();
    (0..1_u32 << pairs.len()).map(move |chosen| {
        let arcs = pairs.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
        Digraph::from_arcs(order, arcs.map(|(_, &arc)| arc)).unwrap()
    })
}

/// The claims on every vertex and every gadget of a digraph; counts both.
fn assert_claims(digraph: &Digraph) -> (usize, usize) {
    let Gadgets { graph, gadgets } = arc_gadgets(digraph);
    for v in 0..digraph.order() {
        let value = valued(&graph, v).value;
        let next = digraph.next_player_wins(v);
        assert!(if next { value > 1 } else { value == 1 }, "*{value} on {v} of {digraph:?}");
        let (with_prelude, start) = Gadgets::with_prelude(digraph, v);
        assert_eq!(valued(&with_prelude, start).value, if next { 2 } else { 1 }, "prelude");
    }
    for gadget in &gadgets {
        let wrong_way = value_without(&graph, &[gadget.y], gadget.d);
        assert!([2, 3].contains(&wrong_way), "*{wrong_way} in {digraph:?}");
        let entered = value_without(&graph, &[gadget.x], gadget.a);
        let left = value_without(&graph, &[gadget.x, gadget.d], gadget.y);
        assert_eq!(entered == 1, left == 1, "correct way of {gadget:?} in {digraph:?}");
    }
    (digraph.order(), gadgets.len())
}

#[test]
fn the_gadgets_hold_on_every_digraph_of_three_vertices() {
    let counts = (1..=3).flat_map(digraphs).map(|digraph| assert_claims(&digraph));
    let total = counts.fold((0, 0), |total, one| (total.0 + one.0, total.1 + one.1));
    let expected = data::numbers("tests/data/gadgets.tsv");
    assert_eq!(vec![total.0 as u64, total.1 as u64], expected[0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_gadgets_hold_on_digraphs_of_four_vertices(
        chosen in prop::collection::vec(prop::bool::weighted(0.45), 12),
    ) {
        let pairs = (0..4).flat_map(|tail| (0..4).map(move |head| (tail, head)));
        let arcs = pairs.filter(|(tail, head)| tail != head).zip(chosen);
        let arcs = arcs.filter(|(_, chosen)| *chosen).map(|(arc, _)| arc);
        assert_claims(&Digraph::from_arcs(4, arcs).unwrap());
    }
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
fn section_5_is_worth_what_the_table_says_in_every_variant() {
    for row in data::numbers("tests/data/section5.tsv") {
        let n = row[0] as usize;
        let figures = Section5::new(n, Variant::Figures);
        assert_eq!(figures.graph.order(), 5 * n * n - 15 * n - 4);
        assert_eq!([figures.graph.order() as u64, figures.graph.size() as u64], row[1..3]);
        let found = valued(&figures.graph, figures.start);
        assert_eq!((u64::from(found.value), found.states), (row[3], row[4]), "n = {n}");
        // The largest takes as long as all others together: once is enough.
        let variants = if n < 9 { &Variant::ALL[1..] } else { &[] };
        for (variant, &value) in variants.iter().zip(&row[5..]) {
            let Section5 { graph, start, .. } = Section5::new(n, *variant);
            assert_eq!(u64::from(valued(&graph, start).value), value, "n = {n}, {variant:?}");
        }
    }
}

#[test]
fn the_lemmas_of_section_5_hold_whatever_hubs_are_removed() {
    let construction = Section5::new(8, Variant::Figures);
    let graph = &construction.graph;
    let hubs: Vec<usize> = construction.hubs().collect();
    for removal in 0..1_u32 << hubs.len() {
        let is_removed = |i: usize| removal >> (i - hubs[0]) & 1 == 1;
        let removed: Vec<usize> = hubs.iter().copied().filter(|&i| is_removed(i)).collect();
        let deleted: Vec<usize> = removed.iter().map(|&i| construction.hub(i).n).collect();
        let lowest = removed.first().copied().unwrap_or(usize::MAX);
        let above = hubs.iter().filter(|&&i| i > lowest && !is_removed(i)).count();
        for &i in &hubs {
            let hub = construction.hub(i);
            if is_removed(i) {
                assert_eq!(
                    value_without(graph, &deleted, hub.r),
                    0,
                    "grounded: R_{i}, {removed:?}"
                );
                // N_i itself is removed; are all below it there?
                let skip = if lowest == i { (1, 2) } else { (3, 3) };
                let found = [hub.m, hub.p].map(|v| value_without(graph, &deleted, v));
                assert_eq!((found[0], found[1]), skip, "skip *: {i}, {removed:?}");
            } else {
                let value = usize::from(value_without(graph, &deleted, hub.n));
                let expected = if i < lowest { i } else { 2 - above % 2 };
                assert_eq!(value, expected, "at least *4, parity: N_{i}, {removed:?}");
                let mut deleted = deleted.clone();
                deleted.push(hub.r);
                let by_root = value_without(graph, &deleted, hub.n);
                assert_eq!(by_root, 0, "R_{i} -> N_{i}, {removed:?}");
            }
        }
    }
}

#[test]
fn the_options_of_the_start_are_all_smaller_values() {
    for n in 4..=7 {
        let Section5 { graph, start, .. } = Section5::new(n, Variant::Figures);
        let mut options: Vec<usize> = graph
            .neighbours(start)
            .map(|option| usize::from(value_without(&graph, &[start], option)))
            .collect();
        options.sort_unstable();
        assert_eq!(options, (0..n).collect::<Vec<_>>());
    }
}
