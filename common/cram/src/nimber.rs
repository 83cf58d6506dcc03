//! What a position is worth: a nimber, or at least who wins.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

/// The size of the Nim heap that a position is equal to.
///
/// The nimber of a Cram position is at most half its number of cells, so 8 bits hold every nimber of a
/// component and every sum of nimbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Nimber(u8);

impl Nimber {
    /// The nimber of a position in which the player to move loses.
    pub const ZERO: Self = Self(0);
    /// The nimber of a lone domino.
    pub const ONE: Self = Self(1);

    /// The nimber `*heap`.
    #[must_use]
    #[inline]
    pub const fn new(heap: u8) -> Self {
        Self(heap)
    }

    /// The size of the heap.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Who wins: P for `*0`, N for every other nimber.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        if self.0 == 0 { Outcome::P } else { Outcome::N }
    }
}

impl BitXor for Nimber {
    type Output = Self;

    /// The nimber of the sum of two positions.
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Nimber {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Who wins a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The previous player wins: whoever is to move loses.
    P,
    /// The next player wins.
    N,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::P => "P",
            Self::N => "N",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_is_a_loss_for_the_player_to_move() {
        assert_eq!(Nimber::ZERO.outcome(), Outcome::P);
        for heap in 1..=255 {
            assert_eq!(Nimber::new(heap).outcome(), Outcome::N);
        }
    }

    #[test]
    fn a_position_and_its_copy_sum_to_zero() {
        for heap in 0..=255 {
            assert_eq!(Nimber::new(heap) ^ Nimber::new(heap), Nimber::ZERO);
        }
    }
}
