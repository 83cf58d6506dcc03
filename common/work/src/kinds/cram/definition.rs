//! The driver of method `mex`: a board is one unit until no slot has the memory for it.
//!
//! Then it is cut at its first moves: the nimber of a position is the least number that none of its options has, and an
//! option is worth the XOR of its components, each of which is a unit. A component that is still too large is cut in turn.
//! Less memory is paid for with more work, as what several components can become is valued anew for each.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use sprague_cram::{Board, Nimber, OptionParts, Position, PositionError, options};

use super::CramAnswer;
use crate::{Answer, Conclusion, Contradiction, Driver, Part, UnitResult};

/// The most dominoes that a board is cut at, one after the other. What three in a corner leave has about half of the
/// board's shapes, and each further one would be for an eighth less.
const MOST_DOMINOES: u8 = 3;

/// A unit of a board that was cut; a whole board is [`Part::WHOLE`].
#[derive(Serialize, Deserialize)]
struct Piece {
    /// What is to be valued, as text.
    position: String,
    /// How many dominoes the board was cut at before.
    dominoes: u8,
}

/// What a unit is to value, and how many dominoes the board was cut at before.
///
/// # Errors
/// When the part is none of this method.
pub(super) fn place(board: Board, part: &Part) -> Result<(Position, u8), String> {
    if *part == Part::WHOLE {
        return Ok((board.position(), 0));
    }
    let foreign = |fault: String| format!("no part of a board: {fault}");
    let piece: Piece = part.read().map_err(|fault| foreign(fault.to_string()))?;
    let position =
        piece.position.parse().map_err(|fault: PositionError| foreign(fault.to_string()))?;
    Ok((position, piece.dominoes))
}

/// What is known of a position that was given out.
#[derive(Debug)]
enum Place {
    Awaited,
    Valued(Nimber),
    Cut(Vec<OptionParts>),
}

/// The board and the positions that it was cut into.
#[derive(Debug)]
pub(super) struct ByDefinition {
    board: Board,
    places: HashMap<Position, Place>,
    /// How many of them are awaited.
    awaited: u64,
    fingerprint: u64,
}

impl ByDefinition {
    pub(super) fn new(board: Board) -> Self {
        Self { board, places: HashMap::new(), awaited: 0, fingerprint: 0 }
    }

    /// Gives a position out; whether it was not given out before.
    fn give_out(&mut self, position: Position) -> bool {
        let is_new = !self.places.contains_key(&position);
        if is_new {
            self.places.insert(position, Place::Awaited);
            self.awaited += 1;
        }
        is_new
    }

    /// Says what has become of a position.
    fn put(&mut self, position: Position, place: Place) {
        if let Some(Place::Awaited) = self.places.insert(position, place) {
            self.awaited -= 1;
        }
    }

    /// The nimber of a position, if all that it was cut into is valued.
    fn nimber(&self, position: &Position) -> Option<Nimber> {
        let options = match self.places.get(position)? {
            Place::Awaited => return None,
            Place::Valued(nimber) => return Some(*nimber),
            Place::Cut(options) => options,
        };
        let worth = |option: &OptionParts| {
            let mut components = option.components.iter();
            components.try_fold(option.single_moves, |sum, part| Some(sum ^ self.nimber(part)?))
        };
        let options: BTreeSet<Nimber> = options.iter().map(worth).collect::<Option<_>>()?;
        (0..=u8::MAX).map(Nimber::new).find(|nimber| !options.contains(nimber))
    }
}

impl Driver for ByDefinition {
    fn next(&mut self) -> Option<Part> {
        self.give_out(self.board.position()).then_some(Part::WHOLE)
    }

    fn replan(&mut self, _part: &Part) {
        self.give_out(self.board.position());
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let (position, _) = place(self.board, part).map_err(Contradiction)?;
        let answer = result.answer.read::<CramAnswer>().ok();
        let nimber = answer.and_then(|answer| u8::try_from(answer.nimber?).ok());
        let nimber = nimber
            .ok_or_else(|| Contradiction(format!("{} is no nimber", result.answer.shown())))?;
        self.fingerprint = self.fingerprint.wrapping_add(result.fingerprint);
        self.put(position, Place::Valued(Nimber::new(nimber)));
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        if self.awaited > 0 {
            return None;
        }
        let nimber = self.nimber(&self.board.position())?;
        let answer = Answer::of(&CramAnswer::nimber(nimber.get().into()));
        Some(Conclusion { answer, fingerprint: self.fingerprint })
    }

    fn total(&self) -> Option<u64> {
        let is_unit = |place: &&Place| !matches!(place, Place::Cut(_));
        let units = self.places.values().filter(is_unit).count() as u64;
        Some(if self.places.is_empty() { 1 } else { units })
    }

    fn splits(&self, part: &Part) -> bool {
        place(self.board, part).is_ok_and(|(position, dominoes)| {
            dominoes < MOST_DOMINOES && matches!(self.places.get(&position), Some(Place::Awaited))
        })
    }

    fn split(&mut self, part: &Part) -> Vec<Part> {
        let Ok((position, dominoes)) = place(self.board, part) else { return Vec::new() };
        let options = options(&position);
        let mut components: Vec<Position> =
            options.iter().flat_map(|option| option.components.iter().copied()).collect();
        components.sort_by_key(Position::cells);
        components.retain(|&component| self.give_out(component));
        self.put(position, Place::Cut(options));
        let piece =
            |position: Position| Piece { position: position.to_string(), dominoes: dominoes + 1 };
        components.into_iter().map(|position| Part::of(&piece(position))).collect()
    }
}

#[cfg(test)]
mod tests;
