//! All that the writer of certificates has to do with the search.

use crate::certificate::grid::Cells;
use crate::limits::Meter;
use crate::proof_number::{Engine, Possible, Switches};
use crate::shape::{Bits, Frame};
use crate::{Board, Limits, Nimber, SolveError};

/// A search that is asked for nimbers, whose answers a certificate then proves.
///
/// Its reductions are off: certificates are about shapes as they are.
#[derive(Debug)]
pub(super) struct Oracle<'a, B> {
    engine: Engine<B>,
    meter: Meter<'a>,
}

impl<'a, B: Bits> Oracle<'a, B> {
    /// # Errors
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub(super) fn new(
        board: Board,
        memory: usize,
        limits: &Limits<'a>,
    ) -> Result<Self, SolveError> {
        let position = board.position();
        let frame = Frame::of(&position);
        let cells = frame.cells(&position);
        let switches = Switches::default().without_reductions();
        let limits = Limits { memory, ..*limits };
        let engine = Engine::new(frame, cells, switches, &limits)?;
        Ok(Self { engine, meter: Meter::new(&limits) })
    }

    /// The expansions so far.
    pub(super) fn expansions(&self) -> u64 {
        self.meter.expansions()
    }

    /// Notes that the options of a shape were generated outside the search.
    pub(super) fn count(&mut self) -> Result<(), SolveError> {
        self.meter.expand()
    }

    /// The nimber of a shape of four or more cells, if the search has it at hand.
    pub(super) fn known(&self, shape: Cells) -> Option<Nimber> {
        self.possible(shape).nimber()
    }

    /// The nimber of a shape.
    pub(super) fn nimber(&mut self, shape: Cells) -> Result<Nimber, SolveError> {
        self.engine.nimber_of(&mut self.meter, cells_of(shape), |_, _| {})
    }

    /// Whether the sum of some shapes has this nimber.
    pub(super) fn is(&mut self, shapes: &[Cells], nimber: Nimber) -> Result<bool, SolveError> {
        let largest = shapes.iter().max_by_key(|shape| shape.count_ones());
        let mut heap = nimber;
        let mut others = shapes.to_vec();
        let Some(largest) = largest.and_then(|largest| {
            let at = others.iter().position(|shape| shape == largest)?;
            Some(others.swap_remove(at))
        }) else {
            return Ok(nimber == Nimber::ZERO);
        };
        for shape in others {
            heap ^= self.nimber(shape)?;
        }
        let possible = self.possible(largest);
        if !possible.has(heap) || possible.nimber().is_some() {
            return Ok(possible.has(heap));
        }
        let largest = self.engine.frame().canonical(cells_of(largest));
        self.engine.is_lost(&mut self.meter, largest, heap)
    }

    fn possible(&self, shape: Cells) -> Possible {
        self.engine.possible(self.engine.frame().canonical(cells_of(shape)))
    }
}

/// A set of the widest word in one that holds the board.
fn cells_of<B: Bits>(wide: u128) -> B {
    B::from_wide(wide).expect("shapes of a board fit the word that the board fits")
}
