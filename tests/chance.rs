//! Chance for tests, all of it from one seed: the generator SplitMix64 of G. L. Steele, D. Lea and C. H. Flood,
//! "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The golden ratio as a fraction of 2^64, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A source of chance that several may draw from.
#[derive(Debug)]
pub(crate) struct Chance(AtomicU64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// Another source, whose draws are independent of what is drawn here afterwards.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.draw())
    }

    pub(crate) fn draw(&self) -> u64 {
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&self, end: u64) -> u64 {
        self.draw() % end
    }

    pub(crate) fn one_in(&self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&self, among: &'a [T]) -> &'a T {
        &among[usize::try_from(self.below(among.len() as u64)).unwrap()]
    }

    /// A time between two numbers of milliseconds.
    pub(crate) fn milliseconds(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.below(to - from))
    }
}
