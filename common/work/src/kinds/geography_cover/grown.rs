//! The method that answers with a graph that grew by leaf pairs.

use sprague_geography::search::{Aim, Hit, Unverified, Walk, suggested_evaluations, walk};
use sprague_geography::{Graph, Limits};

use super::answer::CoverAnswer;

/// The greatest value that is searched for.
pub(super) const GREATEST: usize = 12;

/// A graph with a start of a value, which the matching bound does not rule out.
///
/// It is looked for on as few vertices as the bound allows. Others that are alone are worth *0 and change nothing.
pub(super) fn answer(
    value: usize,
    order: usize,
    limits: &Limits<'_>,
) -> Result<CoverAnswer, Unverified> {
    if value == 0 {
        let argument = "a vertex that is alone is worth *0".to_owned();
        return Ok(CoverAnswer::by_graph(&Graph::edgeless(order), 0, argument, 1));
    }
    let (hit, examined) = grow(value, limits)?;
    hit.verify(limits)?;
    let core = hit.graph.order();
    let graph = Graph::from_edges(order, hit.graph.edges()).expect("there is room");
    let alone = match order - core {
        0 => String::new(),
        more => format!(", with {more} more that are alone"),
    };
    let argument = format!(
        "start {} of this graph is worth *{value}, by the table and by the recursion: it grew to {core} vertices by leaf pairs{alone}",
        hit.start
    );
    Ok(CoverAnswer::by_graph(&graph, hit.start, argument, examined))
}

/// Walks, one after the other, until one has a hit.
fn grow(value: usize, limits: &Limits<'_>) -> Result<(Hit, u64), Unverified> {
    let aim = Aim::new(value, 2 * value).expect("the bound allows it and it is not too large");
    let evaluations = suggested_evaluations(aim.order());
    let mut examined = 0;
    for number in 0.. {
        let end = walk(&aim, Walk { seed: 1, number, evaluations }, limits)?;
        examined += end.evaluations;
        if let Some(hit) = end.hit {
            return Ok((hit, examined));
        }
    }
    unreachable!("walks have no end")
}
