//! What is known of a shape's nimber: the set of nimbers that it may still have.

use crate::Nimber;
use crate::shape::Bits;

/// A set of nimbers, as a rule those that a shape may have as far as is known: its nimber is known once one
/// is left.
///
/// Every such set that the search makes holds the shape's nimber, so that sets of the same shape are joined
/// by what they have in common, in any order, and nothing that was excluded comes back.
///
/// The set has room for the nimbers to 63. Those beyond would need a component of 128 cells whose every
/// longest game covers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Possible(u64);

impl Possible {
    /// No nimber at all.
    pub(crate) const NONE: Self = Self(0);

    /// Every nimber that there is room for.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// What holds for every shape of `cells` cells: no nimber exceeds the length of the longest game.
    #[inline]
    pub(crate) fn of_size(cells: u32) -> Self {
        Self::up_to(cells / 2)
    }

    /// The set in fewer bits: the nimbers to 31, and whether there are others.
    #[inline]
    pub(crate) fn stored(self) -> (u32, bool) {
        (self.0 as u32, self.0 >> 32 != 0)
    }

    /// The least set of a shape, of as many cells as `cells` says, of which it is certain that it holds what was stored.
    #[inline]
    pub(crate) fn restored(low: u32, beyond: bool, cells: impl FnOnce() -> u32) -> Self {
        let high = if beyond { Self::of_size(cells()).0 >> 32 << 32 } else { 0 };
        Self(u64::from(low) | high)
    }

    /// All nimbers to `greatest`.
    #[inline]
    fn up_to(greatest: u32) -> Self {
        Self(u64::MAX >> 63_u32.saturating_sub(greatest))
    }

    /// Only this nimber.
    #[inline]
    pub(crate) fn only(nimber: Nimber) -> Self {
        Self::NONE.with(nimber)
    }

    /// The nimber, if it is known.
    #[inline]
    pub(crate) fn nimber(self) -> Option<Nimber> {
        self.0.is_power_of_two().then(|| Nimber::new(self.0.trailing_zeros() as u8))
    }

    /// Whether this nimber is in the set.
    #[inline]
    pub(crate) fn has(self, nimber: Nimber) -> bool {
        nimber.get() < 64 && self.0 >> nimber.get() & 1 == 1
    }

    /// The least nimber of the set, which must not be empty.
    #[inline]
    pub(crate) fn least(self) -> Nimber {
        Nimber::new(self.0.trailing_zeros() as u8)
    }

    /// The set in pieces of four nimbers, each a number of four bits.
    #[inline]
    pub(super) fn fours(self) -> impl Iterator<Item = usize> {
        (0..16).map(move |four| (self.0 >> (4 * four) & 15) as usize)
    }

    /// What two sets have in common.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set and one nimber.
    #[inline]
    pub(crate) fn with(self, nimber: Nimber) -> Self {
        Self(self.0 | 1_u64.checked_shl(u32::from(nimber.get())).unwrap_or(0))
    }

    /// The nimbers of both sets.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The nimbers of sums of a position of one of these nimbers and one of the nimber `heap`.
    #[inline]
    pub(super) fn plus(self, heap: Nimber) -> Self {
        // Of every pair of halves, quarters, ... whose places differ by a bit of the heap, both change places.
        const LOWER: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        debug_assert!(heap.get() < 64);
        u64::from(heap.get()).members().fold(self, |Self(set), bit| {
            let lower = LOWER[bit as usize];
            Self((set & lower) << (1 << bit) | set >> (1 << bit) & lower)
        })
    }

    /// The nimbers of sums of positions of a nimber of either set.
    pub(super) fn sums(self, other: Self) -> Self {
        other
            .0
            .members()
            .fold(Self::NONE, |sums, nimber| sums.or(self.plus(Nimber::new(nimber as u8))))
    }

    /// The set without one nimber.
    #[inline]
    pub(crate) fn without(self, nimber: Nimber) -> Self {
        Self(self.0 & !Self::only(nimber).0)
    }

    /// The nimbers to half of `cells` that are not in the set, as bits.
    pub(crate) fn excluded(self, cells: u32) -> u64 {
        Self::of_size(cells).0 & !self.0
    }

    /// What is possible for a shape of `cells` cells whose nimber is none of these bits.
    pub(crate) fn excluding(excluded: u64, cells: u32) -> Self {
        Self(Self::of_size(cells).0 & !excluded)
    }

    /// The set without those of another.
    #[inline]
    pub(super) fn without_all(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What of the set is left for a shape that has options of all the nimbers `values` and `unknown` options more,
    /// each of a nimber in `reach`: not a value of an option, and not more than the unknown options can fill up to.
    #[inline]
    pub(crate) fn after_options(self, values: Self, unknown: u32, reach: Self) -> Self {
        let mut gaps = !values.0;
        for _ in 0..unknown {
            gaps &= gaps.wrapping_sub(1);
        }
        // Of the gaps that are left and those that no option can fill, the first one bounds the nimber.
        gaps |= !(values.0 | reach.0);
        self.and(Self::up_to(gaps.trailing_zeros())).without_all(values)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least number that is none of these.
    fn mex(values: impl IntoIterator<Item = u8>) -> u8 {
        let mut has = [false; 256];
        for value in values {
            has[usize::from(value)] = true;
        }
        has.iter().position(|&has| !has).unwrap() as u8
    }

    proptest! {
        #[test]
        fn the_nimber_is_always_among_what_is_left(
            known in prop::collection::vec(0_u8..12, 0..12),
            unknown in prop::collection::vec(0_u8..12, 0..6),
            more in 0_u64..1 << 12,
        ) {
            let values = known
                .iter()
                .fold(Possible::NONE, |values, &value| values.with(Nimber::new(value)));
            let reach = Possible(unknown.iter().fold(more, |reach, value| reach | 1 << value));
            let left = Possible::of_size(128).after_options(values, unknown.len() as u32, reach);
            let nimber = mex(known.iter().chain(&unknown).copied());
            prop_assert!(left.has(Nimber::new(nimber)));
            if unknown.is_empty() {
                prop_assert_eq!(left.nimber(), Some(Nimber::new(nimber)));
            }
        }
    }

    proptest! {
        #[test]
        fn sums_have_the_nimbers_of_the_sums(one: u64, other: u64, heap in 0_u8..64) {
            let nimbers = |set: u64| (0..64).filter(move |&nimber| set >> nimber & 1 == 1);
            let plus = nimbers(one).fold(0_u64, |sums, nimber| sums | 1 << (nimber ^ heap));
            prop_assert_eq!(Possible(one).plus(Nimber::new(heap)), Possible(plus));

            let (one, other) = (one & 0xff00_0000_0000_00ff, other & 0xff);
            let pairs = nimbers(one).flat_map(|one| nimbers(other).map(move |other| one ^ other));
            let sums = pairs.fold(0_u64, |sums, nimber| sums | 1 << nimber);
            prop_assert_eq!(Possible(one).sums(Possible(other)), Possible(sums));
        }
    }

    #[test]
    fn a_nimber_is_possible_until_it_is_excluded() {
        let possible = Possible::of_size(9);
        assert!((0..=4).all(|nimber| possible.has(Nimber::new(nimber))));
        assert!((5..=255).all(|nimber| !possible.has(Nimber::new(nimber))));
        let possible = possible.without(Nimber::new(0)).without(Nimber::new(200));
        assert_eq!(possible.least(), Nimber::new(1));
        assert_eq!(possible.and(Possible::only(Nimber::new(3))).nimber(), Some(Nimber::new(3)));
    }
}
