//! The table of the search: slots with the facts and the proof numbers of a shape each.
//!
//! Its room is taken once; its slots are doubled within that room as they fill, so that a small board does not
//! touch a large table. A shape can lie in any slot of its bucket; when the bucket is full, the shape on which
//! the least work was spent goes. Losing a shape costs its work again and nothing else: whatever the table says
//! of a shape has been proven of that very shape, as the whole key is kept.

use crate::memo::Budget;
use crate::proof_number::facts::Possible;
use crate::proof_number::memory::{prefer_large_pages, prefetch};
use crate::shape::{Bits, Shape};
use crate::{Nimber, SolveError};

/// How far a couple is from being decided: its proof numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The work still seen to show that the player to move wins: 0 if that is shown.
    pub win: u32,
    /// The work still seen to show that the player to move loses: 0 if that is shown.
    pub loss: u32,
}

/// The number of what cannot be shown; all others are less.
pub(crate) const NEVER: u32 = (1 << 26) - 1;

impl Numbers {
    /// Numbers that stay below [`NEVER`], as those of what is not decided must.
    #[inline]
    pub(crate) fn capped(self) -> Self {
        Self { win: self.win.min(NEVER - 1), loss: self.loss.min(NEVER - 1) }
    }

    /// Whether each number is beyond the other's.
    pub(crate) fn exceed(self, other: Self) -> bool {
        self.win > other.win && self.loss > other.loss
    }

    /// The numbers, or none if nothing is left to be shown.
    #[inline]
    fn if_open(self) -> Self {
        if self.are_open() { self } else { Self { win: 0, loss: 0 } }
    }

    /// Whether something is left to be shown.
    #[inline]
    pub(crate) fn are_open(self) -> bool {
        self.win != 0 && self.loss != 0
    }
}

/// Slots of a bucket: as many as fit a line of the processor's cache when the words have 64 bits.
const BUCKET: usize = 3;

/// The proof numbers of a couple of a shape in one word: heap 6 bits, win 26, loss 26, the logarithm of
/// the work spent on the shape 6. Both numbers are zero if there are none.
#[derive(Clone, Copy, Debug)]
struct Packed(u64);

impl Packed {
    #[inline]
    fn new(heap: Nimber, numbers: Numbers, work: u32) -> Self {
        debug_assert!(
            heap.get() < 64 && numbers.win <= NEVER && numbers.loss <= NEVER && work < 64
        );
        Self(
            u64::from(heap.get())
                | u64::from(numbers.win) << 6
                | u64::from(numbers.loss) << 32
                | u64::from(work) << 58,
        )
    }

    #[inline]
    fn heap(self) -> Nimber {
        Nimber::new((self.0 & 63) as u8)
    }

    #[inline]
    fn numbers(self) -> Numbers {
        Numbers { win: (self.0 >> 6) as u32 & NEVER, loss: (self.0 >> 32) as u32 & NEVER }
    }

    #[inline]
    fn work(self) -> u32 {
        (self.0 >> 58) as u32
    }
}

/// What the table has on a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The nimbers that the shape may have.
    pub(super) possible: Possible,
    numbers: Packed,
}

impl Known {
    /// The proof numbers of a couple, if the table has them.
    #[inline]
    pub(super) fn numbers(&self, heap: Nimber) -> Option<Numbers> {
        let numbers = self.numbers.numbers();
        (self.numbers.heap() == heap && numbers.are_open()).then_some(numbers)
    }
}

/// The shapes that lie next to each other. [`Shape::NONE`] marks a free slot.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket<B> {
    shapes: [Shape<B>; BUCKET],
    /// The numbers of the couple of each shape that was searched last.
    numbers: [Packed; BUCKET],
    /// The nimbers that each shape may have, those to 31.
    possible: [u32; BUCKET],
    /// Whether each shape may have a nimber beyond 31.
    beyond: [bool; BUCKET],
}

impl<B: Bits> Bucket<B> {
    const FREE: Self = Self {
        shapes: [Shape::NONE; BUCKET],
        numbers: [Packed(0); BUCKET],
        possible: [0; BUCKET],
        beyond: [false; BUCKET],
    };

    #[inline]
    fn find(&self, shape: Shape<B>) -> Option<usize> {
        (0..BUCKET).find(|&slot| self.shapes[slot] == shape)
    }

    #[inline]
    fn known(&self, slot: usize) -> Known {
        let size = || self.shapes[slot].size();
        Known {
            possible: Possible::restored(self.possible[slot], self.beyond[slot], size),
            numbers: self.numbers[slot],
        }
    }

