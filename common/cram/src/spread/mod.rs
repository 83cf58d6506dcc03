//! One board on many workers: a proof-number tree at the top, engines below it.
//!
//! A [`Tree`] knows couples and sums near the root and how far each is from being decided. It gives out its most
//! proving leaves as [`Slice`]s of work. An [`Explorer`], a worker's engine with its table, works on a slice and returns what it has
//! [`Explored`]: proof numbers, the options if the slice was not decided, and the facts that were dear to prove. The tree takes
//! them in, and hands every worker's facts on to the others in batches.
//!
//! The tree knows nothing of the rules and does no search. It can be made again from a record of the reports that it has
//! taken in: no fact of a report is lost then; what
//! the tree had concluded from them itself may have to be concluded again.
//!
//! Čížek, Balko, Schmid, "Massively parallel proof-number search for impartial games and beyond", arXiv 2511.10339
//! (2025), for Sprouts. Two things are different here: the facts hold nimbers that were excluded too, and
//! leaves are given out with the limits of df-pn, so that one worker with a tree does what one worker without it does.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! use sprague_cram::spread::{Explorer, Tree};
//! use sprague_cram::{Board, Limits, Nimber};
//!
//! let limits =
//!     Limits { memory: 1 << 20, cancel: &AtomicBool::new(false), progress: &AtomicU64::new(0) };
//! let board: Board = "3x8".parse()?;
//! let mut tree = Tree::new(&board);
//! let mut workers = [Explorer::new(&board, &limits)?, Explorer::new(&board, &limits)?];
//! while tree.nimber().is_none() {
//!     for worker in &mut workers {
//!         if let Some(slice) = tree.next_slice() {
//!             let explored = worker.explore(slice.clone(), &limits)?;
//!             tree.absorb(&slice.goal, &explored)?;
//!         }
//!     }
//! }
//! assert_eq!(tree.nimber(), Some(Nimber::new(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explorer;
mod facts;
mod goal;
mod tree;

pub use crate::proof_number::Numbers;
pub use explorer::{Explored, Explorer, Slice, Step};
pub use facts::FactsError;
pub use goal::Goal;
pub use tree::{Contradiction, Tree};
