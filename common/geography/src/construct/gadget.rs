//! The arc gadgets: Directed Vertex Geography inside Undirected Vertex Geography.
//!
//! Every vertex v of the digraph becomes a vertex with a leaf. Every arc x -> y becomes
//!
//! ```text
//!           f
//!          / \
//! x - a - b - c - d - y      (f joins b and d)
//!     |       |   |
//!     a0      c0  d0
//! ```
//!
//! The claim: the token on v has the value * exactly if the previous player wins in the digraph,
//! and neither 0 nor * if the next player does. A player who runs through a gadget the wrong way, from y
//! to d, is answered from *2 or *3.

use super::builder::Builder;
use super::digraph::Digraph;
use crate::Graph;

/// The vertices of one gadget, for an arc from `x` to `y`; the leaves of a, c and d aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gadget {
    /// The tail of the arc.
    pub x: usize,
    /// The first vertex on the way.
    pub a: usize,
    /// The vertex where the ways part.
    pub b: usize,
    /// The vertex of the way with a leaf.
    pub c: usize,
    /// The vertex where the ways meet.
    pub d: usize,
    /// The vertex of the way without one.
    pub f: usize,
    /// The head of the arc.
    pub y: usize,
}

/// A digraph as a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gadgets {
    /// The graph. Vertex v of the digraph is vertex v here.
    pub graph: Graph,
    /// The gadgets, in the order of the arcs.
    pub gadgets: Vec<Gadget>,
}

/// Replaces the vertices and arcs of a digraph by gadgets: two vertices for a vertex and eight for
/// an arc.
#[must_use]
pub fn arc_gadgets(digraph: &Digraph) -> Gadgets {
    let (builder, gadgets) = build(digraph);
    Gadgets { graph: builder.build(), gadgets }
}

impl Gadgets {
    /// The same with a prelude to vertex `s`: a start with a leaf, joined to a vertex p with a leaf,
    /// which is joined to s. Returns the graph and the start, which has the value * if s had, and *2
    /// if s had neither 0 nor *.
    ///
    /// # Panics
    ///
    /// If `s` is not in the digraph.
    #[must_use]
    pub fn with_prelude(digraph: &Digraph, s: usize) -> (Graph, usize) {
        assert!(s < digraph.order(), "the prelude leads to a vertex of the digraph");
        let (mut builder, _) = build(digraph);
        let start = builder.vertex();
        builder.leaf(start);
        let [p] = builder.path(start, s);
        builder.leaf(p);
        (builder.build(), start)
    }
}

fn build(digraph: &Digraph) -> (Builder, Vec<Gadget>) {
    let mut builder = Builder::default();
    for _ in 0..digraph.order() {
        builder.vertex();
    }
    for v in 0..digraph.order() {
        builder.leaf(v);
    }
    let mut gadgets = Vec::new();
    for (x, y) in digraph.arcs() {
        let [a, b, c, d] = builder.path(x, y);
        let [f] = builder.path(b, d);
        for v in [a, c, d] {
            builder.leaf(v);
        }
        gadgets.push(Gadget { x, a, b, c, d, f, y });
    }
    (builder, gadgets)
}
