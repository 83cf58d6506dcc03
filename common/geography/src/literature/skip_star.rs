//! Lemma *Skip* *: where a hub is removed, M_i has the value * and P_i the value *2 if all lower hubs are
//! there, and both have *3 if not.
//!
//! A case is M_i or P_i of a removed hub in a set of removed hubs.

use super::inquiry::Inquiry;
use super::removal::Removal;
use crate::Stop;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let removal = Removal::new(input);
    for &i in &removal.removed {
        let hub = removal.hub(i);
        let expected = if removal.misses_one_below(i) { [3, 3] } else { [1, 2] };
        for ((name, v), expected) in [("M", hub.m), ("P", hub.p)].into_iter().zip(expected) {
            let value = inquiry.value_without(&removal.construction.graph, &removal.deleted, v)?;
            let holds = value.map(|value| value == expected);
            inquiry
                .tally
                .case(holds, || format!("{name}_{i} is {value:?} without {:?}", removal.removed));
        }
    }
    Ok(())
}
