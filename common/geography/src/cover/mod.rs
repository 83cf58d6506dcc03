//! The covering lemma: what a sweep on n - 1 vertices says about n vertices.
//!
//! The token on s in a graph G has the value k iff in H = G - s the neighbours of s have all the values
//! 0..k-1 as starts and none of them has k. For the options of s are the starts of H at its
//! neighbours. Hence: **some graph on n vertices has a start of value k iff some graph on n - 1
//! vertices, connected or not, has starts of all the values 0..k-1.** The starts of a graph that is
//! not connected have the values that they have in their components.
//!
//! **The matching bound: no start is worth more than the size of a maximum matching**, nu(G). By induction on the vertices:
//! let the token on s be worth k > 0 and H = G - s. Some option of s is worth 0, so some maximum matching of H misses a
//! neighbour of s (Fraenkel, Scheinerman, Ullman), and with the edge to it nu(G) > nu(H). Another option is worth k - 1, so nu(H) >= k - 1
//! by induction; hence nu(G) >= k. In particular **a graph with a start of value k has at least 2k vertices**, and if it
//! has no more it has a perfect matching, so no start of it is worth 0.
//!
//! [`attainable`] and [`decide`] draw the conclusion from the value sets that sweeps report;
//! [`neighbourhoods`], [`with_start`] and [`with_leaf_pair`] make the graphs, [`Extender`] uses the lemma twice.

mod attain;
mod bound;
mod extend;
mod twice;

pub use attain::{Attained, Component, Decision, attainable, decide};
pub use bound::{fewest_vertices, greatest_value};
pub use extend::{neighbourhoods, with_leaf_pair, with_start};
pub use twice::{Extended, Extender};
