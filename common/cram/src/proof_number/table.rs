//! The table of the search: slots with the facts and the proof numbers of a shape each.
//!
//! Its room is taken once; its slots are doubled within that room as they fill, so that a small board does not
//! touch a large table. A shape can lie in any slot of its bucket; when the bucket is full, the shape on which
//! the least work was spent goes. Losing a shape costs its work again and nothing else: whatever the table says
//! of a shape has been proven of that very shape, as the whole key is kept.

use crate::memo::Budget;
use crate::proof_number::facts::Possible;
use crate::shape::{Bits, Shape};
use crate::{Nimber, SolveError};

/// How far a couple is from being decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    /// The work still seen to show that the player to move wins.
    pub(super) win: u32,
    /// The work still seen to show that the player to move loses.
    pub(super) loss: u32,
}

/// The number of what cannot be shown; all others are less.
pub(super) const NEVER: u32 = (1 << 26) - 1;

impl Numbers {
    /// Numbers that stay below [`NEVER`], as those of what is not decided must.
    #[inline]
    pub(super) fn capped(self) -> Self {
        Self { win: self.win.min(NEVER - 1), loss: self.loss.min(NEVER - 1) }
    }

    /// Whether something is left to be shown.
    #[inline]
    fn are_open(self) -> bool {
        self.win != 0 && self.loss != 0
    }
}

/// Slots of a bucket.
const BUCKET: usize = 4;

/// The proof numbers of one couple of a shape in one word: heap 6 bits, win 26, loss 26, the logarithm of
/// the work spent on the shape 6. Both numbers are zero if there are none.
#[derive(Clone, Copy, Debug, Default)]
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

    /// Whether these are the numbers of the couple with this heap.
    #[inline]
    fn is_of(self, heap: Nimber) -> bool {
        self.heap() == heap && self.numbers().are_open()
    }
}

/// What the table has on a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<B> {
    /// The shape; [`Shape::NONE`] marks a free slot.
    shape: Shape<B>,
    possible: Possible,
    /// The numbers of the couples that were searched last, the latest first. The work is in the latest.
    numbers: [Packed; 2],
}

impl<B: Bits> Slot<B> {
    const FREE: Self =
        Self { shape: Shape::NONE, possible: Possible::NONE, numbers: [Packed(0); 2] };

    #[inline]
    fn is_free(&self) -> bool {
        self.shape == Shape::NONE
    }

    /// The logarithm of the work spent on the shape.
    #[inline]
    fn work(&self) -> u32 {
        self.numbers[0].work()
    }

    /// The nimbers that the shape may have.
    #[inline]
    pub(super) fn possible(&self) -> Possible {
        self.possible
    }

    /// The proof numbers of a couple, if the table has them.
    #[inline]
    pub(super) fn numbers(&self, heap: Nimber) -> Option<Numbers> {
        let packed = self.numbers.iter().find(|packed| packed.is_of(heap))?;
        Some(packed.numbers())
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table<B> {
    slots: Vec<Slot<B>>,
    /// The number of slots that the table may have; there is room for them.
    most: usize,
    /// Slots in use.
    entries: usize,
}

impl<B: Bits> Table<B> {
    /// The slots of a table that has just been made.
    const LEAST: usize = 1 << 10;

    /// A table that may grow to the greatest power of two of slots that fits into `bytes` and is not
    /// needlessly more than `shapes`.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub(super) fn new(bytes: usize, shapes: u64, budget: &mut Budget) -> Result<Self, SolveError> {
        let affordable = (bytes / size_of::<Slot<B>>()).max(1).ilog2();
        let useful = shapes.max(1).ilog2() + 1;
        let most = 1_usize << affordable.min(useful).max(Self::LEAST.ilog2());
        let mut slots = budget.vector(most, 0)?;
        slots.resize(Self::LEAST, Slot::FREE);
        Ok(Self { slots, most, entries: 0 })
    }

    /// The number of shapes in the table.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The bytes of the slots that the table has grown to.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot<B>>()
    }

    /// What the table has on a shape.
    #[inline]
    pub(super) fn get(&self, shape: Shape<B>) -> Option<&Slot<B>> {
        let bucket = self.bucket(shape);
        self.slots[bucket..bucket + BUCKET].iter().find(|slot| slot.shape == shape)
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
        if self.entries >= self.slots.len() / 2 && self.slots.len() < self.most {
            self.grow();
        }
        let slot = self.slot(shape);
        slot.possible = slot.possible.and(possible);
        let work = work.max(1).ilog2().max(slot.work());
        let [latest, _] = slot.numbers;
        slot.numbers[0] = if numbers.are_open() {
            if !latest.is_of(heap) {
                slot.numbers[1] = latest;
            }
            Packed::new(heap, numbers, work)
        } else {
            Packed::new(latest.heap(), latest.numbers(), work)
        };
    }

    /// Where the bucket of a shape begins.
    #[inline]
    fn bucket(&self, shape: Shape<B>) -> usize {
        shape.cells().hash64() as usize & (self.slots.len() - BUCKET)
    }

    /// The slot of a shape; if it has none, a free slot or that of the least work is made its own.
    fn slot(&mut self, shape: Shape<B>) -> &mut Slot<B> {
        let bucket = self.bucket(shape);
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        if let Some(at) = slots.iter().position(|slot| slot.shape == shape) {
            return &mut slots[at];
        }
        let slot = slots
            .iter_mut()
            .min_by_key(|slot| (!slot.is_free(), slot.work()))
            .expect("a bucket has slots");
        self.entries += usize::from(slot.is_free());
        *slot = Slot { shape, possible: Possible::of_size(shape.size()), ..Slot::FREE };
        slot
    }

    /// Doubles the table: what shares a bucket now and will not then moves to the new half.
    #[cold]
    fn grow(&mut self) {
        let old = self.slots.len();
        self.slots.resize(2 * old, Slot::FREE);
        for at in 0..old {
            let slot = self.slots[at];
            if !slot.is_free() && self.bucket(slot.shape) >= old {
                // That place is free: nothing but this one can move there.
                self.slots[old + at] = slot;
                self.slots[at] = Slot::FREE;
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
                let slot = table.get(shape).unwrap();
                prop_assert_eq!(slot.numbers(heap), Some(numbers));
                prop_assert!(!slot.possible().has(heap));
                prop_assert_eq!(slot.possible().and(*all), *all);
            }
            prop_assert!(table.bytes() <= bytes);
            prop_assert!(table.entries() <= excluded.len());

            // Growing loses nothing.
            let known = |table: &Table<u64>| -> Vec<_> {
                excluded.keys().map(|&shape| table.get(shape).map(Slot::possible)).collect()
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
