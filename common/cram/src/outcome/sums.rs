//! Multisets of numbered shapes, and the table of their outcomes.
//!
//! Sums have from one to many shapes, so the table keeps them one after the other in one long vector of
//! words: a head that has the length and the outcome, then the numbers. A hash index leads to the heads.

use crate::SolveError;
use crate::fingerprint;
use crate::memo::Budget;
use crate::shape::mix;

/// The most shapes of a sum in which none occurs twice: with at most 128 cells these are at best the
/// domino, the 5 shapes of four cells, the 12 of five and 7 of the shapes of six.
const MAX_SHAPES: usize = 25;

/// A multiset of shapes with pairs of equal ones struck out, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// The numbers in ascending order.
    numbers: [u32; MAX_SHAPES],
    len: u8,
}

impl Sum {
    /// The numbers in ascending order.
    #[inline]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..usize::from(self.len)]
    }

    /// Adds a shape, or strikes it out together with its copy.
    #[inline]
    pub(super) fn toggle(&mut self, number: u32) {
        let len = usize::from(self.len);
        let at = self.numbers().partition_point(|&other| other < number);
        if self.numbers().get(at) == Some(&number) {
            self.numbers.copy_within(at + 1..len, at);
            self.len -= 1;
        } else {
            self.numbers.copy_within(at..len, at + 1);
            self.numbers[at] = number;
            self.len += 1;
        }
    }
}

/// The outcomes of sums.
#[derive(Debug)]
pub(super) struct Sums {
    /// For each slot the place in `words` of a sum's head and one; zero marks a free slot.
    heads: Vec<u32>,
    /// The sums: a head of twice the length and one if the sum is lost, then the numbers.
    words: Vec<u32>,
    len: usize,
}

impl Sums {
    /// The slots of a table that has just been made.
    const LEAST_SLOTS: usize = 1 << 10;

    pub(super) fn new(budget: &mut Budget) -> Result<Self, SolveError> {
        let mut heads = budget.vector(Self::LEAST_SLOTS, 0)?;
        heads.resize(Self::LEAST_SLOTS, 0);
        Ok(Self { heads, words: Vec::new(), len: 0 })
    }

    /// The number of sums known.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether a sum is lost, if it is known.
    #[inline]
    pub(super) fn get(&self, numbers: &[u32]) -> Option<bool> {
        let (_, head) = self.find(numbers)?;
        Some(head & 1 == 1)
    }

    /// Adds a sum that is not known.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if the table would have to grow and cannot.
    pub(super) fn insert(
        &mut self,
        numbers: &[u32],
        is_lost: bool,
        budget: &mut Budget,
    ) -> Result<(), SolveError> {
        if self.len >= self.heads.len() / 4 * 3 {
            self.resize(2 * self.heads.len(), budget)?;
        }
        let entries = self.len as u64;
        let place = u32::try_from(self.words.len() + 1).expect("a table of 16 GiB is beyond");
        let head = (numbers.len() as u32) << 1 | u32::from(is_lost);
        for word in std::iter::once(head).chain(numbers.iter().copied()) {
            budget.push(&mut self.words, word, entries)?;
        }
        let slot = Self::free_slot(&self.heads, numbers);
        self.heads[slot] = place;
        self.len += 1;
        Ok(())
    }

    /// A hash of all sums and outcomes, given what each number stands for.
    pub(super) fn fingerprint(&self, shape: impl Fn(u32) -> u128) -> u64 {
        let mut all = fingerprint::EMPTY;
        let mut words = self.words.as_slice();
        while let Some((&head, rest)) = words.split_first() {
            let (numbers, rest) = rest.split_at((head >> 1) as usize);
            // The numbers depend on the order in which shapes were met, the shapes do not.
            let sum = numbers
                .iter()
                .fold(fingerprint::EMPTY, |sum, &number| fingerprint::with(sum, shape(number), 0));
            all = fingerprint::with(all, u128::from(sum), u64::from(head & 1));
            words = rest;
        }
        all
    }

    /// The slot and the head of a sum.
    #[inline]
    fn find(&self, numbers: &[u32]) -> Option<(usize, u32)> {
        let last = self.heads.len() - 1;
        let mut slot = hash(numbers) as usize & last;
        loop {
            let place = self.heads[slot].checked_sub(1)? as usize;
            let head = self.words[place];
            let len = (head >> 1) as usize;
            if len == numbers.len() && self.words[place + 1..=place + len] == *numbers {
                return Some((slot, head));
            }
            slot = (slot + 1) & last;
        }
    }

    fn free_slot(heads: &[u32], numbers: &[u32]) -> usize {
        let last = heads.len() - 1;
        let mut slot = hash(numbers) as usize & last;
        while heads[slot] != 0 {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[cold]
    fn resize(&mut self, slots: usize, budget: &mut Budget) -> Result<(), SolveError> {
        let mut heads = budget.vector(slots, self.len as u64)?;
        heads.resize(slots, 0);
        for &head in self.heads.iter().filter(|&&head| head != 0) {
            let place = head as usize - 1;
            let len = (self.words[place] >> 1) as usize;
            let slot = Self::free_slot(&heads, &self.words[place + 1..=place + len]);
            heads[slot] = head;
        }
        budget.give_back::<u32>(self.heads.capacity());
        self.heads = heads;
        Ok(())
    }
}

#[inline]
fn hash(numbers: &[u32]) -> u64 {
    numbers.iter().fold(0, |hash, &number| mix(hash ^ u64::from(number) ^ 1 << 40))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use proptest::prelude::*;

    use super::*;
    use crate::Limits;

    proptest! {
        #[test]
        fn a_sum_is_what_occurs_an_odd_number_of_times(
            numbers in prop::collection::vec(0_u32..25, 0..200),
        ) {
            let mut sum = Sum::default();
            let mut odd = BTreeSet::new();
            for number in numbers {
                sum.toggle(number);
                if !odd.remove(&number) {
                    odd.insert(number);
                }
            }
            prop_assert!(sum.numbers().iter().eq(&odd));
        }

        #[test]
        fn the_table_knows_what_was_put_in_and_nothing_else(
            sums in prop::collection::hash_map(
                prop::collection::vec(0_u32..9, 1..6), any::<bool>(), 0..3000),
            others in prop::collection::vec(prop::collection::vec(0_u32..9, 1..6), 100),
        ) {
            let limits = Limits {
                memory: 1 << 30,
                cancel: &false.into(),
                progress: &0.into(),
                threads: 1,
            };
            let mut budget = Budget::new(&limits);
            let mut table = Sums::new(&mut budget).unwrap();
            for (numbers, &is_lost) in &sums {
                table.insert(numbers, is_lost, &mut budget).unwrap();
            }
            let sums: HashMap<_, _> = sums;
            for numbers in sums.keys().chain(&others) {
                prop_assert_eq!(table.get(numbers), sums.get(numbers).copied());
            }
            prop_assert_eq!(table.len(), sums.len());
        }
    }
}
