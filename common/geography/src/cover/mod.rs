//! The covering lemma: what a sweep on n - 1 vertices says about n vertices.
//!
//! The token on s in a graph G has the value k iff in H = G - s the neighbours of s have all the values
//! 0..k-1 as starts and none of them has k. For the options of s are the starts of H at its
//! neighbours. Hence: **some graph on n vertices has a start of value k iff some graph on n - 1
//! vertices, connected or not, has starts of all the values 0..k-1.** The starts of a graph that is
//! not connected have the values that they have in their components.
//!
//! [`attainable`] and [`decide`] draw the conclusion from the value sets that sweeps report;
//! [`neighbourhoods`], [`with_start`] and [`with_leaf_pair`] make the graphs.

mod attain;
mod extend;

pub use attain::{Attained, Component, Decision, attainable, decide};
pub use extend::{neighbourhoods, with_leaf_pair, with_start};
