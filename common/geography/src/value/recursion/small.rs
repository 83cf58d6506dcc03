//! The recursion on small graphs, for sweeps: positions are remembered in a table without keys.

use super::walk::{Memo, reach, walk};
use crate::Stop;
use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph};

/// Marks positions that are not known.
const UNKNOWN: u8 = u8::MAX;

/// Finds values of starts of small graphs, one graph after the other with one table.
///
/// It takes 16 bytes a set of vertices.
#[derive(Clone, Debug, Default)]
pub struct SmallSolver {
    memo: SmallMemo,
}

/// The values of the positions of one graph, indexed by 16 * component + token.
#[derive(Clone, Debug, Default)]
struct SmallMemo {
    values: Vec<u8>,
    states: u64,
}

impl Memo<u16> for SmallMemo {
    fn get(&self, token: usize, component: u16) -> Option<u16> {
        let value = self.values[usize::from(component) * MAX_SMALL_ORDER + token];
        (value != UNKNOWN).then(|| u16::from(value))
    }

    fn insert(&mut self, token: usize, component: u16, value: u16) -> Result<(), Stop> {
        self.values[usize::from(component) * MAX_SMALL_ORDER + token] = value as u8;
        self.states += 1;
        Ok(())
    }
}

impl SmallSolver {
    /// The bytes that the table takes for graphs of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        MAX_SMALL_ORDER << order
    }

    /// Writes the values of all starts of a graph into `values`, indexed by vertex.
    ///
    /// # Panics
    ///
    /// If `values` is shorter than the order of the graph.
    pub fn solve(&mut self, graph: &SmallGraph, values: &mut [u8]) {
        self.memo.values.clear();
        self.memo.values.resize(Self::bytes(graph.order()), UNKNOWN);
        let rows = &graph.rows()[..graph.order()];
        for (start, value) in values.iter_mut().enumerate().take(graph.order()) {
            let component = reach(rows, start, graph.vertices());
            let found = walk(rows, start, component, &mut self.memo);
            *value = found.expect("the table has room for every position") as u8;
        }
    }

    /// Positions met so far, over all graphs; one met again in the same graph counts once.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.memo.states
    }
}
