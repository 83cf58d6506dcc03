//! A kind for the model whose parts depend on what is known when they are asked for: numbers that are
//! covered piece by piece, as far as each unit comes, with helpers where others are at work.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprague_work::{
    Answer, Conclusion, Contradiction, Driver, Method, Part, Planning, UnitInput, UnitResult,
};

use crate::counting::{Counting, Total, all_alike};

/// Units that each add up as many of their numbers as they come to.
pub(crate) const COVER: Counting = Counting {
    word: "cover",
    methods: &[Method { name: "pieces", about: "", rests_on: &["pieces"], certifies: false }],
    driver: |numbers| Box::new(CoverDriver { numbers, ..CoverDriver::default() }),
    memory_class: all_alike,
};

/// The most numbers in a piece.
const PIECE: u64 = 4;
/// The most pieces that are out.
const MOST_OUT: usize = 12;

/// Some numbers in a row.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Piece {
    /// Tells pieces of the same numbers apart.
    serial: u64,
    from: u64,
    /// Exclusive.
    to: u64,
}

/// What came of a piece: the numbers from its first to this one, exclusively, and their sum.
#[derive(Serialize, Deserialize)]
struct Covered {
    to: u64,
    total: u64,
}

#[derive(Default)]
struct CoverDriver {
    numbers: u64,
    covered: BTreeSet<u64>,
    out: BTreeMap<u64, Piece>,
    next_serial: u64,
}

impl CoverDriver {
    fn is_covered(&self, piece: &Piece) -> bool {
        (piece.from..piece.to).all(|number| self.covered.contains(&number))
    }

    fn is_out(&self, number: u64) -> bool {
        self.out.values().any(|piece| (piece.from..piece.to).contains(&number))
    }

    /// Numbers that nobody is at.
    fn free(&self) -> Option<(u64, u64)> {
        let is_free = |&number: &u64| !self.covered.contains(&number) && !self.is_out(number);
        let from = (0..self.numbers).find(is_free)?;
        let to = (from..self.numbers.min(from + PIECE)).take_while(is_free).last()? + 1;
        Some((from, to))
    }

    /// The second half of what somebody is at, if nobody helps there yet.
    fn half(&self) -> Option<(u64, u64)> {
        self.out.values().find_map(|piece| {
            let middle = piece.from.midpoint(piece.to);
            let helped = self.out.values().any(|other| other.from == middle);
            let open = (middle..piece.to).any(|number| !self.covered.contains(&number));
            (middle > piece.from && !helped && open).then_some((middle, piece.to))
        })
    }
}

impl Driver for CoverDriver {
    fn next(&mut self) -> Option<Part> {
        if self.out.len() >= MOST_OUT {
            return None;
        }
        let (from, to) = self.free().or_else(|| self.half())?;
        let piece = Piece { serial: self.next_serial, from, to };
        self.next_serial += 1;
        self.out.insert(piece.serial, piece);
        Some(Part::of(&piece))
    }

    fn replan(&mut self, part: &Part) {
        let piece: Piece = part.read().unwrap();
        self.next_serial = self.next_serial.max(piece.serial + 1);
        self.out.insert(piece.serial, piece);
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let piece: Piece = part.read().unwrap();
        if self.out.remove(&piece.serial).is_none() {
            return Err(Contradiction("a piece came back that was not out".to_owned()));
        }
        let Covered { to, total } = result.answer.read().unwrap();
        if total != (piece.from..to).sum::<u64>() {
            return Err(Contradiction("a wrong sum".to_owned()));
        }
        self.covered.extend(piece.from..to);
        let covered: Vec<u64> = self
            .out
            .values()
            .filter(|piece| self.is_covered(piece))
            .map(|piece| piece.serial)
            .collect();
        self.out.retain(|serial, _| !covered.contains(serial));
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        let total = self.covered.iter().sum();
        let all_in = self.covered.len() as u64 == self.numbers;
        all_in.then(|| Conclusion { answer: Answer::of(&Total { total }), fingerprint: total })
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn planning(&self) -> Planning {
        Planning::OnDemand
    }

    fn is_unwanted(&self, part: &Part) -> bool {
        self.is_covered(&part.read().unwrap())
    }
}

/// What a unit comes to if it is run now: at least one of its numbers, and any of the others.
pub(crate) fn result(input: &UnitInput, now: u64) -> UnitResult {
    let piece: Piece = input.part.read().unwrap();
    let to = piece.from + 1 + now % (piece.to - piece.from);
    UnitResult {
        answer: Answer::of(&Covered { to, total: (piece.from..to).sum() }),
        fingerprint: 0,
        entries: 1,
        expansions: to - piece.from,
        notes: vec![7],
    }
}
