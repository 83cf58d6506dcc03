//! The matching criterion: the next player wins iff every maximum matching covers the start (Fraenkel,
//! Scheinerman, Ullman 1993).
//!
//! A case is a start of a connected graph to nine vertices; an input is a slice of a sweep.

use super::inquiry::{By, Inquiry};
use crate::Stop;
use crate::sweep::{self, Evaluator, Slice, suggested_slices};

const LARGEST: u8 = 9;

/// The slices of all sweeps, from the smallest order on.
fn slices() -> impl Iterator<Item = Slice> {
    (1..=LARGEST).flat_map(|vertices| {
        let of = suggested_slices(vertices);
        (0..of).map(move |index| Slice { vertices, index, of })
    })
}

/// The number of slices.
pub(super) fn count() -> u32 {
    (1..=LARGEST).map(suggested_slices).sum()
}

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let slice = slices().nth(input as usize).expect("inputs are below their count");
    let evaluator = match inquiry.by {
        By::Recursion => Evaluator::Recursion,
        By::Table => Evaluator::Table,
    };
    let report = sweep::run(slice, evaluator, &inquiry.limits)?;
    let tally = &mut inquiry.tally;
    tally.cases += report.positions;
    tally.failed += report.exceptions;
    report.matching_exceptions.into_iter().for_each(|exception| tally.note(exception));
    tally.expansions += report.expansions;
    tally.fingerprint = tally.fingerprint.wrapping_add(report.fingerprint);
    Ok(())
}
