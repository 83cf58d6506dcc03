//! Small directed graphs, and who wins Directed Vertex Geography on them.

use thiserror::Error;

/// The most vertices of a [`Digraph`].
pub const MAX_DIGRAPH_ORDER: usize = 16;

/// A directed graph without loops and multiple arcs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digraph {
    order: usize,
    /// The heads of the arcs that leave each vertex.
    heads: [u16; MAX_DIGRAPH_ORDER],
}

/// Why arcs do not make a [`Digraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArcError {
    /// The digraph would have too many vertices.
    #[error(
        "a digraph of order {0} is too large: at most {MAX_DIGRAPH_ORDER} vertices are possible"
    )]
    Order(usize),
    /// An arc leaves the digraph or returns to where it began.
    #[error("there can be no arc from {tail} to {head} in a digraph of order {order}")]
    Arc {
        /// Where the arc begins.
        tail: usize,
        /// Where it ends.
        head: usize,
        /// The order of the digraph.
        order: usize,
    },
}

impl Digraph {
    /// The digraph of this order with these arcs, each from its tail to its head; naming an arc
    /// twice changes nothing.
    ///
    /// # Errors
    ///
    /// If the order is too large, or for the first pair that is no arc.
    pub fn from_arcs(
        order: usize,
        arcs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, ArcError> {
        if order > MAX_DIGRAPH_ORDER {
            return Err(ArcError::Order(order));
        }
        let mut heads = [0; MAX_DIGRAPH_ORDER];
        for (tail, head) in arcs {
            if tail >= order || head >= order || tail == head {
                return Err(ArcError::Arc { tail, head, order });
            }
            heads[tail] |= 1 << head;
        }
        Ok(Self { order, heads })
    }

    /// The number of vertices.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The arcs as pairs of tail and head, in ascending order.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.order).flat_map(move |tail| {
            (0..self.order)
                .filter(move |head| self.heads[tail] >> head & 1 == 1)
                .map(move |head| (tail, head))
        })
    }

    /// Whether the next player wins with the token on `start`: a move takes it along an arc and
    /// deletes the vertex it left. Exponential in the order.
    ///
    /// # Panics
    ///
    /// If `start` is not in the digraph.
    #[must_use]
    pub fn next_player_wins(&self, start: usize) -> bool {
        assert!(start < self.order, "vertex {start} is in a digraph of order {}", self.order);
        self.wins(start, !(1 << start))
    }

    /// Whether the next player wins with the token on a vertex and `left` the vertices beside it.
    fn wins(&self, token: usize, left: u16) -> bool {
        (0..self.order)
            .filter(|head| self.heads[token] & left & 1 << head != 0)
            .any(|head| !self.wins(head, left & !(1 << head)))
    }
}
