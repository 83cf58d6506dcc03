//! Random numbers that are a function of a seed: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, *Fast
//! splittable pseudorandom number generators*, OOPSLA 2014).

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream for an input of a family of inputs.
    pub(crate) fn of(family: &str, input: u64) -> Self {
        let seed = family
            .bytes()
            .fold(input, |seed, byte| Self(seed ^ u64::from(byte)).next().rotate_left(8));
        Self(seed)
    }

    /// The stream for a number below a seed.
    pub(crate) fn below_seed(seed: u64, number: u64) -> Self {
        Self(mix(seed) ^ mix(!number))
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, which is not 0 and small beside 2^64.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True in `percent` of a hundred draws.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The output function of SplitMix64: a bijection in which every bit depends on every other.
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
