//! The engine of one worker, which works on slices and keeps its table from one to the next.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::limits::Meter;
use crate::proof_number::{Engine, Found, LOST, Possible, Switches, Team};
use crate::shape::{Bits, Frame, Shape};
use crate::solve::fits_narrow;
use crate::spread::facts::{self, Fact};
use crate::spread::varint::Unread;
use crate::{Board, Limits, Nimber, SolveError};

/// A piece of work on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Who works on it keeps away from where those on slices of lower rank are about to be.
    pub rank: u32,
    /// After how many expansions to end.
    pub budget: u64,
    /// From how many expansions on what was found out goes into the report.
    pub dear: u64,
    /// After how many expansions to tell the others what was found out.
    pub step: u64,
    /// From how many expansions on that is worth telling.
    pub worth: u64,
}

/// A part of a slice, after which the others are told, and heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was found out, in bytes for [`Explorer::learn`].
    pub message: Vec<u8>,
    /// Expansions of the slice so far.
    pub expansions: u64,
    /// What came of the slice, if this was its last step.
    pub explored: Option<Explored>,
}

/// What came of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// What it was dear to find out, and what is known of the board, in bytes that only [`Explorer::learn`] and
    /// [`Effort`](super::Effort) read.
    pub facts: Vec<u8>,
    /// Expansions.
    pub expansions: u64,
    /// Shapes that are new in the explorer's table.
    pub entries: u64,
}

/// A worker's engine for one board.
#[derive(Debug)]
pub struct Explorer {
    searcher: Box<dyn Search>,
    /// The slice that is being worked on.
    at: Option<At>,
}

/// A search of the whole board, whatever the size of the words that its cells take.
trait Search: Debug {
    /// The shapes in the table.
    fn entries(&self) -> u64;

    /// Takes in what others have found out.
    fn learn(&self, facts: Vec<Fact>);

    /// Goes on with a slice. Returns what to tell the others, and whether this was the last step.
    fn step(&self, at: &mut At, limits: &Limits<'_>) -> Result<(Vec<u8>, bool), SolveError>;
}

/// An engine and what it searches.
#[derive(Debug)]
struct Searcher<B> {
    engine: Engine<B>,
    /// The whole board.
    board: Shape<B>,
}

/// How far a slice has come.
#[derive(Debug)]
struct At {
    slice: Slice,
    expansions: u64,
    /// What the table had before.
    entries: u64,
    /// What goes into the report.
    facts: Vec<Fact>,
}

impl Explorer {
    /// An engine whose table takes at most `limits.memory` bytes and that searches in `limits.threads` threads.
    ///
    /// # Errors
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    ///
    /// # Panics
    /// If the board has a single cell: there is nothing to explore.
    pub fn new(board: &Board, limits: &Limits<'_>) -> Result<Self, SolveError> {
        assert!(board.cells() > 1, "a single cell has no moves");
        let position = board.position();
        let searcher: Box<dyn Search> = if fits_narrow(&position) {
            Box::new(Searcher::<u64>::new(Frame::of(&position), limits)?)
        } else {
            Box::new(Searcher::<u128>::new(Frame::of(&position), limits)?)
        };
        Ok(Self { searcher, at: None })
    }

    /// Takes in what others have found out on the same board.
    ///
    /// # Errors
    /// When the bytes are no facts; nothing was learnt then.
    pub fn learn(&mut self, bytes: &[u8]) -> Result<(), Unread> {
        self.searcher.learn(facts::read(bytes)?);
        Ok(())
    }

    /// Begins a slice; one that was not ended is left.
    pub fn begin(&mut self, slice: Slice) {
        let entries = self.searcher.entries();
        self.at = Some(At { slice, expansions: 0, entries, facts: Vec::new() });
    }

    /// Expansions so far of the slice that was begun.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.at.as_ref().map_or(0, |at| at.expansions)
    }

    /// Goes on with the slice that was begun, for a few milliseconds.
    ///
    /// # Errors
    /// [`SolveError::Cancelled`] soon after the caller asks for it. The slice is left then; what was learnt stays in the table.
    ///
    /// # Panics
    /// If no slice was begun.
    pub fn step(&mut self, limits: &Limits<'_>) -> Result<Step, SolveError> {
        let mut at = self.at.take().expect("a slice was begun");
        let (message, is_last) = self.searcher.step(&mut at, limits)?;
        let expansions = at.expansions;
        let explored = is_last.then(|| Explored {
            facts: facts::write(std::mem::take(&mut at.facts)),
            expansions,
            entries: self.searcher.entries() - at.entries,
        });
        if !is_last {
            self.at = Some(at);
        }
        Ok(Step { message, expansions, explored })
    }

    /// Works on a slice to its end, alone.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn explore(&mut self, slice: Slice, limits: &Limits<'_>) -> Result<Explored, SolveError> {
        self.begin(slice);
        loop {
            if let Some(explored) = self.step(limits)?.explored {
                return Ok(explored);
            }
        }
    }
}

impl<B: Bits> Searcher<B> {
    fn new(frame: Frame<B>, limits: &Limits<'_>) -> Result<Self, SolveError> {
        let cells = frame.all();
        let board = frame.canonical(cells);
        Ok(Self { engine: Engine::new(frame, cells, Switches::default(), limits)?, board })
    }
}

impl<B: Bits> Search for Searcher<B> {
    fn entries(&self) -> u64 {
        self.engine.entries()
    }

    fn learn(&self, facts: Vec<Fact>) {
        for Fact { shape, possible, open } in facts {
            let (heap, numbers) = open.unwrap_or((Nimber::ZERO, LOST));
            // What lies beyond the board is no shape of it.
            if let Some(shape) = self.engine.frame().shape_of(shape) {
                self.engine.learn(shape, possible, heap, numbers);
            }
        }
    }

    fn step(&self, at: &mut At, limits: &Limits<'_>) -> Result<(Vec<u8>, bool), SolveError> {
        let slice = at.slice;
        let left = slice.budget - at.expansions;
        let team = Team::new(self.engine.threads, slice.step).within(left);
        let mut meter = Meter::new(limits);
        let _ahead = self.engine.foresee(&mut meter, self.board, slice.rank)?;
        let stretch = self.engine.stretch(&mut meter, team, |search| {
            search.dear = slice.worth;
            Ok(match search.nimber(self.board)? {
                Some(nimber) => ControlFlow::Break(Some(nimber)),
                None => ControlFlow::Continue(None),
            })
        })?;
        at.expansions += meter.expansions();
        let mut told: Vec<(u64, Fact)> =
            stretch.found.iter().map(|found| (found.work, fact(found))).collect();
        let possible = match stretch.result {
            Some(nimber) => Possible::only(nimber),
            None => self.engine.possible(self.board),
        };
        let shape = self.board.cells().wide();
        told.push((u64::MAX, Fact { shape, possible, open: None }));
        at.facts.extend(told.iter().filter(|(work, _)| *work >= slice.dear).map(|(_, fact)| *fact));
        let facts = told.into_iter().map(|(_, fact)| fact).collect();
        let is_last = stretch.result.is_some() || at.expansions >= slice.budget;
        Ok((facts::write(facts), is_last))
    }
}

fn fact<B: Bits>(found: &Found<B>) -> Fact {
    Fact {
        shape: found.shape.cells().wide(),
        possible: found.possible,
        open: found.numbers.are_open().then_some((found.heap, found.numbers)),
    }
}
