//! The entries of a certificate in their order, and what they make of a set of cells.
//!
//! Which sets are certified, and why, is said in the head of `certificate`.

use crate::Nimber;
use crate::certificate::grid::{Cells, Grid};

/// A shape, by its key, and the nimber that it is said to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) shape: Cells,
    pub(super) nimber: Nimber,
}

impl Entry {
    /// What entries are sorted by: fewer cells first, then by the nimber, then by the key.
    pub(super) fn rank(self) -> (u32, Nimber, Cells) {
        (self.shape.count_ones(), self.nimber, self.shape)
    }
}

/// Shapes with their nimbers, found by their number and by their key.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    shapes: Vec<Cells>,
    nimbers: Vec<Nimber>,
    /// Open addressing: the number of an entry and 1, or 0 for a free place. A power of two of places, more than half of them
    /// free.
    index: Vec<u32>,
}

impl Entries {
    /// The most entries that the index can number.
    pub(super) const MOST: u64 = u32::MAX as u64 - 1;

    /// The bytes of an entry, with room for as many again.
    pub(super) const BYTES: usize = 2 * (size_of::<Cells>() + size_of::<Nimber>() + 4 * 4);

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// An entry by its number, which must be less than that of all.
    pub(super) fn get(&self, number: usize) -> Entry {
        Entry { shape: self.shapes[number], nimber: self.nimbers[number] }
    }

    /// The entries in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> {
        self.shapes.iter().zip(&self.nimbers).map(|(&shape, &nimber)| Entry { shape, nimber })
    }

    /// Puts an entry at the end, whose shape must not be there yet.
    pub(super) fn push(&mut self, entry: Entry) {
        if self.index.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        self.shapes.push(entry.shape);
        self.nimbers.push(entry.nimber);
        let place = self.place(entry.shape);
        self.index[place] = self.len() as u32;
    }

    /// The nimber of a shape, if it has an entry.
    #[inline]
    pub(super) fn nimber(&self, shape: Cells) -> Option<Nimber> {
        if self.index.is_empty() {
            return None;
        }
        let number = self.index[self.place(shape)] as usize;
        (number > 0).then(|| self.nimbers[number - 1])
    }

    /// The nimber of a shape, if it has an entry or is known by rule.
    ///
    /// A shape of two or three cells leaves room for one domino only, wherever it is put: `*1`.
    #[inline]
    pub(super) fn by_rule_or_entry(&self, shape: Cells) -> Option<Nimber> {
        if shape.count_ones() <= 3 { Some(Nimber::ONE) } else { self.nimber(shape) }
    }

    /// The nimber of a set of cells, if that of all its components is certified.
    ///
    /// A component and its copy are worth nothing: whoever is second repeats every move in the other one.
    #[inline]
    pub(super) fn value(&self, grid: &Grid, cells: Cells) -> Option<Nimber> {
        let mut sum = Nimber::ZERO;
        let mut unknown = None;
        for shape in grid.components(cells) {
            match (self.by_rule_or_entry(shape), unknown) {
                (Some(nimber), _) => sum ^= nimber,
                (None, None) => unknown = Some(shape),
                (None, Some(other)) if other == shape => unknown = None,
                (None, Some(_)) => return None,
            }
        }
        unknown.is_none().then_some(sum)
    }

    /// The same entries, sorted.
    pub(super) fn in_order(&self) -> Self {
        let mut all: Vec<Entry> = self.iter().collect();
        all.sort_unstable_by_key(|entry| entry.rank());
        let mut entries = Self::default();
        for entry in all {
            entries.push(entry);
        }
        entries
    }

    /// Where a shape is in the index, or where it belongs.
    #[inline]
    fn place(&self, shape: Cells) -> usize {
        let mask = self.index.len() - 1;
        let mut place = hash(shape) as usize & mask;
        loop {
            match self.index[place] {
                0 => return place,
                number if self.shapes[number as usize - 1] == shape => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Doubles the index.
    #[cold]
    fn grow(&mut self) {
        self.index = vec![0; (2 * self.index.len()).max(16)];
        for number in 0..self.shapes.len() {
            let place = self.place(self.shapes[number]);
            self.index[place] = number as u32 + 1;
        }
    }
}

/// Spreads a set over 64 bits.
#[inline]
fn hash(cells: Cells) -> u64 {
    let folded = (cells as u64) ^ ((cells >> 64) as u64).rotate_left(29);
    let product = u128::from(folded ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
    (product as u64) ^ ((product >> 64) as u64)
}
