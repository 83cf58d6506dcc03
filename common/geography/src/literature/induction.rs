//! The induction: the options of N_n have the values 0, *, *2, *3 and *4 to *(n-1), each once.
//!
//! A case is an n.

use super::inquiry::Inquiry;
use crate::Stop;
use crate::construct::{Section5, Variant};

const FIRST: u32 = 4;
const LAST: u32 = 8;

/// The number of constructions.
pub(super) const COUNT: u32 = LAST - FIRST + 1;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let n = FIRST + input;
    let Section5 { graph, start, .. } = Section5::new(n as usize, Variant::Figures);
    let mut options = Some(Vec::new());
    for option in graph.neighbours(start) {
        let value = inquiry.value_without(&graph, &[start], option)?;
        options = options.zip(value).map(|(options, value)| [options, vec![value]].concat());
    }
    let holds = options.as_ref().map(|options| {
        let mut options = options.clone();
        options.sort_unstable();
        options.into_iter().map(u32::from).eq(0..n)
    });
    inquiry.tally.case(holds, || format!("the options of N_{n} are {options:?}"));
    Ok(())
}
