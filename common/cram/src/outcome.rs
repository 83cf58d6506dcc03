//! Method `outcome`: who wins, from wins and losses of sums alone. No nimber is computed anywhere.
//!
//! A sum is a multiset of shapes; the player to move plays a domino in one of them. It is won if some
//! option is lost, and the search stops at the first such option.
//!
//! * A shape and its copy are struck from a sum, as whoever answers in the other copy loses nothing by
//!   them. A shape of three cells has the domino's one option, nothing, and is written as a domino.
//! * Options that the table knows to be lost are looked at first; if there is one nothing is searched.
//! * The others follow in a fixed order: the least sum of squares of the components' cells first, which
//!   has splits before the rest, ties as the dominoes come, the sum's least shape first.
//!
//! An expansion is one generation of the options of a sum; an entry is a sum that was decided, the empty
//! one not among them.

mod sums;

use crate::limits::Meter;
use crate::memo::{Budget, Memo};
use crate::shape::{Bits, Frame, Shape};
use crate::solve::{Answer, Solved};
use crate::{Limits, Outcome, Position, SolveError};

use sums::{Sum, Sums};

/// Decides a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let mut search = Search::new(&frame, limits)?;
    let mut sum = Sum::default();
    for component in frame.components(cells) {
        sum.toggle(search.number(frame.canonical(component))?);
    }
    let outcome = if search.is_lost(&sum)? { Outcome::P } else { Outcome::N };
    search.meter.report()?;
    Ok(Solved {
        answer: Answer::Outcome(outcome),
        entries: search.sums.len() as u64,
        expansions: search.meter.expansions(),
        table_bytes: search.budget.peak(),
        fingerprint: search
            .sums
            .fingerprint(|number| search.shapes[number as usize].cells().wide()),
    })
}

/// The search and what it knows.
#[derive(Debug)]
struct Search<'a, B> {
    frame: &'a Frame<B>,
    budget: Budget,
    meter: Meter<'a>,
    /// The number of every shape met so far.
    numbers: Memo<B, u32>,
    /// The shape of every number.
    shapes: Vec<Shape<B>>,
    /// The outcome of every sum decided so far.
    sums: Sums,
    /// The options still to be searched, of all sums on the way from the root to where the search is.
    waiting: Vec<Waiting>,
}

/// An option of a sum that has to be searched.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// The sum of the squares of the components' cells.
    weight: u32,
    sum: Sum,
}

impl<'a, B: Bits> Search<'a, B> {
    fn new(frame: &'a Frame<B>, limits: &Limits<'a>) -> Result<Self, SolveError> {
        let mut budget = Budget::new(limits);
        Ok(Self {
            frame,
            numbers: Memo::new(&mut budget)?,
            shapes: Vec::new(),
            sums: Sums::new(&mut budget)?,
            budget,
            meter: Meter::new(limits),
            waiting: Vec::new(),
        })
    }

    /// The number of a shape, that of the domino for a shape of three cells.
    fn number(&mut self, shape: Shape<B>) -> Result<u32, SolveError> {
        let shape = if shape.size() == 3 { self.frame.domino() } else { shape };
        if let Some(number) = self.numbers.get(shape) {
            return Ok(number);
        }
        let number = self.shapes.len() as u32;
        let entries = self.sums.len() as u64;
        self.budget.push(&mut self.shapes, shape, entries)?;
        self.numbers.insert(shape, number, &mut self.budget)?;
        Ok(number)
    }

    /// Whether a sum is lost for the player to move.
    ///
    /// Recursion goes no deeper than the dominoes that fit the sum.
    fn is_lost(&mut self, sum: &Sum) -> Result<bool, SolveError> {
        if sum.numbers().is_empty() {
            return Ok(true);
        }
        if let Some(is_lost) = self.sums.get(sum.numbers()) {
            return Ok(is_lost);
        }
        let start = self.waiting.len();
        let is_lost = self.search(sum, start)?;
        self.waiting.truncate(start);
        self.sums.insert(sum.numbers(), is_lost, &mut self.budget)?;
        Ok(is_lost)
    }

    /// Searches a sum; leaves options in `waiting` from `start` on.
    fn search(&mut self, sum: &Sum, start: usize) -> Result<bool, SolveError> {
        self.meter.expand()?;
        for &number in sum.numbers() {
            let shape = self.shapes[number as usize];
            let mut others = *sum;
            others.toggle(number);
            for domino in self.frame.dominoes(shape.cells()) {
                let mut option = others;
                for &part in self.frame.parts(shape, domino).as_slice() {
                    option.toggle(self.number(part)?);
                }
                if option.numbers().is_empty() {
                    return Ok(false);
                }
                match self.sums.get(option.numbers()) {
                    Some(true) => return Ok(false),
                    Some(false) => {}
                    None => {
                        let squares = option.numbers().iter().map(|&number| {
                            let size = self.shapes[number as usize].size();
                            size * size
                        });
                        self.waiting.push(Waiting { weight: squares.sum(), sum: option });
                    }
                }
            }
        }
        self.waiting[start..].sort_by_key(|option| option.weight);
        for next in start..self.waiting.len() {
            let Waiting { sum, .. } = self.waiting[next];
            if self.is_lost(&sum)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
