//! The covering lemma: against the definition, against sweeps, and growth by leaf pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::cover::{
    Decision, Extender, decide, neighbourhoods, with_leaf_pair, with_start,
};
use sprague_geography::generate::canonical_form;
use sprague_geography::sweep::{Evaluator, Slice, run};
use sprague_geography::value::table::{self, Table};
use sprague_geography::{Graph, Limits, SmallGraph};

use crate::data;
use crate::random::{graphs, small};

proptest! {
    #[test]
    fn the_neighbourhoods_are_exactly_those_that_make_a_start_worth_k(
        graph in graphs(1..=7),
        k in 0_usize..4,
    ) {
        let graph = small(&graph);
        let by_value = Table::default().solve(&graph);
        let found: BTreeSet<u16> = neighbourhoods(&graph, &by_value, k).into_iter().collect();
        for set in 0..=graph.vertices() {
            let value = table::values(&graph.extended(set))[graph.order()];
            prop_assert_eq!(found.contains(&set), usize::from(value) == k);
        }
    }

    #[test]
    fn a_start_can_be_made_iff_all_smaller_values_are_there(graph in graphs(1..=9), k in 0_u16..5) {
        let values: Vec<u16> = table::values(&small(&graph)).into_iter().map(u16::from).collect();
        let all_there = (0..k).all(|value| values.contains(&value));
        match with_start(&graph, &values, k) {
            Some((extended, start)) => {
                prop_assert!(all_there);
                prop_assert_eq!(u16::from(table::values(&small(&extended))[start]), k);
                prop_assert_eq!(extended.without(start), graph);
            }
            None => prop_assert!(!all_there),
        }
    }

    #[test]
    fn a_leaf_pair_on_all_values_is_worth_one_more(graph in graphs(2..=10)) {
        let values = table::values(&small(&graph));
        let k = (1..).take_while(|value| values.contains(value)).count();
        let of_each: Vec<usize> =
            (1..=k).map(|value| values.iter().position(|&own| usize::from(own) == value).unwrap()).collect();
        let grown = with_leaf_pair(&graph, &of_each);
        let last = *table::values(&small(&grown)).last().unwrap();
        prop_assert_eq!(usize::from(last), k + 1);
    }
}

/// The value sets of the connected graphs of each order up to some order.
fn swept(orders: std::ops::RangeInclusive<u8>) -> Vec<BTreeSet<u32>> {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 24, cancel: &cancel, progress: &progress };
    let sweep = |vertices| run(Slice::whole(vertices), Evaluator::Table, &limits).unwrap();
    let sets = orders.map(|vertices| sweep(vertices).value_sets.into_keys().collect());
    std::iter::once(BTreeSet::new()).chain(sets).collect()
}

#[test]
fn the_smallest_graphs_are_decided_by_sweeps_on_one_vertex_less() {
    let sets = swept(1..=9);
    for row in data::numbers("tests/data/smallest.tsv") {
        let (k, order) = (row[0] as u32, row[1] as usize);
        for smaller in 1..order {
            assert_eq!(decide(k, smaller, &sets), Some(Decision::None), "*{k} on {smaller}");
        }
        match decide(k, order, &sets) {
            Some(Decision::Exists(attained)) => {
                let vertices: usize = attained.components.iter().map(|part| part.order).sum();
                let values = attained.components.iter().fold(0, |all, part| all | part.values);
                assert_eq!((vertices + 1, values), (order, attained.values));
                assert_eq!(values & ((1 << k) - 1), (1 << k) - 1);
            }
            other => panic!("*{k} on {order}: {other:?}"),
        }
    }
    assert_eq!(decide(5, 11, &sets), None, "the sweep on ten vertices is missing");
}

#[test]
fn what_the_lemma_decides_is_what_the_next_sweep_finds() {
    let sets = swept(1..=8);
    for order in 1..=8 {
        let greatest = sets[1..=order].iter().flatten().map(|set| set.ilog2()).max().unwrap();
        for k in 0..=greatest + 1 {
            let exists = matches!(decide(k, order, &sets[..order]), Some(Decision::Exists(_)));
            assert_eq!(exists, k <= greatest, "*{k} on {order} vertices");
        }
    }
}

/// The classes of graphs on 2k - 2 vertices, connected or not, with starts of all the values 0..k.
fn with_all_values(order: usize, k: usize) -> Vec<SmallGraph> {
    let all = (1_u32 << k) - 1;
    let has_all = |graph: &SmallGraph| {
        table::values(graph).into_iter().fold(0, |set, value| set | 1 << value) & all == all
    };
    // Every graph on so many vertices: a row for each vertex towards the ones before it.
    let mut graphs = vec![SmallGraph::EMPTY];
    for new in 0..order {
        let extended =
            graphs.iter().flat_map(|graph| (0..1_u32 << new).map(|set| graph.extended(set as u16)));
        let classes: BTreeMap<_, _> =
            extended.map(|graph| (canonical_form(&graph).rows().to_vec(), graph)).collect();
        graphs = classes.into_values().collect();
    }
    graphs.retain(has_all);
    graphs
}

#[test]
fn all_graphs_with_all_values_are_extensions_of_such_with_one_value_less() {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 24, cancel: &cancel, progress: &progress };
    let mut extender = Extender::default();
    for (order, k) in [(2, 1), (3, 2), (4, 2), (5, 2), (5, 3), (6, 3)] {
        let exists = !with_all_values(order, k).is_empty();
        let mut smaller = with_all_values(order - 1, k - 1);
        let found = smaller
            .drain(..)
            .find_map(|graph| extender.extend(&graph, k - 1, &limits).unwrap().with_all);
        assert_eq!(found.is_some(), exists, "all of 0..{k} on {order} vertices");
        if let Some(graph) = found {
            assert_eq!(graph.order(), order);
        }
    }
}

#[test]
fn a_graph_can_grow_pair_by_pair() {
    let mut graph = Graph::from_edges(2, [(0, 1)]).unwrap();
    for k in 2..=4_u8 {
        let values = table::values(&small(&graph));
        let nonzero: Vec<usize> = (0..graph.order()).filter(|&v| values[v] > 0).collect();
        graph = with_leaf_pair(&graph, &nonzero);
        assert_eq!(table::values(&small(&graph)).last(), Some(&k), "{graph:?}");
    }
}
