//! How a claim is tested: by which method, within which limits, and what came of it so far.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Tally;
use crate::random::mix;
use crate::small_graph::MAX_SMALL_ORDER;
use crate::value::{recursion, table};
use crate::{Graph, Limits, SmallGraph, Stop};

/// The method by which values, and the sizes of matchings, are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// Values by [recursion](crate::value::recursion), matchings by blossoms. Reaches every case.
    Recursion,
    /// Values by the [table](crate::value::table), matchings from the definition. Reaches the cases in
    /// which no component has more than 16 vertices.
    Table,
}

/// There is no method of this name for the claims.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no method `{0}`: there are `recursion` and `table`")]
pub struct UnknownMethod(String);

impl By {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Recursion, Self::Table];

    /// The name of the method.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Recursion => "recursion",
            Self::Table => "table",
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for By {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let named = Self::ALL.into_iter().find(|by| by.name() == name);
        named.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// A test in progress.
#[derive(Debug)]
pub(super) struct Inquiry<'a> {
    pub(super) by: By,
    pub(super) limits: Limits<'a>,
    pub(super) tally: Tally,
}

impl Inquiry<'_> {
    /// The value of a start, or none where the method does not reach it.
    pub(super) fn value(&mut self, graph: &Graph, start: usize) -> Result<Option<u16>, Stop> {
        // The component begins with the start.
        let component = graph.component(start);
        let (value, expansions) = match self.by {
            By::Recursion => {
                let valued = recursion::value(graph, start, &self.limits)?;
                (valued.value, valued.states)
            }
            By::Table if component.len() > MAX_SMALL_ORDER => return Ok(None),
            By::Table => {
                self.limits.allow(table::Table::bytes(component.len()))?;
                let small = SmallGraph::try_from(&graph.induced(&component));
                let values = table::values(&small.expect("its order was just looked at"));
                let entered = (component.len() as u64) << (component.len() - 1);
                self.limits.advance(entered)?;
                (values[0].into(), entered)
            }
        };
        self.tally.expansions += expansions;
        self.note_value(graph, start, value);
        Ok(Some(value))
    }

    /// Adds a value that was found to the fingerprint of the work.
    pub(super) fn note_value(&mut self, graph: &Graph, start: usize, value: u16) {
        let sizes = mix((graph.order() as u64) << 32 | graph.size() as u64);
        let found = mix(sizes ^ ((start as u64) << 32 | u64::from(value)));
        self.tally.fingerprint = self.tally.fingerprint.wrapping_add(found);
    }

    /// The value of a start when some other vertices are deleted.
    pub(super) fn value_without(
        &mut self,
        graph: &Graph,
        deleted: &[usize],
        start: usize,
    ) -> Result<Option<u16>, Stop> {
        let others = (0..graph.order()).filter(|v| *v != start && !deleted.contains(v));
        let kept: Vec<usize> = std::iter::once(start).chain(others).collect();
        self.value(&graph.induced(&kept), 0)
    }
}
