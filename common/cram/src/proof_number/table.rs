//! The table of the search: slots with the facts and the proof numbers of a shape each, for all threads that search.
//!
//! Its room is taken once; its slots are doubled within that room as they fill, so that a small board does not
//! touch a large table. A shape can lie in any slot of its bucket; when the bucket is full, the shape on which
//! the least work was spent goes. Losing a shape costs its work again and nothing else: whatever the table says
//! of a shape has been proven of that very shape, as the whole key is kept.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::memo::Budget;
use crate::proof_number::bucket::{Bucket, LINE, SLOTS};
use crate::proof_number::facts::Possible;
use crate::proof_number::memory::{OwnLine, prefer_large_pages, prefetch};
use crate::proof_number::numbers::{Known, Numbers};
use crate::shape::{Bits, Shape};
use crate::{Nimber, SolveError};

/// The table.
#[derive(Debug)]
pub(super) struct Table<B> {
    /// All the room, zeros at first, which the system gives when it is written to.
    words: Box<[AtomicU64]>,
    /// The word at which the first bucket begins.
    start: usize,
    /// The number of buckets in use, a power of two.
    buckets: AtomicUsize,
    /// The number of buckets that the table may have; there is room for them.
    most: usize,
    /// Slots in use. On a line of its own: it changes all the time, the others hardly ever.
    entries: OwnLine<AtomicUsize>,
    /// Held by the thread that doubles the table.
    growing: Mutex<()>,
    of: PhantomData<B>,
}

impl<B: Bits> Table<B> {
    /// The buckets of a table that has just been made.
    const LEAST: usize = 1 << 8;

