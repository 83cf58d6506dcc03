//! Section 5 with some of its hubs removed: what the lemmas of the section speak of.

use crate::construct::{Hub, Section5, Variant};

/// The construction that the lemmas are tested on.
const N: usize = 8;

/// The number of sets of hubs that can be removed.
pub(super) const COUNT: u32 = 1 << (N - 3);

/// The construction without the vertices N_i of some hubs.
#[derive(Debug)]
pub(super) struct Removal {
    pub(super) construction: Section5,
    /// The numbers of the hubs that are there.
    pub(super) present: Vec<usize>,
    /// The numbers of the hubs that are not.
    pub(super) removed: Vec<usize>,
    /// The vertices that are deleted.
    pub(super) deleted: Vec<usize>,
}

impl Removal {
    /// The removal of the hubs whose bits are set, that of hub 4 first.
    pub(super) fn new(set: u32) -> Self {
        let construction = Section5::new(N, Variant::Figures);
        let first = construction.hubs().start;
        let (removed, present): (Vec<usize>, Vec<usize>) =
            construction.hubs().partition(|i| set >> (i - first) & 1 == 1);
        let deleted = removed.iter().map(|&i| construction.hub(i).n).collect();
        Self { construction, present, removed, deleted }
    }

    /// The vertices of a hub.
    pub(super) fn hub(&self, i: usize) -> Hub {
        self.construction.hub(i)
    }

    /// Whether a hub below `i` is removed.
    pub(super) fn misses_one_below(&self, i: usize) -> bool {
        self.removed.iter().any(|&removed| removed < i)
    }
}
