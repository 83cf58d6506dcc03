//! What a search looks for.

use thiserror::Error;

use crate::cover::{fewest_vertices, greatest_value};
use crate::value::table::MAX_WIDE_ORDER;

/// A start of some value on a graph of some order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    value: usize,
    order: usize,
    max_degree: usize,
    bipartite: bool,
}

/// Why there is nothing to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AimError {
    /// A theorem rules it out.
    #[error(
        "no graph on {order} vertices has a start of value *{value}: no start is worth more than the size of a maximum matching, \
         here *{} at most, so *{value} takes {} vertices",
        greatest_value(*order), fewest_vertices(*value)
    )]
    TooFewVertices {
        /// The value.
        value: usize,
        /// The vertices.
        order: usize,
    },
    /// A start of value k has k options at least.
    #[error(
        "a start of value *{value} has neighbours of all the values below, so a degree of at least {value}: \
             a greatest degree of {max_degree} rules it out"
    )]
    DegreeTooSmall {
        /// The value.
        value: usize,
        /// The greatest degree allowed.
        max_degree: usize,
    },
    /// The tables end there.
    #[error(
        "graphs of more than {MAX_WIDE_ORDER} vertices are not searched, and {0} were asked for"
    )]
    TooManyVertices(usize),
    /// Not worth a search.
    #[error("a start of value *0 needs no search: every graph without a perfect matching has one")]
    Zero,
}

impl Aim {
    /// A start of value `value` on a graph of `order` vertices.
    ///
    /// # Errors
    ///
    /// If a theorem rules it out, or the order is above [`MAX_WIDE_ORDER`].
    pub fn new(value: usize, order: usize) -> Result<Self, AimError> {
        if value == 0 {
            return Err(AimError::Zero);
        }
        if value > greatest_value(order) {
            return Err(AimError::TooFewVertices { value, order });
        }
        if order > MAX_WIDE_ORDER {
            return Err(AimError::TooManyVertices(order));
        }
        Ok(Self { value, order, max_degree: order - 1, bipartite: false })
    }

    /// Only graphs in which no vertex has more neighbours.
    ///
    /// # Errors
    ///
    /// If the value rules it out.
    pub fn with_max_degree(self, max_degree: usize) -> Result<Self, AimError> {
        if max_degree < self.value {
            return Err(AimError::DegreeTooSmall { value: self.value, max_degree });
        }
        Ok(Self { max_degree, ..self })
    }

    /// Only bipartite graphs.
    #[must_use]
    pub fn bipartite(self) -> Self {
        Self { bipartite: true, ..self }
    }

    /// The value of the start.
    #[must_use]
    pub fn value(&self) -> usize {
        self.value
    }

    /// The vertices of the graph.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The most neighbours that a vertex has.
    #[must_use]
    pub fn max_degree(&self) -> usize {
        self.max_degree
    }

    /// Whether the graph is bipartite.
    #[must_use]
    pub fn is_bipartite(&self) -> bool {
        self.bipartite
    }

    /// The vertices that a walk begins with: as many as leave a pair for each value to come.
    pub(super) fn first_order(&self) -> usize {
        self.order - 2 * (self.value - 1)
    }

    /// The values 1 to this must be there when a walk has come to so many vertices.
    pub(super) fn values_needed(&self, order: usize) -> usize {
        self.value.saturating_sub((self.order - order) / 2)
    }
}
