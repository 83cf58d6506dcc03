//! The effort of all workers on one board: who does how much next, and what all have found.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use thiserror::Error;

use crate::proof_number::{Possible, RESTART};
use crate::shape::{Bits, Frame};
use crate::spread::explorer::{Explored, Slice};
use crate::spread::facts::{self, Fact};
use crate::spread::varint::Unread;
use crate::{Board, Nimber, fingerprint};

/// Why a report cannot be taken in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Contradiction {
    /// Every nimber of a shape is excluded.
    #[error("the reports exclude every nimber of the shape {shape:#x} ({cells} cells)")]
    NothingLeft {
        /// The cells of the shape in the corner of the board's frame, whose lines are as long as the board's shorter
        /// side: bit `line * width + place`. Of the eight symmetric sets it is the canonical one.
        shape: u128,
        /// Its number of cells.
        cells: u32,
    },
    /// The facts of a report cannot be read.
    #[error("the facts of a report cannot be read: {0}")]
    Facts(#[from] Unread),
}

/// The most expansions of a slice: about a second.
const LONGEST_SLICE: u64 = 1 << 18;
/// The least.
const SHORTEST_SLICE: u64 = 1 << 12;
/// A slice is this part of all work so far, within these.
const SLICE_SHARE: u64 = 8;
/// A slice is never less than this part of all work so far, so that the record of a long run stays small.
const LEAST_SLICE_SHARE: u64 = 1 << 9;
/// One more worker comes for so many expansions: a board that is done in a moment is not for many.
const ONE_MORE: u64 = 1 << 11;
/// A worker tells the others something after this part of all work so far, shared among them, if not oftener. Stretches that grow let
/// workers whose tables are too small for the board come to an end too.
const STEP_SHARE: u64 = 1 << 8;
/// More workers than this tell each other less, and more seldom, as each is told what all the others tell.
const CROWD: u64 = 8;
/// A proof is worth telling if it cost this part of a step, so that a message stays small however long steps become.
const WORTH_SHARE: u64 = 1 << 14;
/// A proof is worth reporting if it cost this part of all work so far, so that a long run has a few million facts and not more.
const DEAR_SHARE: u64 = 1 << 20;
/// The least expansions of a proof that is worth reporting.
const LEAST_DEAR: u64 = 16;

/// The effort on one board.
#[derive(Debug)]
pub struct Effort {
    /// The board; nothing if it has a single cell.
    board: Option<u128>,
    /// The ranks of the slices that are out.
    out: BTreeSet<u32>,
    known: HashMap<u128, Possible>,
    /// Expansions of all that was absorbed.
    expansions: u64,
    /// What was new in each report that had something new.
    batches: Vec<Arc<[u8]>>,
}

impl Effort {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let frame = Frame::<u128>::of(&board.position());
        let cells = frame.all();
        let board = (cells.count() > 1).then(|| frame.canonical(cells).cells());
        Self {
            board,
            out: BTreeSet::new(),
            known: HashMap::new(),
            expansions: 0,
            batches: Vec::new(),
        }
    }

    /// The board's nimber, once it is known.
    #[must_use]
    pub fn nimber(&self) -> Option<Nimber> {
        self.board.map_or(Some(Nimber::ZERO), |shape| self.possible(shape).nimber())
    }

    /// The nimbers that the board is known not to be worth, of those that its cells allow.
    #[must_use]
    pub fn refuted(&self) -> Vec<Nimber> {
        let Some(shape) = self.board else { return Vec::new() };
        let refuted = self.possible(shape).excluded(shape.count_ones());
        refuted.members().map(|nimber| Nimber::new(nimber as u8)).collect()
    }

    /// A hash of what is known of the board's nimber.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let Some(shape) = self.board else { return fingerprint::EMPTY };
        let nimber = self.nimber().map_or(u64::MAX, |nimber| nimber.get().into());
        fingerprint::with(fingerprint::EMPTY, shape, nimber)
    }

    /// Expansions of all that was absorbed.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// What the reports have said that was new, in bytes for [`Explorer::learn`](super::Explorer::learn): only ever appended.
    #[must_use]
    pub fn batches(&self) -> &[Arc<[u8]>] {
        &self.batches
    }

    /// Work for one more worker; nothing if the board is decided, or not yet worth one more.
    pub fn next_slice(&mut self) -> Option<Slice> {
        let workers = self.out.len() as u64 + 1;
        if self.nimber().is_some() || workers - 1 > self.expansions / ONE_MORE {
            return None;
        }
        let rank = (0..).find(|rank| !self.out.contains(rank)).expect("there are ranks enough");
        self.out.insert(rank);
        let budget = (self.expansions / SLICE_SHARE)
            .clamp(SHORTEST_SLICE, LONGEST_SLICE)
            .max(self.expansions / LEAST_SLICE_SHARE);
        let crowd = (workers / CROWD).max(1);
        let step = (RESTART * crowd).max(self.expansions / STEP_SHARE / workers);
        Some(Slice {
            rank,
            budget,
            dear: (self.expansions / DEAR_SHARE).max(LEAST_DEAR),
            step,
            worth: crowd.pow(2).max(step / WORTH_SHARE),
        })
    }

    /// Holds the rank of a slice that was given out before this effort was made again.
    pub fn hold(&mut self, slice: &Slice) {
        self.out.insert(slice.rank);
    }

    /// Takes in what came of a slice.
    ///
    /// # Errors
    /// When it contradicts what is known or cannot be read. The effort is of no use then.
    pub fn absorb(&mut self, slice: &Slice, explored: &Explored) -> Result<(), Contradiction> {
        self.out.remove(&slice.rank);
        self.learn(explored)
    }

    /// Takes in what was found out, by whomever.
    ///
    /// # Errors
    /// As [`absorb`](Self::absorb).
    pub fn learn(&mut self, explored: &Explored) -> Result<(), Contradiction> {
        self.expansions = self.expansions.saturating_add(explored.expansions);
        let mut fresh = Vec::new();
        for fact in facts::read(&explored.facts)? {
            let Fact { shape, possible, open } = fact;
            let before = self.possible(shape);
            let now = before.and(possible);
            if now == Possible::NONE {
                return Err(Contradiction::NothingLeft { shape, cells: shape.count_ones() });
            }
            if now != before || open.is_some() {
                self.known.insert(shape, now);
                fresh.push(Fact { shape, possible: now, open });
            }
        }
        if !fresh.is_empty() {
            self.batches.push(facts::write(fresh).into());
        }
        Ok(())
    }

    fn possible(&self, shape: u128) -> Possible {
        let unknown = || Possible::of_size(shape.count_ones());
        self.known.get(&shape).copied().unwrap_or_else(unknown)
    }
}
