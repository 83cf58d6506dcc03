//! The inner loop of the table for many graphs at a time, one graph a lane.
//!
//! It is written on plain arrays, so that the compiler makes of it what the machine has when
//! it is run through [`with_vectors`](crate::dispatch::with_vectors).
//!
//! With r vertices left no start is worth more than r / 2 (the matching bound, see [`cover`](crate::cover)). So a start that
//! has options of all the values below r / 2 is worth just that, and no option of a greater value need be looked for.

use super::single::Layers;

/// Graphs that are handled at a time.
pub const LANES: usize = 32;

/// One set of vertices for each graph.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

impl Lanes {
    pub(super) const EMPTY: Self = Self([0; LANES]);

    /// The same set for each graph.
    pub(super) const fn same(set: u16) -> Self {
        Self([set; LANES])
    }

    /// What is in either.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let mut both = Self::EMPTY;
        for lane in 0..LANES {
            both.0[lane] = self.0[lane] | other.0[lane];
        }
        both
    }

    /// What is in this one and not in the other.
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let mut left = Self::EMPTY;
        for lane in 0..LANES {
            left.0[lane] = self.0[lane] & !other.0[lane];
        }
        left
    }

    /// This set where `one` and `other` have something in common, the empty set elsewhere.
    #[inline(always)]
    fn where_meeting(self, one: Self, other: Self) -> Self {
        let mut kept = Self::EMPTY;
        for lane in 0..LANES {
            kept.0[lane] = if one.0[lane] & other.0[lane] == 0 { 0 } else { self.0[lane] };
        }
        kept
    }
}

/// What the graphs of all lanes have in common: the subgraph on the leading vertices.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    /// Its table, indexed by set.
    pub(super) layers: &'a [Layers],
}

/// Entries for each set: one more than the greatest value that a start can have.
pub(super) const fn stride(order: usize) -> usize {
    order / 2 + 1
}

/// Enters h(R, u) for every R that is not a set of the base's vertices only and every u in R.
///
/// `layers` holds for each such R, in order, [`stride`] entries; entry k is the set of the u in R with h(R, u) = k.
/// `rows` holds the neighbours of each vertex, a lane a graph.
#[inline(always)]
pub(super) fn fill(layers: &mut [Lanes], rows: &[Lanes], base: Base<'_>) {
    let stride = stride(rows.len());
    let first = base.layers.len();
    for set in first..1 << rows.len() {
        // A set with one vertex outside the base is one of the base's without that vertex.
        let outside = set & !(first - 1);
        let single = outside & (outside - 1) == 0;
        let work = Work {
            set,
            within: if single { set ^ outside } else { set },
            first,
            rows,
            last: single.then(|| (outside.trailing_zeros() as usize, set ^ outside)),
            base,
        };
        let (below, here) = layers.split_at_mut((set - first) * stride);
        let here = &mut here[..stride];
        match set.count_ones() / 2 {
            0 => work.enter::<0>(below, here),
            1 => work.enter::<1>(below, here),
            2 => work.enter::<2>(below, here),
            3 => work.enter::<3>(below, here),
            4 => work.enter::<4>(below, here),
            5 => work.enter::<5>(below, here),
            6 => work.enter::<6>(below, here),
            7 => work.enter::<7>(below, here),
            _ => work.enter::<8>(below, here),
        }
    }
}

/// One set to be entered.
struct Work<'a> {
    set: usize,
    /// The u in the set for which the set without u is in the table.
    within: usize,
    /// The u for which it is in the base, if there is one, and the set without it.
    last: Option<(usize, usize)>,
    /// The first set of the table.
    first: usize,
    rows: &'a [Lanes],
    base: Base<'a>,
}

impl Work<'_> {
    /// Each u for which the set without u is in the table, with its place there.
    #[inline(always)]
    fn removals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut left = self.within;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let u = left.trailing_zeros() as usize;
            left &= left - 1;
            Some((u, (self.set & !(1 << u)) - self.first))
        })
    }

    /// Enters the set, in which no start is worth more than `GREATEST`. Everything stays in registers.
    #[inline(always)]
    fn enter<const GREATEST: usize>(&self, below: &[Lanes], here: &mut [Lanes]) {
        // The starts whose values are above 0, above 1, and so on.
        let mut above = [Lanes::EMPTY; GREATEST];
        for (u, before) in self.removals() {
            let hinderers = &below[before * here.len()..][..GREATEST];
            let mut undecided = Lanes::same(1 << u);
            for (above, hinderers) in above.iter_mut().zip(hinderers) {
                undecided = undecided.where_meeting(self.rows[u], *hinderers);
                *above = above.or(undecided);
            }
        }
        if let Some((u, before)) = self.last {
            let hinderers = &self.base.layers[before][..GREATEST];
            let mut undecided = Lanes::same(1 << u);
            for (above, &hinderers) in above.iter_mut().zip(hinderers) {
                undecided = undecided.where_meeting(self.rows[u], Lanes::same(hinderers));
                *above = above.or(undecided);
            }
        }
        let mut left = Lanes::same(self.set as u16);
        for (layer, above) in here.iter_mut().zip(above) {
            *layer = left.minus(above);
            left = above;
        }
        here[GREATEST] = left;
    }
}
