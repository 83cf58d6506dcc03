//! The starts of one graph, sorted by value.

use crate::small_graph::{MAX_SMALL_ORDER, members};

/// For each value the set of the starts that have it. All starts of a graph are in one of the sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByValue {
    sets: [u16; MAX_SMALL_ORDER],
    /// One more than the greatest value that occurs.
    count: usize,
}

impl ByValue {
    /// Sorts the starts by their values, which are indexed by vertex.
    ///
    /// # Panics
    ///
    /// If a value is 16 or more or there are more than 16: no graph of 16 vertices has either.
    #[must_use]
    pub fn of(values: &[u8]) -> Self {
        let mut sorted = Self::default();
        for (v, &value) in values.iter().enumerate() {
            sorted.push(usize::from(value), 1 << v);
        }
        sorted
    }

    /// Adds starts with a value.
    pub(super) fn push(&mut self, value: usize, starts: u16) {
        if starts != 0 {
            self.sets[value] |= starts;
            self.count = self.count.max(value + 1);
        }
    }

    /// The sets of starts for the values 0, 1, ... up to the greatest that occurs.
    #[must_use]
    #[inline]
    pub fn sets(&self) -> &[u16] {
        &self.sets[..self.count]
    }

    /// The set of the starts whose value is not 0.
    #[must_use]
    #[inline]
    pub fn nonzero(&self) -> u16 {
        self.sets[1..].iter().fold(0, |all, set| all | set)
    }

    /// The values indexed by vertex; what is not a vertex has 0.
    #[must_use]
    #[inline]
    pub fn values(&self) -> [u8; MAX_SMALL_ORDER] {
        let mut values = [0; MAX_SMALL_ORDER];
        for (value, &set) in (0..).zip(self.sets()).skip(1) {
            for v in members(set) {
                values[v] = value;
            }
        }
        values
    }
}
