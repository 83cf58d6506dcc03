//! Which entries a certificate has: from the board down, for every entry what it needs, and of all
//! that would do what costs least.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::entries::{Entries, Entry};
use crate::certificate::grid::{Cells, Grid};
use crate::certificate::oracle::Oracle;
use crate::shape::Bits;
use crate::{Nimber, SolveError};

/// The entries that prove the nimber of a board, in their order.
///
/// # Errors
///
/// [`SolveError::OutOfMemory`] if they are more than `most`, and those of the search.
pub(super) fn choose<B: Bits>(
    grid: &Grid,
    oracle: &mut Oracle<'_, B>,
    most: usize,
) -> Result<Entries, SolveError> {
    let chosen = Entries::default();
    let mut chooser = Chooser { grid, oracle, most, chosen, open: BTreeSet::new() };
    chooser.choose_all(grid.components(grid.all()).filter(|shape| shape.count_ones() > 3))?;
    while let Some((_, shape)) = chooser.open.pop_last() {
        let nimber = chooser.chosen.nimber(shape).expect("what is open was chosen");
        chooser.oracle.count()?;
        let dominoes: Vec<Cells> = grid.dominoes(shape).collect();
        let entry = Entry { shape, nimber };
        chooser.reach_what_is_less(entry, &dominoes)?;
        chooser.answer_all(entry, &dominoes)?;
    }
    Ok(chooser.chosen.in_order())
}

struct Chooser<'c, 'a, B> {
    grid: &'c Grid,
    oracle: &'c mut Oracle<'a, B>,
    most: usize,
    chosen: Entries,
    /// The entries whose own needs have not been looked at, with their numbers of cells. The largest is next, so that
    /// all that may need it have chosen before.
    open: BTreeSet<(u32, Cells)>,
}

/// Shapes that would have to be chosen together.
type Wanted = Vec<Cells>;

/// What it is taken to cost to prove some shapes.
fn cost(wanted: &[Cells]) -> u64 {
    wanted.iter().map(|shape| u64::from(shape.count_ones()).pow(2)).sum()
}

impl<B: Bits> Chooser<'_, '_, B> {
    /// Chooses shapes of four or more cells, each of which needs entries of its own from then on.
    fn choose_all(&mut self, shapes: impl IntoIterator<Item = Cells>) -> Result<(), SolveError> {
        for shape in shapes {
            if self.chosen.nimber(shape).is_none() {
                if self.chosen.len() == self.most {
                    let limit = (self.most * Entries::BYTES) as u64;
                    // Room for one more would be full at once, after the whole search again.
                    let (needed, entries) = (2 * limit, self.most as u64);
                    return Err(SolveError::OutOfMemory { limit, needed, entries });
                }
                let nimber = self.oracle.nimber(shape)?;
                self.chosen.push(Entry { shape, nimber });
                self.open.insert((shape.count_ones(), shape));
            }
        }
        Ok(())
    }

    /// The nimber of a set of cells and what would have to be chosen to have it certified, if the search has it
    /// at hand.
    fn price(&self, cells: Cells) -> Option<(Nimber, Wanted)> {
        let (mut sum, mut wanted) = self.split(cells);
        for &shape in &wanted {
            sum ^= self.oracle.known(shape)?;
        }
        wanted.sort_unstable();
        Some((sum, wanted))
    }

    /// What of a set of cells is certified, and the components that are not.
    fn split(&self, cells: Cells) -> (Nimber, Wanted) {
        let mut certified = Nimber::ZERO;
        let mut wanted = Wanted::new();
        for shape in self.grid.components(cells) {
            if let Some(nimber) = self.chosen.by_rule_or_entry(shape) {
                certified ^= nimber;
            } else if let Some(copy) = wanted.iter().position(|&other| other == shape) {
                wanted.swap_remove(copy);
            } else {
                wanted.push(shape);
            }
        }
        (certified, wanted)
    }

    /// Searches whether a set of cells has a nimber.
    fn is(&mut self, cells: Cells, nimber: Nimber) -> Result<bool, SolveError> {
        let (certified, wanted) = self.split(cells);
        self.oracle.is(&wanted, nimber ^ certified)
    }

