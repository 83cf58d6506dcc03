//! What the construction of Section 5 is worth: by the figures, as printed, and without each of the
//! things that the printed algorithm leaves out.
//!
//! A case is an n.

use std::ops::RangeInclusive;

use super::inquiry::Inquiry;
use crate::Stop;
use crate::construct::{Section5, Variant};

/// The number of constructions of a variant.
pub(super) fn count(variant: Variant) -> u32 {
    let n = range(variant);
    u32::from(n.end() - n.start()) + 1
}

/// The last of them takes gigabytes, if that is so.
pub(super) fn large(variant: Variant) -> u32 {
    u32::from(variant == Variant::Figures)
}

/// The n for which a variant is tested.
fn range(variant: Variant) -> RangeInclusive<u8> {
    match variant {
        Variant::Figures => 4..=10,
        Variant::AsPrinted => 4..=9,
        // The largest of these would take as long as all other claims together.
        Variant::WithoutFirstRoot | Variant::WithoutFirstTree => 4..=8,
        // The first hub has its links all the same.
        Variant::WithoutLinks => 5..=9,
    }
}

pub(super) fn test(inquiry: &mut Inquiry<'_>, variant: Variant, input: u32) -> Result<(), Stop> {
    let n = range(variant).start() + input as u8;
    let Section5 { graph, start, .. } = Section5::new(n.into(), variant);
    let before = inquiry.tally.expansions;
    let value = inquiry.value(&graph, start)?;
    if let Some(value) = value {
        inquiry.tally.worth.insert(n, value);
        inquiry.tally.states.insert(n, inquiry.tally.expansions - before);
    }
    let holds = value.map(|value| match variant {
        Variant::Figures | Variant::AsPrinted => value == u16::from(n),
        Variant::WithoutFirstTree => value == u16::from(n - 1),
        Variant::WithoutFirstRoot | Variant::WithoutLinks => value != u16::from(n),
    });
    inquiry.tally.case(holds, || format!("{value:?} for n = {n}"));
    Ok(())
}
