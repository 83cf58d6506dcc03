//! Tables that grow only as far as the caller allows.
//!
//! A [`Budget`] is what all tables of a computation may take together. Growing a [`Memo`] needs room for
//! the old and the new table at once, and that is what it is asked for.

use std::sync::atomic::AtomicU64;

use bytemuck::allocation::try_zeroed_slice_box;

use crate::shape::{Bits, Shape};
use crate::{Limits, SolveError};

/// The bytes that the tables of a computation may take together and those that they take.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    taken: u64,
    peak: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits<'_>) -> Self {
        Self { limit: limits.memory as u64, taken: 0, peak: 0 }
    }

    /// The most bytes that were taken at any time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// A vector with room for `capacity` items and nothing in it.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] with the number of `entries` if the budget or the machine has no
    /// room for it.
    pub(crate) fn vector<T>(
        &mut self,
        capacity: usize,
        entries: u64,
    ) -> Result<Vec<T>, SolveError> {
        self.take::<T, _>(capacity, entries, || {
            let mut vector = Vec::new();
            vector.try_reserve_exact(capacity).ok().map(|()| vector)
        })
    }

    /// So many words of zeros, which take no memory before they are written to, and as many more as it takes to begin at a
    /// multiple of `line` words: those are not counted, as nothing that an allocator adds is.
    ///
    /// # Errors
    ///
    /// As [`Budget::vector`].
    pub(crate) fn zeros(
        &mut self,
        words: usize,
        line: usize,
    ) -> Result<Box<[AtomicU64]>, SolveError> {
        self.take::<AtomicU64, _>(words, 0, || try_zeroed_slice_box(words + line - 1).ok())
    }

    /// Takes room for so many items from the budget, and then from the machine.
    fn take<T, R>(
        &mut self,
        items: usize,
        entries: u64,
        room: impl FnOnce() -> Option<R>,
    ) -> Result<R, SolveError> {
        let bytes = (items as u64).saturating_mul(size_of::<T>() as u64);
        let needed = self.taken.saturating_add(bytes);
        let room = (needed <= self.limit).then(room).flatten();
        let refused = SolveError::OutOfMemory { limit: self.limit, needed, entries };
        let room = room.ok_or(refused)?;
        self.taken = needed;
        self.peak = self.peak.max(needed);
        Ok(room)
    }

    /// Puts an item at the end of a vector, which is moved to twice the room if it is full.
    ///
    /// # Errors
    ///
    /// As [`Budget::vector`].
    #[inline]
    pub(crate) fn push<T>(
        &mut self,
        vector: &mut Vec<T>,
        item: T,
        entries: u64,
    ) -> Result<(), SolveError> {
        if vector.len() == vector.capacity() {
            let mut larger = self.vector((2 * vector.len()).max(1 << 10), entries)?;
            self.give_back::<T>(vector.capacity());
            larger.append(vector);
            *vector = larger;
        }
        vector.push(item);
        Ok(())
    }

    /// Gives back what [`Budget::vector`] took for a vector of this capacity.
    pub(crate) fn give_back<T>(&mut self, capacity: usize) {
        self.taken -= (capacity * size_of::<T>()) as u64;
    }
}

/// What is known of shapes: a hash table with open addressing.
#[derive(Debug)]
pub(crate) struct Memo<B, V> {
    /// The keys; the empty set, which is no shape, marks a free slot.
    shapes: Vec<Shape<B>>,
    /// What is known, at the places of the keys.
    values: Vec<V>,
    len: usize,
}

impl<B: Bits, V: Copy + Default> Memo<B, V> {
    /// The slots of a table that has just been made.
    const LEAST_SLOTS: usize = 1 << 10;

    pub(crate) fn new(budget: &mut Budget) -> Result<Self, SolveError> {
        let mut memo = Self { shapes: Vec::new(), values: Vec::new(), len: 0 };
        memo.resize(Self::LEAST_SLOTS, budget)?;
        Ok(memo)
    }

    /// The number of shapes known.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What is known of a shape.
    #[inline]
    pub(crate) fn get(&self, shape: Shape<B>) -> Option<V> {
        let slot = self.slot(shape);
        (self.shapes[slot] == shape).then(|| self.values[slot])
    }

    /// Sets what is known of a shape.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if the table would have to grow and cannot.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        shape: Shape<B>,
        value: V,
        budget: &mut Budget,
    ) -> Result<(), SolveError> {
        let mut slot = self.slot(shape);
        if self.shapes[slot] != shape {
            // At least a quarter of the slots stays free.
            if self.len >= self.shapes.len() / 4 * 3 {
                self.resize(2 * self.shapes.len(), budget)?;
                slot = self.slot(shape);
            }
            self.shapes[slot] = shape;
            self.len += 1;
        }
        self.values[slot] = value;
        Ok(())
    }

    /// Every shape with what is known of it, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Shape<B>, V)> + '_ {
        self.shapes
            .iter()
            .zip(&self.values)
            .filter(|(shape, _)| !shape.cells().is_empty())
            .map(|(&shape, &value)| (shape, value))
    }

    /// The slot of a shape, or the free one where it would go.
    #[inline]
    fn slot(&self, shape: Shape<B>) -> usize {
        let last = self.shapes.len() - 1;
        let mut slot = shape.cells().hash64() as usize & last;
        while self.shapes[slot] != shape && !self.shapes[slot].cells().is_empty() {
            slot = (slot + 1) & last;
        }
        slot
    }

    #[cold]
    fn resize(&mut self, slots: usize, budget: &mut Budget) -> Result<(), SolveError> {
        debug_assert!(slots.is_power_of_two());
        let entries = self.len as u64;
        let mut shapes = budget.vector(slots, entries)?;
        let mut values = budget.vector(slots, entries).inspect_err(|_| {
            budget.give_back::<Shape<B>>(slots);
        })?;
        shapes.resize(slots, Shape::default());
        values.resize(slots, V::default());
        let old = Self {
            shapes: std::mem::replace(&mut self.shapes, shapes),
            values: std::mem::replace(&mut self.values, values),
            len: self.len,
        };
        for (shape, value) in old.iter() {
            let slot = self.slot(shape);
            self.shapes[slot] = shape;
            self.values[slot] = value;
        }
        budget.give_back::<Shape<B>>(old.shapes.len());
        budget.give_back::<V>(old.values.len());
        Ok(())
    }
}
