//! Nimbers of Cram positions: rules, canonical shapes and independent search methods.

#![forbid(unsafe_code)]

mod analysis;
mod board;
mod brute_force;
mod couples;
mod fingerprint;
mod limits;
mod memo;
mod method;
mod mex;
mod nimber;
mod outcome;
mod position;
mod shape;
mod solve;
pub mod theory;

pub use analysis::{Analysis, Component, Move, analyse};
pub use board::{Board, BoardError, MAX_CELLS};
pub use limits::{Limits, SolveError};
pub use method::{Method, MethodError, default_methods};
pub use nimber::{Nimber, Outcome};
pub use position::{Position, PositionError};
pub use solve::{Answer, Solved, solve};
