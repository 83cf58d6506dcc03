//! Keys that lie next to each other with what is known of each, in words that many threads read and write at once.
//!
//! A reader never waits. It looks at the bucket's stamp before and after; if a writer was there in between, nothing is taken for known,
//! which costs work and nothing else. A writer that meets another one gives way, for the same reason.
//! Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::proof_number::facts::Possible;
use crate::proof_number::numbers::{Known, Packed};
use crate::shape::Bits;

/// Slots of a bucket: as many as fit a line of the processor's cache when the keys have 64 bits.
pub(super) const SLOTS: usize = 3;

/// The words of a line of the cache, where a bucket begins.
pub(super) const LINE: usize = 8;

/// What a slot has beside its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// The nimbers to 31 that the shape may have.
    low: u32,
    /// Whether it may have one beyond 31.
    beyond: bool,
    numbers: Packed,
}

impl Stored {
    #[inline]
    pub(super) fn of(known: Known) -> Self {
        let (low, beyond) = known.possible.stored();
        Self { low, beyond, numbers: known.numbers }
    }

    /// What is known of a shape of as many cells as `cells` says.
    #[inline]
    pub(super) fn known(self, cells: impl FnOnce() -> u32) -> Known {
        let possible = Possible::restored(self.low, self.beyond, cells);
        Known { possible, numbers: self.numbers }
    }
}

/// A bucket: three keys, the numbers of a couple of each, the nimbers to 31 that each may have, whether each may have one
/// beyond 31, and the stamp. The empty set marks a free slot.
///
/// The last word has the nimbers of the last key, a bit for each slot, and the stamp: a bit that a writer is there, and how often
/// one was.
#[derive(Debug)]
pub(super) struct Bucket<'a, K> {
    words: &'a [AtomicU64],
    of: PhantomData<K>,
}

/// Where the last word has the bits for nimbers beyond 31.
const BEYOND: u32 = 32;
/// That a writer is there.
const BUSY: u64 = 1 << 35;
/// One more writer.
const WRITTEN: u64 = 1 << 36;

impl<'a, K: Bits> Bucket<'a, K> {
    /// Words of a key.
    const KEY: usize = K::BITS as usize / 64;
    /// Where the numbers begin.
    const NUMBERS: usize = SLOTS * Self::KEY;
    /// Where the nimbers of the first two slots are.
    const FIRST: usize = Self::NUMBERS + SLOTS;
    /// Where those of the last one, and the stamp, are.
    const LAST: usize = Self::FIRST + 1;

    /// Words from one bucket to the next.
    pub(super) const WORDS: usize = (Self::LAST + 1).next_multiple_of(LINE);

    /// The bucket in these words, of which there are [`WORDS`](Self::WORDS).
    #[inline]
    pub(super) fn new(words: &'a [AtomicU64]) -> Self {
        assert!(words.len() > Self::LAST, "a bucket has all its words");
        Self { words, of: PhantomData }
    }

