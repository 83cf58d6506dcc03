//! Pictures of positions, as DOT for Graphviz and as SVG.
//!
//! Both mark the start, write the values of the options beside them, and draw one maximum matching
//! in its own colour over the edges. The vertices that it misses are dashed.

mod dot;
mod layout;
mod svg;

pub use dot::dot;
pub use svg::svg;
