//! One board on many workers: all search the same board, tell each other what they find, and keep out of each other's way.
//!
//! An [`Explorer`] is a worker's engine with its table. It works on [`Slice`]s of the board: so many expansions, after which it returns
//! what it has [`Explored`], the facts that were dear to prove. On its way it says every few milliseconds what it has found, in
//! messages that may be lost. Every slice has a rank, and who works on it keeps away from where those of lower rank are about to be, which all
//! can foresee as all know nearly the same: the first does what it would do alone, the second takes what the first leaves for later, and
//! so on. The [`Effort`] of all, at the coordinator, gives out slices, takes in the facts, and hands them on to workers that come late.
//! It does no search, and can be made again from a record of the reports that it has taken in.
//!
//! Čížek, Balko, Schmid, "Massively parallel proof-number search for impartial games and beyond", arXiv 2511.10339
//! (2025), for Sprouts, has a tree at the top whose leaves are given out. That was here too: its slices were short, and two workers
//! took 1.4 times the expansions of one, where now they take a twentieth more. Without a tree it is Kaneko's "Parallel depth first
//! proof number search", AAAI 2010, over messages.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! use sprague_cram::spread::{Effort, Explorer};
//! use sprague_cram::{Board, Limits, Nimber};
//!
//! let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
//! let limits = Limits { memory: 1 << 20, cancel: &cancel, progress: &progress, threads: 1 };
//! let board: Board = "3x8".parse()?;
//! let mut effort = Effort::new(&board);
//! let mut workers = [Explorer::new(&board, &limits)?, Explorer::new(&board, &limits)?];
//! while effort.nimber().is_none() {
//!     for worker in &mut workers {
//!         if let Some(slice) = effort.next_slice() {
//!             let explored = worker.explore(slice, &limits)?;
//!             effort.absorb(&slice, &explored)?;
//!         }
//!     }
//! }
//! assert_eq!(effort.nimber(), Some(Nimber::new(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod effort;
mod explorer;
mod facts;
mod varint;

pub use effort::{Contradiction, Effort};
pub use explorer::{Explored, Explorer, Slice, Step};
pub use varint::Unread;
