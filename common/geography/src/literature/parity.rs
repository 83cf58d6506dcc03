//! Lemma *Parity*: the hubs above the lowest removed one all have the value * if they are odd in number,
//! and *2 if they are even.
//!
//! A case is such a hub in a set of removed hubs.

use super::inquiry::Inquiry;
use super::removal::Removal;
use crate::Stop;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let removal = Removal::new(input);
    let above = || removal.present.iter().filter(|&&i| removal.misses_one_below(i));
    let expected = if above().count() % 2 == 1 { 1 } else { 2 };
    for &i in above() {
        let hub = removal.hub(i).n;
        let value = inquiry.value_without(&removal.construction.graph, &removal.deleted, hub)?;
        let holds = value.map(|value| value == expected);
        inquiry.tally.case(holds, || format!("N_{i} is {value:?} without {:?}", removal.removed));
    }
    Ok(())
}
