//! The machine words that hold a set of cells: 64 bits where they suffice, 128 elsewhere.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A machine word as a set of bit numbers.
pub(crate) trait Bits:
    Copy
    + Send
    + Sync
    + Ord
    + Hash
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The size of the word.
    const BITS: u32;
    /// The empty set.
    const EMPTY: Self;
    /// The set of bit 0.
    const ONE: Self;

    /// The same set in the widest word.
    fn wide(self) -> u128;
    /// The same set in a word of this size, if it fits.
    fn from_wide(wide: u128) -> Option<Self>;
    /// The least member; the size of the word if there is none.
    fn first(self) -> u32;
    /// The greatest member.
    ///
    /// The set must not be empty.
    fn last(self) -> u32;
    /// One more than the greatest member; 0 if there is none.
    fn length(self) -> u32;
    /// The set of the least member alone; empty if there is none.
    fn lowest(self) -> Self;
    /// The number of members.
    fn count(self) -> u32;
    /// Bit `i` becomes bit `BITS - 1 - i`.
    fn reversed(self) -> Self;
    /// A hash in which every bit depends on every member.
    fn hash64(self) -> u64;

    /// Whether the set has no members.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the set has at most three members: cheaper than counting them.
    #[inline]
    fn has_at_most_three(self) -> bool {
        let rest = self ^ self.lowest();
        let rest = rest ^ rest.lowest();
        (rest ^ rest.lowest()).is_empty()
    }

    /// Whether the two sets have a member in common.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The members in ascending order.
    #[inline]
    fn members(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| {
                let member = rest.first();
                rest ^= rest.lowest();
                member
            })
        })
    }
}

/// Spreads what a word holds over all its bits: the finaliser of SplitMix64.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

macro_rules! impl_bits {
    ($word:ty, $hash:expr) => {
        impl Bits for $word {
            const BITS: u32 = <$word>::BITS;
            const EMPTY: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn wide(self) -> u128 {
                self.into()
            }

            #[inline]
            fn from_wide(wide: u128) -> Option<Self> {
                wide.try_into().ok()
            }

            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn last(self) -> u32 {
                Self::BITS - 1 - self.leading_zeros()
            }

            #[inline]
            fn length(self) -> u32 {
                Self::BITS - self.leading_zeros()
            }

            #[inline]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }

            #[inline]
            fn hash64(self) -> u64 {
                $hash(self)
            }
        }
    };
}

impl_bits!(u64, mix);
impl_bits!(u128, |word: u128| mix(mix(word as u64) ^ (word >> 64) as u64));
