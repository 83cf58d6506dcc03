//! Shapes that lie next to each other, in words that many threads read and write at once.
//!
//! A reader never waits. It looks at the bucket's stamp before and after; if a writer was there in between, nothing is taken for known,
//! which costs work and nothing else. A writer that meets another one gives way, for the same reason.
//! Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::proof_number::facts::Possible;
use crate::proof_number::numbers::{Known, Packed};
use crate::shape::{Bits, Shape};

/// Slots of a bucket: as many as fit a line of the processor's cache when the words have 64 bits.
pub(super) const SLOTS: usize = 3;

/// The bytes of a line of the cache, where a bucket begins.
pub(super) const LINE: usize = 64;

/// A bucket: three shapes, the numbers of a couple of each, the nimbers to 31 that each may have, whether each may have one
/// beyond 31, and the stamp. [`Shape::NONE`] marks a free slot.
///
/// The last word has the nimbers of the last shape, a bit for each slot, and the stamp: a bit that a writer is there, and how often
/// one was.
#[derive(Debug)]
pub(super) struct Bucket<'a, B> {
    words: &'a [AtomicU64],
    of: PhantomData<B>,
}

/// Where the last word has the bits for nimbers beyond 31.
const BEYOND: u32 = 32;
/// That a writer is there.
const BUSY: u64 = 1 << 35;
/// One more writer.
const WRITTEN: u64 = 1 << 36;

impl<'a, B: Bits> Bucket<'a, B> {
    /// Words of a shape.
    const SHAPE: usize = B::BITS as usize / 64;
    /// Where the numbers begin.
    const NUMBERS: usize = SLOTS * Self::SHAPE;
    /// Where the nimbers of the first two shapes are.
    const FIRST: usize = Self::NUMBERS + SLOTS;
    /// Where those of the last one, and the stamp, are.
    const LAST: usize = Self::FIRST + 1;

    /// Words from one bucket to the next.
    pub(super) const WORDS: usize = (Self::LAST + 1).next_multiple_of(LINE / 8);

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

    /// What it has on a shape.
    #[inline]
    pub(super) fn get(&self, shape: Shape<B>) -> Option<Known> {
        let last = self.words[Self::LAST].load(Ordering::Acquire);
        let slot = self.find(shape)?;
        let known = self.known(slot, shape, last);
        fence(Ordering::Acquire);
        let is_whole = last & BUSY == 0 && self.words[Self::LAST].load(Ordering::Relaxed) == last;
        is_whole.then_some(known)
    }

    /// Sets what it has on a shape, which takes a free slot or that of the shape of the least work. Returns whether the slot was free.
    pub(super) fn update(
        &self,
        shape: Shape<B>,
        change: impl FnOnce(Option<Known>) -> Known,
    ) -> bool {
        let Some(last) = self.enter() else { return false };
        let (slot, before) = match self.find(shape) {
            Some(slot) => (slot, Some(self.known(slot, shape, last))),
            None => (self.least(), None),
        };
        let was_free = before.is_none() && self.shape(slot) == Shape::NONE;
        let last = self.set(slot, shape, change(before), last);
        self.leave(last);
        was_free
    }

    /// Writes all that is for another bucket, which nobody else writes to, into the same slots there.
    pub(super) fn copy_to(&self, other: &Self, is_for_other: impl Fn(Shape<B>) -> bool) {
        let (Some(last), Some(mut others)) = (self.enter(), other.enter()) else { return };
        for slot in 0..SLOTS {
            let shape = self.shape(slot);
            if shape != Shape::NONE && is_for_other(shape) {
                others = other.set(slot, shape, self.known(slot, shape, last), others);
            }
        }
        other.leave(others);
        self.leave(last);
    }

    /// Frees the slots of shapes that are elsewhere.
    pub(super) fn free(&self, is_elsewhere: impl Fn(Shape<B>) -> bool) {
        let Some(last) = self.enter() else { return };
        for slot in 0..SLOTS {
            if is_elsewhere(self.shape(slot)) {
                self.set_shape(slot, Shape::NONE);
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
    fn find(&self, shape: Shape<B>) -> Option<usize> {
        (0..SLOTS).find(|&slot| self.shape(slot) == shape)
    }

    #[inline]
    fn shape(&self, slot: usize) -> Shape<B> {
        let word =
            |at: usize| u128::from(self.words[Self::SHAPE * slot + at].load(Ordering::Relaxed));
        let wide = (1..Self::SHAPE).fold(word(0), |wide, at| wide | word(at) << (64 * at));
        Shape::stored(B::from_wide(wide).expect("as many words as the set has"))
    }

    fn set_shape(&self, slot: usize, shape: Shape<B>) {
        for at in 0..Self::SHAPE {
            let word = (shape.cells().wide() >> (64 * at)) as u64;
            self.words[Self::SHAPE * slot + at].store(word, Ordering::Relaxed);
        }
    }

    #[inline]
    fn numbers(&self, slot: usize) -> Packed {
        Packed(self.words[Self::NUMBERS + slot].load(Ordering::Relaxed))
    }

    #[inline]
    fn known(&self, slot: usize, shape: Shape<B>, last: u64) -> Known {
        let low = match slot {
            0 => self.words[Self::FIRST].load(Ordering::Relaxed) as u32,
            1 => (self.words[Self::FIRST].load(Ordering::Relaxed) >> 32) as u32,
            _ => last as u32,
        };
        let beyond = last >> BEYOND >> slot & 1 == 1;
        let possible = Possible::restored(low, beyond, || shape.size());
        Known { possible, numbers: self.numbers(slot) }
    }

    /// Fills a slot and returns what the last word is to be.
    fn set(&self, slot: usize, shape: Shape<B>, known: Known, last: u64) -> u64 {
        self.set_shape(slot, shape);
        self.words[Self::NUMBERS + slot].store(known.numbers.0, Ordering::Relaxed);
        let (low, beyond) = known.possible.stored();
        let place = BEYOND as usize + slot;
        let last = last & !(1 << place) | u64::from(beyond) << place;
        let (word, shift) = match slot {
            0 | 1 => (self.words[Self::FIRST].load(Ordering::Relaxed), 32 * slot),
            _ => (last, 0),
        };
        let word = word & !(u64::from(u32::MAX) << shift) | u64::from(low) << shift;
        if slot < 2 {
            self.words[Self::FIRST].store(word, Ordering::Relaxed);
            return last;
        }
        word
    }

    /// A free slot or that of the least work.
    fn least(&self) -> usize {
        (0..SLOTS)
            .min_by_key(|&slot| (self.shape(slot) != Shape::NONE, self.numbers(slot).work()))
            .expect("a bucket has slots")
    }
}
