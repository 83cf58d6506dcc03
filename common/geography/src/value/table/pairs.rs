//! The table for many graphs that are one graph and a leaf pair more: a new leaf and a new last vertex s,
//! which is joined to the leaf and to some of the old vertices, others in every lane.
//!
//! Let B be the old graph. A position with s gone is one of B, whose table is there already: the leaf cannot be
//! reached any more. While s is there so is the leaf, unless the token began on it. So only the sets R + s + leaf
//! with R a set of vertices of B are entered, a quarter of all sets: for the token on s the options are the leaf,
//! which is then worth 0, and what s is joined to in B; for the token on u in R they are the neighbours of u in B and
//! perhaps s. The leaf itself has one option, s with B whole and no leaf: the leaf is worth 1 if s is joined to no start
//! of B worth 0, and 0 otherwise.

use super::wide::{MAX_WIDE_ORDER, WideStarts, WideTable, bits};
use crate::dispatch::{Vectorised, with_vectors};
use crate::{Limits, Stop};

/// Leaf pairs that are handled at a time.
pub const PAIRS: usize = 16;

/// A set of vertices for each lane.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Lanes([u32; PAIRS]);

impl Lanes {
    const EMPTY: Self = Self([0; PAIRS]);

    /// The same set in each lane.
    const fn same(set: u32) -> Self {
        Self([set; PAIRS])
    }
}

/// The tables of [`PAIRS`] graphs, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    layers: Vec<Lanes>,
}

/// The starts of B by value in the graph with a leaf pair, and those two: the leaf's bit is the one above those of B, the last
/// vertex's the one above that.
pub type PairStarts = WideStarts;

impl PairTable {
    /// The bytes that the tables take for leaf pairs on a graph of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        (size_of::<Lanes>() * stride(order)) << order
    }

    /// Finds the starts by value of the graphs made from `base` by a leaf pair, the last vertex being joined to
    /// one of the sets `joined`.
    ///
    /// Takes 2^order times half the order times the mean value steps for all [`PAIRS`] graphs together.
    ///
    /// # Errors
    ///
    /// If the tables would outgrow the limit, or the caller stops it.
    ///
    /// # Panics
    ///
    /// If the base has more than [`MAX_WIDE_ORDER`] - 2 vertices.
    pub fn solve(
        &mut self,
        base: &WideTable,
        joined: &[u32; PAIRS],
        limits: &Limits<'_>,
    ) -> Result<[PairStarts; PAIRS], Stop> {
        let order = base.order();
        assert!(order + 2 <= MAX_WIDE_ORDER, "there is room for two vertices more");
        limits.allow(Self::bytes(order))?;
        if self.layers.len() < stride(order) << order {
            self.layers.resize(stride(order) << order, Lanes::EMPTY);
        }
        let layers = &mut self.layers[..];
        match stride(order) {
            ..=4 => fill::<4>(layers, base, joined, limits),
            5 => fill::<5>(layers, base, joined, limits),
            6 => fill::<6>(layers, base, joined, limits),
            7 => fill::<7>(layers, base, joined, limits),
            8 => fill::<8>(layers, base, joined, limits),
            9 => fill::<9>(layers, base, joined, limits),
            10 => fill::<10>(layers, base, joined, limits),
            11 => fill::<11>(layers, base, joined, limits),
            12 => fill::<12>(layers, base, joined, limits),
            _ => fill::<13>(layers, base, joined, limits),
        }?;
        let lost = base.starts()[0];
        Ok(std::array::from_fn(|lane| {
            self.read(order, lane, usize::from(joined[lane] & lost == 0))
        }))
    }

    /// The starts of the graph in a lane when all vertices are left, the leaf being worth `leaf_worth`.
    fn read(&self, order: usize, lane: usize, leaf_worth: usize) -> PairStarts {
        let stride = stride(order);
        let whole = &self.layers[((1 << order) - 1) * stride..][..stride];
        let (leaf, last) = (1 << order, 1 << (order + 1));
        let mut starts = PairStarts::default();
        for (starts, layer) in starts.iter_mut().zip(whole) {
            let set = layer.0[lane];
            *starts = set & (leaf - 1) | if set & S == 0 { 0 } else { last };
        }
        starts[leaf_worth] |= leaf;
        starts
    }
}

