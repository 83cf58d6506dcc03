//! The evaluators: each takes a family of graphs and notes in the tally what it finds.

use super::tally::Tally;
use crate::generate::Family;
use crate::matching::{ExtendedSizes, Matcher};
use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph};
use crate::value::recursion::SmallSolver;
use crate::value::table::{ByValue, FamilyVisitor, LaneTable};
use crate::{Graph, Limits, Stop};

/// Evaluates the graphs of a sweep.
pub(super) trait Evaluate {
    /// Evaluates all starts of all children of a family.
    fn family(&mut self, family: Family<'_>, tally: &mut Tally);
}

/// Values by the subset table, the criterion by matchings from the definition.
pub(super) struct ByTable {
    table: LaneTable,
    sizes: ExtendedSizes,
}

/// Values by recursion, the criterion by the blossom algorithm.
pub(super) struct ByRecursion {
    solver: SmallSolver,
}

/// Outcomes by matchings, from the definition and by the blossom algorithm.
pub(super) struct ByMatching {
    sizes: ExtendedSizes,
}

impl ByTable {
    pub(super) fn new(order: usize, limits: &Limits<'_>) -> Result<Self, Stop> {
        limits.allow(LaneTable::bytes(order) + ExtendedSizes::bytes(order - 1))?;
        Ok(Self { table: LaneTable::default(), sizes: ExtendedSizes::default() })
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
        limits.allow(ExtendedSizes::bytes(order - 1))?;
        Ok(Self { sizes: ExtendedSizes::default() })
    }
}

impl Evaluate for ByTable {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        self.sizes.fill(family.parent);
        let mut noting = Noting { parent: family.parent, sizes: &self.sizes, tally };
        self.table.solve_family(family.parent, family.neighbourhoods, &mut noting);
        // The positions of the parent, and those of each child that have its new vertex.
        let order = family.parent.order() as u64;
        let of_parent = order << order >> 1;
        let of_child = (order + 2) << order >> 1;
        tally.add_expansions(of_parent + of_child * family.neighbourhoods.len() as u64);
    }
}

/// Notes what the table finds on a family.
struct Noting<'a> {
    parent: &'a SmallGraph,
    sizes: &'a ExtendedSizes,
    tally: &'a mut Tally,
}

impl FamilyVisitor for Noting<'_> {
    #[inline(always)]
    fn visit(&mut self, neighbours: u16, by_value: &ByValue) {
        let graph = self.parent.extended(neighbours);
        self.tally.add_values(&graph, by_value);
        let covered = self.sizes.covered(neighbours);
        self.tally.add_exceptions(&graph, by_value.nonzero() ^ covered);
    }
}

impl Evaluate for ByRecursion {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        let before = self.solver.states();
        for graph in family.children() {
            let mut values = [0; MAX_SMALL_ORDER];
            self.solver.solve(&graph, &mut values);
            let by_value = ByValue::of(&values[..graph.order()]);
            tally.add_values(&graph, &by_value);
            tally.add_exceptions(&graph, by_value.nonzero() ^ covered_by_blossom(&graph));
        }
        tally.add_expansions(self.solver.states() - before);
    }
}

impl Evaluate for ByMatching {
    fn family(&mut self, family: Family<'_>, tally: &mut Tally) {
        self.sizes.fill(family.parent);
        for &neighbours in family.neighbourhoods {
            let graph = family.parent.extended(neighbours);
            let covered = self.sizes.covered(neighbours);
            tally.add_outcomes(&graph, covered);
            tally.add_exceptions(&graph, covered ^ covered_by_blossom(&graph));
            tally.add_expansions(1 + graph.order() as u64);
        }
    }
}

/// The vertices that every maximum matching covers, by the blossom algorithm.
fn covered_by_blossom(graph: &SmallGraph) -> u16 {
    let graph = Graph::from(graph);
    let mut matcher = Matcher::new(&graph);
    (0..graph.order())
        .fold(0, |covered, v| covered | u16::from(matcher.size_without(v) < matcher.size()) << v)
}
