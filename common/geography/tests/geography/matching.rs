//! Matchings: both methods against each other, the criterion against values, and its moves. Play by it is tested in `literature`.

use proptest::prelude::*;
use sprague_geography::matching::{
    ExtendedSizes, Matcher, bitmask_size, blossom_size, maximum_matching, outcome, winning_move,
};
use sprague_geography::value::table;
use sprague_geography::{Graph, Outcome};

use crate::random::{graphs, positions, small};

proptest! {
    #[test]
    fn the_pairs_are_disjoint_edges_and_as_many_as_the_definition_allows(graph in graphs(0..=12)) {
        let pairs = maximum_matching(&graph);
        let mut covered: Vec<usize> = pairs.iter().flat_map(|&(v, w)| [v, w]).collect();
        covered.sort_unstable();
        covered.dedup();
        prop_assert_eq!(covered.len(), 2 * pairs.len());
        prop_assert!(pairs.iter().all(|&(v, w)| graph.has_edge(v, w)));
        prop_assert_eq!(blossom_size(&graph), bitmask_size(&small(&graph), small(&graph).vertices()));
    }

    #[test]
    fn removing_a_vertex_takes_one_search((graph, v) in positions(1..=14)) {
        let mut matcher = Matcher::new(&graph);
        let without = matcher.size_without(v);
        prop_assert_eq!(without, blossom_size(&graph.without(v)));
        let rest = small(&graph).vertices() & !(1 << v);
        prop_assert_eq!(without, bitmask_size(&small(&graph), rest));
        prop_assert_eq!(matcher.pairs(), maximum_matching(&graph), "the matching is as before");
    }

    #[test]
    fn vertices_removed_one_after_the_other_leave_a_maximum_matching(
        graph in graphs(1..=12),
        removals in prop::collection::vec(0_usize..12, 0..12),
    ) {
        let mut matcher = Matcher::new(&graph);
        let mut left = small(&graph).vertices();
        for v in removals.into_iter().filter(|&v| v < graph.order()) {
            matcher.remove(v);
            left &= !(1 << v);
            let size = bitmask_size(&small(&graph), left);
            prop_assert_eq!(matcher.size(), size);
            for (w, missable) in matcher.missable().into_iter().enumerate() {
                let there = left >> w & 1 == 1;
                let missed = bitmask_size(&small(&graph), left & !(1 << w)) == size;
                prop_assert_eq!(missable, there && missed, "vertex {}", w);
            }
        }
    }

    #[test]
    fn an_extended_graph_is_covered_as_if_it_had_been_whole(
        graph in graphs(1..=12),
        neighbours in any::<u16>(),
    ) {
        let graph = small(&graph);
        let neighbours = neighbours & graph.vertices();
        let mut sizes = ExtendedSizes::default();
        sizes.fill(&graph);
        let extended = graph.extended(neighbours);
        let whole = bitmask_size(&extended, extended.vertices());
        for v in 0..extended.order() {
            let without = bitmask_size(&extended, extended.vertices() & !(1 << v));
            prop_assert_eq!(sizes.covered(neighbours) >> v & 1 == 1, without < whole);
        }
    }

    #[test]
    fn the_criterion_tells_who_wins_and_how((graph, start) in positions(1..=10)) {
        let values = table::values(&small(&graph));
        let expected = if values[start] == 0 { Outcome::P } else { Outcome::N };
        prop_assert_eq!(outcome(&graph, start), expected);
        let won = winning_move(&graph, start);
        prop_assert_eq!(won.is_some(), expected == Outcome::N);
        if let Some(to) = won {
            prop_assert!(graph.has_edge(start, to));
            let rest = table::values(&small(&graph.without(start)));
            prop_assert_eq!(rest[to - usize::from(to > start)], 0);
        }
    }
}

#[test]
fn a_blossom_on_a_stem_is_seen_through() {
    // An odd cycle of five with a stem and, behind the cycle, the exposed vertex 7.
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 2), (4, 7)];
    let graph = Graph::from_edges(8, edges).unwrap();
    assert_eq!(blossom_size(&graph), 4);
}