    /// Where it begins.
    #[inline]
    pub(super) fn start(&self) -> &'a AtomicU64 {
        &self.words[0]
    }

    /// What it has on a key.
    #[inline]
    pub(super) fn get(&self, key: K) -> Option<Stored> {
        let last = self.words[Self::LAST].load(Ordering::Acquire);
        let slot = self.find(key)?;
        let stored = self.stored(slot, last);
        fence(Ordering::Acquire);
        let is_whole = last & BUSY == 0 && self.words[Self::LAST].load(Ordering::Relaxed) == last;
        is_whole.then_some(stored)
    }

    /// Sets what it has on a key, which takes a free slot or that of the least work. Returns whether the slot was free.
    pub(super) fn update(&self, key: K, change: impl FnOnce(Option<Stored>) -> Stored) -> bool {
        let Some(last) = self.enter() else { return false };
        let (slot, before) = match self.find(key) {
            Some(slot) => (slot, Some(self.stored(slot, last))),
            None => (self.least(), None),
        };
        let was_free = before.is_none() && self.key(slot).is_empty();
        let last = self.set(slot, key, change(before), last);
        self.leave(last);
        was_free
    }

    /// Writes all that is for another bucket, which nobody else writes to, into the same slots there.
    pub(super) fn copy_to(&self, other: &Self, is_for_other: impl Fn(K) -> bool) {
        let (Some(last), Some(mut others)) = (self.enter(), other.enter()) else { return };
        for slot in 0..SLOTS {
            let key = self.key(slot);
            if !key.is_empty() && is_for_other(key) {
                others = other.set(slot, key, self.stored(slot, last), others);
            }
        }
        other.leave(others);
        self.leave(last);
    }

    /// Frees the slots of keys that are elsewhere.
    pub(super) fn free(&self, is_elsewhere: impl Fn(K) -> bool) {
        let Some(last) = self.enter() else { return };
        for slot in 0..SLOTS {
            if is_elsewhere(self.key(slot)) {
                self.set_key(slot, K::EMPTY);
            }
        }
        self.leave(last);
    }

    /// Keeps other writers out and lets readers know; nothing if another writer is there. Returns the last word.
    #[inline]
    fn enter(&self) -> Option<u64> {
        let word = &self.words[Self::LAST];
        let last = word.load(Ordering::Relaxed);
        let is_free = last & BUSY == 0
            && word
                .compare_exchange(last, last | BUSY, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        // No reader takes what is written from here on for what was there before.
        fence(Ordering::Release);
        is_free.then_some(last)
    }

    #[inline]
    fn leave(&self, last: u64) {
        self.words[Self::LAST].store(last.wrapping_add(WRITTEN), Ordering::Release);
    }

    #[inline]
    fn find(&self, key: K) -> Option<usize> {
        (0..SLOTS).find(|&slot| self.key(slot) == key)
    }

    #[inline]
    fn key(&self, slot: usize) -> K {
        let word =
            |at: usize| u128::from(self.words[Self::KEY * slot + at].load(Ordering::Relaxed));
        let wide = (1..Self::KEY).fold(word(0), |wide, at| wide | word(at) << (64 * at));
        K::from_wide(wide).expect("as many words as the key has")
    }

    fn set_key(&self, slot: usize, key: K) {
        for at in 0..Self::KEY {
            let word = (key.wide() >> (64 * at)) as u64;
            self.words[Self::KEY * slot + at].store(word, Ordering::Relaxed);
        }
    }

    #[inline]
    fn numbers(&self, slot: usize) -> Packed {
        Packed(self.words[Self::NUMBERS + slot].load(Ordering::Relaxed))
    }

    #[inline]
    fn stored(&self, slot: usize, last: u64) -> Stored {
        let low = match slot {
            0 => self.words[Self::FIRST].load(Ordering::Relaxed) as u32,
            1 => (self.words[Self::FIRST].load(Ordering::Relaxed) >> 32) as u32,
            _ => last as u32,
        };
        Stored { low, beyond: last >> BEYOND >> slot & 1 == 1, numbers: self.numbers(slot) }
    }

    /// Fills a slot and returns what the last word is to be.
    fn set(&self, slot: usize, key: K, stored: Stored, last: u64) -> u64 {
        self.set_key(slot, key);
        self.words[Self::NUMBERS + slot].store(stored.numbers.0, Ordering::Relaxed);
        let place = BEYOND as usize + slot;
        let last = last & !(1 << place) | u64::from(stored.beyond) << place;
        let (word, shift) = match slot {
            0 | 1 => (self.words[Self::FIRST].load(Ordering::Relaxed), 32 * slot),
            _ => (last, 0),
        };
        let word = word & !(u64::from(u32::MAX) << shift) | u64::from(stored.low) << shift;
        if slot < 2 {
            self.words[Self::FIRST].store(word, Ordering::Relaxed);
            return last;
        }
        word
    }

    /// A free slot or that of the least work.
    fn least(&self) -> usize {
        (0..SLOTS)
            .min_by_key(|&slot| (!self.key(slot).is_empty(), self.numbers(slot).work()))
            .expect("a bucket has slots")
    }
}
