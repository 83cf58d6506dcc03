//! What a slice of a sweep found, and how the findings of slices add up.

use std::collections::BTreeMap;

/// The most exceptions to the matching criterion that a report spells out.
pub const MAX_EXCEPTIONS: usize = 32;

/// The most graphs with all values that a report lists. There are about 8,000 on 11 vertices.
pub const MAX_FULL_GRAPHS: usize = 1 << 16;

/// What was found in some slices of a sweep.
///
/// Reports of different slices of one sweep [merge](Self::merge) in any order and grouping to the
/// same report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Graphs seen.
    pub graphs: u64,
    /// Starts of these graphs.
    pub positions: u64,
    /// How many starts have which value. Empty for the evaluator that knows no values.
    pub values: BTreeMap<u8, u64>,
    /// How many graphs have which set of values; bit k of the key says whether value k occurs.
    /// Empty for the evaluator that knows no values.
    pub value_sets: BTreeMap<u32, u64>,
    /// How many graphs have which greatest value. Empty for the evaluator that knows no values.
    pub graphs_by_maximum: BTreeMap<u8, u64>,
    /// For each set of values a graph with it, as graph6: of those that the generator makes, the
    /// first as text.
    pub examples: BTreeMap<u32, String>,
    /// Graphs on n vertices that have all of the values 1..=n/2, as graph6 in ascending order: the
    /// first [`MAX_FULL_GRAPHS`] of them. No start is worth more than n/2 (see
    /// [`cover`](crate::cover)), so these are what larger values can be made of. Empty for the
    /// evaluator that knows no values.
    pub full_graphs: Vec<String>,
    /// A sum over all graphs of a hash of the graph with the values of its starts, the same for
    /// isomorphic graphs; 0 for the evaluator that knows no values.
    pub fingerprint: u64,
    /// As `fingerprint`, with only whether the values are 0: all evaluators know that.
    pub zero_fingerprint: u64,
    /// Starts whose value is not 0: those that the next player wins.
    pub nonzero: u64,
    /// Starts for which values and matchings, or two ways to matchings, disagree.
    pub exceptions: u64,
    /// The first of these as text, each a graph6, a space and a start: at most
    /// [`MAX_EXCEPTIONS`].
    pub matching_exceptions: Vec<String>,
    /// Positions evaluated, in the units of the evaluator.
    pub expansions: u64,
}

impl Report {
    /// Adds what another report found in other slices of the same sweep. Commutative and
    /// associative.
    pub fn merge(&mut self, other: &Self) {
        self.graphs += other.graphs;
        self.positions += other.positions;
        add(&mut self.values, &other.values);
        add(&mut self.value_sets, &other.value_sets);
        add(&mut self.graphs_by_maximum, &other.graphs_by_maximum);
        for (&set, graph) in &other.examples {
            let example = self.examples.entry(set).or_insert_with(|| graph.clone());
            if graph < example {
                example.clone_from(graph);
            }
        }
        keep_first(&mut self.full_graphs, &other.full_graphs, MAX_FULL_GRAPHS);
        self.fingerprint = self.fingerprint.wrapping_add(other.fingerprint);
        self.zero_fingerprint = self.zero_fingerprint.wrapping_add(other.zero_fingerprint);
        self.nonzero += other.nonzero;
        self.exceptions += other.exceptions;
        keep_first(&mut self.matching_exceptions, &other.matching_exceptions, MAX_EXCEPTIONS);
        self.expansions += other.expansions;
    }
}

/// Adds texts to a list in ascending order, of which the first `most` are kept.
fn keep_first(texts: &mut Vec<String>, more: &[String], most: usize) {
    texts.extend_from_slice(more);
    texts.sort_unstable();
    texts.truncate(most);
}

/// Adds one histogram to another.
fn add<K: Ord + Copy>(counts: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (&key, &count) in more {
        *counts.entry(key).or_default() += count;
    }
}
