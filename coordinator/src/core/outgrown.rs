//! Units that need more memory than any slot has: they wait for a larger slot, and are split if none comes.
//!
//! A piece that is too large and cannot be split once more holds up the others of its task: without it they come to
//! nothing, and a slot that is large enough for it may be large enough for the whole.

use std::collections::BTreeSet;

use sprague_work::{JobId, UnitId};

use super::fleet::Fleet;
use super::job::{Job, Outgrown, TaskRun, Unit};
use super::plan::remembered;
use super::quorum::may_witness;
use super::{Core, Happening, Moment, Now, UnitOrigin, UnitRecord};

/// How many units that are too large for every slot are counted; beyond that a job plans no more.
pub(super) const MOST_OUTGROWN: usize = 10_000;

/// How many units are split at a time: each may become dozens.
const MOST_SPLIT: usize = 16;

/// The slots that are there for the units of a task.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a> {
    fleet: &'a Fleet,
    ability: &'a str,
    largest: u64,
}

impl<'a> Slots<'a> {
    /// `None` where no worker could run any.
    pub(super) fn of(fleet: &'a Fleet, task: &'a TaskRun) -> Option<Self> {
        Self::able(fleet, task.ability.as_deref())
    }

    fn able(fleet: &'a Fleet, ability: Option<&'a str>) -> Option<Self> {
        let ability = ability?;
        let largest = fleet.largest_slot(ability)?;
        Some(Self { fleet, ability, largest })
    }

    /// The bytes of the largest slot that may have a unit. Where several workers must agree, those that have done it do
    /// not do it again; `None` where all have.
    pub(super) fn largest_for(self, unit: &Unit) -> Option<u64> {
        if unit.witnesses.is_empty() {
            return Some(self.largest);
        }
        self.fleet.largest_slot_of(self.ability, |worker| may_witness(unit, &worker.name))
    }
}

/// The bytes that a waiting unit needs, or a piece without which it is nothing, if no slot that is present and may have it
/// has them.
pub(super) fn lacking(fleet: &Fleet, job: &Job, unit: &Unit) -> Option<u64> {
    if job.largest_need == 0 {
        return None;
    }
    lacking_beyond(Slots::of(fleet, &job.tasks[unit.task])?, job, unit)
}

fn lacking_beyond(slots: Slots<'_>, job: &Job, unit: &Unit) -> Option<u64> {
    if unit.need > slots.largest_for(unit)? {
        Some(unit.need)
    } else {
        held_up_by(slots, job, unit)
    }
}

/// The bytes that a piece needs without which this one is nothing, if they are more than any slot has.
fn held_up_by(slots: Slots<'_>, job: &Job, unit: &Unit) -> Option<u64> {
    if unit.origin != UnitOrigin::Split {
        return None;
    }
    let indivisible = job.tasks[unit.task].indivisible.iter();
    let too_large = indivisible.filter_map(|number| {
        let piece = job.units.get(number)?;
        (piece.need > slots.largest_for(piece)?).then_some(piece.need)
    });
    too_large.max()
}

/// Whether a waiting unit is nothing without a piece that no slot is large enough for.
pub(super) fn is_held_up(fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    let task = &job.tasks[unit.task];
    let slots = || Slots::of(fleet, task);
    !task.indivisible.is_empty()
        && slots().is_some_and(|slots| held_up_by(slots, job, unit).is_some())
}

/// Whether no slot is large enough for a waiting unit, and it is to be split unless a larger one comes.
pub(super) fn awaits_split(fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    let slots = Slots::of(fleet, &job.tasks[unit.task]);
    slots.is_some_and(|slots| awaits_split_of(slots, job, unit))
}

fn awaits_split_of(slots: Slots<'_>, job: &Job, unit: &Unit) -> bool {
    slots.largest_for(unit).is_some_and(|largest| unit.need > largest)
        && unit.outgrown.is_some_and(|outgrown| outgrown.splits)
        && held_up_by(slots, job, unit).is_none()
}

