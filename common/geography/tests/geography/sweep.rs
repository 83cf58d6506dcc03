//! Sweeps: the published table, three evaluators that agree, and slices that add up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::sweep::{Evaluator, MAX_VERTICES, Report, Slice, run, suggested_slices};
use sprague_geography::value::table;
use sprague_geography::{Limits, Stop, graph6};

use crate::data;
use crate::random::small;

fn run_freely(slice: Slice, evaluator: Evaluator) -> Result<Report, Stop> {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    run(slice, evaluator, &Limits { memory: 1 << 24, cancel: &cancel, progress: &progress })
}

fn sweep(vertices: u8, evaluator: Evaluator, of: u32) -> Report {
    let mut whole = Report::default();
    for index in 0..of {
        whole.merge(&run_freely(Slice { vertices, index, of }, evaluator).unwrap());
    }
    whole
}

fn assert_row(report: &Report, row: &[u64]) {
    assert_eq!((report.graphs, report.positions), (row[1], row[2]), "{} vertices", row[0]);
    let expected: BTreeMap<u8, u64> =
        (0..).zip(row[3..].iter().copied()).filter(|&(_, count)| count > 0).collect();
    assert_eq!(report.values, expected, "{} vertices", row[0]);
}

#[test]
fn every_evaluator_reproduces_the_published_table_without_exception() {
    for row in data::numbers("../../tests/data/geography-sweep.tsv") {
        let vertices = row[0] as u8;
        let of = suggested_slices(vertices);
        let by_table = sweep(vertices, Evaluator::Table, of);
        assert_row(&by_table, &row);
        let by_matching = sweep(vertices, Evaluator::Matching, of);
        assert_eq!(by_matching.graphs, by_table.graphs);
        assert_eq!(by_matching.zero_fingerprint, by_table.zero_fingerprint);
        assert_eq!(by_matching.nonzero, by_table.nonzero);
        let by_recursion = sweep(vertices, Evaluator::Recursion, of);
        for report in [&by_table, &by_matching, &by_recursion] {
            assert_eq!((report.exceptions, report.matching_exceptions.len()), (0, 0));
        }
        let comparable = Report { expansions: by_table.expansions, ..by_recursion };
        assert_eq!(comparable, by_table);
    }
}

#[test]
fn the_histograms_of_a_report_count_the_same_graphs() {
    let report = sweep(8, Evaluator::Table, 1);
    assert_eq!(report.value_sets.values().sum::<u64>(), report.graphs);
    assert_eq!(report.graphs_by_maximum.values().sum::<u64>(), report.graphs);
    assert_eq!(report.values.values().sum::<u64>(), report.positions);
    assert_eq!(report.nonzero + report.values[&0], report.positions);
    assert!(report.examples.keys().eq(report.value_sets.keys()));
    for (&set, text) in &report.examples {
        assert_eq!(value_set(text), set);
    }
}

/// The values of the starts of a graph given as graph6, as a set.
fn value_set(text: &str) -> u32 {
    let graph = small(&graph6::parse(text.as_bytes()).unwrap());
    table::values(&graph).into_iter().fold(0, |set, value| set | 1 << value)
}

#[test]
fn the_full_graphs_are_those_with_all_values_from_1_to_half_the_order() {
    for vertices in 2..=8 {
        let all = (2_u32 << (vertices / 2)) - 2;
        let report = sweep(vertices, Evaluator::Table, 1);
        let count: u64 =
            report.value_sets.iter().filter(|(set, _)| *set & all == all).map(|(_, n)| n).sum();
        assert_eq!(report.full_graphs.len() as u64, count);
        assert!(report.full_graphs.is_sorted_by(|a, b| a < b));
        assert!(report.full_graphs.iter().all(|text| value_set(text) & all == all));
    }
}

#[test]
fn about_one_slice_in_a_hundred_is_sampled() {
    let slices = (0..100_000).map(|index| Slice { vertices: 11, index, of: 100_000 });
    let sampled = slices.filter(|slice| slice.is_sampled()).count();
    assert!((900..1100).contains(&sampled), "{sampled}");
}

#[test]
fn the_number_of_slices_changes_nothing() {
    for evaluator in Evaluator::ALL {
        let whole = run_freely(Slice::whole(7), evaluator).unwrap();
        for of in [2, 3, 10, 64] {
            assert_eq!(sweep(7, evaluator, of), whole, "{evaluator} in {of} slices");
        }
    }
}

#[test]
fn slices_that_are_none_are_refused() {
    for (vertices, index, of) in [(0, 0, 1), (MAX_VERTICES + 1, 0, 1), (5, 3, 3), (5, 0, 0)] {
        let refused = run_freely(Slice { vertices, index, of }, Evaluator::Table);
        assert_eq!(refused, Err(Stop::NoSuchSlice { vertices, index, of }));
    }
}

#[test]
fn limits_are_kept() {
    let (cancel, progress) = (AtomicBool::new(true), AtomicU64::new(0));
    for evaluator in Evaluator::ALL {
        let limits = Limits { memory: 1 << 24, cancel: &cancel, progress: &progress };
        assert_eq!(run(Slice::whole(6), evaluator, &limits), Err(Stop::Cancelled));
        let limits = Limits { memory: 16, ..limits };
        let stopped = run(Slice::whole(6), evaluator, &limits);
        assert!(matches!(stopped, Err(Stop::OutOfMemory { limit: 16, .. })), "{stopped:?}");
    }
}

#[test]
fn names_of_evaluators_are_read_back() {
    for evaluator in Evaluator::ALL {
        assert_eq!(evaluator.to_string().parse(), Ok(evaluator));
    }
    assert!("guess".parse::<Evaluator>().is_err());
}

/// Any report; merging asks nothing of what is in it.
fn reports() -> impl Strategy<Value = Report> {
    let counts = || prop::collection::btree_map(0_u8..5, 0_u64..1 << 40, 0..4);
    let sets = prop::collection::btree_map(0_u32..31, 0_u64..1 << 40, 0..4);
    let examples = prop::collection::btree_map(0_u32..31, "H[?-~]{6}", 0..4);
    let full_graphs = prop::collection::btree_set("H[?-~]{6}", 0..4);
    let exceptions = prop::collection::btree_set("H[?-~]{6} [0-8]", 0..40);
    let hashes = (any::<u64>(), any::<u64>());
    let numbers = prop::array::uniform5(0_u64..1 << 40);
    let graphs = (examples, full_graphs);
    (counts(), sets, counts(), graphs, exceptions, hashes, numbers).prop_map(
        |(values, value_sets, graphs_by_maximum, listed, exceptions, hashes, numbers)| {
            let [graphs, positions, nonzero, count, expansions] = numbers;
            let mut report = Report::default();
            report.merge(&Report {
                graphs,
                positions,
                values,
                value_sets,
                graphs_by_maximum,
                examples: listed.0,
                full_graphs: listed.1.into_iter().collect(),
                fingerprint: hashes.0,
                zero_fingerprint: hashes.1,
                nonzero,
                exceptions: count,
                matching_exceptions: exceptions.into_iter().collect(),
                expansions,
            });
            report
        },
    )
}

fn merged(mut one: Report, other: &Report) -> Report {
    one.merge(other);
    one
}

proptest! {
    #[test]
    fn reports_merge_in_any_order_and_grouping(a in reports(), b in reports(), c in reports()) {
        prop_assert_eq!(merged(a.clone(), &b), merged(b.clone(), &a));
        prop_assert_eq!(merged(merged(a.clone(), &b), &c), merged(a.clone(), &merged(b, &c)));
        prop_assert_eq!(merged(Report::default(), &a), a);
    }
}
