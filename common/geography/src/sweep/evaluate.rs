//! The evaluators: each takes a family of graphs and notes in the tally what it finds.

use super::tally::Tally;
use crate::generate::Family;
use crate::matching::{BitmaskSizes, Matcher};
use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph};
use crate::value::recursion::SmallSolver;
use crate::value::table::Table;
use crate::{Graph, Limits, Stop};

/// Evaluates the graphs of a sweep.
pub(super) trait Evaluate {
    /// Evaluates all starts of all children of a family.
    fn family(&mut self, family: Family<'_>, tally: &mut Tally);
}

/// Values by the subset table, the criterion by matchings from the definition.
pub(super) struct ByTable {
    table: Table,
    sizes: BitmaskSizes,
}

/// Values by recursion, the criterion by the blossom algorithm.
pub(super) struct ByRecursion {
    solver: SmallSolver,
}

/// Outcomes by matchings, from the definition and by the blossom algorithm.
pub(super) struct ByMatching {
    sizes: BitmaskSizes,
}

impl ByTable {
    pub(super) fn new(order: usize, limits: &Limits<'_>) -> Result<Self, Stop> {
        limits.allow((2 * order + 1) << order)?;
        Ok(Self { table: Table::default(), sizes: BitmaskSizes::default() })
    }
}

impl ByRecursion {
    pub(super) fn new(order: usize, limits: &Limits<'_>) -> Result<Self, Stop> {
        limits.allow(SmallSolver::bytes(order))?;
        Ok(Self { solver: SmallSolver::default() })
    }
}

impl ByMatching {
    pub(super) fn new(order: usize, limits: &Limits<'_>) -> Result<Self, Stop> {
        limits.allow(1 << order)?;
        Ok(Self { sizes: BitmaskSizes::default() })
    }
}

impl Evaluate for ByTable {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        for graph in family.children() {
            let values = &self.table.solve(&graph)[..graph.order()];
            self.sizes.fill(&graph);
            tally.add_values(&graph, values);
            tally.add_exceptions(&graph, nonzero(values) ^ covered_by_bitmask(&graph, &self.sizes));
            tally.add_expansions((graph.order() as u64) << (graph.order() - 1));
        }
    }
}

impl Evaluate for ByRecursion {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        let before = self.solver.states();
        for graph in family.children() {
            let mut values = [0; MAX_SMALL_ORDER];
            self.solver.solve(&graph, &mut values);
            let values = &values[..graph.order()];
            tally.add_values(&graph, values);
            tally.add_exceptions(&graph, nonzero(values) ^ covered_by_blossom(&graph));
        }
        tally.add_expansions(self.solver.states() - before);
    }
}

impl Evaluate for ByMatching {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        for graph in family.children() {
            self.sizes.fill(&graph);
            let covered = covered_by_bitmask(&graph, &self.sizes);
            tally.add_outcomes(&graph, covered);
            tally.add_exceptions(&graph, covered ^ covered_by_blossom(&graph));
            tally.add_expansions(1 + graph.order() as u64);
        }
    }
}

/// The set of the vertices whose value is not 0.
fn nonzero(values: &[u8]) -> u16 {
    values.iter().rev().fold(0, |set, &value| set << 1 | u16::from(value != 0))
}

/// The vertices that every maximum matching covers, from the sizes of maximum matchings.
fn covered_by_bitmask(graph: &SmallGraph, sizes: &BitmaskSizes) -> u16 {
    let vertices = graph.vertices();
    let whole = sizes.within(vertices);
    (0..graph.order())
        .fold(0, |covered, v| covered | u16::from(sizes.within(vertices & !(1 << v)) < whole) << v)
}

/// The vertices that every maximum matching covers, by the blossom algorithm.
fn covered_by_blossom(graph: &SmallGraph) -> u16 {
    let graph = Graph::from(graph);
    let mut matcher = Matcher::new(&graph);
    (0..graph.order())
        .fold(0, |covered, v| covered | u16::from(matcher.size_without(v) < matcher.size()) << v)
}