    /// A table that may grow to the greatest power of two of buckets that fits into `bytes` and is not
    /// needlessly more than `shapes`.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub(super) fn new(bytes: usize, shapes: u64, budget: &mut Budget) -> Result<Self, SolveError> {
        let affordable = (bytes / Self::bytes_of(1)).max(1).ilog2();
        let useful = shapes.max(1).ilog2() + 1;
        let most = 1_usize << affordable.min(useful).max(Self::LEAST.ilog2());
        // The system's zeros begin at the start of a word, a bucket at the start of a line.
        let words = budget.zeros(Self::bytes_of(most) / 8, LINE / 8)?;
        let start = words.as_ptr().align_offset(LINE).min(LINE / 8 - 1);
        prefer_large_pages(&words);
        Ok(Self {
            words,
            start,
            buckets: AtomicUsize::new(Self::LEAST),
            most,
            entries: OwnLine::default(),
            growing: Mutex::new(()),
            of: PhantomData,
        })
    }

    /// The number of shapes in the table.
    pub(super) fn entries(&self) -> usize {
        self.entries.0.load(Ordering::Relaxed)
    }

    /// The bytes of the slots that the table has grown to.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.buckets())
    }

    /// Asks the processor for what the table has on a shape.
    #[inline]
    pub(super) fn prefetch(&self, shape: Shape<B>) {
        prefetch(self.bucket(place(shape, self.buckets())).start());
    }

    /// What the table has on a shape.
    #[inline]
    pub(super) fn get(&self, shape: Shape<B>) -> Option<Known> {
        self.bucket(place(shape, self.buckets())).get(shape)
    }

    /// Joins what was found out on a shape, and on one of its couples, with what the table has.
    pub(super) fn put(
        &self,
        shape: Shape<B>,
        possible: Possible,
        heap: Nimber,
        numbers: Numbers,
        work: u64,
    ) {
        let buckets = self.buckets();
        if self.entries() >= buckets * SLOTS / 2 && buckets < self.most {
            self.grow(buckets);
        }
        let bucket = self.bucket(place(shape, self.buckets()));
        if bucket.update(shape, |before| Known::joined(before, possible, heap, numbers, work)) {
            self.entries.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn bytes_of(buckets: usize) -> usize {
        buckets.saturating_mul(8 * Bucket::<B>::WORDS)
    }

    #[inline]
    fn buckets(&self) -> usize {
        self.buckets.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket(&self, at: usize) -> Bucket<'_, B> {
        let first = self.start + at * Bucket::<B>::WORDS;
        Bucket::new(&self.words[first..first + Bucket::<B>::WORDS])
    }

    /// Doubles the table: what shares a bucket now and will not then moves to the new half. Others go on reading and writing; what
    /// they write meanwhile to a slot that has moved is lost.
    #[cold]
    fn grow(&self, old: usize) {
        let Ok(_growing) = self.growing.try_lock() else { return };
        if self.buckets() != old {
            return;
        }
        let moves = |shape: Shape<B>| shape != Shape::NONE && place(shape, 2 * old) >= old;
        (0..old).for_each(|at| self.bucket(at).copy_to(&self.bucket(at + old), moves));
        self.buckets.store(2 * old, Ordering::Relaxed);
        (0..old).for_each(|at| self.bucket(at).free(moves));
    }
}

/// Where a shape belongs among so many buckets.
#[inline]
fn place<B: Bits>(shape: Shape<B>, buckets: usize) -> usize {
    shape.cells().hash64() as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Limits;
    use crate::shape::Frame;

    fn table(bytes: usize) -> Result<Table<u64>, SolveError> {
        let limits =
            Limits { memory: bytes, cancel: &false.into(), progress: &0.into(), threads: 1 };
        Table::new(bytes, u64::MAX, &mut Budget::new(&limits))
    }

    /// A shape for every number below 2^30, rarely the same one: a row of eight cells and what the number says below it.
    fn shape(number: u64) -> Shape<u64> {
        let frame = Frame::<u64>::new(8, 8);
        frame.components(number << 8 | 0xff).map(|cells| frame.canonical(cells)).next().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn what_the_table_says_has_been_put_in(
            puts in prop::collection::vec((0_u64..1 << 13, 0_u8..6, 1_u32..99, 1_u32..99), 20_000),
            bytes in prop::sample::select(vec![1_usize << 15, 1 << 17, 1 << 25]),
        ) {
            let table = table(bytes).unwrap();
            let mut excluded: HashMap<Shape<u64>, Possible> = HashMap::new();
            for (number, heap, win, loss) in puts {
                let (shape, heap) = (shape(number), Nimber::new(heap));
                let numbers = Numbers { win, loss };
                let possible = Possible::of_size(shape.size()).without(heap);
                table.put(shape, possible, heap, numbers, 1);
                let all = excluded.entry(shape).or_insert(possible);
                *all = all.and(possible);
                let known = table.get(shape).unwrap();
                prop_assert_eq!(known.numbers(heap), Some(numbers));
                prop_assert!(!known.possible.has(heap));
                prop_assert_eq!(known.possible.and(*all), *all);
            }
            prop_assert!(table.bytes() <= bytes);
            prop_assert!(table.entries() <= excluded.len());

            // Growing loses nothing.
            let known = |table: &Table<u64>| -> Vec<_> {
                excluded.keys().map(|&shape| table.get(shape).map(|known| known.possible)).collect()
            };
            let before = known(&table);
            if table.buckets() < table.most {
                table.grow(table.buckets());
            }
            prop_assert_eq!(known(&table), before);
        }
    }

    /// Several threads write and read the same few buckets while the table grows: what is read of a shape was written of that very
    /// shape, and of one moment.
    #[test]
    fn no_thread_reads_half_of_what_another_writes() {
        /// What is said of a shape: which one it is.
        fn name(shape: Shape<u64>) -> (Possible, u32) {
            let name = shape.cells().hash64() as u32 & 0xff;
            (Possible::excluding(u64::from(name) << 1, shape.size()), 1000 * name)
        }
        fn put(table: &Table<u64>, number: u64, round: u32) {
            let shape = shape(number);
            let (possible, name) = name(shape);
            let numbers = Numbers { win: 1 + name + round, loss: 1 + round };
            table.put(shape, possible, Nimber::ZERO, numbers, 1);
        }
        let table = table(1 << 22).unwrap();
        let reads: u32 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u64)
                .map(|thread| {
                    let table = &table;
                    scope.spawn(move || {
                        let mut reads = 0;
                        for round in 0..40_000 {
                            let number = (u64::from(round) * 7 + thread) % 64;
                            put(table, number, round);
                            // Other shapes, so that the table doubles.
                            put(table, 64 + u64::from(round) % 2000, round);
                            let shape = shape(number);
                            let Some(known) = table.get(shape) else { continue };
                            reads += 1;
                            let Numbers { win, loss } = known.numbers(Nimber::ZERO).unwrap();
                            assert_eq!((known.possible, win - loss), name(shape));
                        }
                        reads
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(reads > 100_000, "{reads} of 160,000 reads found something");
        assert!(table.buckets() > Table::<u64>::LEAST, "the table has doubled");
    }

    #[test]
    fn a_table_without_room_is_refused() {
        assert!(matches!(table(100), Err(SolveError::OutOfMemory { limit: 100, .. })));
    }
}
