//! The lemma used twice: what graphs on n - 2 vertices say about n vertices.

use super::neighbourhoods;
use crate::small_graph::SmallGraph;
use crate::value::table::{ByValue, FamilyVisitor, LaneTable, Table};
use crate::{Limits, Stop};

/// Extends graphs by a vertex of some value and looks for all values up to it.
#[derive(Debug, Default)]
pub struct Extender {
    table: Table,
    lanes: LaneTable,
}

/// What came of the extensions of some graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extended {
    /// Graphs with one vertex more, worth `k`.
    pub graphs: u64,
    /// The first of them that has starts of all the values 0..=k.
    pub with_all: Option<SmallGraph>,
}

impl Extender {
    /// Adds a vertex worth `k` to a graph in every way there is and looks for starts of all the values 0..=k.
    ///
    /// A graph with all of them has a start worth k; without it the graph has starts of all the values 0..k. So the
    /// extensions of all graphs on n vertices with starts of all the values 0..k hold all graphs on n + 1 with all of 0..=k.
    ///
    /// # Errors
    ///
    /// If the tables would outgrow the limit or the caller stops it.
    ///
    /// # Panics
    ///
    /// If the graph has 16 vertices.
    pub fn extend(
        &mut self,
        graph: &SmallGraph,
        k: usize,
        limits: &Limits<'_>,
    ) -> Result<Extended, Stop> {
        limits.allow(Table::bytes(graph.order()) + LaneTable::bytes(graph.order() + 1))?;
        let wanted = neighbourhoods(graph, &self.table.solve(graph), k);
        let mut seen = Seen { graph, all: (2 << k) - 1, extended: Extended::default() };
        for some in wanted.chunks(1 << 10) {
            limits.advance(some.len() as u64)?;
            self.lanes.solve_family(graph, some, &mut seen);
        }
        Ok(seen.extended)
    }
}

struct Seen<'a> {
    graph: &'a SmallGraph,
    /// The values 0..=k as a set.
    all: u32,
    extended: Extended,
}

impl FamilyVisitor for Seen<'_> {
    #[inline(always)]
    fn visit(&mut self, neighbours: u16, by_value: &ByValue) {
        self.extended.graphs += 1;
        let sets = by_value.sets().iter().enumerate();
        let values = sets.fold(0, |values, (k, set)| values | u32::from(*set != 0) << k);
        if values & self.all == self.all && self.extended.with_all.is_none() {
            self.extended.with_all = Some(self.graph.extended(neighbours));
        }
    }
}
