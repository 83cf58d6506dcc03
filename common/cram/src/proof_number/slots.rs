//! Buckets in all the room that a table has, doubled as they fill.
//!
//! The room is taken once; a small board does not touch all of it. A key can lie in any slot of its bucket; when the bucket is
//! full, that of the least work goes.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::SolveError;
use crate::memo::Budget;
use crate::proof_number::bucket::{Bucket, LINE, SLOTS, Stored};
use crate::proof_number::memory::{OwnLine, prefer_large_pages, prefetch};
use crate::proof_number::places::{Key, Places};
use crate::shape::Bits;

/// Slots for keys of which `K` is kept.
#[derive(Debug)]
pub(super) struct Slots<K> {
    /// All the room, zeros at first, which the system gives when it is written to.
    words: Box<[AtomicU64]>,
    /// The word at which the first bucket begins.
    start: usize,
    places: Places,
    /// The rows of buckets in use, a power of two.
    rows: AtomicUsize,
    /// Slots in use. On a line of its own: it changes all the time, the others hardly ever.
    entries: OwnLine<AtomicUsize>,
    /// Held by the thread that doubles the rows.
    growing: Mutex<()>,
    of: PhantomData<K>,
}

impl<K: Bits> Slots<K> {
    /// Slots at these places.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if there is no room for all of them.
    pub(super) fn new(places: Places, budget: &mut Budget) -> Result<Self, SolveError> {
        // The system's zeros begin at the start of a word, a bucket at the start of a line.
        let most = places.buckets(places.most_rows());
        let words = budget.zeros(Self::bytes_of(most) / size_of::<u64>(), LINE)?;
        let start = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE - 1);
        prefer_large_pages(&words);
        Ok(Self {
            words,
            start,
            places,
            rows: AtomicUsize::new(places.least_rows()),
            entries: OwnLine::default(),
            growing: Mutex::new(()),
            of: PhantomData,
        })
    }

    /// The bytes of so many buckets.
    pub(super) const fn bytes_of(buckets: usize) -> usize {
        buckets.saturating_mul(Bucket::<K>::WORDS * size_of::<u64>())
    }

    /// The number of slots in use.
    pub(super) fn entries(&self) -> usize {
        self.entries.0.load(Ordering::Relaxed)
    }

    /// The bytes of the buckets in use.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.places.buckets(self.rows()))
    }

    /// Asks the processor for what there is on a key.
    #[inline]
    pub(super) fn prefetch(&self, key: Key<K>) {
        prefetch(self.bucket_of(key).start());
    }

    /// What there is on a key.
    #[inline]
    pub(super) fn get(&self, key: Key<K>) -> Option<Stored> {
        self.bucket_of(key).get(key.kept)
    }

    /// Sets what there is on a key.
    pub(super) fn update(&self, key: Key<K>, change: impl FnOnce(Option<Stored>) -> Stored) {
        let rows = self.rows();
        if self.entries() >= self.places.buckets(rows) * SLOTS / 2 && rows < self.places.most_rows()
        {
            self.grow(rows);
        }
        if self.bucket_of(key).update(key.kept, change) {
            self.entries.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The rows of buckets in use.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket_of(&self, key: Key<K>) -> Bucket<'_, K> {
        self.bucket(self.places.of(key, self.rows()))
    }

    #[inline]
    fn bucket(&self, at: usize) -> Bucket<'_, K> {
        let first = self.start + at * Bucket::<K>::WORDS;
        Bucket::new(&self.words[first..first + Bucket::<K>::WORDS])
    }

    /// Doubles the rows: what shares a bucket now and will not then moves to the new half. Others go on reading and writing; what
    /// they write meanwhile to a slot that has moved is lost.
    #[cold]
    pub(super) fn grow(&self, old: usize) {
        let Ok(_growing) = self.growing.try_lock() else { return };
        if self.rows() != old {
            return;
        }
        let moves = |kept: K| !kept.is_empty() && Places::moves(kept, old);
        let buckets = self.places.buckets(old);
        (0..buckets).for_each(|at| self.bucket(at).copy_to(&self.bucket(at + buckets), moves));
        self.rows.store(2 * old, Ordering::Relaxed);
        (0..buckets).for_each(|at| self.bucket(at).free(moves));
    }
}
