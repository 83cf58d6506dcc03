//! The table of the search: slots with the facts and the proof numbers of a shape each, for all threads that search.
//!
//! When a bucket is full, the shape on which the least work was spent goes. Losing a shape costs its work again and nothing else:
//! whatever the table says of a shape has been proven of that very shape, as its key is kept whole or can be told from what is kept of it and from
//! where that lies.

use crate::memo::Budget;
use crate::proof_number::bucket::Stored;
use crate::proof_number::facts::Possible;
use crate::proof_number::numbers::{Known, Numbers};
use crate::proof_number::places::{Key, Places};
use crate::proof_number::slots::Slots;
use crate::shape::{Bits, Frame, Shape};
use crate::{Nimber, SolveError};

/// The table.
#[derive(Debug)]
pub(super) enum Table<B> {
    /// With the first 64 bits of each shape, where there are rows enough to tell the others.
    Short(Slots<u64>),
    /// With the whole shapes.
    Whole(Slots<B>),
}

impl<B: Bits> Table<B> {
    /// A table for shapes of a frame that grows to nearly all of `bytes`, or to what is not needlessly more than `shapes`.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub(super) fn new(
        frame: &Frame<B>,
        bytes: usize,
        shapes: u64,
        budget: &mut Budget,
    ) -> Result<Self, SolveError> {
        let useful = shapes.max(1).ilog2() + 1;
        let useful = 1_usize.checked_shl(useful).unwrap_or(usize::MAX);
        let buckets = |bytes_of_one: usize| (bytes / bytes_of_one).min(useful).max(Places::LEAST);
        let beyond = frame.area().saturating_sub(u64::BITS);
        if let Some(places) = Places::new(buckets(Slots::<u64>::bytes_of(1)), beyond) {
            return Slots::new(places, budget).map(Self::Short);
        }
        let places = Places::new(buckets(Slots::<B>::bytes_of(1)), 0).expect("the least table");
        Slots::new(places, budget).map(Self::Whole)
    }

    /// The number of shapes in the table.
    pub(super) fn entries(&self) -> usize {
        match self {
            Self::Short(slots) => slots.entries(),
            Self::Whole(slots) => slots.entries(),
        }
    }

    /// The bytes of the slots that the table has grown to.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Short(slots) => slots.bytes(),
            Self::Whole(slots) => slots.bytes(),
        }
    }

    /// Asks the processor for what the table has on a shape.
    #[inline]
    pub(super) fn prefetch(&self, shape: Shape<B>) {
        match self {
            Self::Short(slots) => slots.prefetch(short(shape)),
            Self::Whole(slots) => slots.prefetch(whole(shape)),
        }
    }

    /// What the table has on a shape.
    #[inline]
    pub(super) fn get(&self, shape: Shape<B>) -> Option<Known> {
        let stored = match self {
            Self::Short(slots) => slots.get(short(shape)),
            Self::Whole(slots) => slots.get(whole(shape)),
        };
        stored.map(|stored| stored.known(|| shape.size()))
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
        let joined = |before: Option<Stored>| {
            let before = before.map(|stored| stored.known(|| shape.size()));
            Stored::of(Known::joined(before, possible, heap, numbers, work))
        };
        match self {
            Self::Short(slots) => slots.update(short(shape), joined),
            Self::Whole(slots) => slots.update(whole(shape), joined),
        }
    }
}

/// The key of which 64 bits are kept. They are never none: a shape in the corner of its frame has a cell in the first line.
#[inline]
fn short<B: Bits>(shape: Shape<B>) -> Key<u64> {
    let cells = shape.cells().wide();
    Key { kept: cells as u64, beyond: (cells >> u64::BITS) as u64 }
}

