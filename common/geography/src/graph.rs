//! Simple undirected graphs of any order, as one row of adjacency bits a vertex.
//!
//! This is the type that the crate's interfaces speak. The sweeps, which see thousands of millions
//! of tiny graphs, use [`SmallGraph`](crate::SmallGraph) instead.

use thiserror::Error;

/// Bits in a word of an adjacency row.
const WORD: usize = u64::BITS as usize;

/// A simple undirected graph on the vertices `0..order`: no loops, no multiple edges.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Graph {
    order: usize,
    /// Words in a row.
    width: usize,
    /// Row-major; bit `w` of row `v` says whether `v` and `w` are adjacent. Always symmetric.
    rows: Vec<u64>,
}

/// Why a pair of vertices cannot be an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EdgeError {
    /// Vertices are numbered `0..order`.
    #[error("vertex {vertex} is not in a graph of order {order}")]
    Outside {
        /// The vertex named.
        vertex: usize,
        /// The order of the graph.
        order: usize,
    },
    /// A simple graph has no loops.
    #[error("vertex {0} cannot be joined to itself")]
    Loop(usize),
}

impl Graph {
    /// The graph of this order without edges. Takes `order`² bits.
    #[must_use]
    pub fn edgeless(order: usize) -> Self {
        let width = order.div_ceil(WORD);
        Self { order, width, rows: vec![0; order * width] }
    }

    /// The graph of this order with these edges; naming an edge twice changes nothing.
    ///
    /// # Errors
    ///
    /// The first pair that is a loop or leaves `0..order`.
    pub fn from_edges(
        order: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, EdgeError> {
        let mut graph = Self::edgeless(order);
        for (v, w) in edges {
            graph.join(v, w)?;
        }
        Ok(graph)
    }

    /// Joins two vertices; joining them again changes nothing.
    ///
    /// # Errors
    ///
    /// If the pair is a loop or leaves `0..order`.
    pub fn join(&mut self, v: usize, w: usize) -> Result<(), EdgeError> {
        for vertex in [v, w] {
            if vertex >= self.order {
                return Err(EdgeError::Outside { vertex, order: self.order });
            }
        }
        if v == w {
            return Err(EdgeError::Loop(v));
        }
        self.rows[v * self.width + w / WORD] |= 1 << (w % WORD);
        self.rows[w * self.width + v / WORD] |= 1 << (v % WORD);
        Ok(())
    }

    /// Removes the edge between two vertices, if there is one.
    pub fn cut(&mut self, v: usize, w: usize) {
        if self.has_edge(v, w) {
            self.rows[v * self.width + w / WORD] &= !(1 << (w % WORD));
            self.rows[w * self.width + v / WORD] &= !(1 << (v % WORD));
        }
    }

    /// The number of vertices.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The number of edges.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.iter().map(|word| word.count_ones() as usize).sum::<usize>() / 2
    }

    /// Whether two vertices are adjacent; false where one of them is not in the graph.
    #[must_use]
    pub fn has_edge(&self, v: usize, w: usize) -> bool {
        v < self.order
            && w < self.order
            && self.rows[v * self.width + w / WORD] >> (w % WORD) & 1 == 1
    }

    /// The number of neighbours of a vertex.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    #[must_use]
    pub fn degree(&self, v: usize) -> usize {
        self.row(v).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The neighbours of a vertex in ascending order.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    pub fn neighbours(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(v).iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| index * WORD + rest.trailing_zeros() as usize)
        })
    }

    /// The edges as pairs `(v, w)` with `v < w`, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.order)
            .flat_map(move |v| self.neighbours(v).filter(move |&w| v < w).map(move |w| (v, w)))
    }

    /// The vertices that can be reached from `start`, in the order of a breadth-first search.
    ///
    /// # Panics
    ///
    /// If `start` is not in the graph.
    #[must_use]
    pub fn component(&self, start: usize) -> Vec<usize> {
        assert!(start < self.order, "vertex {start} is in a graph of order {}", self.order);
        let mut seen = vec![false; self.order];
        seen[start] = true;
        let mut reached = vec![start];
        let mut next = 0;
        while let Some(&v) = reached.get(next) {
            next += 1;
            for w in self.neighbours(v) {
                if !seen[w] {
                    seen[w] = true;
                    reached.push(w);
                }
            }
        }
        reached
    }

    /// Whether every vertex can be reached from every other; the graph without vertices counts as
    /// connected.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.order == 0 || self.component(0).len() == self.order
    }

    /// The subgraph induced by `vertices`, which are renumbered `0..` in the order given.
    ///
    /// # Panics
    ///
    /// If a vertex is not in the graph or named twice.
    #[must_use]
    pub fn induced(&self, vertices: &[usize]) -> Self {
        let mut number = vec![None; self.order];
        for (new, &old) in vertices.iter().enumerate() {
            assert!(number[old].replace(new).is_none(), "vertex {old} is named once");
        }
        let edges = vertices.iter().enumerate().flat_map(|(new, &old)| {
            self.neighbours(old).filter_map(|w| number[w]).map(move |w| (new, w))
        });
        Self::from_edges(vertices.len(), edges).expect("an induced subgraph is simple")
    }

    /// The graph without one vertex; the vertices above it move down by one.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    #[must_use]
    pub fn without(&self, v: usize) -> Self {
        assert!(v < self.order, "vertex {v} is in a graph of order {}", self.order);
        let kept: Vec<usize> = (0..self.order).filter(|&w| w != v).collect();
        self.induced(&kept)
    }

    /// The adjacency bits of a vertex, vertex `w` in bit `w % 64` of word `w / 64`.
    fn row(&self, v: usize) -> &[u64] {
        assert!(v < self.order, "vertex {v} is in a graph of order {}", self.order);
        &self.rows[v * self.width..(v + 1) * self.width]
    }
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Graph({}; ", self.order)?;
        formatter.debug_list().entries(self.edges()).finish()?;
        write!(formatter, ")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_seen_from_both_ends() {
        let graph = Graph::from_edges(70, [(3, 69), (69, 3), (0, 1)]).unwrap();
        assert_eq!(graph.size(), 2);
        assert!(graph.has_edge(69, 3) && graph.has_edge(3, 69));
        assert_eq!(graph.neighbours(69).collect::<Vec<_>>(), [3]);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (3, 69)]);
    }

    #[test]
    fn loops_and_strangers_are_refused() {
        assert_eq!(Graph::from_edges(2, [(1, 1)]), Err(EdgeError::Loop(1)));
        assert_eq!(Graph::from_edges(2, [(0, 2)]), Err(EdgeError::Outside { vertex: 2, order: 2 }));
    }

    #[test]
    fn a_component_holds_what_can_be_reached() {
        let graph = Graph::from_edges(6, [(0, 2), (2, 4), (1, 3)]).unwrap();
        assert_eq!(graph.component(4), [4, 2, 0]);
        assert_eq!(graph.component(5), [5]);
        assert!(!graph.is_connected());
        assert!(graph.induced(&[4, 2, 0]).is_connected());
    }

    #[test]
    fn a_removed_vertex_takes_its_edges_with_it() {
        let path = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        assert_eq!(path.without(1).edges().collect::<Vec<_>>(), [(1, 2)]);
    }
}
