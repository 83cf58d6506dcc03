//! The table for one graph at a time.

use super::ByValue;
use super::kernel::Base;
use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph, members};

/// For the values 0, 1, ... the starts that have them when some set of vertices is left.
pub(super) type Layers = [u16; MAX_SMALL_ORDER];

/// The table of one graph, kept from graph to graph.
///
/// What the next graph has in common with the last one is not computed again: the sets of the
/// leading vertices on which both are the same graph.
#[derive(Clone, Debug)]
pub struct Table {
    graph: SmallGraph,
    /// Indexed by the set of vertices that is left.
    layers: Vec<Layers>,
    /// For each set of vertices all their neighbours.
    neighbours: Vec<u16>,
}

impl Default for Table {
    fn default() -> Self {
        // The graph without vertices, and the empty set, in which no token lies.
        Self { graph: SmallGraph::EMPTY, layers: vec![[0; MAX_SMALL_ORDER]], neighbours: vec![0] }
    }
}

impl Table {
    /// The bytes that the table takes for graphs of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        (size_of::<Layers>() + size_of::<u16>()) << order
    }

    /// Finds the starts of a graph by value. Takes 2^order times half the order steps.
    pub fn solve(&mut self, graph: &SmallGraph) -> ByValue {
        self.fill(graph);
        let mut by_value = ByValue::default();
        for (k, &starts) in self.layers[usize::from(graph.vertices())].iter().enumerate() {
            by_value.push(k, starts);
        }
        by_value
    }

    /// Fills the table for a graph.
    #[inline(always)]
    pub(super) fn fill(&mut self, graph: &SmallGraph) {
        let sets = 1_usize << graph.order();
        let common = self.common_vertices(graph);
        let kept = 1_usize << common;
        self.layers.truncate(kept);
        self.layers.resize(sets, [0; MAX_SMALL_ORDER]);
        self.graph = *graph;
        self.fill_neighbours();
        let added = graph.vertices() & !(kept - 1) as u16;
        for set in 0..sets {
            let free = if set < kept { added } else { graph.vertices() & !(set as u16) };
            self.enter(set, free);
        }
    }

    /// The table as the base of tables for larger graphs.
    pub(super) fn as_base(&self) -> Base<'_> {
        Base { layers: &self.layers }
    }

    /// Enters h(`set` + u, u) for every u of `free`. The entries for `set` are complete: every set
    /// they came from is smaller as a number.
    #[inline(always)]
    fn enter(&mut self, set: usize, free: u16) {
        // The vertices next to starts of all the values 0..=k have values above k, and the value of a
        // vertex is the number of the k for which that is so. Four sets share a word, so that this
        // is a population count.
        let mut above = [0_u64; MAX_SMALL_ORDER / 4];
        let mut hindered = free;
        for (k, &starts) in self.layers[set].iter().enumerate() {
            hindered &= self.neighbours[usize::from(starts)];
            if hindered == 0 {
                break;
            }
            above[k / 4] |= u64::from(hindered) << (16 * (k % 4));
        }
        for u in members(free) {
            let above_of = |word: &u64| (word >> u & 0x0001_0001_0001_0001).count_ones();
            let value: u32 = above.iter().take_while(|&&word| word != 0).map(above_of).sum();
            let larger = set | 1 << u;
            self.layers[larger][value as usize] |= 1 << u;
        }
    }

    /// How many leading vertices have the same edges among them as in the graph before.
    fn common_vertices(&self, graph: &SmallGraph) -> usize {
        let most = self.graph.order().min(graph.order());
        let differs = |v: usize| {
            let below = (1_u32 << v) - 1;
            u32::from(self.graph.row(v) ^ graph.row(v)) & below != 0
        };
        (0..most).find(|&v| differs(v)).unwrap_or(most)
    }

    fn fill_neighbours(&mut self) {
        self.neighbours.resize(1 << self.graph.order(), 0);
        for v in 0..self.graph.order() {
            let row = self.graph.row(v);
            let (without, with) = self.neighbours.split_at_mut(1 << v);
            for (with, without) in with.iter_mut().zip(without) {
                *with = *without | row;
            }
        }
    }
}

/// The values of all starts of a graph, indexed by vertex.
#[must_use]
pub fn values(graph: &SmallGraph) -> Vec<u8> {
    Table::default().solve(graph).values()[..graph.order()].to_vec()
}
