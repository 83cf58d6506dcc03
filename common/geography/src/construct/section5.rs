//! Graphs of value *n with 5n² - 15n - 4 vertices: Section 5 of the paper.
//!
//! For each i from 4 to n there is a hub N_i; all hubs are joined to each other, and the start is N_n. A hub
//! has a root R_i, a vertex M_i, a vertex P_i and a tree t(3) as neighbours. M_4 and P_4 are the roots
//! of a t(1) and a t(2); the later M_i have a leaf and a t(2), the later P_i a leaf and a t(1). For every
//! k < i a chain of three vertices leads from R_k to M_i, with a leaf on the third, and one of four from R_k
//! to P_i, with leaves on the third and the fourth.
//!
//! That is the construction by the paper's figures. Its Algorithm 1 as printed leaves out some of the
//! edges, and what it makes has other values; the [`Variant`]s tell which edges matter.

use super::builder::Builder;
use crate::Graph;

/// The first hub.
const FIRST: usize = 4;

/// Which edges there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// All edges of the figures.
    Figures,
    /// Algorithm 1 as printed: the edges of all the following variants are missing.
    AsPrinted,
    /// The edge N_4 - R_4 is missing.
    WithoutFirstRoot,
    /// The tree t(3) on N_4 is missing.
    WithoutFirstTree,
    /// The edges N_i - M_i and N_i - P_i are missing for i from 5 on.
    WithoutLinks,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 5] = [
        Self::Figures,
        Self::AsPrinted,
        Self::WithoutFirstRoot,
        Self::WithoutFirstTree,
        Self::WithoutLinks,
    ];

    /// The name of the variant.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Figures => "figures",
            Self::AsPrinted => "as-printed",
            Self::WithoutFirstRoot => "without-first-root",
            Self::WithoutFirstTree => "without-first-tree",
            Self::WithoutLinks => "without-links",
        }
    }

    fn lacks(self, what: Self) -> bool {
        self == what || self == Self::AsPrinted
    }
}

/// The vertices of one hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hub {
    /// N_i.
    pub n: usize,
    /// R_i.
    pub r: usize,
    /// M_i.
    pub m: usize,
    /// P_i.
    pub p: usize,
}

/// The construction for some n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section5 {
    /// The graph.
    pub graph: Graph,
    /// N_n.
    pub start: usize,
    hubs: Vec<Hub>,
}

impl Section5 {
    /// Makes the construction.
    ///
    /// # Panics
    ///
    /// If `n` is less than 4: there are no such hubs.
    #[must_use]
    pub fn new(n: usize, variant: Variant) -> Self {
        assert!(n >= FIRST, "the first hub is that of 4");
        let mut builder = Builder::default();
        let mut hubs: Vec<Hub> = Vec::new();
        for i in FIRST..=n {
            let hub = add_hub(&mut builder, i, variant);
            for earlier in &hubs {
                builder.join(earlier.n, hub.n);
                let [_, _, third] = builder.path(earlier.r, hub.m);
                builder.leaf(third);
                let [_, _, third, fourth] = builder.path(earlier.r, hub.p);
                builder.leaf(third);
                builder.leaf(fourth);
            }
            hubs.push(hub);
        }
        let start = hubs[n - FIRST].n;
        Self { graph: builder.build(), start, hubs }
    }

    /// The hub of `i`.
    ///
    /// # Panics
    ///
    /// If there is none: `i` is below 4 or above n.
    #[must_use]
    pub fn hub(&self, i: usize) -> Hub {
        self.hubs[i - FIRST]
    }

    /// The numbers i of the hubs, 4 to n.
    pub fn hubs(&self) -> std::ops::Range<usize> {
        FIRST..FIRST + self.hubs.len()
    }
}

fn add_hub(builder: &mut Builder, i: usize, variant: Variant) -> Hub {
    let (n, r) = (builder.vertex(), builder.vertex());
    let first = i == FIRST;
    if !(first && variant.lacks(Variant::WithoutFirstRoot)) {
        builder.join(n, r);
    }
    let (m, p) = if first {
        (builder.nim_tree(1), builder.nim_tree(2))
    } else {
        (leaf_and_tree(builder, 2), leaf_and_tree(builder, 1))
    };
    if first || !variant.lacks(Variant::WithoutLinks) {
        builder.join(n, m);
        builder.join(n, p);
    }
    if !(first && variant.lacks(Variant::WithoutFirstTree)) {
        let tree = builder.nim_tree(3);
        builder.join(n, tree);
    }
    Hub { n, r, m, p }
}

/// A vertex with a leaf and a tree t(k) on it.
fn leaf_and_tree(builder: &mut Builder, k: usize) -> usize {
    let v = builder.vertex();
    builder.leaf(v);
    let tree = builder.nim_tree(k);
    builder.join(v, tree);
    v
}
