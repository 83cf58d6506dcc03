//! The inner loop of the table for many graphs at a time, one graph a lane.
//!
//! It is written on plain arrays, so that the compiler makes of it what the machine has when
//! it is run through [`with_vectors`](crate::dispatch::with_vectors).
//!
//! No start in r vertices was ever seen to have a value above r / 2. The fast path for a set looks at
//! as many values as that calls for; whether they were enough is checked, and a set for which they
//! were not takes the general path.

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

    /// Whether no graph has anything here.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, set| all | set) == 0
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

/// The table of all lanes, for the sets that are not sets of the base's vertices only.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    /// For each such R, in order, [`stride`] entries; entry k is the set of the u in R with
    /// h(R, u) = k.
    pub(super) layers: Vec<Lanes>,
    /// For each such R how many leading entries may hold something. So many are valid, and no fewer
    /// than `looked_at(|R|) + 1`.
    pub(super) counts: Vec<u8>,
}

/// What the graphs of all lanes have in common: the subgraph on the leading vertices.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    /// Its table, indexed by set.
    pub(super) layers: &'a [Layers],
    /// For each set how many leading layers may hold something.
    pub(super) counts: &'a [u8],
}

/// Entries for each set: one more than there are values.
pub(super) const fn stride(order: usize) -> usize {
    order + 1
}

/// How many values of the options the fast path looks at when `left` vertices are left.
const fn looked_at(left: u32) -> usize {
    left.div_ceil(2) as usize
}

/// Enters h(R, u) for every R that is not a set of the base's vertices only and every u in R.
///
/// `rows` holds the neighbours of each vertex, a lane a graph.
#[inline(always)]
pub(super) fn fill(table: &mut Sets, rows: &[Lanes], base: Base<'_>) {
    let stride = stride(rows.len());
    let first = base.layers.len();
    // Whether all sets entered so far are as the fast path for larger ones needs them.
    let mut shallow = true;
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
        let (below, here) = table.layers.split_at_mut((set - first) * stride);
        let here = &mut here[..stride];
        let looked_at = looked_at(set.count_ones());
        let enough = work.depth_of_base() <= looked_at
            && (shallow || work.depth_of_table(&table.counts) <= looked_at);
        let count = match (enough, looked_at) {
            (true, 1) => work.enter::<1>(below, here),
            (true, 2) => work.enter::<2>(below, here),
            (true, 3) => work.enter::<3>(below, here),
            (true, 4) => work.enter::<4>(below, here),
            (true, 5) => work.enter::<5>(below, here),
            (true, 6) => work.enter::<6>(below, here),
            _ => work.enter_any(below, here, &table.counts),
        };
        table.counts[set - first] = count as u8;
        shallow &= count <= self::looked_at(set.count_ones() + 1);
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

    /// How many layers of the base may hold something in the set that is one vertex smaller.
    #[inline(always)]
    fn depth_of_base(&self) -> usize {
        self.last.map_or(0, |(_, before)| usize::from(self.base.counts[before]))
    }

    /// How many layers of the table may hold something in sets that are one vertex smaller.
    fn depth_of_table(&self, counts: &[u8]) -> usize {
        self.removals().map(|(_, before)| usize::from(counts[before])).max().unwrap_or(0)
    }

    /// The fast path, for when all options have values below `LOOKED_AT`: everything stays in
    /// registers. Returns how many layers may hold something.
    #[inline(always)]
    fn enter<const LOOKED_AT: usize>(&self, below: &[Lanes], here: &mut [Lanes]) -> usize {
        // The starts whose values are above 0, above 1, and so on.
        let mut above = [Lanes::EMPTY; LOOKED_AT];
        for (u, before) in self.removals() {
            let hinderers = &below[before * here.len()..][..LOOKED_AT];
            let mut undecided = Lanes::same(1 << u);
            for (above, hinderers) in above.iter_mut().zip(hinderers) {
                undecided = undecided.where_meeting(self.rows[u], *hinderers);
                *above = above.or(undecided);
            }
        }
        if let Some((u, before)) = self.last {
            let hinderers = &self.base.layers[before][..LOOKED_AT];
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
        here[LOOKED_AT] = left;
        LOOKED_AT + usize::from(!left.is_empty())
    }

    /// The general path.
    #[inline(never)]
    fn enter_any(&self, below: &[Lanes], here: &mut [Lanes], counts: &[u8]) -> usize {
        here.fill(Lanes::EMPTY);
        let mut enter = |u: usize, hinderers: &mut dyn Iterator<Item = Lanes>| {
            let mut undecided = Lanes::same(1 << u);
            let mut decided = 0;
            for (layer, hinderers) in here.iter_mut().zip(hinderers) {
                let hindered = undecided.where_meeting(self.rows[u], hinderers);
                *layer = layer.or(undecided.minus(hindered));
                undecided = hindered;
                decided += 1;
            }
            here[decided] = here[decided].or(undecided);
        };
        let stride = stride(self.rows.len());
        for (u, before) in self.removals() {
            let hinderers = &below[before * stride..][..usize::from(counts[before])];
            enter(u, &mut hinderers.iter().copied());
        }
        if let Some((u, before)) = self.last {
            let count = usize::from(self.base.counts[before]);
            enter(u, &mut self.base.layers[before][..count].iter().map(|&set| Lanes::same(set)));
        }
        here.iter().rposition(|layer| !layer.is_empty()).map_or(0, |last| last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::table::Table;

    /// The same graph in every lane but with another last row: all graphs on seven vertices whose
    /// first six form a ring with a chord.
    fn rows() -> Vec<Lanes> {
        let ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)];
        let mut rows = vec![Lanes::EMPTY; 7];
        for lane in 0..LANES {
            let last = (0..6).filter(|v| (lane * 11) >> v & 1 == 1).map(|v| (v, 6));
            for (v, w) in ring.into_iter().chain(last) {
                rows[v].0[lane] |= 1 << w;
                rows[w].0[lane] |= 1 << v;
            }
        }
        rows
    }

    #[test]
    fn the_general_path_finds_what_the_fast_one_finds() {
        let rows = rows();
        let stride = stride(rows.len());
        let nothing = Table::default();
        let sets = (1 << rows.len()) - 1;
        let mut table = Sets { layers: vec![Lanes::EMPTY; sets * stride], counts: vec![0; sets] };
        fill(&mut table, &rows, nothing.as_base());
        for set in 1..1 << rows.len() {
            let single = set & (set - 1) == 0;
            let work = Work {
                set,
                within: if single { 0 } else { set },
                last: single.then(|| (set.trailing_zeros() as usize, 0)),
                first: 1,
                rows: &rows,
                base: nothing.as_base(),
            };
            let (below, here) = table.layers.split_at((set - 1) * stride);
            let mut again = vec![Lanes::EMPTY; stride];
            let count = work.enter_any(below, &mut again, &table.counts);
            assert!(count <= usize::from(table.counts[set - 1]));
            for (fast, general) in here[..count].iter().zip(&again) {
                assert_eq!(fast.0, general.0, "{set:b}");
            }
        }
    }
}
