//! Whether there is such a graph, and why.

use serde::{Deserialize, Serialize};
use sprague_geography::cover::greatest_value;
use sprague_geography::matching::{Outcome, outcome};
use sprague_geography::{Graph, graph6};

use crate::kinds::found::fingerprint;

/// The answer, or what a part of the work adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CoverAnswer {
    /// Whether some graph on so many vertices has a start of the value.
    pub(super) exists: bool,
    /// Why.
    pub(super) argument: String,
    /// Such a graph.
    pub(super) graph6: Option<String>,
    /// Its start.
    pub(super) start: Option<usize>,
    /// Graphs that were looked at for it.
    pub(super) examined: u64,
}

impl CoverAnswer {
    /// What the matching bound says where it says no.
    pub(super) fn by_bound(value: usize, order: usize) -> Self {
        let greatest = greatest_value(order);
        Self {
            argument: format!(
                "no start is worth more than the size of a maximum matching, on {order} vertices *{greatest} at most, and *{value} was asked for"
            ),
            ..Self::default()
        }
    }

    /// A graph and its start.
    pub(super) fn by_graph(graph: &Graph, start: usize, argument: String, examined: u64) -> Self {
        Self {
            exists: true,
            argument,
            graph6: Some(graph6::write(graph)),
            start: Some(start),
            examined,
        }
    }

    /// A hash of what was found and of the count of graphs looked at.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint(self.graph6.as_deref().into_iter(), self.examined)
    }

    /// Why the graph, if there is one, cannot be what it is said to be, as far as that is seen without a search.
    pub(super) fn fault(&self, value: usize, order: usize) -> Option<String> {
        let (Some(text), Some(start)) = (&self.graph6, self.start) else {
            return self.exists.then(|| "there is said to be a graph and none is named".to_owned());
        };
        let graph = match graph6::parse(text.as_bytes()) {
            Ok(graph) if graph.order() == order && start < order => graph,
            Ok(graph) => return Some(format!("{text} has {} vertices", graph.order())),
            Err(fault) => return Some(format!("{text} is no graph: {fault}")),
        };
        let is_won = outcome(&graph, start) == Outcome::N;
        (is_won != (value > 0)).then(|| format!("start {start} of {text} is not worth *{value}"))
    }
}
