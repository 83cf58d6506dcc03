//! Correct Way: the move from d to the head y has the value * iff the move from the tail x to a has.
//!
//! A case is a gadget.

use super::digraphs::digraph;
use super::inquiry::Inquiry;
use crate::Stop;
use crate::construct::{Gadgets, arc_gadgets};

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let digraph = digraph(input);
    let Gadgets { graph, gadgets } = arc_gadgets(&digraph);
    for gadget in gadgets {
        let entered = inquiry.value_without(&graph, &[gadget.x], gadget.a)?;
        let left = inquiry.value_without(&graph, &[gadget.x, gadget.d], gadget.y)?;
        let holds = entered.zip(left).map(|(entered, left)| (entered == 1) == (left == 1));
        inquiry
            .tally
            .case(holds, || format!("{entered:?} becomes {left:?} in {gadget:?} of {digraph:?}"));
    }
    Ok(())
}
