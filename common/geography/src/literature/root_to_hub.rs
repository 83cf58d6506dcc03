//! Lemma: the move from a root R_i to its hub N_i leads to 0.
//!
//! A case is a present hub in a set of removed hubs.

use super::inquiry::Inquiry;
use super::removal::Removal;
use crate::Stop;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let removal = Removal::new(input);
    for &i in &removal.present {
        let hub = removal.hub(i);
        let deleted = [&removal.deleted[..], &[hub.r]].concat();
        let value = inquiry.value_without(&removal.construction.graph, &deleted, hub.n)?;
        let holds = value.map(|value| value == 0);
        inquiry
            .tally
            .case(holds, || format!("R_{i} to N_{i} is {value:?} without {:?}", removal.removed));
    }
    Ok(())
}
