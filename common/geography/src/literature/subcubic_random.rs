//! The degree-3 algorithm is exact on larger graphs, of 12 to 28 vertices.
//!
//! A case is a random graph with a random start.

use super::inquiry::Inquiry;
use crate::random::Random;
use crate::{Graph, Stop};

/// The number of random graphs.
pub(super) const COUNT: u32 = 200;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let mut random = Random::of("subcubic", input.into());
    let order = 12 + random.below(17);
    let pairs = order + random.below(3 * order);
    let mut graph = Graph::edgeless(order);
    for _ in 0..pairs {
        let (v, w) = (random.below(order), random.below(order));
        if v != w && graph.degree(v) < 3 && graph.degree(w) < 3 {
            graph.join(v, w).expect("two different vertices of the graph");
        }
    }
    let start = random.below(order);
    let expected = inquiry.value(&graph, start)?;
    inquiry.subcubic(&graph, start, expected);
    Ok(())
}
