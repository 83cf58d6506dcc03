//! The table for one graph of more vertices than a [`SmallGraph`](crate::SmallGraph) has.
//!
//! The same idea as [`Table`](super::Table), kept plain: one graph at a time, sets of 32 bits, no reuse.

use crate::{Graph, Limits, Stop};

/// The most vertices of a [`WideTable`]: 2^24 sets of vertices take a gigabyte.
pub const MAX_WIDE_ORDER: usize = 24;

/// The starts of a graph by value: entry k is the set of those worth k, as bits.
pub type WideStarts = [u32; MAX_WIDE_ORDER / 2 + 1];

/// The table of one graph: for every set R of its vertices, the u in R by h(R, u).
#[derive(Clone, Debug)]
pub struct WideTable {
    rows: Vec<u32>,
    /// For each R, in order, [`stride`](Self::stride) entries; entry k is the set of the u in R worth k.
    layers: Vec<u32>,
}

impl WideTable {
    /// The bytes that the table takes for graphs of an order.
    #[must_use]
    pub fn bytes(order: usize) -> usize {
        (size_of::<u32>() * stride(order)) << order
    }

    /// Fills the table for a graph. Takes 2^order times half the order times the mean value steps.
    ///
    /// # Errors
    ///
    /// If the graph has more than [`MAX_WIDE_ORDER`] vertices, the table would outgrow the limit or the
    /// caller stops it.
    ///
    /// # Panics
    ///
    /// If a start is worth more than half the number of vertices left, which contradicts
    /// [the matching bound](crate::cover).
    pub fn new(graph: &Graph, limits: &Limits<'_>) -> Result<Self, Stop> {
        let order = graph.order();
        if order > MAX_WIDE_ORDER {
            return Err(Stop::TooLarge { order, limit: MAX_WIDE_ORDER });
        }
        limits.allow(Self::bytes(order))?;
        let row = |v| graph.neighbours(v).fold(0, |row, w| row | 1_u32 << w);
        let rows: Vec<u32> = (0..order).map(row).collect();
        let stride = stride(order);
        let mut layers = vec![0; stride << order];
        for set in 1..1_usize << order {
            if set.is_multiple_of(1 << 16) {
                limits.advance(1)?;
            }
            let (below, here) = layers.split_at_mut(set * stride);
            for u in bits(set as u32) {
                let options = &below[(set & !(1 << u)) * stride..][..stride];
                let hindered = options.iter().take_while(|&&worth| rows[u] & worth != 0).count();
                assert!(hindered < stride, "no start is worth more than half the vertices");
                here[hindered] |= 1 << u;
            }
        }
        Ok(Self { rows, layers })
    }

    /// The number of vertices.
    #[must_use]
    pub fn order(&self) -> usize {
        self.rows.len()
    }

    /// The neighbours of each vertex, as bits.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The vertices of a set by what they are worth when it is left.
    pub(super) fn layers(&self, set: usize) -> &[u32] {
        let stride = stride(self.order());
        &self.layers[set * stride..][..stride]
    }

    /// The starts by value when all vertices are left.
    #[must_use]
    pub fn starts(&self) -> WideStarts {
        let mut starts = WideStarts::default();
        let whole = self.layers((1 << self.order()) - 1);
        starts[..whole.len()].copy_from_slice(whole);
        starts
    }
}

/// One more than the greatest value that a start can have.
const fn stride(order: usize) -> usize {
    order / 2 + 1
}

/// The members of a set in ascending order.
pub(super) fn bits(set: u32) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let lowest = left.trailing_zeros() as usize;
            left &= left - 1;
            lowest
        })
    })
}
