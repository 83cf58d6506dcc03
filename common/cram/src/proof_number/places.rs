//! Where keys belong among the buckets, whose number is doubled as they fill.
//!
//! The buckets are a rectangle: [`Places::buckets`] is its rows times its 8 to 15 columns, chosen so that the last doubling uses nearly
//! all of the room that there is. The hash of what is kept of a key says column and row; what is not kept is told by the row. So
//! a slot takes 64 bits for a key of more, as long as the others number the rows of the least rectangle.

use crate::shape::Bits;

/// The key of a shape: the bits that a slot keeps, and the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key<K> {
    pub(super) kept: K,
    /// Below the number of rows.
    pub(super) beyond: u64,
}

/// The rectangles of buckets that a table may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    columns: usize,
    least_rows: usize,
    most_rows: usize,
}

impl Places {
    /// The fewest columns; one that is twice as wide has one row where this one has two.
    const COLUMNS: usize = 8;
    /// The rows of the least rectangle, if no key needs more.
    const ROWS: usize = 1 << 5;
    /// The buckets of the least rectangle.
    pub(super) const LEAST: usize = Self::COLUMNS * Self::ROWS;

    /// Places that fill all but a ninth of so many buckets, for keys of which `beyond` bits are not kept; nothing if that takes more
    /// buckets than there are.
    pub(super) fn new(buckets: usize, beyond: u32) -> Option<Self> {
        let most_rows = 1_usize << (buckets / Self::COLUMNS).checked_ilog2()?;
        let least_rows = 1_usize.checked_shl(beyond)?.max(Self::ROWS);
        let columns = buckets / most_rows;
        (least_rows <= most_rows).then_some(Self { columns, least_rows, most_rows })
    }

    pub(super) fn least_rows(&self) -> usize {
        self.least_rows
    }

    pub(super) fn most_rows(&self) -> usize {
        self.most_rows
    }

    /// The buckets of so many rows, which are a power of two.
    #[inline]
    pub(super) fn buckets(&self, rows: usize) -> usize {
        self.columns * rows
    }

    /// The bucket of a key among those of so many rows: no other key of which the same bits are kept has it.
    #[inline]
    pub(super) fn of<K: Bits>(&self, key: Key<K>, rows: usize) -> usize {
        let hash = key.kept.hash64();
        let column = (usize::from((hash >> 32) as u16) * self.columns) >> u16::BITS;
        let row = (hash ^ key.beyond) as usize & (rows - 1);
        self.columns * row + column
    }

    /// Whether a key whose place among so many rows is `at` has place `at + self.buckets(rows)` among twice as many; otherwise its
    /// place stays. The bits that are not kept are of no consequence.
    #[inline]
    pub(super) fn moves<K: Bits>(kept: K, rows: usize) -> bool {
        kept.hash64() as usize & rows != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The key that has this place and keeps these bits, from the definition of a place.
    fn recovered(places: &Places, kept: u64, at: usize, beyond: u32) -> Key<u64> {
        let row = (at / places.columns) as u64;
        Key { kept, beyond: (row ^ kept.hash64()) & ((1 << beyond) - 1) }
    }

    proptest! {
        #[test]
        fn what_is_kept_and_the_place_are_the_whole_key(
            kept in any::<u64>(), bits in any::<u64>(), beyond in 0_u32..20, buckets in 256_usize..1 << 30,
        ) {
            let Some(places) = Places::new(buckets, beyond) else {
                prop_assert!(buckets < 16 << beyond);
                return Ok(());
            };
            let key = Key { kept, beyond: bits & ((1 << beyond) - 1) };
            let mut rows = places.least_rows();
            while rows < places.most_rows() {
                let at = places.of(key, rows);
                prop_assert!(at < places.buckets(rows));
                prop_assert_eq!(recovered(&places, kept, at, beyond), key);
                let moved = if Places::moves(kept, rows) { places.buckets(rows) } else { 0 };
                prop_assert_eq!(places.of(key, 2 * rows), at + moved);
                rows *= 2;
            }
        }

        #[test]
        fn no_more_than_a_ninth_of_the_buckets_is_left_over(buckets in 256_usize..1 << 40) {
            let places = Places::new(buckets, 0).unwrap();
            let used = places.buckets(places.most_rows());
            prop_assert!(used <= buckets && buckets - used <= buckets / 9);
        }
    }

    #[test]
    fn keys_spread_evenly_over_columns_and_rows() {
        let places = Places::new(13 * 64, 0).unwrap();
        let mut keys = [0_u32; 13 * 64];
        for kept in 0..keys.len() as u64 * 1000 {
            keys[places.of(Key { kept, beyond: 0 }, 64)] += 1;
        }
        assert!(keys.iter().all(|keys| (800..1200).contains(keys)), "{keys:?}");
    }
}
