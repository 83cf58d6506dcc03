//! The digraphs on which the claims about gadgets are tested.

use crate::construct::Digraph;
use crate::random::Random;

/// All digraphs on one, two and three vertices: 2^0, 2^2 and 2^6.
const EXHAUSTIVE: [(usize, u32); 3] = [(1, 1), (2, 4), (3, 64)];

/// Random ones on [`RANDOM_ORDER`] vertices.
const RANDOM: u32 = 400;

const RANDOM_ORDER: usize = 4;

/// An arc of a random digraph is there in this many of a hundred cases.
const DENSITY: usize = 45;

/// The number of digraphs.
pub(super) const COUNT: u32 = EXHAUSTIVE[0].1 + EXHAUSTIVE[1].1 + EXHAUSTIVE[2].1 + RANDOM;

/// The digraph of a number: first all small ones, then the random ones.
pub(super) fn digraph(input: u32) -> Digraph {
    let mut chosen = input;
    for (order, count) in EXHAUSTIVE {
        if chosen < count {
            return with_arcs(order, |arc| chosen >> arc & 1 == 1);
        }
        chosen -= count;
    }
    let mut random = Random::of("digraph", chosen.into());
    with_arcs(RANDOM_ORDER, |_| random.chance(DENSITY))
}

fn with_arcs(order: usize, mut is_there: impl FnMut(usize) -> bool) -> Digraph {
    let pairs = (0..order).flat_map(|tail| (0..order).map(move |head| (tail, head)));
    let arcs = pairs.filter(|(tail, head)| tail != head).enumerate();
    let arcs = arcs.filter(|&(number, _)| is_there(number)).map(|(_, arc)| arc);
    Digraph::from_arcs(order, arcs).expect("tails and heads differ and are in the digraph")
}
