//! Where the others are that search the same, so that all keep out of each other's way.
//!
//! A couple that somebody is at, or below, counts as harder to lose for each who is there: so others turn to options that are
//! nearly as good. The numbers themselves stay what they are.
//! Kaneko, "Parallel depth first proof number search", AAAI 2010.

use std::sync::atomic::{AtomicI16, AtomicI32, Ordering};

use crate::Nimber;
use crate::proof_number::numbers::Numbers;
use crate::shape::{Bits, Shape, mix};

/// How many are at each place.
#[derive(Debug)]
pub(super) struct Crowd {
    places: Box<[AtomicI16]>,
    /// How many others are anywhere.
    others: AtomicI32,
}

/// A couple, or rather one of 65,536 groups of them: two that fall into one are rarely near each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place(u16);

impl Place {
    #[inline]
    pub(super) fn of<B: Bits>(shape: Shape<B>, heap: Nimber) -> Self {
        Self(mix(shape.cells().hash64() ^ u64::from(heap.get())) as u16)
    }
}

/// The losing number of a couple grows by this part of it for each who is there.
const CROWDED_SHARE: u32 = 4;

impl Crowd {
    pub(super) fn new() -> Self {
        let places = (0..=u16::MAX).map(|_| AtomicI16::new(0)).collect();
        Self { places, others: AtomicI32::new(0) }
    }

    /// Whether anybody is anywhere.
    pub(super) fn has_others(&self) -> bool {
        self.others.load(Ordering::Relaxed) != 0
    }

    /// Somebody elsewhere comes to these places, or leaves them (-1).
    pub(super) fn change(&self, places: &[Place], change: i16) {
        self.others.fetch_add(places.len() as i32 * i32::from(change), Ordering::Relaxed);
        places.iter().for_each(|place| self.add(*place, change));
    }

    /// The losing number of a couple by which it is chosen.
    #[inline]
    pub(super) fn loss(&self, place: Place, numbers: Numbers) -> u32 {
        let there = self.places[usize::from(place.0)].load(Ordering::Relaxed).max(0) as u32;
        numbers.loss.saturating_add((numbers.loss / CROWDED_SHARE + 1).saturating_mul(there))
    }

    /// A thread comes to a place, and leaves it when what this returns is dropped.
    pub(super) fn enter(&self, place: Place) -> Presence<'_> {
        self.add(place, 1);
        Presence { crowd: self, place }
    }

    fn add(&self, place: Place, change: i16) {
        self.places[usize::from(place.0)].fetch_add(change, Ordering::Relaxed);
    }
}

/// A thread at a place.
#[derive(Debug)]
pub(super) struct Presence<'a> {
    crowd: &'a Crowd,
    place: Place,
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.crowd.add(self.place, -1);
    }
}