    /// Chooses so that the shape has a certified option of every nimber below its own.
    fn reach_what_is_less(&mut self, entry: Entry, dominoes: &[Cells]) -> Result<(), SolveError> {
        for less in (0..entry.nimber.get()).map(Nimber::new) {
            let cheapest = dominoes
                .iter()
                .filter_map(|domino| self.price(entry.shape ^ domino))
                .filter(|(nimber, _)| *nimber == less)
                .min_by_key(|(_, wanted)| cost(wanted));
            if let Some((_, wanted)) = cheapest {
                self.choose_all(wanted)?;
                continue;
            }
            for domino in dominoes {
                if self.is(entry.shape ^ domino, less)? {
                    self.choose_all(self.split(entry.shape ^ domino).1)?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Chooses so that every option is certified or has a certified reply.
    fn answer_all(&mut self, entry: Entry, dominoes: &[Cells]) -> Result<(), SolveError> {
        loop {
            let open: BTreeSet<Cells> = dominoes
                .iter()
                .copied()
                .filter(|&domino| !self.is_answered(entry, dominoes, domino))
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            // What may be chosen, and the dominoes that it answers.
            let mut offers: BTreeMap<Wanted, BTreeSet<Cells>> = BTreeMap::new();
            for &domino in &open {
                let option = entry.shape ^ domino;
                let replies = dominoes.iter().filter(|&reply| reply & domino == 0);
                let replied = replies
                    .filter_map(|reply| self.price(option ^ reply))
                    .filter(|(nimber, _)| *nimber == entry.nimber);
                for (_, wanted) in self.price(option).into_iter().chain(replied) {
                    offers.entry(wanted).or_default().insert(domino);
                }
            }
            let answered: BTreeSet<Cells> = offers.values().flatten().copied().collect();
            self.buy(offers)?;
            for &domino in open.difference(&answered) {
                self.find_answer(entry, dominoes, domino)?;
            }
        }
    }

    /// Whether an option is certified or has a certified reply.
    fn is_answered(
        &self,
        Entry { shape, nimber }: Entry,
        dominoes: &[Cells],
        domino: Cells,
    ) -> bool {
        let option = shape ^ domino;
        let replied = |&reply: &Cells| {
            reply & domino == 0 && self.chosen.value(self.grid, option ^ reply) == Some(nimber)
        };
        self.chosen.value(self.grid, option).is_some() || dominoes.iter().any(replied)
    }

    /// Chooses among the offers until they answer all that they can: always the one with the least cost for each
    /// domino it answers.
    fn buy(&mut self, mut offers: BTreeMap<Wanted, BTreeSet<Cells>>) -> Result<(), SolveError> {
        loop {
            offers.retain(|_, answers| !answers.is_empty());
            let dearness = |(wanted, answers): &(&Wanted, &BTreeSet<Cells>)| {
                (cost(wanted) << 16) / answers.len() as u64
            };
            let Some((wanted, answers)) = offers.iter().min_by_key(dearness) else { return Ok(()) };
            let (wanted, answers) = (wanted.clone(), answers.clone());
            for others in offers.values_mut() {
                others.retain(|domino| !answers.contains(domino));
            }
            self.choose_all(wanted)?;
        }
    }

    /// Searches until the answer to an option is at hand: the table may have lost it.
    fn find_answer(
        &mut self,
        entry: Entry,
        dominoes: &[Cells],
        domino: Cells,
    ) -> Result<(), SolveError> {
        let option = entry.shape ^ domino;
        self.is(option, entry.nimber)?;
        let replies = || dominoes.iter().copied().filter(move |reply| reply & domino == 0);
        let at_hand = |reply: Cells| {
            self.price(option ^ reply).is_some_and(|(nimber, _)| nimber == entry.nimber)
        };
        if self.price(option).is_some() || replies().any(at_hand) {
            return Ok(());
        }
        for less in (0..entry.nimber.get()).map(Nimber::new) {
            if self.is(option, less)? {
                return self.choose_all(self.split(option).1);
            }
        }
        for reply in replies() {
            if self.is(option ^ reply, entry.nimber)? {
                return self.choose_all(self.split(option ^ reply).1);
            }
        }
        self.choose_all(self.split(option).1)
    }
}
