//! Counts while a slice runs, in plain arrays; the report is made from it at the end.

use super::fingerprint::fingerprints;
use super::report::{MAX_EXCEPTIONS, MAX_FULL_GRAPHS, Report};
use super::slice::MAX_VERTICES;
use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph, members};
use crate::value::table::ByValue;
use crate::{Graph, graph6};

/// What was found so far.
pub(super) struct Tally {
    graphs: u64,
    positions: u64,
    values: [u64; MAX_SMALL_ORDER],
    /// Indexed by the set of values. A value is less than the order.
    value_sets: Vec<u64>,
    /// For each set of values, the first graph by its upper triangle, which is its order as
    /// graph6.
    examples: Vec<Option<(u128, SmallGraph)>>,
    /// The values that a graph with all of them has, as a set: 1 to half the order.
    all_values: usize,
    full_graphs: Vec<String>,
    fingerprint: u64,
    zero_fingerprint: u64,
    nonzero: u64,
    exceptions: u64,
    exceptions_as_text: Vec<String>,
    expansions: u64,
}

impl Tally {
    /// Nothing, of graphs of some order.
    pub(super) fn new(order: usize) -> Self {
        Self {
            graphs: 0,
            positions: 0,
            values: [0; MAX_SMALL_ORDER],
            value_sets: vec![0; 1 << MAX_VERTICES],
            examples: vec![None; 1 << MAX_VERTICES],
            all_values: (2 << (order / 2)) - 2,
            full_graphs: Vec::new(),
            fingerprint: 0,
            zero_fingerprint: 0,
            nonzero: 0,
            exceptions: 0,
            exceptions_as_text: Vec::new(),
            expansions: 0,
        }
    }

    /// Notes the values of all starts of a graph.
    #[inline(always)]
    pub(super) fn add_values(&mut self, graph: &SmallGraph, by_value: &ByValue) {
        let mut value_set = 0_usize;
        for (value, set) in by_value.sets().iter().enumerate() {
            self.values[value] += u64::from(set.count_ones());
            value_set |= usize::from(*set != 0) << value;
        }
        self.value_sets[value_set] += 1;
        if value_set & self.all_values == self.all_values {
            self.add_full_graph(graph);
        }
        let example = &mut self.examples[value_set];
        let triangle = triangle(graph);
        if example.is_none_or(|(known, _)| triangle < known) {
            *example = Some((triangle, *graph));
        }
        let fingerprints = fingerprints(graph, by_value.sets());
        self.fingerprint = self.fingerprint.wrapping_add(fingerprints.values);
        self.add_graph(graph, by_value.nonzero(), fingerprints.nonzero);
    }

    /// Notes a graph that has all values.
    #[inline(never)]
    fn add_full_graph(&mut self, graph: &SmallGraph) {
        self.full_graphs.push(graph6::write(&Graph::from(graph)));
        // Now and then, so that the list is bounded and the sorting costs nothing.
        if self.full_graphs.len() >= 2 * MAX_FULL_GRAPHS {
            self.full_graphs.sort_unstable();
            self.full_graphs.truncate(MAX_FULL_GRAPHS);
        }
    }

    /// Notes the set of all starts of a graph that the next player wins.
    #[inline(always)]
    pub(super) fn add_outcomes(&mut self, graph: &SmallGraph, nonzero: u16) {
        let fingerprints = fingerprints(graph, &[graph.vertices() & !nonzero, nonzero]);
        self.add_graph(graph, nonzero, fingerprints.nonzero);
    }

    /// Counts a graph of which the outcomes have this hash.
    #[inline(always)]
    fn add_graph(&mut self, graph: &SmallGraph, nonzero: u16, hash: u64) {
        self.zero_fingerprint = self.zero_fingerprint.wrapping_add(hash);
        self.graphs += 1;
        self.positions += graph.order() as u64;
        self.nonzero += u64::from(nonzero.count_ones());
    }

    /// Notes starts of a graph on which two methods disagree.
    pub(super) fn add_exceptions(&mut self, graph: &SmallGraph, starts: u16) {
        if starts == 0 {
            return;
        }
        let text = graph6::write(&Graph::from(graph));
        self.exceptions += u64::from(starts.count_ones());
        self.exceptions_as_text.extend(members(starts).map(|start| format!("{text} {start}")));
        self.exceptions_as_text.sort_unstable();
        self.exceptions_as_text.truncate(MAX_EXCEPTIONS);
    }

    /// Notes positions evaluated.
    pub(super) fn add_expansions(&mut self, expansions: u64) {
        self.expansions += expansions;
    }

    pub(super) fn into_report(mut self) -> Report {
        self.full_graphs.sort_unstable();
        self.full_graphs.truncate(MAX_FULL_GRAPHS);
        let mut report = Report {
            graphs: self.graphs,
            positions: self.positions,
            fingerprint: self.fingerprint,
            zero_fingerprint: self.zero_fingerprint,
            nonzero: self.nonzero,
            exceptions: self.exceptions,
            matching_exceptions: self.exceptions_as_text,
            expansions: self.expansions,
            full_graphs: self.full_graphs,
            ..Report::default()
        };
        for (value, &count) in (0..).zip(&self.values).filter(|&(_, &count)| count > 0) {
            report.values.insert(value, count);
        }
        for (set, &count) in (0_u32..).zip(&self.value_sets).filter(|&(_, &count)| count > 0) {
            report.value_sets.insert(set, count);
            *report.graphs_by_maximum.entry(set.ilog2() as u8).or_default() += count;
        }
        for (set, example) in (0..).zip(&self.examples) {
            if let Some((_, graph)) = example {
                report.examples.insert(set, graph6::write(&Graph::from(graph)));
            }
        }
        report
    }
}

/// The upper triangle of the adjacency by columns: among graphs of one order, its order is that of
/// their graph6 texts.
fn triangle(graph: &SmallGraph) -> u128 {
    (1..graph.order()).fold(0, |triangle, w| {
        let column = graph.row(w).reverse_bits() >> (MAX_SMALL_ORDER - w);
        triangle << w | u128::from(column)
    })
}