    fn set(&mut self, slot: usize, shape: Shape<B>, known: Known) {
        self.shapes[slot] = shape;
        self.numbers[slot] = known.numbers;
        (self.possible[slot], self.beyond[slot]) = known.possible.stored();
    }

    /// A free slot or that of the least work.
    fn least(&self) -> usize {
        (0..BUCKET)
            .min_by_key(|&slot| (self.shapes[slot] != Shape::NONE, self.numbers[slot].work()))
            .expect("a bucket has slots")
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table<B> {
    buckets: Vec<Bucket<B>>,
    /// The number of buckets that the table may have; there is room for them.
    most: usize,
    /// Slots in use.
    entries: usize,
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
        let affordable = (bytes / size_of::<Bucket<B>>()).max(1).ilog2();
        let useful = shapes.max(1).ilog2() + 1;
        let most = 1_usize << affordable.min(useful).max(Self::LEAST.ilog2());
        let mut buckets: Vec<Bucket<B>> = budget.vector(most, 0)?;
        prefer_large_pages(buckets.spare_capacity_mut());
        buckets.resize(Self::LEAST, Bucket::FREE);
        Ok(Self { buckets, most, entries: 0 })
    }

    /// The number of shapes in the table.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The bytes of the slots that the table has grown to.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket<B>>()
    }

    /// Asks the processor for what the table has on a shape.
    #[inline]
    pub(super) fn prefetch(&self, shape: Shape<B>) {
        prefetch(&self.buckets[self.bucket(shape)]);
    }

    /// What the table has on a shape.
    #[inline]
    pub(super) fn get(&self, shape: Shape<B>) -> Option<Known> {
        let bucket = &self.buckets[self.bucket(shape)];
        bucket.find(shape).map(|slot| bucket.known(slot))
    }

    /// Joins what was found out on a shape, and on one of its couples, with what the table has.
    pub(super) fn put(
        &mut self,
        shape: Shape<B>,
        possible: Possible,
        heap: Nimber,
        numbers: Numbers,
        work: u64,
    ) {
        if self.entries >= self.buckets.len() * BUCKET / 2 && self.buckets.len() < self.most {
            self.grow();
        }
        let at = self.bucket(shape);
        let bucket = &mut self.buckets[at];
        let (slot, before) = match bucket.find(shape) {
            Some(slot) => (slot, Some(bucket.known(slot))),
            None => (bucket.least(), None),
        };
        if bucket.shapes[slot] == Shape::NONE {
            self.entries += 1;
        }
        let work = work.max(1).ilog2();
        let work = before.map_or(work, |before| work.max(before.numbers.work()));
        let possible = before.map_or(possible, |before| before.possible.and(possible));
        let numbers = match before.map(|before| before.numbers) {
            // What was decided says nothing of the other couples of the shape.
            Some(latest) if !numbers.are_open() => {
                Packed::new(latest.heap(), latest.numbers(), work)
            }
            _ => Packed::new(heap, numbers.if_open(), work),
        };
        bucket.set(slot, shape, Known { possible, numbers });
    }

    /// Where a shape belongs.
    #[inline]
    fn bucket(&self, shape: Shape<B>) -> usize {
        shape.cells().hash64() as usize & (self.buckets.len() - 1)
    }

    /// Doubles the table: what shares a bucket now and will not then moves to the new half.
    #[cold]
    fn grow(&mut self) {
        let old = self.buckets.len();
        self.buckets.resize(2 * old, Bucket::FREE);
        for at in 0..old {
            for slot in 0..BUCKET {
                let shape = self.buckets[at].shapes[slot];
                if shape != Shape::NONE && self.bucket(shape) >= old {
                    let known = self.buckets[at].known(slot);
                    self.buckets[at + old].set(slot, shape, known);
                    self.buckets[at].shapes[slot] = Shape::NONE;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Limits;
    use crate::shape::Frame;

    fn table(bytes: usize) -> Result<Table<u64>, SolveError> {
        let limits = Limits { memory: bytes, cancel: &false.into(), progress: &0.into() };
        Table::new(bytes, u64::MAX, &mut Budget::new(&limits))
    }

    /// Distinct shapes, one a number below 2^30: a row of five cells and what the number says below it.
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
            let mut table = table(bytes).unwrap();
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
            table.grow();
            prop_assert_eq!(known(&table), before);
        }
    }

    #[test]
    fn a_table_without_room_is_refused() {
        assert!(matches!(table(100), Err(SolveError::OutOfMemory { limit: 100, .. })));
    }
}