/// The bit of s in the table, out of the way of the base's vertices.
const S: u32 = 1 << 31;

/// Entries for each set: one more than there are values.
const fn stride(order: usize) -> usize {
    let stride = order / 2 + 2;
    if stride < 4 { 4 } else { stride }
}

/// Sets between two looks at whether to go on.
const BLOCK: usize = 1 << 12;

/// Enters all sets. `STRIDE` is [`stride`] of the base's order.
fn fill<const STRIDE: usize>(
    layers: &mut [Lanes],
    base: &WideTable,
    joined: &[u32; PAIRS],
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let row = |u: usize| {
        let to_s = |set: u32| if set >> u & 1 == 1 { S } else { 0 };
        Lanes(joined.map(|set| base.rows()[u] | to_s(set)))
    };
    let rows: Vec<Lanes> = (0..base.order()).map(row).collect();
    let sets = 1_usize << base.order();
    for from in (0..sets).step_by(BLOCK) {
        let sets = from..sets.min(from + BLOCK);
        with_vectors(Fill::<STRIDE> { layers: &mut *layers, base, rows: &rows, joined, sets });
        limits.advance(1)?;
    }
    Ok(())
}

/// The filling of some sets, as work to be vectorised.
struct Fill<'a, const STRIDE: usize> {
    layers: &'a mut [Lanes],
    base: &'a WideTable,
    rows: &'a [Lanes],
    joined: &'a [u32; PAIRS],
    sets: std::ops::Range<usize>,
}

impl<const STRIDE: usize> Vectorised for Fill<'_, STRIDE> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { layers, base, rows, joined, sets } = self;
        for set in sets {
            let (below, here) = layers.split_at_mut(set * STRIDE);
            let of_base = base.layers(set);
            Set { set, rows, joined, of_base }.enter::<STRIDE>(below, &mut here[..STRIDE]);
        }
    }
}

/// One set R to be entered.
struct Set<'a> {
    set: usize,
    rows: &'a [Lanes],
    joined: &'a [u32; PAIRS],
    /// Its vertices by what they are worth in the base.
    of_base: &'a [u32],
}

impl Set<'_> {
    /// Enters the positions in which R, s and the leaf are left.
    ///
    /// With r vertices left no start is worth more than r / 2: so many values of options are looked for.
    #[inline(always)]
    fn enter<const STRIDE: usize>(&self, below: &[Lanes], here: &mut [Lanes]) {
        let looked_at = (self.set.count_ones() as usize + 2) / 2;
        // The starts whose values are above 0, above 1, and so on.
        let mut above = [Lanes::EMPTY; STRIDE];
        for u in bits(self.set as u32) {
            let options = &below[(self.set & !(1 << u)) * STRIDE..][..STRIDE];
            let mut undecided = Lanes::same(1 << u);
            for (above, options) in above.iter_mut().zip(options).take(looked_at) {
                for lane in 0..PAIRS {
                    let met = self.rows[u].0[lane] & options.0[lane] != 0;
                    undecided.0[lane] = if met { undecided.0[lane] } else { 0 };
                    above.0[lane] |= undecided.0[lane];
                }
            }
        }
        // The leaf is worth 0 once s is gone.
        above[0] = Lanes(above[0].0.map(|above| above | S));
        let mut undecided = Lanes::same(S);
        for (above, &worth) in above.iter_mut().zip(self.of_base).take(looked_at).skip(1) {
            for lane in 0..PAIRS {
                let met = self.joined[lane] & worth != 0;
                undecided.0[lane] = if met { undecided.0[lane] } else { 0 };
                above.0[lane] |= undecided.0[lane];
            }
        }
        let mut left = Lanes::same(self.set as u32 | S);
        for (layer, above) in here.iter_mut().zip(&above).take(looked_at) {
            for lane in 0..PAIRS {
                layer.0[lane] = left.0[lane] & !above.0[lane];
            }
            left = *above;
        }
        here[looked_at] = left;
    }
}
