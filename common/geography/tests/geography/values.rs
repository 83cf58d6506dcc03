//! Values: both evaluators against the definition, and the edges of the recursion.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use proptest::prelude::*;
use sprague_geography::value::table::{ByValue, FamilyVisitor};
use sprague_geography::value::{recursion, table};
use sprague_geography::{
    AnalyseError, Analysis, BatchAnalyser, Graph, Limits, MAX_BATCH_ORDER, Outcome, SmallGraph,
    Stop, analyse,
};

use crate::random::{graphs, positions, small};

/// The value as the rules have it: the least number that no option has.
fn by_definition(graph: &Graph, start: usize) -> u16 {
    let rest = graph.without(start);
    let after = |option: usize| by_definition(&rest, option - usize::from(option > start));
    let options: Vec<u16> = graph.neighbours(start).map(after).collect();
    (0..).find(|value| !options.contains(value)).unwrap()
}

fn with_memory<T>(memory: usize, run: impl FnOnce(&Limits<'_>) -> T) -> T {
    run(&Limits { memory, cancel: &AtomicBool::new(false), progress: &AtomicU64::new(0) })
}

fn path(order: usize) -> Graph {
    Graph::from_edges(order, (1..order).map(|v| (v - 1, v))).unwrap()
}

/// Everything that was found on a family.
struct Found(Vec<(u16, ByValue)>);

impl FamilyVisitor for Found {
    fn visit(&mut self, neighbours: u16, by_value: &ByValue) {
        self.0.push((neighbours, *by_value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_evaluators_follow_the_definition((graph, start) in positions(1..=7)) {
        let expected = by_definition(&graph, start);
        prop_assert_eq!(u16::from(table::values(&small(&graph))[start]), expected);
        let valued = with_memory(1 << 20, |limits| recursion::value(&graph, start, limits));
        prop_assert_eq!(valued.unwrap().value, expected);
    }

    #[test]
    fn the_evaluators_agree_where_the_definition_is_out_of_reach(graph in graphs(8..=12)) {
        let values = table::values(&small(&graph));
        let mut recursive = vec![0; graph.order()];
        recursion::SmallSolver::default().solve(&small(&graph), &mut recursive);
        prop_assert_eq!(&values, &recursive);
        for (start, value) in values.into_iter().enumerate() {
            let valued = with_memory(1 << 24, |limits| recursion::value(&graph, start, limits));
            prop_assert_eq!(valued.unwrap().value, u16::from(value));
        }
    }

    #[test]
    fn lanes_do_not_mix(graphs in (1_usize..=11).prop_flat_map(|order| {
        prop::collection::vec(graphs(order..=order), 1..=table::LANES)
    })) {
        let graphs: Vec<SmallGraph> = graphs.iter().map(small).collect();
        let mut found = Vec::new();
        table::LaneTable::default().solve(&graphs, |graph, by_value| found.push((*graph, by_value)));
        let expected: Vec<_> =
            graphs.iter().map(|graph| (*graph, table::Table::default().solve(graph))).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_family_is_found_from_its_parent(
        parents in prop::collection::vec(graphs(1..=9), 1..4),
        neighbourhoods in prop::collection::vec(any::<u16>(), 1..80),
    ) {
        // One table for all parents: what it keeps from one to the next must do no harm.
        let (mut lanes, mut single) = (table::LaneTable::default(), table::Table::default());
        for parent in parents.iter().map(small) {
            let neighbourhoods: Vec<u16> =
                neighbourhoods.iter().map(|set| set & parent.vertices()).collect();
            let mut found = Found(Vec::new());
            lanes.solve_family(&parent, &neighbourhoods, &mut found);
            let solve = |&set: &u16| (set, single.solve(&parent.extended(set)));
            prop_assert_eq!(found.0, neighbourhoods.iter().map(solve).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_analysis_tells_the_options_of_a_position((graph, start) in positions(1..=9)) {
        let analysis = with_memory(1 << 20, |limits| analyse(&graph, start, limits)).unwrap();
        let value = analysis.value.unwrap();
        prop_assert_eq!(analysis.outcome, if value == 0 { Outcome::P } else { Outcome::N });
        let moves: Vec<usize> = graph.neighbours(start).collect();
        prop_assert_eq!(analysis.options.iter().map(|option| option.vertex).collect::<Vec<_>>(), moves);
        let rest = table::values(&small(&graph.without(start)));
        for option in &analysis.options {
            let after = u16::from(rest[option.vertex - usize::from(option.vertex > start)]);
            prop_assert_eq!(option.value, Some(after));
            prop_assert_eq!(option.winning, after == 0);
        }
        prop_assert_eq!(analysis.component, graph.component(start).len());
    }

    #[test]
    fn a_batch_tells_what_the_positions_tell_one_by_one(
        batch in prop::collection::vec(graphs(0..=MAX_BATCH_ORDER), 0..80),
        start in 0..MAX_BATCH_ORDER,
    ) {
        let mut analyser = BatchAnalyser::default();
        let found = analyser.analyse(&batch, start);
        prop_assert_eq!(found.len(), batch.len());
        for (graph, found) in batch.iter().zip(found) {
            let alone = with_memory(1 << 24, |limits| analyse(graph, start, limits));
            // Each method has its own count of positions.
            let without_states = |analysis| Analysis { states: 0, ..analysis };
            prop_assert_eq!(found.map(without_states), alone.map(without_states));
        }
    }
}

#[test]
fn on_a_path_the_parity_to_the_end_decides() {
    for order in [1, 2, 63, 64, 65, 128, 129, 200, 257, 385, recursion::MAX_COMPONENT] {
        let valued =
            with_memory(1 << 22, |limits| recursion::value(&path(order), 0, limits)).unwrap();
        assert_eq!(usize::from(valued.value), (order + 1) % 2, "{order} vertices");
        assert_eq!(valued.states, order as u64);
    }
}

#[test]
fn only_the_component_of_the_start_counts() {
    let graph = Graph::from_edges(1000, [(998, 999)]).unwrap();
    let valued = with_memory(1 << 20, |limits| recursion::value(&graph, 999, limits)).unwrap();
    assert_eq!((valued.value, valued.states), (1, 2));
}

#[test]
fn a_component_beyond_the_limit_still_has_an_outcome() {
    let graph = path(recursion::MAX_COMPONENT + 2);
    let stop = with_memory(1 << 20, |limits| recursion::value(&graph, 0, limits)).unwrap_err();
    let (order, limit) = (graph.order(), recursion::MAX_COMPONENT);
    assert_eq!(stop, Stop::TooLarge { order, limit });
    let analysis = with_memory(1 << 20, |limits| analyse(&graph, 0, limits)).unwrap();
    assert_eq!(
        (analysis.value, analysis.outcome),
        (Err(Stop::TooLarge { order, limit }), Outcome::N)
    );
}

#[test]
fn memory_that_does_not_suffice_is_said_and_never_exceeded() {
    let pairs = (0..18).flat_map(|w| (0..w).map(move |v| (v, w)));
    let complete = Graph::from_edges(18, pairs).unwrap();
    let memory = 1 << 20;
    match with_memory(memory, |limits| recursion::value(&complete, 0, limits)) {
        Err(Stop::OutOfMemory { limit, needed }) => {
            assert_eq!(limit, memory as u64);
            assert!(needed > limit);
        }
        other => panic!("{other:?}"),
    }
    let analysis = with_memory(memory, |limits| analyse(&complete, 0, limits)).unwrap();
    assert!(matches!(analysis.value, Err(Stop::OutOfMemory { .. })));
    assert_eq!(analysis.outcome, Outcome::N);
    assert!(analysis.options.iter().all(|option| option.winning && option.value.is_none()));
    let valued = with_memory(1 << 27, |limits| recursion::value(&complete, 0, limits)).unwrap();
    assert_eq!(valued.value, 1);
}

#[test]
fn a_cancelled_computation_stops() {
    let (cancel, progress) = (AtomicBool::new(true), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 20, cancel: &cancel, progress: &progress };
    assert_eq!(recursion::value(&path(9), 0, &limits), Err(Stop::Cancelled));
    let analysis = analyse(&path(9), 0, &limits).unwrap();
    assert_eq!((analysis.value, analysis.outcome), (Err(Stop::Cancelled), Outcome::P));
    assert!(progress.load(Ordering::Relaxed) > 0);
}

#[test]
fn a_position_needs_a_vertex() {
    let empty = with_memory(1 << 20, |limits| analyse(&Graph::edgeless(0), 0, limits));
    assert_eq!(empty, Err(AnalyseError::EmptyGraph));
    let outside = with_memory(1 << 20, |limits| analyse(&path(3), 3, limits));
    assert_eq!(outside, Err(AnalyseError::StartOutside { start: 3, order: 3 }));
}
