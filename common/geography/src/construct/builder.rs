//! Puts graphs together vertex by vertex.

use crate::Graph;

/// A graph under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    order: usize,
    edges: Vec<(usize, usize)>,
}

impl Builder {
    /// Adds a vertex and returns its number.
    pub(super) fn vertex(&mut self) -> usize {
        self.order += 1;
        self.order - 1
    }

    /// Joins two vertices.
    pub(super) fn join(&mut self, v: usize, w: usize) {
        self.edges.push((v, w));
    }

    /// Adds a leaf on a vertex and returns its number.
    pub(super) fn leaf(&mut self, v: usize) -> usize {
        let leaf = self.vertex();
        self.join(v, leaf);
        leaf
    }

    /// Adds a path of new vertices between two that are there; returns the new ones.
    pub(super) fn path<const LENGTH: usize>(&mut self, from: usize, to: usize) -> [usize; LENGTH] {
        let mut last = from;
        let between = std::array::from_fn(|_| {
            last = self.leaf(last);
            last
        });
        self.join(last, to);
        between
    }

    /// Adds a tree of value *k, `t(k)`, and returns its root; see
    /// [`nim_tree`](super::nim_tree::nim_tree).
    pub(super) fn nim_tree(&mut self, k: usize) -> usize {
        let root = self.vertex();
        for smaller in 0..k {
            let child = self.nim_tree(smaller);
            self.join(root, child);
        }
        root
    }

    /// The graph.
    pub(super) fn build(self) -> Graph {
        Graph::from_edges(self.order, self.edges).expect("a construction joins what it has made")
    }
}
