//! Positions of large graphs in a hash table that knows its size and keeps to it.
//!
//! Entries lie in chunks that never move; an index, at most half full, points into them. So growing
//! copies the index only, and what a step needs is known before it is taken. Half of a slot is a part of the hash, so that
//! hardly any entry but the right one is looked at.

use super::vertex_set::Words;
use super::walk::Memo;
use crate::{Limits, Stop};

/// Entries in a chunk.
const CHUNK: usize = 1 << 13;

/// Slots of the first index.
const FIRST_INDEX: usize = 1 << 10;

/// The most slots of an index, of which half are in use: the numbers of more entries would not fit a slot.
const MOST_SLOTS: u64 = 1 << 32;

/// Positions between two looks at the caller's wish to stop.
const PATIENCE: u64 = 1 << 12;

/// One known position.
#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    component: Words<W>,
    token: u16,
    value: u16,
}

/// A place in the index: 0 if it is free, otherwise one more than an entry's number, and above it the upper half of the
/// position's hash.
#[derive(Clone, Copy, Debug, Default)]
struct Slot(u64);

impl Slot {
    fn new(hash: u64, entry: usize) -> Self {
        let number = u32::try_from(entry + 1).expect("the index grows no further");
        Self(hash & !u64::from(u32::MAX) | u64::from(number))
    }

    fn entry(self) -> Option<usize> {
        (self.0 as u32 as usize).checked_sub(1)
    }

    fn may_be(self, hash: u64) -> bool {
        (self.0 ^ hash) >> 32 == 0
    }
}

/// The values of positions whose components are sets of `W` words.
#[derive(Debug)]
pub(super) struct HashedMemo<'a, const W: usize> {
    limits: Limits<'a>,
    chunks: Vec<Vec<Entry<W>>>,
    /// Open addressing with linear probing.
    index: Vec<Slot>,
    entries: usize,
}

impl<'a, const W: usize> HashedMemo<'a, W> {
    /// A memo without positions that keeps to the limits.
    pub(super) fn new(limits: &Limits<'a>) -> Result<Self, Stop> {
        limits.allow(FIRST_INDEX * size_of::<Slot>())?;
        let index = vec![Slot::default(); FIRST_INDEX];
        Ok(Self { limits: *limits, chunks: Vec::new(), index, entries: 0 })
    }

    /// Positions known.
    pub(super) fn states(&self) -> u64 {
        self.entries as u64
    }

    /// The place of a position with this hash in the index, or the free one where it would go; with its entry if it has one.
    fn find(&self, hash: u64, token: usize, component: &Words<W>) -> (usize, Option<&Entry<W>>) {
        let mask = self.index.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.index[place];
            let Some(number) = slot.entry() else { return (place, None) };
            if slot.may_be(hash) {
                let entry = &self.chunks[number / CHUNK][number % CHUNK];
                if usize::from(entry.token) == token && entry.component == *component {
                    return (place, Some(entry));
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Bytes of all chunks, were there this many.
    fn chunk_bytes(chunks: usize) -> usize {
        chunks * CHUNK * size_of::<Entry<W>>()
    }

    /// Doubles the index.
    fn grow(&mut self) -> Result<(), Stop> {
        let slots = 2 * self.index.len();
        let indices = (self.index.len() + slots) * size_of::<Slot>();
        let bytes = Self::chunk_bytes(self.chunks.len()) + indices;
        self.limits.allow(if slots as u64 > MOST_SLOTS { usize::MAX } else { bytes })?;
        self.index = vec![Slot::default(); slots];
        for number in 0..self.entries {
            let Entry { component, token, .. } = &self.chunks[number / CHUNK][number % CHUNK];
            let hash = hash(usize::from(*token), component);
            let (place, _) = self.find(hash, usize::from(*token), component);
            self.index[place] = Slot::new(hash, number);
        }
        Ok(())
    }
}

impl<const W: usize> Memo<Words<W>> for HashedMemo<'_, W> {
    fn get(&self, token: usize, component: Words<W>) -> Option<u16> {
        self.find(hash(token, &component), token, &component).1.map(|entry| entry.value)
    }

    fn insert(&mut self, token: usize, component: Words<W>, value: u16) -> Result<(), Stop> {
        if self.states().is_multiple_of(PATIENCE) {
            self.limits.advance(PATIENCE)?;
        }
        if 2 * (self.entries + 1) > self.index.len() {
            self.grow()?;
        }
        if self.entries == self.chunks.len() * CHUNK {
            let bytes = Self::chunk_bytes(self.chunks.len() + 1);
            self.limits.allow(bytes + self.index.len() * size_of::<Slot>())?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let hash = hash(token, &component);
        let (place, _) = self.find(hash, token, &component);
        let token = u16::try_from(token).expect("a component has fewer than 2^16 vertices");
        self.chunks[self.entries / CHUNK].push(Entry { component, token, value });
        self.index[place] = Slot::new(hash, self.entries);
        self.entries += 1;
        Ok(())
    }
}

/// Mixes a position into 64 bits: a multiplication folded to its middle for every word.
fn hash<const W: usize>(token: usize, component: &Words<W>) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    component.0.iter().fold(token as u64 ^ ODD, |state, &word| {
        let product = u128::from(state ^ word) * u128::from(ODD);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(ODD).rotate_left(23)
    })
}
