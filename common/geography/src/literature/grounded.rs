//! Lemma *Grounded*: where a hub is removed, its root R_i has the value 0.
//!
//! A case is a removed hub in a set of removed hubs.

use super::inquiry::Inquiry;
use super::removal::Removal;
use crate::Stop;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let removal = Removal::new(input);
    for &i in &removal.removed {
        let root = removal.hub(i).r;
        let value = inquiry.value_without(&removal.construction.graph, &removal.deleted, root)?;
        let holds = value.map(|value| value == 0);
        inquiry.tally.case(holds, || format!("R_{i} is {value:?} without {:?}", removal.removed));
    }
    Ok(())
}
