//! Method `mex`: the nimber by its definition, shape by shape.
//!
//! The nimber of a shape is the least number that none of its options has; an option is worth the XOR of
//! its components, each of them valued in the same way, once. All options are looked at, always, so that
//! what the table holds in the end is exactly the shapes that can be reached: those of four or more cells
//! are kept, the smaller ones are worth `*1`.

use crate::limits::Meter;
use crate::memo::{Budget, Memo};
use crate::shape::{Bits, Frame, Shape};
use crate::solve::{Answer, Solved};
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

/// Values a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let mut mex = Mex::new(&frame, limits)?;
    let mut nimber = Nimber::ZERO;
    for component in frame.components(cells) {
        nimber ^= mex.nimber(frame.canonical(component))?;
    }
    mex.meter.report()?;
    Ok(Solved {
        answer: Answer::Nimber(nimber),
        entries: mex.nimbers.len() as u64,
        expansions: mex.meter.expansions(),
        table_bytes: mex.budget.peak(),
        fingerprint: mex.nimbers.iter().fold(fingerprint::EMPTY, |all, (shape, nimber)| {
            fingerprint::with(all, shape.cells().wide(), u64::from(nimber))
        }),
    })
}

/// The search and what it knows.
#[derive(Debug)]
pub(crate) struct Mex<'a, B> {
    frame: &'a Frame<B>,
    budget: Budget,
    meter: Meter<'a>,
    /// The nimber of every shape valued so far.
    nimbers: Memo<B, u8>,
}

impl<'a, B: Bits> Mex<'a, B> {
    pub(crate) fn new(frame: &'a Frame<B>, limits: &Limits<'a>) -> Result<Self, SolveError> {
        let mut budget = Budget::new(limits);
        Ok(Self { frame, nimbers: Memo::new(&mut budget)?, budget, meter: Meter::new(limits) })
    }

    /// The nimber of a shape.
    ///
    /// Recursion goes no deeper than the dominoes that fit the shape.
    pub(crate) fn nimber(&mut self, shape: Shape<B>) -> Result<Nimber, SolveError> {
        if shape.size() < 4 {
            return Ok(Nimber::ONE);
        }
        if let Some(nimber) = self.nimbers.get(shape) {
            return Ok(Nimber::new(nimber));
        }
        self.meter.expand()?;
        // A component has at most 128 cells and so a nimber of at most 64: sums stay below 128.
        let mut options = 0_u128;
        for domino in self.frame.dominoes(shape.cells()) {
            let mut option = Nimber::ZERO;
            for &part in self.frame.parts(shape, domino).as_slice() {
                option ^= self.nimber(part)?;
            }
            options |= 1 << option.get();
        }
        let nimber = options.trailing_ones() as u8;
        self.nimbers.insert(shape, nimber, &mut self.budget)?;
        Ok(Nimber::new(nimber))
    }
}
