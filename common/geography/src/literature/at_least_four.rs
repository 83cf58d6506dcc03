//! Lemma *At least* *4: a hub N_i below which all hubs are there has the value *i.
//!
//! A case is such a hub in a set of removed hubs.

use super::inquiry::Inquiry;
use super::removal::Removal;
use crate::Stop;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let removal = Removal::new(input);
    for &i in removal.present.iter().filter(|&&i| !removal.misses_one_below(i)) {
        let hub = removal.hub(i).n;
        let value = inquiry.value_without(&removal.construction.graph, &removal.deleted, hub)?;
        let holds = value.map(|value| usize::from(value) == i);
        inquiry.tally.case(holds, || format!("N_{i} is {value:?} without {:?}", removal.removed));
    }
    Ok(())
}
