//! Positions of large graphs in a hash table that knows its size and keeps to it.
//!
//! Entries lie in chunks that never move; an index of 32-bit numbers, at most half full, points into
//! them. So growing copies the index only, and what a step needs is known before it is taken.

use super::vertex_set::Words;
use super::walk::Memo;
use crate::{Limits, Stop};

/// Entries in a chunk.
const CHUNK: usize = 1 << 13;

/// Slots of the first index.
const FIRST_INDEX: usize = 1 << 10;

/// Positions between two looks at the caller's wish to stop.
const PATIENCE: u64 = 1 << 12;

/// One known position.
#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    component: Words<W>,
    token: u16,
    value: u16,
}

/// The values of positions whose components are sets of `W` words.
#[derive(Debug)]
pub(super) struct HashedMemo<'a, const W: usize> {
    limits: Limits<'a>,
    chunks: Vec<Vec<Entry<W>>>,
    /// Open addressing with linear probing: 0 is free, any other number one more than an entry's.
    index: Vec<u32>,
    entries: usize,
}

impl<'a, const W: usize> HashedMemo<'a, W> {
    /// A memo without positions that keeps to the limits.
    pub(super) fn new(limits: &Limits<'a>) -> Result<Self, Stop> {
        limits.allow(FIRST_INDEX * size_of::<u32>())?;
        Ok(Self { limits: *limits, chunks: Vec::new(), index: vec![0; FIRST_INDEX], entries: 0 })
    }

    /// Positions known.
    pub(super) fn states(&self) -> u64 {
        self.entries as u64
    }

    /// The slot of a position, or the free slot where it would go.
    fn slot(&self, token: usize, component: &Words<W>) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash(token, component) as usize & mask;
        loop {
            let Some(entry) = self.entry(slot) else {
                return slot;
            };
            if usize::from(entry.token) == token && entry.component == *component {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The entry that a slot points to.
    fn entry(&self, slot: usize) -> Option<&Entry<W>> {
        let number = (self.index[slot] as usize).checked_sub(1)?;
        Some(&self.chunks[number / CHUNK][number % CHUNK])
    }

    /// Bytes of all chunks, were there this many.
    fn chunk_bytes(chunks: usize) -> usize {
        chunks * CHUNK * size_of::<Entry<W>>()
    }

    /// Doubles the index.
    fn grow(&mut self) -> Result<(), Stop> {
        let slots = 2 * self.index.len();
        let indices = (self.index.len() + slots) * size_of::<u32>();
        self.limits.allow(Self::chunk_bytes(self.chunks.len()) + indices)?;
        self.index = vec![0; slots];
        for number in 0..self.entries {
            let Entry { component, token, .. } = self.chunks[number / CHUNK][number % CHUNK];
            let slot = self.slot(usize::from(token), &component);
            self.index[slot] = number as u32 + 1;
        }
        Ok(())
    }
}

impl<const W: usize> Memo<Words<W>> for HashedMemo<'_, W> {
    fn get(&self, token: usize, component: Words<W>) -> Option<u16> {
        self.entry(self.slot(token, &component)).map(|entry| entry.value)
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
            self.limits.allow(bytes + self.index.len() * size_of::<u32>())?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let slot = self.slot(token, &component);
        let token = u16::try_from(token).expect("a component has fewer than 2^16 vertices");
        self.chunks[self.entries / CHUNK].push(Entry { component, token, value });
        self.entries += 1;
        self.index[slot] = u32::try_from(self.entries).expect("2^32 entries are beyond any limit");
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
