//! All that the writer of certificates has to do with the search.

use crate::certificate::grid::Cells;
use crate::limits::Meter;
use crate::proof_number::{Engine, Search, Switches};
use crate::shape::{Bits, Frame};
use crate::{Board, Limits, Nimber, SolveError};

/// A search that is asked for nimbers, whose answers a certificate then proves.
///
/// Its reductions are off: certificates are about shapes as they are.
#[derive(Debug)]
pub(super) struct Oracle<'a, B> {
    search: Search<'a, B>,
}

/// What an oracle searches with.
pub(super) fn engine<B: Bits>(board: Board, limits: &Limits<'_>) -> Result<Engine<B>, SolveError> {
    let position = board.position();
    let frame = Frame::of(&position);
    let cells = frame.cells(&position);
    Engine::new(frame, cells, Switches::default().without_reductions(), limits)
}

impl<'a, B: Bits> Oracle<'a, B> {
    pub(super) fn new(engine: &'a mut Engine<B>, limits: &Limits<'a>) -> Self {
        Self { search: engine.search(Meter::new(limits)) }
    }

    /// The expansions so far.
    pub(super) fn expansions(&self) -> u64 {
        self.search.meter.expansions()
    }

    /// Notes that the options of a shape were generated outside the search.
    pub(super) fn count(&mut self) -> Result<(), SolveError> {
        self.search.meter.expand()
    }

    /// The nimber of a shape of four or more cells, if the search has it at hand.
    pub(super) fn known(&self, shape: Cells) -> Option<Nimber> {
        let shape = self.search.frame.canonical(cells_of(shape));
        self.search.possible(shape).nimber()
    }

    /// The nimber of a shape.
    pub(super) fn nimber(&mut self, shape: Cells) -> Result<Nimber, SolveError> {
        self.search.nimber_of(cells_of(shape), |_, _| {})
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
        let largest = self.search.frame.canonical(cells_of(largest));
        let possible = self.search.possible(largest);
        if !possible.has(heap) || possible.nimber().is_some() {
            return Ok(possible.has(heap));
        }
        self.search.is_lost(largest, heap)
    }
}

/// A set of the widest word in one that holds the board.
fn cells_of<B: Bits>(wide: u128) -> B {
    B::from_wide(wide).expect("shapes of a board fit the word that the board fits")
}
