//! The parts that a sweep is cut into.

use super::fingerprint::mix;
use crate::Stop;

/// The most vertices of the graphs of a sweep: there are 1.6 * 10^11 connected graphs on 12, and
/// ten minutes of all computers there are would not suffice for 16.
pub const MAX_VERTICES: u8 = 12;

/// One slice in so many is [sampled](Slice::is_sampled).
pub const SAMPLE_RATE: u64 = 100;

/// One part of all connected graphs on some vertices.
///
/// For any `of`, the slices `0..of` together hold every graph once. Which graphs a slice holds
/// depends on these three numbers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    /// Vertices of the graphs.
    pub vertices: u8,
    /// Which slice, from 0.
    pub index: u32,
    /// The number of slices.
    pub of: u32,
}

impl Slice {
    /// The whole of it in one slice.
    #[must_use]
    pub fn whole(vertices: u8) -> Self {
        Self { vertices, index: 0, of: 1 }
    }

    /// Whether the slice is in the sample that a second evaluator goes through where it cannot go
    /// through all: one slice in [`SAMPLE_RATE`], chosen by a hash of the three numbers.
    #[must_use]
    pub fn is_sampled(self) -> bool {
        let Self { vertices, index, of } = self;
        let numbers = u64::from(vertices) << 56 ^ u64::from(of) << 28 ^ u64::from(index);
        mix(numbers).is_multiple_of(SAMPLE_RATE)
    }

    /// Asks whether there is such a slice.
    ///
    /// # Errors
    ///
    /// [`Stop::NoSuchSlice`] unless `1 <= vertices <= MAX_VERTICES` and `index < of`.
    pub(super) fn check(self) -> Result<(), Stop> {
        let Self { vertices, index, of } = self;
        if (1..=MAX_VERTICES).contains(&vertices) && index < of {
            Ok(())
        } else {
            Err(Stop::NoSuchSlice { vertices, index, of })
        }
    }
}

/// Into how many slices to cut a sweep so that a slice is about a second of work or less.
#[must_use]
pub fn suggested_slices(vertices: u8) -> u32 {
    match vertices {
        0..=7 => 1,
        8 => 2,
        9 => 16,
        10 => 128,
        _ => 4096,
    }
}
