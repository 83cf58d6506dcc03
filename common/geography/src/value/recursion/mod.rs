//! The value of one start by recursion over its options, remembering positions.
//!
//! A position is the token's vertex and the component it is in: what cannot be reached changes
//! nothing, and leaving it out makes positions equal that the game can tell apart only by the past.

mod hashed_memo;
mod small;
mod solver;
mod vertex_set;
mod walk;

pub use small::SmallSolver;
pub use solver::{MAX_COMPONENT, Solver, Valued, value};
