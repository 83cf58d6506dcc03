//! The table for many graphs of one order at a time, one graph a lane of the machine's vectors.

pub use super::kernel::LANES;

use super::kernel::{Base, Lanes, fill, stride};
use super::{ByValue, Table};
use crate::SmallGraph;
use crate::dispatch::{Vectorised, with_vectors};
use crate::small_graph::MAX_SMALL_ORDER;

/// Is told what was found on each graph of a family.
///
/// It is a trait and not a closure so that an implementation can be `#[inline(always)]`: then it is
/// compiled for this machine's instructions together with the table.
pub trait FamilyVisitor {
    /// Takes notice of the starts by value of the graph whose last vertex is joined to `neighbours`.
    fn visit(&mut self, neighbours: u16, by_value: &ByValue);
}

/// The tables of up to [`LANES`] graphs, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct LaneTable {
    /// The table of the parent of a family.
    parent: Table,
    /// For the sets that are not sets of the parent's vertices only: see [`fill`].
    layers: Vec<Lanes>,
}

impl LaneTable {
    /// The bytes that the tables take at most for graphs of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        Table::bytes(order) + ((stride(order) * size_of::<Lanes>()) << order)
    }

    /// Finds the starts by value of all graphs made from `parent` by adding a vertex, which is
    /// numbered last and joined to one of the `neighbourhoods`; hands them to `visitor` in order.
    ///
    /// The sets without the new vertex are the parent's, whose table is filled once. Takes 2^order
    /// times a quarter of the order times the mean value steps for every [`LANES`] graphs.
    ///
    /// # Panics
    ///
    /// If the parent has 16 vertices.
    pub fn solve_family(
        &mut self,
        parent: &SmallGraph,
        neighbourhoods: &[u16],
        visitor: &mut impl FamilyVisitor,
    ) {
        let order = parent.order() + 1;
        assert!(order <= MAX_SMALL_ORDER, "there is room for one vertex more");
        with_vectors(FillBase { table: &mut self.parent, graph: parent });
        self.reserve(order, 1 << parent.order());
        for batch in neighbourhoods.chunks(LANES) {
            let mut rows = [Lanes::EMPTY; MAX_SMALL_ORDER];
            for (v, row) in rows.iter_mut().enumerate().take(parent.order()) {
                *row = Lanes::same(parent.row(v));
                for (row, neighbours) in row.0.iter_mut().zip(batch) {
                    *row |= (neighbours >> v & 1) << parent.order();
                }
            }
            rows[parent.order()].0[..batch.len()].copy_from_slice(batch);
            let base = self.parent.as_base();
            with_vectors(Fill { layers: &mut self.layers, rows: &rows[..order], base });
            with_vectors(Visit { table: self, order, batch, visitor: &mut *visitor });
        }
    }

    /// Finds the starts by value of up to [`LANES`] graphs of one order; hands them to `visit` in
    /// order.
    ///
    /// # Panics
    ///
    /// If there are too many graphs or they differ in order.
    pub fn solve(&mut self, graphs: &[SmallGraph], mut visit: impl FnMut(&SmallGraph, ByValue)) {
        assert!(graphs.len() <= LANES, "there is a lane for each graph");
        let Some(order) = graphs.first().map(SmallGraph::order) else { return };
        assert!(graphs.iter().all(|graph| graph.order() == order), "the graphs have one order");
        self.reserve(order, 1);
        let mut rows = [Lanes::EMPTY; MAX_SMALL_ORDER];
        for (lane, graph) in graphs.iter().enumerate() {
            for (row, &neighbours) in rows.iter_mut().zip(graph.rows()) {
                row.0[lane] = neighbours;
            }
        }
        // All they have in common is the graph without vertices.
        let nothing = Table::default();
        let base = nothing.as_base();
        with_vectors(Fill { layers: &mut self.layers, rows: &rows[..order], base });
        for (lane, graph) in graphs.iter().enumerate() {
            visit(graph, self.read(order, lane));
        }
    }

    /// Makes room for all sets of the vertices of an order but the leading `kept` ones.
    fn reserve(&mut self, order: usize, kept: usize) {
        let sets = (1 << order) - kept;
        self.layers.resize(stride(order) * sets, Lanes::EMPTY);
    }

    /// The starts of the graph in a lane when all vertices are left.
    #[inline(always)]
    fn read(&self, order: usize, lane: usize) -> ByValue {
        let mut by_value = ByValue::default();
        let whole = self.layers.len().saturating_sub(stride(order));
        for (k, layer) in self.layers[whole..].iter().enumerate() {
            by_value.push(k, layer.0[lane]);
        }
        by_value
    }
}

/// The filling of the base's table, as work to be vectorised.
struct FillBase<'a> {
    table: &'a mut Table,
    graph: &'a SmallGraph,
}

impl Vectorised for FillBase<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.table.fill(self.graph);
    }
}

/// The filling of the table, as work to be vectorised.
struct Fill<'a> {
    layers: &'a mut [Lanes],
    rows: &'a [Lanes],
    base: Base<'a>,
}

impl Vectorised for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        fill(self.layers, self.rows, self.base);
    }
}

/// What is done with the values found, as work to be vectorised.
struct Visit<'a, V> {
    table: &'a LaneTable,
    order: usize,
    batch: &'a [u16],
    visitor: &'a mut V,
}

impl<V: FamilyVisitor> Vectorised for Visit<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (lane, &neighbours) in self.batch.iter().enumerate() {
            self.visitor.visit(neighbours, &self.table.read(self.order, lane));
        }
    }
}
