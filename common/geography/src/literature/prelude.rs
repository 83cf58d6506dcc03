//! The prelude: its start has the value * if the vertex it leads to had, and *2 otherwise; so it tells
//! who wins in the digraph by * against *2.
//!
//! A case is a vertex of a digraph.

use super::digraphs::digraph;
use super::inquiry::Inquiry;
use crate::Stop;
use crate::construct::Gadgets;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let digraph = digraph(input);
    for v in 0..digraph.order() {
        let (graph, start) = Gadgets::with_prelude(&digraph, v);
        let value = inquiry.value(&graph, start)?;
        let expected = if digraph.next_player_wins(v) { 2 } else { 1 };
        let holds = value.map(|value| value == expected);
        inquiry.tally.case(holds, || format!("{value:?} before {v} of {digraph:?}"));
    }
    Ok(())
}
