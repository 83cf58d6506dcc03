//! The constructions by which Undirected Vertex Geography is shown to be hard.
//!
//! K. Burke, M. Ferland, S.-H. Teng, *Winning the War by (Strategically) Losing Battles: Settling the
//! Complexity of Grundy-Values in Undirected Geography*, FOCS 2021, arXiv 2106.02114. Who wins is easy
//! to tell, by matchings; these constructions show that the value is not: [`arc_gadgets`] carries
//! Directed Vertex Geography into it, and [`Section5`] makes a graph of value *k of size
//! quadratic in k. [`nim_tree`] and [`half_graph`] are for comparison.

mod builder;
mod digraph;
mod gadget;
mod half_graph;
mod nim_tree;
mod section5;

pub use digraph::{ArcError, Digraph, MAX_DIGRAPH_ORDER};
pub use gadget::{Gadget, Gadgets, arc_gadgets};
pub use half_graph::half_graph;
pub use nim_tree::nim_tree;
pub use section5::{Hub, Section5, Variant};
