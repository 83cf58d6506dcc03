//! Graphs of at most 16 vertices, a 16-bit row a vertex: what the sweeps handle by the thousand
//! million.
//!
//! A set of vertices is a `u16` here, and so is everything that is indexed by sets.

use thiserror::Error;

use crate::Graph;

/// The most vertices a [`SmallGraph`] has.
pub const MAX_SMALL_ORDER: usize = u16::BITS as usize;

/// A simple undirected graph of at most [`MAX_SMALL_ORDER`] vertices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmallGraph {
    order: u8,
    /// Bit `w` of row `v` says whether `v` and `w` are adjacent. Always symmetric; rows from
    /// `order` on are empty.
    rows: [u16; MAX_SMALL_ORDER],
}

/// A graph has too many vertices to be small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a graph of order {order} is too large: at most {MAX_SMALL_ORDER} vertices are possible")]
pub struct TooLarge {
    /// The order of the graph.
    pub order: usize,
}

impl SmallGraph {
    /// The graph without vertices.
    pub const EMPTY: Self = Self { order: 0, rows: [0; MAX_SMALL_ORDER] };

    /// The number of vertices.
    #[must_use]
    #[inline]
    pub fn order(&self) -> usize {
        usize::from(self.order)
    }

    /// The number of edges.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum::<usize>() / 2
    }

    /// The neighbours of a vertex as a set.
    ///
    /// # Panics
    ///
    /// If `v` is 16 or more.
    #[must_use]
    #[inline]
    pub fn row(&self, v: usize) -> u16 {
        self.rows[v]
    }

    /// The rows of all sixteen possible vertices, those outside the graph empty.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> &[u16; MAX_SMALL_ORDER] {
        &self.rows
    }

    /// The set of all vertices.
    #[must_use]
    #[inline]
    pub fn vertices(&self) -> u16 {
        ((1_u32 << self.order) - 1) as u16
    }

    /// This graph and one vertex more, numbered last and joined to the set `neighbours`.
    ///
    /// # Panics
    ///
    /// If the graph is full or `neighbours` leaves it.
    #[must_use]
    #[inline]
    pub fn extended(&self, neighbours: u16) -> Self {
        let new = self.order();
        assert!(new < MAX_SMALL_ORDER && neighbours & !self.vertices() == 0);
        let mut child = *self;
        child.order += 1;
        child.rows[new] = neighbours;
        for (v, row) in child.rows.iter_mut().enumerate().take(new) {
            *row |= (neighbours >> v & 1) << new;
        }
        child
    }

    /// The graph without one vertex; the vertices above it move down by one.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    #[must_use]
    pub fn without(&self, v: usize) -> Self {
        assert!(v < self.order(), "vertex {v} is in a graph of order {}", self.order);
        let below = (1 << v) - 1;
        let mut rest = Self { order: self.order - 1, rows: [0; MAX_SMALL_ORDER] };
        let kept = self.rows.iter().enumerate().filter(|&(w, _)| w != v);
        for (new, (_, old)) in rest.rows.iter_mut().zip(kept) {
            *new = old & below | old >> 1 & !below;
        }
        rest
    }

    /// The vertices of `within` that can be reached from the vertices of `from` inside `within`.
    #[must_use]
    #[inline]
    pub fn reach(&self, from: u16, within: u16) -> u16 {
        let mut reached = from & within;
        let mut frontier = reached;
        while frontier != 0 {
            let mut around = 0;
            for v in members(frontier) {
                around |= self.rows[v];
            }
            frontier = around & within & !reached;
            reached |= frontier;
        }
        reached
    }

    /// Whether every vertex can be reached from every other.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.reach(1, self.vertices()) == self.vertices()
    }
}

/// The members of a set of small vertices in ascending order.
#[inline]
pub(crate) fn members(set: u16) -> impl Iterator<Item = usize> {
    std::iter::successors((set != 0).then_some(set), |&rest| {
        let rest = rest & (rest - 1);
        (rest != 0).then_some(rest)
    })
    .map(|rest| rest.trailing_zeros() as usize)
}

impl TryFrom<&Graph> for SmallGraph {
    type Error = TooLarge;

    fn try_from(graph: &Graph) -> Result<Self, TooLarge> {
        let order = graph.order();
        if order > MAX_SMALL_ORDER {
            return Err(TooLarge { order });
        }
        let mut rows = [0; MAX_SMALL_ORDER];
        for (v, w) in graph.edges() {
            rows[v] |= 1 << w;
            rows[w] |= 1 << v;
        }
        Ok(Self { order: order as u8, rows })
    }
}

impl From<&SmallGraph> for Graph {
    fn from(small: &SmallGraph) -> Self {
        let edges = (0..small.order()).flat_map(|v| members(small.row(v)).map(move |w| (v, w)));
        Self::from_edges(small.order(), edges).expect("a small graph is simple")
    }
}
