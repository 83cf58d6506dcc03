//! The check of one entry by the others. The head of `certificate` says why it suffices.

use std::ops::Range;
use std::sync::atomic::Ordering;

use thiserror::Error;

use crate::certificate::entries::{Entries, Entry};
use crate::certificate::grid::{Cells, Grid};
use crate::{Limits, Nimber};

/// What is wrong with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// It is no connected set of cells of the board, or not the one that stands for its images.
    #[error("it is not the key of a shape on the board")]
    Key,
    /// An option is certified to have the nimber of the shape.
    #[error("a domino leads to *{0}, which the shape itself is said to be worth")]
    Reached(Nimber),
    /// No option is certified to have this nimber below that of the shape.
    #[error("no domino is certified to lead to *{0}")]
    Unreached(Nimber),
    /// An option is neither certified nor answered.
    #[error("no certified reply answers the domino on {}", places(.0))]
    Unanswered([[usize; 2]; 2]),
}

fn places(cells: &[[usize; 2]; 2]) -> String {
    cells.map(|[row, col]| format!("({row},{col})")).join("-")
}

/// Why the check of entries ended.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckError {
    /// The caller asked for it.
    #[error("cancelled")]
    Cancelled,
    /// An entry is not backed by the others.
    #[error("entry {number}, {shape} with nimber {nimber}: {flaw}")]
    Entry {
        /// The number of the entry, from 0.
        number: u64,
        /// The rows of its shape.
        shape: String,
        /// The nimber that it is said to have.
        nimber: Nimber,
        /// What is wrong.
        flaw: Flaw,
    },
}

/// Checks the entries with these numbers one after the other.
pub(super) fn check(
    grid: &Grid,
    entries: &Entries,
    numbers: Range<usize>,
    limits: &Limits<'_>,
) -> Result<(), CheckError> {
    let mut checker = Checker { grid, entries, dominoes: Vec::new(), open: Vec::new() };
    for (number, done) in numbers.zip(1..) {
        if limits.cancel.load(Ordering::Relaxed) {
            return Err(CheckError::Cancelled);
        }
        let entry = entries.get(number);
        checker.check(entry).map_err(|flaw| CheckError::Entry {
            number: number as u64,
            shape: grid.drawn(entry.shape),
            nimber: entry.nimber,
            flaw,
        })?;
        limits.progress.store(done, Ordering::Relaxed);
    }
    Ok(())
}

/// Checks single entries.
struct Checker<'a> {
    grid: &'a Grid,
    entries: &'a Entries,
    /// The dominoes of the shape; those that answered others lately come first, as they are likely to do so again.
    dominoes: Vec<Cells>,
    /// Those whose options are not certified and not yet answered.
    open: Vec<Cells>,
}

impl Checker<'_> {
    /// Checks that an entry is right if those with fewer cells are.
    fn check(&mut self, Entry { shape, nimber }: Entry) -> Result<(), Flaw> {
        if !self.grid.is_key(shape) {
            return Err(Flaw::Key);
        }
        self.dominoes.clear();
        self.dominoes.extend(self.grid.dominoes(shape));
        self.open.clear();
        let mut reached = 0_u64;
        for &domino in &self.dominoes {
            match self.entries.value(self.grid, shape ^ domino) {
                Some(value) if value == nimber => return Err(Flaw::Reached(nimber)),
                Some(value) => reached |= 1_u64.checked_shl(value.get().into()).unwrap_or(0),
                None => self.open.push(domino),
            }
        }
        let least = reached.trailing_ones() as u8;
        if least < nimber.get() {
            return Err(Flaw::Unreached(Nimber::new(least)));
        }
        while let Some(domino) = self.open.pop() {
            let answers = |&reply: &Cells| {
                let left = shape ^ domino ^ reply;
                domino & reply == 0 && self.entries.value(self.grid, left) == Some(nimber)
            };
            let Some(at) = self.dominoes.iter().position(answers) else {
                return Err(Flaw::Unanswered(self.grid.ends(domino)));
            };
            let reply = self.dominoes[at];
            self.dominoes[..=at].rotate_right(1);
            // What the two leave is the same in either order, so that the domino also answers the reply.
            if let Some(at) = self.open.iter().position(|&other| other == reply) {
                self.open.swap_remove(at);
            }
        }
        Ok(())
    }
}
