//! Sets of vertices as bits in one or more words.

/// A set of numbers below some capacity.
///
/// The recursion holds vertices in it and also values: a value is at most the number of options
/// and so less than the number of vertices.
pub(super) trait VertexSet: Copy + Eq {
    /// The set without members.
    const EMPTY: Self;

    /// Puts a number in.
    fn insert(&mut self, number: usize);

    /// The least member.
    fn first(self) -> Option<usize>;

    /// The least number that is not a member. There is one in every set that is asked for it.
    fn first_absent(self) -> usize;

    /// The members of both.
    fn and(self, other: Self) -> Self;

    /// The members of this set that are not members of the other.
    fn minus(self, other: Self) -> Self;

    /// The members of either.
    fn or(self, other: Self) -> Self;

    /// The set of one number.
    fn single(number: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(number);
        set
    }

    /// The members in ascending order.
    fn members(self) -> impl Iterator<Item = usize>;
}

impl VertexSet for u16 {
    const EMPTY: Self = 0;

    fn insert(&mut self, number: usize) {
        *self |= 1 << number;
    }

    fn first(self) -> Option<usize> {
        (self != 0).then(|| self.trailing_zeros() as usize)
    }

    fn first_absent(self) -> usize {
        self.trailing_ones() as usize
    }

    fn and(self, other: Self) -> Self {
        self & other
    }

    fn minus(self, other: Self) -> Self {
        self & !other
    }

    fn or(self, other: Self) -> Self {
        self | other
    }

    fn members(self) -> impl Iterator<Item = usize> {
        word_members(self.into())
    }
}

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Words<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> VertexSet for Words<W> {
    const EMPTY: Self = Self([0; W]);

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn first(self) -> Option<usize> {
        let index = self.0.iter().position(|&word| word != 0)?;
        Some(64 * index + self.0[index].trailing_zeros() as usize)
    }

    fn first_absent(self) -> usize {
        let index = self.0.iter().position(|&word| word != u64::MAX);
        let index = index.expect("some number below the capacity is absent");
        64 * index + self.0[index].trailing_ones() as usize
    }

    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }

    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & !other.0[index]))
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }

    fn members(self) -> impl Iterator<Item = usize> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(index, word)| word_members(word).map(move |bit| 64 * index + bit))
    }
}

/// The places of the ones in a word, in ascending order.
fn word_members(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let lowest = word.trailing_zeros() as usize;
            word &= word - 1;
            lowest
        })
    })
}
