//! Many small positions at a time, for streams of them.
//!
//! The value of the token on s is the least number that is the value of none of its neighbours in the graph without
//! s. So a [`LaneTable`] of that smaller graph, which has the values of all its starts, tells the values of the
//! position and of its options; it takes as many graphs of one order as the machine's vectors have lanes.

use super::{AnalyseError, Analysis, outcomes};
use crate::value::table::{ByValue, LANES, LaneTable};
use crate::{Graph, SmallGraph};

/// The most vertices of a graph in a batch: beyond it the table costs more than recursion does.
pub const MAX_BATCH_ORDER: usize = 12;

/// Analyses positions by the thousand. It keeps its table, less than 2 MiB, from batch to batch.
#[derive(Clone, Debug, Default)]
pub struct BatchAnalyser {
    table: LaneTable,
}

impl BatchAnalyser {
    /// Analyses the token on `start` in each of the graphs, in their order. The outcomes and the winning moves come from
    /// matchings, the values from the [table](crate::value::table). Takes 2^order times half the order steps for
    /// [`LANES`] graphs of an order, or fewer of them.
    ///
    /// # Errors
    ///
    /// For each graph by itself, if it has no such position.
    ///
    /// # Panics
    ///
    /// If a graph has more than [`MAX_BATCH_ORDER`] vertices.
    pub fn analyse(
        &mut self,
        graphs: &[Graph],
        start: usize,
    ) -> Vec<Result<Analysis, AnalyseError>> {
        let mut analyses: Vec<_> = graphs.iter().map(|graph| outcomes(graph, start)).collect();
        let mut by_order: [Vec<(usize, SmallGraph)>; MAX_BATCH_ORDER] = Default::default();
        for (at, (graph, analysis)) in graphs.iter().zip(&analyses).enumerate() {
            if analysis.is_ok() {
                let small = SmallGraph::try_from(graph).expect("a graph in a batch is small");
                let after_move = small.without(start);
                by_order[after_move.order()].push((at, after_move));
            }
        }
        for lanes in by_order.iter().flat_map(|alike| alike.chunks(LANES)) {
            let after_move: Vec<SmallGraph> = lanes.iter().map(|&(_, graph)| graph).collect();
            let mut places = lanes.iter().map(|&(at, _)| at);
            self.table.solve(&after_move, |_, by_value| {
                let analysis = places.next().and_then(|at| analyses[at].as_mut().ok());
                enter(analysis.expect("each lane is of a position"), &by_value);
            });
        }
        analyses
    }
}

/// Enters the values into an analysis, from the starts by value of the graph without its start.
fn enter(analysis: &mut Analysis, by_value: &ByValue) {
    let values = by_value.values();
    let mut occurring = 0_u32;
    for option in &mut analysis.options {
        let value = values[option.vertex - usize::from(option.vertex > analysis.start)];
        option.value = Some(u16::from(value));
        occurring |= 1 << value;
    }
    analysis.value = Ok(occurring.trailing_ones() as u16);
    let left = analysis.vertices as u64 - 1;
    analysis.states = 1 + (left << left >> 1);
}
