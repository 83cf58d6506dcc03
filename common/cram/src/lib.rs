//! Nimbers of Cram positions: rules, canonical shapes and independent search methods.
//!
//! Two players take turns placing dominoes on two neighbouring empty cells of a grid, either way; who cannot
//! move loses. A position falls into its connected regions and is worth the XOR of their nimbers.
//!
//! Five methods value a position, see [`Method`]. They share the rules, the split into components and the
//! canonical key, and no search code, so that one can be checked by another. [`analyse`] values every move of a
//! position, and [`theory`] says what is known of boards without any search. A [`certificate`] holds all that is
//! needed to follow the nimber of a board without search.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! use sprague_cram::{Answer, Board, Limits, Method, Nimber, analyse, solve};
//!
//! let limits = Limits {
//!     memory: 64 << 20,
//!     cancel: &AtomicBool::new(false),
//!     progress: &AtomicU64::new(0),
//!     threads: 1,
//! };
//! let board: Board = "3x6".parse()?;
//! for method in [Method::Mex, Method::Couples, Method::ProofNumber] {
//!     let solved = solve(method, &board.position(), &limits)?;
//!     assert_eq!(solved.answer, Answer::Nimber(Nimber::new(4)));
//! }
//!
//! // Two regions of one move each: whoever starts loses.
//! let analysis = analyse(&"..#/###/...".parse()?, &limits)?;
//! assert_eq!(analysis.nimber, Nimber::ZERO);
//! assert_eq!(analysis.components.len(), 2);
//! assert!(analysis.moves.iter().all(|domino| !domino.winning));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod board;
mod brute_force;
pub mod certificate;
mod couples;
mod fingerprint;
mod limits;
mod memo;
mod method;
mod mex;
mod nimber;
mod options;
mod outcome;
mod position;
mod proof_number;
mod shape;
mod solve;
pub mod spread;
pub mod theory;

pub use analysis::{Analysis, Component, Move, analyse};
pub use board::{Board, BoardError, MAX_CELLS};
pub use brute_force::MAX_CELLS as MAX_BRUTE_FORCE_CELLS;
pub use limits::{Limits, SolveError};
pub use method::{Method, MethodError, default_methods};
pub use nimber::{Nimber, Outcome};
pub use options::{OptionParts, options};
pub use position::{Position, PositionError};
pub use proof_number::{Switch, Switches, THREAD_STACK};
pub use solve::{Answer, Solved, solve, solve_with};
