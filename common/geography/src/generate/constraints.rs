//! Which graphs a generation is restricted to.

use std::ops::RangeInclusive;

use crate::small_graph::MAX_SMALL_ORDER;

/// Restricts a generation. All restrictions are inherited by the graphs on the way, or used in a
/// form that is, so that they save work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// No vertex has more neighbours.
    pub max_degree: usize,
    /// The number of edges is in this range.
    pub edges: RangeInclusive<usize>,
    /// Only bipartite graphs.
    pub bipartite: bool,
}

impl Constraints {
    /// No restriction.
    pub const NONE: Self = Self {
        max_degree: MAX_SMALL_ORDER - 1,
        edges: 0..=MAX_SMALL_ORDER * (MAX_SMALL_ORDER - 1) / 2,
        bipartite: false,
    };

    /// No vertex has more than three neighbours.
    pub const SUBCUBIC: Self = Self { max_degree: 3, ..Self::NONE };

    /// Trees of an order: connected graphs with one edge less than vertices.
    #[must_use]
    pub fn trees(order: usize) -> Self {
        Self { edges: 0..=order.saturating_sub(1), bipartite: true, ..Self::NONE }
    }
}

impl Default for Constraints {
    fn default() -> Self {
        Self::NONE
    }
}
