//! The values of all starts of a small graph at once, bottom-up over the sets of its vertices.
//!
//! Write h(R, u) for the value of the token on u when the set R is left. The table holds, for every
//! set R and every k, the set of all u in R with h(R, u) = k. Then h(R, u) is the least k such that
//! no neighbour of u is in that set for R - u and k. Components play no part: vertices out of reach
//! change no value.
//!
//! [`Table`] does this for one graph, [`LaneTable`] for many graphs of one order at a time, [`WideTable`] for
//! one graph of up to 24 vertices, and [`PairTable`] for many graphs that grew out of such a one.

mod by_value;
mod kernel;
mod lanes;
mod pairs;
mod single;
mod wide;

pub use by_value::ByValue;
pub use lanes::{FamilyVisitor, LANES, LaneTable};
pub use pairs::{PAIRS, PairStarts, PairTable};
pub use single::{Table, values};
pub use wide::{MAX_WIDE_ORDER, WideStarts, WideTable};