/// How many waiting units no slot is large enough for: they must not keep others from being planned.
pub(super) fn outgrown(fleet: &Fleet, job: &Job) -> usize {
    if job.largest_need == 0 {
        return 0;
    }
    let of_task = |(task, numbers): (usize, &BTreeSet<u32>)| {
        let Some(slots) = Slots::of(fleet, &job.tasks[task]) else { return 0 };
        let waiting = numbers.iter().filter_map(|number| job.units.get(number));
        waiting.filter(|unit| lacking_beyond(slots, job, unit).is_some()).count()
    };
    MOST_OUTGROWN.min(job.ready.tasks().map(of_task).sum())
}

/// Whether so many units wait that no slot is large enough for that the job plans no more.
pub(super) fn is_full_of_outgrown(fleet: &Fleet, job: &Job) -> bool {
    outgrown(fleet, job) == MOST_OUTGROWN
}

impl Core {
    /// Splits the units that have waited for a larger slot for long enough.
    pub(super) fn split_outgrown(&mut self, now: Now) {
        let concerned = self.open_jobs().filter(|job| job.largest_need > 0).map(|job| job.id);
        for id in concerned.collect::<Vec<_>>() {
            self.note_outgrown(id, now.moment);
            for number in self.due(id, now.moment) {
                self.split(now, UnitId { job: id, number });
            }
        }
    }

    /// Notes since when which units of a job wait for a larger slot.
    fn note_outgrown(&mut self, id: JobId, now: Moment) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        for (index, numbers) in job.ready.tasks() {
            let TaskRun { ability, driver, indivisible, .. } = &mut job.tasks[index];
            let slots = Slots::able(&self.fleet, ability.as_deref());
            for number in numbers {
                let Some(unit) = job.units.get_mut(number) else { continue };
                let largest = slots.and_then(|slots| slots.largest_for(unit));
                if largest.is_none_or(|largest| unit.need <= largest) {
                    unit.outgrown = None;
                    indivisible.remove(number);
                } else if unit.outgrown.is_none() {
                    let splits = driver.as_ref().is_some_and(|driver| driver.splits(&unit.part));
                    unit.outgrown = Some(Outgrown { since: now, splits });
                    if !splits {
                        indivisible.insert(*number);
                    }
                }
            }
        }
    }

    /// The units of a job that are to be split now.
    fn due(&self, id: JobId, now: Moment) -> Vec<u32> {
        let Some(job) = self.jobs.get(&id) else { return Vec::new() };
        let patience = self.settings.patience();
        let of_task = |(task, numbers)| {
            let slots = Slots::of(&self.fleet, &job.tasks[task]);
            let is_due = move |unit: &Unit| {
                unit.outgrown.is_some_and(|outgrown| outgrown.since.after(patience) <= now)
                    && slots.is_some_and(|slots| awaits_split_of(slots, job, unit))
            };
            let numbers: &BTreeSet<u32> = numbers;
            numbers.iter().copied().filter(move |number| job.units.get(number).is_some_and(is_due))
        };
        job.ready.tasks().flat_map(of_task).take(MOST_SPLIT).collect()
    }

    /// Puts smaller units in the place of one.
    fn split(&mut self, now: Now, unit: UnitId) {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        let Some(whole) = job.take(unit.number) else { return };
        let index = whole.task;
        let Some(driver) = job.tasks[index].driver.as_mut() else { return };
        let pieces = driver.split(&whole.part);
        // All pieces may have been valued before, for others.
        let conclusion = driver.conclude();
        let mut numbers = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let task = &job.tasks[index].task;
            let need = remembered(&self.registry, &self.needs, task, &piece);
            numbers.push(job.add_unit(index, piece, UnitOrigin::Split, need));
        }
        self.write_last(unit, UnitRecord { replaced: true, ..whole.record() });
        let pieces = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        self.note(now, unit.job, Happening::Split { unit: unit.number, pieces });
        for number in numbers {
            self.write_unit(UnitId { job: unit.job, number });
        }
        if let Some(conclusion) = conclusion {
            self.conclude(now, unit.job, index, conclusion);
        }
    }
}
