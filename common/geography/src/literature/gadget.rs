//! The arc gadgets carry Directed Vertex Geography over: the token on v has the value * if the previous
//! player wins in the digraph, and neither 0 nor * if the next player does.
//!
//! A case is a vertex of a digraph.

use super::digraphs::digraph;
use super::inquiry::Inquiry;
use crate::Stop;
use crate::construct::arc_gadgets;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let digraph = digraph(input);
    let graph = arc_gadgets(&digraph).graph;
    for v in 0..digraph.order() {
        let value = inquiry.value(&graph, v)?;
        let wins = digraph.next_player_wins(v);
        let holds = value.map(|value| if wins { value > 1 } else { value == 1 });
        inquiry.tally.case(holds, || format!("{value:?} on {v} of {digraph:?}"));
    }
    Ok(())
}
