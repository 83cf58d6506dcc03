//! What to play: every move of a position with what it leads to.

use crate::limits::Meter;
use crate::proof_number::{Engine, Switches};
use crate::shape::{Bits, Frame};
use crate::solve::fits_narrow;
use crate::{Limits, Nimber, Position, SolveError};

/// A connected region of empty cells and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its cells.
    pub cells: usize,
    /// Its nimber.
    pub nimber: Nimber,
}

/// A domino and what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The two cells that it covers, each `[row, column]` from the top left, from 0; the upper or left
    /// one first.
    pub cells: [[usize; 2]; 2],
    /// The nimber of the position after the move.
    pub nimber: Nimber,
    /// Whether whoever makes the move wins, that is, whether it leads to nimber 0.
    pub winning: bool,
}

/// The components and the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The components of two or more cells, by their first cells from the top left.
    pub components: Vec<Component>,
    /// The nimber of the position: the XOR of the components' nimbers.
    pub nimber: Nimber,
    /// Every move, from the top left.
    pub moves: Vec<Move>,
}

/// Values every component and every move of a position, by [`crate::Method::ProofNumber`].
///
/// # Errors
///
/// As [`solve`](fn@crate::solve).
pub fn analyse(position: &Position, limits: &Limits<'_>) -> Result<Analysis, SolveError> {
    if fits_narrow(position) {
        analyse_in::<u64>(position, limits)
    } else {
        analyse_in::<u128>(position, limits)
    }
}

fn analyse_in<B: Bits>(position: &Position, limits: &Limits<'_>) -> Result<Analysis, SolveError> {
    let frame = Frame::<B>::of(position);
    let mut rest = frame.cells(position);
    let engine = Engine::new(frame.clone(), rest, Switches::default(), limits)?;
    let mut meter = Meter::new(limits);

    // The components in the order of their first cells, each with its nimber.
    let mut components: Vec<(B, Component)> = Vec::new();
    for domino in position.dominoes() {
        let cell = frame.cell(position, domino[0]);
        if rest.meets(cell) {
            let component = frame.flood(cell, rest);
            rest ^= component;
            let value = Component {
                cells: component.count() as usize,
                nimber: engine.nimber_of(&mut meter, component, |_, _| {})?,
            };
            components.push((component, value));
        }
    }
    let nimber = components.iter().fold(Nimber::ZERO, |sum, (_, component)| sum ^ component.nimber);

    let mut moves = Vec::new();
    for cells in position.dominoes() {
        let domino = frame.cell(position, cells[0]) | frame.cell(position, cells[1]);
        let (component, value) = components
            .iter()
            .find(|(component, _)| component.meets(domino))
            .expect("a domino lies in a component of two or more cells");
        let others = nimber ^ value.nimber;
        let after = others ^ engine.nimber_of(&mut meter, *component & !domino, |_, _| {})?;
        moves.push(Move { cells, nimber: after, winning: after == Nimber::ZERO });
    }
    Ok(Analysis {
        components: components.into_iter().map(|(_, component)| component).collect(),
        nimber,
        moves,
    })
}
