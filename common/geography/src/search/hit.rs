//! A graph that was looked for and found.

use thiserror::Error;

use crate::generate::canonical_form;
use crate::value::recursion;
use crate::value::table::{Table, WideTable};
use crate::{Graph, Limits, SmallGraph, Stop, graph6};

/// A graph with a start of some value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The graph.
    pub graph: Graph,
    /// The start.
    pub start: usize,
    /// What it is worth.
    pub value: usize,
}

/// A graph is not what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unverified {
    /// An evaluator finds another value.
    #[error(
        "start {start} of {graph} was taken to be worth *{expected}, and {evaluator} finds *{found}"
    )]
    OtherValue {
        /// The graph, as graph6.
        graph: String,
        /// The start.
        start: usize,
        /// What it was taken to be worth.
        expected: usize,
        /// What was found.
        found: usize,
        /// By which evaluator.
        evaluator: &'static str,
    },
    /// The evaluation did not come to its end.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl Hit {
    /// Evaluates the start by the table and by the recursion, which share no code.
    ///
    /// # Errors
    ///
    /// If one of them finds another value, would outgrow the limit or is stopped.
    ///
    /// # Panics
    ///
    /// If the start is not in the graph.
    pub fn verify(&self, limits: &Limits<'_>) -> Result<(), Unverified> {
        let by_table = worth(&self.graph, self.start, limits)?;
        let by_recursion = usize::from(recursion::value(&self.graph, self.start, limits)?.value);
        for (found, evaluator) in [(by_table, "the table"), (by_recursion, "the recursion")] {
            if found != self.value {
                return Err(Unverified::OtherValue {
                    graph: graph6::write(&self.graph),
                    start: self.start,
                    expected: self.value,
                    found,
                    evaluator,
                });
            }
        }
        Ok(())
    }

    /// A text that is the same for isomorphic graphs of at most 16 vertices; larger ones keep their numbering.
    #[must_use]
    pub fn class(&self) -> String {
        match SmallGraph::try_from(&self.graph) {
            Ok(small) => graph6::write(&Graph::from(&canonical_form(&small))),
            Err(_) => graph6::write(&self.graph),
        }
    }
}

/// The value of a start, by the table.
pub(super) fn worth(graph: &Graph, start: usize, limits: &Limits<'_>) -> Result<usize, Stop> {
    if let Ok(small) = SmallGraph::try_from(graph) {
        limits.allow(Table::bytes(small.order()))?;
        return Ok(usize::from(Table::default().solve(&small).values()[start]));
    }
    let starts = WideTable::new(graph, limits)?.starts();
    let value = starts.iter().position(|set| set >> start & 1 == 1);
    Ok(value.expect("every start has a value"))
}
