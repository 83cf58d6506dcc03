//! The degree-3 algorithm is exact on every start of every connected graph to nine vertices of which none
//! has more than three neighbours.
//!
//! A case is a start; an input is an order.

use super::inquiry::{By, Inquiry};
use crate::generate::{Constraints, Part, connected};
use crate::value::recursion::SmallSolver;
use crate::value::subcubic;
use crate::value::table::Table;
use crate::{Graph, Stop};

/// The number of orders, from 1.
pub(super) const COUNT: u32 = 9;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let order = input as usize + 1;
    inquiry.limits.allow(SmallSolver::bytes(order).max(Table::bytes(order)))?;
    let (mut recursion, mut table) = (SmallSolver::default(), Table::default());
    let mut values = vec![0; order];
    connected(order, &Constraints::SUBCUBIC, Part::WHOLE, |family| {
        for small in family.children() {
            match inquiry.by {
                By::Recursion => recursion.solve(&small, &mut values),
                By::Table => values.copy_from_slice(&table.solve(&small).values()[..order]),
            }
            let graph = Graph::from(&small);
            for (start, &expected) in values.iter().enumerate() {
                inquiry.note_value(&graph, start, expected.into());
                inquiry.subcubic(&graph, start, Some(expected.into()));
            }
            inquiry.limits.advance(order as u64)?;
        }
        Ok(())
    })?;
    inquiry.tally.expansions += match inquiry.by {
        By::Recursion => recursion.states(),
        By::Table => (inquiry.tally.cases << order) / 2,
    };
    Ok(())
}

impl Inquiry<'_> {
    /// Counts the case of the degree-3 algorithm on one start, the value being known.
    pub(super) fn subcubic(&mut self, graph: &Graph, start: usize, expected: Option<u16>) {
        let found = subcubic::value(graph, start).ok();
        if expected.is_some() {
            self.tally.oracle_calls += found.map_or(0, |found| found.oracle_calls);
        }
        let holds = expected.map(|expected| found.map(|found| found.value) == Some(expected));
        self.tally.case(holds, || format!("{found:?} from {start} of {graph:?}"));
    }
}
