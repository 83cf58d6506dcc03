//! Where a unit is tried again that ended badly: at another worker, where there is one.
//!
//! A unit that crashes, stands still or runs out of memory may be at fault, or the machine that it was run on. So
//! it goes to a worker at which it has not ended badly for as long as one is present that could run it: a broken
//! machine alone never has a unit parked, and what it says of a unit's need of memory is not believed alone where
//! that would leave no slot to run the unit.

use super::fleet::{Fleet, Introduction, Worker};
use super::job::{Job, Unit};
use super::quorum::may_witness;

/// How many workers have to run out of memory on a unit, where there are as many, before it is taken to need
/// more than any slot has.
const AGREED: usize = 2;

/// Whether the worker may have the unit, as far as that depends on how it ended there before.
pub(super) fn may_try(fleet: &Fleet, job: &Job, unit: &Unit, worker: &Worker) -> bool {
    !unit.failed_at.contains(&worker.introduction.name) || !another_could(fleet, job, unit)
}

/// Whether a unit that has just run out of memory, and would fit no slot if that were believed, is to be tried by
/// another worker first.
pub(super) fn asks_another(fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    unit.starved_at.len() < AGREED && another_could(fleet, job, unit)
}

/// Whether a worker that is able to do the unit's task may have the unit, as far as that does not depend on how it
/// ended before.
pub(super) fn suits(unit: &Unit, worker: &Introduction) -> bool {
    unit.need <= worker.slot_memory && may_witness(unit, &worker.name)
}

/// Whether a worker is present that could run the unit and at which it has not ended badly.
fn another_could(fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    let Some(ability) = &job.tasks[unit.task].ability else { return false };
    fleet.present().map(|worker| &worker.introduction).any(|worker| {
        !unit.failed_at.contains(&worker.name)
            && worker.capabilities.contains(ability)
            && suits(unit, worker)
    })
}