/// The key of which all is kept.
#[inline]
fn whole<B: Bits>(shape: Shape<B>) -> Key<B> {
    Key { kept: shape.cells(), beyond: 0 }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Limits;

    fn table<B: Bits>(frame: &Frame<B>, bytes: usize) -> Result<Table<B>, SolveError> {
        let limits =
            Limits { memory: bytes, cancel: &false.into(), progress: &0.into(), threads: 1 };
        Table::new(frame, bytes, u64::MAX, &mut Budget::new(&limits))
    }

    /// A shape for every number below 2^30, rarely the same one: a row of eight cells and what the number says below it.
    fn shape<B: Bits>(frame: &Frame<B>, number: u64) -> Shape<B> {
        let cells = frame.holding(u128::from(number) << 8 | 0xff).unwrap();
        frame.components(cells).map(|cells| frame.canonical(cells)).next().unwrap()
    }

    impl<B: Bits> Table<B> {
        fn rows(&self) -> usize {
            match self {
                Self::Short(slots) => slots.rows(),
                Self::Whole(slots) => slots.rows(),
            }
        }

        fn grow(&self) {
            match self {
                Self::Short(slots) => slots.grow(slots.rows()),
                Self::Whole(slots) => slots.grow(slots.rows()),
            }
        }
    }

    /// What is put into a table: number of the shape, heap, proof numbers.
    type Put = (u64, u8, u32, u32);

    fn puts() -> impl Strategy<Value = Vec<Put>> {
        prop::collection::vec((0_u64..1 << 13, 0_u8..6, 1_u32..99, 1_u32..99), 20_000)
    }

    /// Puts all of it in, and sees that the table says nothing else, stays within its bytes and loses nothing as it grows.
    fn keeps_what_is_put_in<B: Bits>(
        table: &Table<B>,
        bytes: usize,
        puts: Vec<Put>,
        shape: impl Fn(u64) -> Shape<B>,
    ) -> Result<(), TestCaseError> {
        let mut excluded: HashMap<Shape<B>, Possible> = HashMap::new();
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
        prop_assert!(table.entries() <= excluded.len());
        let known = |table: &Table<B>| -> Vec<_> {
            excluded.keys().map(|&shape| table.get(shape).map(|known| known.possible)).collect()
        };
        let before = known(table);
        if 2 * table.bytes() <= bytes {
            table.grow();
        }
        prop_assert_eq!(known(table), before);
        prop_assert!(table.bytes() <= bytes);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn what_the_table_says_has_been_put_in(
            puts in puts(),
            bytes in prop::sample::select(vec![1_usize << 15, 1 << 17, 3 << 17, 1 << 25]),
        ) {
            let frame = Frame::<u64>::new(8, 8);
            let table = table(&frame, bytes).unwrap();
            prop_assert!(matches!(table, Table::Short(_)));
            keeps_what_is_put_in(&table, bytes, puts, |number| shape(&frame, number))?;
        }

        #[test]
        fn what_the_table_says_of_more_than_64_cells_has_been_put_in(
            puts in puts(),
            (lines, bytes, is_short) in prop::sample::select(vec![
                (17, 1_usize << 15, true),
                (17, 3 << 16, true),
                (19, 1 << 20, false),
                (19, 1 << 21, true),
                (19, 1 << 25, true),
                (32, 1 << 20, false),
                (32, 3 << 24, false),
            ]),
        ) {
            let frame = Frame::<u128>::new(4, lines);
            let table = table(&frame, bytes).unwrap();
            prop_assert_eq!(matches!(table, Table::Short(_)), is_short);
            // A column of all lines, and what the number says beside the last of them.
            let column = (0..lines).fold(0, |column, line| column | 1_u128 << (4 * line));
            let shape = |number: u64| {
                let beside = number.members().map(|bit| 2_u128 << (4 * (lines - 1 - bit as usize)));
                frame.canonical(beside.fold(column, |cells, cell| cells | cell))
            };
            keeps_what_is_put_in(&table, bytes, puts, shape)?;
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
        let frame = Frame::<u64>::new(8, 8);
        let put = |table: &Table<u64>, number: u64, round: u32| {
            let shape = shape(&frame, number);
            let (possible, name) = name(shape);
            let numbers = Numbers { win: 1 + name + round, loss: 1 + round };
            table.put(shape, possible, Nimber::ZERO, numbers, 1);
        };
        let table = table(&frame, 1 << 22).unwrap();
        let rows = table.rows();
        let reads: u32 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u64)
                .map(|thread| {
                    let (table, frame) = (&table, &frame);
                    scope.spawn(move || {
                        let mut reads = 0;
                        for round in 0..40_000 {
                            let number = (u64::from(round) * 7 + thread) % 64;
                            put(table, number, round);
                            // Other shapes, so that the table doubles.
                            put(table, 64 + u64::from(round) % 2000, round);
                            let shape = shape(frame, number);
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
        assert!(table.rows() > rows, "the table has doubled");
    }

    #[test]
    fn a_table_without_room_is_refused() {
        assert!(matches!(
            table(&Frame::<u64>::new(8, 8), 100),
            Err(SolveError::OutOfMemory { limit: 100, .. })
        ));
    }
}
