//! Certificates: lists of nimbers that a checker without search can follow to the nimber of a board.
//!
//! # What a certificate says
//!
//! An entry is a shape and its nimber. The entries are sorted by cells, so that each comes after all that can
//! arise from it by play, and the board is the last one. Shapes of two or three cells are known by rule: they leave room
//! for one domino, so they are `*1`; single cells are `*0`. A set of cells is *certified* to be worth v if its components
//! have entries, are known by rule or cancel each other as equals, and XOR to v.
//!
//! An entry (P, n) is checked by three questions on the options of P, what is left after a domino:
//!
//! 1. Is no option certified to be worth n?
//! 2. Is for every m < n some option certified to be worth m?
//! 3. Is every option that is not certified answered: does another domino leave a set certified to be worth n?
//!
//! # Why that proves it
//!
//! By induction over the cells: let all entries with fewer cells be right. Options, and what a further domino leaves, have
//! fewer cells than P, so that everything the questions call certified is worth what it is said to be. (A component
//! and its copy are worth 0, as the second player repeats every move in the other one, and an XOR is the nimber of
//! a sum: Sprague, Grundy.) The nimber of P is the least that no option has. By 2 options have every m < n. No option O
//! has n: if O is certified, by 1; otherwise by 3 it has itself an option worth n, so it is not worth n. So n is it.
//!
//! In the words of couples: (P, n) is lost, because whatever is played in P + `*n`, a move leads back to what is certified to be
//! lost. Heap moves are answered by 2, dominoes by 1 (the heap can be made equal, or the other way round) or 3.
//!
//! The converse holds as well: a true list that is closed under these questions passes. Entries need each other only by
//! number of cells, so they can be checked in any order and in slices: if every slice passes, all is proven.
//!
//! # Rooms
//!
//! The checker, its sets of cells and its file format share no code with the searches and apply no reductions. What is
//! to be believed is the rules and the pages `grid`, `entries`, `check`, `coding`, `format` and `read`; `choose`, `oracle` and
//! `write` find what to write.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! use sprague_cram::Limits;
//! use sprague_cram::certificate::{Reader, certify};
//!
//! let limits = Limits {
//!     memory: 16 << 20,
//!     cancel: &AtomicBool::new(false),
//!     progress: &AtomicU64::new(0),
//!     threads: 1,
//! };
//! let file = certify("3x6".parse()?, &limits)?.certificate.to_bytes();
//!
//! let mut reader = Reader::new(16 << 20);
//! for piece in file.chunks(100) {
//!     reader.push(piece)?;
//!     reader.check(&limits)?;
//! }
//! let certificate = reader.finish()?;
//! assert_eq!((certificate.board().to_string(), certificate.nimber().get()), ("3x6".to_owned(), 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod choose;
mod coding;
mod entries;
mod format;
mod grid;
mod oracle;
mod read;
mod statement;
#[cfg(test)]
mod tests;
mod write;

pub use check::{CheckError, Flaw};
pub use coding::Fault;
pub use format::{Header, HeaderError};
pub use read::{ReadError, Reader};
pub use statement::Certificate;
pub use write::{Certified, certify};
