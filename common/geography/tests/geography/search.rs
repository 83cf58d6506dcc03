//! The search for graphs of a wanted value: against the definition, the bound, and itself.

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::cover::{fewest_vertices, greatest_value, with_leaf_pair};
use sprague_geography::matching::blossom_size;
use sprague_geography::search::{
    Aim, AimError, Hit, Unverified, Walk, reduce, suggested_evaluations, walk,
};
use sprague_geography::value::table::{self, PAIRS, PairTable, WideTable};
use sprague_geography::{Graph, Limits, Stop};

use crate::random::{graphs, positions, small};

/// Does something with limits that are not felt.
fn freely<T>(work: impl FnOnce(&Limits<'_>) -> T) -> T {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    work(&Limits { memory: 1 << 30, cancel: &cancel, progress: &progress })
}

/// The starts of a graph by value, as bits.
fn by_value(graph: &Graph) -> Vec<u32> {
    let mut sets = vec![0; 13];
    for (v, value) in table::values(&small(graph)).into_iter().enumerate() {
        sets[usize::from(value)] |= 1 << v;
    }
    sets
}

proptest! {
    #[test]
    fn no_start_is_worth_more_than_a_maximum_matching_has_edges((graph, start) in positions(1..=11)) {
        let value = usize::from(table::values(&small(&graph))[start]);
        prop_assert!(value <= blossom_size(&graph));
        prop_assert!(graph.order() >= fewest_vertices(value));
        prop_assert!(value <= greatest_value(graph.order()));
    }

    #[test]
    fn beside_a_start_worth_half_the_vertices_none_is_worth_0(graph in graphs(2..=8)) {
        let values = table::values(&small(&graph));
        let greatest = usize::from(values.iter().copied().max().unwrap());
        prop_assert!(2 * greatest < graph.order() || !values.contains(&0));
    }

    #[test]
    fn the_wide_table_finds_what_the_table_finds(graph in graphs(1..=11)) {
        let starts = freely(|limits| WideTable::new(&graph, limits)).unwrap().starts();
        prop_assert_eq!(starts.to_vec(), by_value(&graph));
    }

    #[test]
    fn the_table_of_pairs_finds_what_the_table_finds_on_each_graph(
        graph in graphs(1..=9),
        joined in prop::array::uniform16(any::<u32>()),
    ) {
        let joined: [u32; PAIRS] = joined.map(|set| set & ((1 << graph.order()) - 1));
        let found = freely(|limits| {
            let base = WideTable::new(&graph, limits)?;
            PairTable::default().solve(&base, &joined, limits)
        }).unwrap();
        for (set, starts) in joined.into_iter().zip(found) {
            let neighbours: Vec<usize> = (0..graph.order()).filter(|v| set >> v & 1 == 1).collect();
            prop_assert_eq!(starts.to_vec(), by_value(&with_leaf_pair(&graph, &neighbours)));
        }
    }

    #[test]
    fn a_hit_is_what_was_aimed_at(
        value in 1_usize..=4,
        more in 0_usize..=3,
        degree in 0_usize..=4,
        bipartite: bool,
        seed: u64,
        most in 1_u64..2_000,
    ) {
        let mut aim = Aim::new(value, 2 * value + more).unwrap().with_max_degree(value + degree).unwrap();
        if bipartite {
            aim = aim.bipartite();
        }
        let walked = Walk { seed, number: 0, evaluations: most };
        let (end, again) = freely(|limits| (walk(&aim, walked, limits), walk(&aim, walked, limits)));
        prop_assert_eq!(&end, &again, "a walk depends on its numbers only");
        let end = end.unwrap();
        prop_assert!(end.evaluations <= most);
        prop_assert!(end.hit.is_some() || end.evaluations == most, "{} of {most}", end.evaluations);
        if let Some(hit) = end.hit {
            let reduced = freely(|limits| {
                hit.verify(limits).unwrap();
                let reduced = reduce(&hit, limits).unwrap();
                reduced.verify(limits).unwrap();
                reduced
            });
            for hit in [&hit, &reduced] {
                prop_assert_eq!((hit.graph.order(), hit.value), (aim.order(), value));
                prop_assert!((0..aim.order()).all(|v| hit.graph.degree(v) <= aim.max_degree()));
                prop_assert!(!bipartite || is_bipartite(&hit.graph));
            }
        }
    }
}

fn is_bipartite(graph: &Graph) -> bool {
    let mut colours = vec![None; graph.order()];
    for root in 0..graph.order() {
        let mut stack = vec![(root, *colours[root].get_or_insert(false))];
        while let Some((v, colour)) = stack.pop() {
            for w in graph.neighbours(v) {
                match colours[w] {
                    Some(other) if other == colour => return false,
                    Some(_) => {}
                    None => {
                        colours[w] = Some(!colour);
                        stack.push((w, !colour));
                    }
                }
            }
        }
    }
    true
}

#[test]
fn values_up_to_7_are_found_on_twice_as_many_vertices() {
    for value in 1..=7 {
        let aim = Aim::new(value, 2 * value).unwrap();
        let evaluations = suggested_evaluations(2 * value);
        let end =
            |number| freely(|limits| walk(&aim, Walk { seed: 1, number, evaluations }, limits));
        let hit = (0..20).find_map(|number| end(number).unwrap().hit).expect("a hit");
        freely(|limits| hit.verify(limits)).unwrap();
    }
}

#[test]
fn what_a_theorem_rules_out_is_refused() {
    assert_eq!(Aim::new(6, 11), Err(AimError::TooFewVertices { value: 6, order: 11 }));
    assert_eq!(Aim::new(7, 13), Err(AimError::TooFewVertices { value: 7, order: 13 }));
    assert_eq!(Aim::new(0, 3), Err(AimError::Zero));
    assert_eq!(Aim::new(5, 25), Err(AimError::TooManyVertices(25)));
    let refused = Aim::new(5, 12).unwrap().with_max_degree(4);
    assert_eq!(refused, Err(AimError::DegreeTooSmall { value: 5, max_degree: 4 }));
}

#[test]
fn a_wrong_hit_is_not_verified() {
    let path = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let hit = Hit { graph: path, start: 0, value: 2 };
    let refused = freely(|limits| hit.verify(limits));
    assert!(matches!(refused, Err(Unverified::OtherValue { found: 1, expected: 2, .. })));
}

#[test]
fn limits_are_kept() {
    let aim = Aim::new(6, 12).unwrap();
    let (cancel, progress) = (AtomicBool::new(true), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 20, cancel: &cancel, progress: &progress };
    let walked = Walk { seed: 1, number: 0, evaluations: 100 };
    assert_eq!(walk(&aim, walked, &limits), Err(Stop::Cancelled));
    let stopped = walk(&aim, walked, &Limits { memory: 100, ..limits });
    assert!(matches!(stopped, Err(Stop::OutOfMemory { .. })), "{stopped:?}");
}
