//! Wrong Way: who runs through a gadget from its head y to d, y being deleted, leaves *2 or *3.
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
        let value = inquiry.value_without(&graph, &[gadget.y], gadget.d)?;
        let holds = value.map(|value| [2, 3].contains(&value));
        inquiry.tally.case(holds, || format!("{value:?} in {gadget:?} of {digraph:?}"));
    }
    Ok(())
}
