//! The first guess of the proof numbers of a couple that was never searched.
//!
//! What has to be shown for a loss is that every option is won, for a win that one is lost. So a loss is
//! taken to cost work in proportion to the cells, a win hardly more for a large shape than for a small one. The
//! likelier the heap is the shape's nimber, the cheaper the loss and the dearer the win.
//!
//! How likely a nimber is depends above all on the number of cells: of the shapes of 20 cells that a search meets, two in
//! five are worth `*3` and hardly any `*2`; with 22 cells it is the other way round. The search counts the nimbers that it
//! finds, and a guess goes by the counts so far. So what is guessed depends on what was searched before, and what is
//! answered does not.
//!
//! The constants were chosen by the geometric mean of the expansions on seven boards from 3x11 to 5x7 under several ways to break
//! ties.

use crate::Nimber;
use crate::board::MAX_CELLS;
use crate::proof_number::facts::Possible;
use crate::proof_number::numbers::Numbers;

/// What each further option adds to the work to show a loss. The other numbers are in the same unit, of
/// which the simplest couple takes 16.
pub(crate) const FURTHER_OPTION: u32 = 6;

/// The numbers for shapes of every number of cells whose nimber is a given one with the likelihood of one in four.
const BY_CELLS: [Numbers; MAX_CELLS + 1] = {
    let mut guesses = [Numbers { win: 0, loss: 0 }; MAX_CELLS + 1];
    let mut cells = 0;
    while cells <= MAX_CELLS {
        guesses[cells] =
            Numbers { win: 16 + 15 * cells as u32 / 16, loss: 16 + 16 * cells as u32 * 7 / 10 };
        cells += 1;
    }
    guesses
};

/// Nimbers that are counted; greater ones count as the last.
const NIMBERS: usize = 16;

/// How often shapes of each size had each nimber, as one thread has found them: lines of memory that several write to cost more than
/// what the others have seen is worth.
#[derive(Debug)]
pub(super) struct Experience {
    by_cells: Box<[Found; MAX_CELLS + 1]>,
}

/// How often shapes had each nimber, added up for every subset of four nimbers in a row.
type Found = [[u32; 16]; NIMBERS / 4];

/// Adds to what was found of a nimber.
fn add(found: &mut Found, nimber: usize, count: u32) {
    for (subset, sum) in found[nimber / 4].iter_mut().enumerate() {
        *sum += count * (subset as u32 >> (nimber % 4) & 1);
    }
}

impl Experience {
    /// What a shape that was found counts.
    const FOUND: u32 = 16;
    /// The most that four nimbers count before old finds fade.
    const MOST: u32 = 1 << 20;

    /// No experience: every nimber that the size allows for is taken to be half as likely as the one below.
    pub(super) fn new() -> Self {
        let mut by_cells = Box::new([Found::default(); MAX_CELLS + 1]);
        for (cells, found) in by_cells.iter_mut().enumerate() {
            for nimber in 0..NIMBERS {
                let is_possible = nimber <= cells / 2;
                add(found, nimber, 1 + ((u32::from(is_possible) * 10 * Self::FOUND) >> nimber));
            }
        }
        Self { by_cells }
    }

    /// Takes note of a shape of `cells` cells whose nimber was found.
    pub(super) fn note(&mut self, cells: u32, nimber: Nimber) {
        let found = &mut self.by_cells[cells as usize];
        let nimber = usize::from(nimber.get()).min(NIMBERS - 1);
        add(found, nimber, Self::FOUND);
        if found[nimber / 4][15] > Self::MOST {
            found.as_flattened_mut().iter_mut().for_each(|sum| *sum /= 2);
        }
    }

    /// How likely a shape of `cells` cells and these possible nimbers is worth `nimber`, one of them: in 256ths.
    #[inline]
    fn likelihood(&self, cells: u32, possible: Possible, nimber: Nimber) -> u32 {
        let found = &self.by_cells[cells as usize];
        let sum = |set: Possible| -> u32 {
            let sums = found.iter().zip(set.fours());
            sums.map(|(sums, subset)| sums[subset]).sum()
        };
        let this = sum(Possible::only(nimber));
        256 * this / sum(possible).max(1)
    }

    /// The first guess for a shape of `cells` cells and these possible nimbers, the heap's among them.
    #[inline]
    pub(super) fn couple(&self, cells: u32, possible: Possible, heap: Nimber) -> Numbers {
        let likelihood = self.likelihood(cells, possible, heap).min(256);
        let Numbers { win, loss } = BY_CELLS[cells as usize];
        Numbers { win: (win * likelihood / 60).max(4), loss: loss * (840 - likelihood) / 768 }
    }

    /// The first guess for a sum of this many cells.
    #[inline]
    pub(super) fn sum(cells: u32) -> Numbers {
        let Numbers { win, loss } = BY_CELLS[cells as usize];
        Numbers { win, loss: loss * 3 / 4 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn likelihoods_of_what_is_possible_add_up_to_one(
            noted in prop::collection::vec(0_u8..12, 0..300),
            excluded in prop::collection::vec(0_u8..12, 0..11),
        ) {
            let mut experience = Experience::new();
            noted.iter().for_each(|&nimber| experience.note(24, Nimber::new(nimber)));
            let possible = excluded
                .iter()
                .fold(Possible::of_size(24), |possible, &nimber| possible.without(Nimber::new(nimber)));
            let likelihoods = (0..=12)
                .map(Nimber::new)
                .filter(|&nimber| possible.has(nimber))
                .map(|nimber| experience.likelihood(24, possible, nimber));
            // Each of at most 13 is rounded down.
            prop_assert!((244..=256).contains(&likelihoods.sum::<u32>()));
        }
    }

    #[test]
    fn what_was_found_often_is_likely_and_fades() {
        let mut experience = Experience::new();
        let (three, two) = (Nimber::new(3), Nimber::new(2));
        (0..1_000_000).for_each(|_| experience.note(20, three));
        let possible = Possible::of_size(20);
        assert!(experience.likelihood(20, possible, three) > 240);
        (0..1_000_000).for_each(|_| experience.note(20, two));
        assert!(experience.likelihood(20, possible, two) > 240);
        assert!(
            experience.couple(20, possible, two).loss < experience.couple(20, possible, three).loss
        );
    }
}
