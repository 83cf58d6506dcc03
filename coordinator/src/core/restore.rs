//! A core from what the store holds: after a restart everything goes on from the last commit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sprague_work::{JobId, Registry, UnitId};

use super::job::{Job, Place, Reserved, Unit};
use super::ready::Ready;
use super::settled::Settled;
use super::{
    Core, DoneRecord, JobRecord, JobTotals, Moment, Now, Settings, Snapshot, UnitOrigin, UnitRecord,
};

/// A store whose content does not fit together.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A unit names a job or a task that is not there.
    #[error("unit {0} belongs to no job or task of the store")]
    Stray(UnitId),
    /// A unit's result does not go with the results before it.
    #[error("the result of unit {unit} cannot be merged again: {what}")]
    Merge {
        /// Which unit.
        unit: UnitId,
        /// What is wrong.
        what: String,
    },
    /// A job has a task that this version does not know.
    #[error("job {job} cannot go on: {source}")]
    Job {
        /// Which job.
        job: JobId,
        /// Why.
        source: sprague_work::JobError,
    },
}

impl Core {
    /// The core as it was when the store was last written.
    ///
    /// Units that were leased are awaited for the grace of a reconnection, as their workers may
    /// still run them.
    ///
    /// # Errors
    /// When the store's content does not fit together.
    pub fn restore(
        registry: Registry,
        settings: Settings,
        now: Now,
        snapshot: Snapshot,
    ) -> Result<Self, RestoreError> {
        Restoration::begin(registry, settings, now, snapshot)?.finish()
    }
}

/// A core that comes back from the store unit by unit, so that a job of a million of them is never in memory as the
/// store has it.
///
/// Each driver lives through its past again: it is told a part when its unit comes, and a result when all
/// that were merged before it have been. As a unit has a greater number than all units whose results the driver
/// knew when it planned it, those results are always told before the part. What a unit was split into has greater
/// numbers than it, too.
pub struct Restoration {
    core: Core,
    now: Now,
    /// Done units of each job that came before their turn: no more than were ever planned and not done at a time.
    early: BTreeMap<JobId, Early>,
}

impl Restoration {
    /// Takes in a snapshot of a store. Units that it does not hold are told after it.
    ///
    /// # Errors
    /// As [`unit`](Self::unit), and when a job is none that this version knows.
    pub fn begin(
        registry: Registry,
        settings: Settings,
        now: Now,
        snapshot: Snapshot,
    ) -> Result<Self, RestoreError> {
        let mut core = Core::new(registry, settings);
        core.last_tick = now.moment;
        core.needs = snapshot.needs.into_iter().collect();
        core.distrusted = snapshot.distrusted.into_iter().collect();
        core.fleet.drained = snapshot.drained.into_iter().collect();
        core.fleet.last = snapshot.last_worker;
        for finding in snapshot.findings {
            core.book.add_finding(finding);
        }
        for dispute in snapshot.disputes {
            core.book.add_dispute(dispute);
        }
        for record in snapshot.jobs {
            let job = core.restore_job(record)?;
            if !job.state.is_final() {
                core.open.insert(job.id);
            }
            core.jobs.insert(job.id, job);
        }
        for (id, number, event) in snapshot.events {
            if let Some(job) = core.jobs.get_mut(&id) {
                job.events.push_back((number, event));
            }
        }
        let mut restoration = Self { core, now, early: BTreeMap::new() };
        for (id, record) in snapshot.units {
            restoration.unit(id, record)?;
        }
        Ok(restoration)
    }

    /// Takes in the next unit of the store, in the order of their jobs and numbers.
    ///
    /// # Errors
    /// When the unit is of no job, or its result does not go with those before it.
    pub fn unit(&mut self, id: UnitId, record: UnitRecord) -> Result<(), RestoreError> {
        let job = self.core.jobs.get_mut(&id.job).ok_or(RestoreError::Stray(id))?;
        // A job that is over has no tasks any more: its units are evidence.
        if job.state.is_over() {
            return Ok(());
        }
        let task = job.tasks.get_mut(record.task as usize).ok_or(RestoreError::Stray(id))?;
        if let Some(driver) = task.driver.as_mut() {
            if record.origin == UnitOrigin::Planned {
                driver.replan(&record.part);
            }
            if record.replaced && driver.splits(&record.part) {
                driver.split(&record.part);
            }
        }
        job.totals.attempts += u64::from(record.attempt.0);
        job.next_unit = job.next_unit.max(id.number + 1);
        if let Some(done) = &record.done {
            let merged = done.merged;
            let early = self.early.entry(id.job).or_default();
            early.units.insert((merged, id.number), record);
            while let Some((number, record)) = early.next() {
                merge_again(job, number, record)?;
            }
        } else if !record.replaced {
            let until = self.now.moment.after(self.core.settings.reconnect_grace);
            job.insert(id.number, restore_unit(record, until));
        }
        Ok(())
    }

    /// There are no more units: the core may go on.
    ///
    /// # Errors
    /// When a result does not go with those before it.
    pub fn finish(self) -> Result<Core, RestoreError> {
        let Self { mut core, now, early } = self;
        for (id, early) in early {
            let Some(job) = core.jobs.get_mut(&id) else { continue };
            for ((_, number), record) in early.units {
                merge_again(job, number, record)?;
            }
        }
        // The last finding of a job may have come from another one.
        for id in core.open.clone() {
            core.end_if_known(now, id);
        }
        Ok(core)
    }
}

/// Done units of a job that came before others whose results had been merged before theirs.
#[derive(Default)]
struct Early {
    /// By their place in the order of merging, and their number.
    units: BTreeMap<(u64, u32), UnitRecord>,
    /// How many places have had their turn.
    merged: u64,
}

impl Early {
    /// The number and record of the unit whose turn it is, if it is here.
    fn next(&mut self) -> Option<(u32, UnitRecord)> {
        let first = self.units.first_entry()?;
        let (place, number) = *first.key();
        if place > self.merged {
            return None;
        }
        self.merged = place + 1;
        Some((number, first.remove()))
    }
}

impl Core {
    /// A job without its units.
    fn restore_job(&self, record: JobRecord) -> Result<Job, RestoreError> {
        // A job that is over needs no drivers, and may be of a kind that is gone.
        let over = record.state.is_over();
        let tasks = if over {
            Vec::new()
        } else {
            self.task_runs(&record.spec)
                .map_err(|source| RestoreError::Job { job: record.id, source })?
        };
        Ok(Job {
            id: record.id,
            spec: record.spec,
            state: record.state,
            reason: record.reason,
            submitted: record.submitted,
            running_since: None,
            ran_before: record.milliseconds,
            budget_from: record.budget_from,
            recorded: record.milliseconds,
            tasks_done_before: record.tasks_done,
            tasks,
            units: BTreeMap::new(),
            ready: Ready::default(),
            settled: BTreeMap::new(),
            largest_need: 0,
            next_unit: record.units_reserved,
            reserved: Reserved { written: record.units_reserved, stored: 0 },
            // Those of a job that goes on are those of its units.
            totals: if over { record.totals } else { JobTotals::default() },
            merged: 0,
            events: VecDeque::new(),
        })
    }
}

/// A unit that is still to be done; one that was leased is awaited until then.
fn restore_unit(record: UnitRecord, until: Moment) -> Unit {
    let place = match record.parked {
        Some(why) => Place::Parked(why),
        None if record.attempt.0 > 0 && !record.waits => {
            Place::Awaited { until, unannounced: None }
        }
        None => Place::Ready,
    };
    Unit {
        task: record.task as usize,
        part: record.part,
        origin: record.origin,
        attempt: record.attempt,
        crashes: record.crashes,
        departures: record.departures,
        failed_at: BTreeSet::new(),
        starved_at: BTreeSet::new(),
        need: record.need,
        outgrown: None,
        place,
        planned_in: None,
        late: record.late,
        witnesses: record.witnesses,
    }
}

/// Tells the driver of a unit that is done again what its result was.
fn merge_again(job: &mut Job, number: u32, record: UnitRecord) -> Result<(), RestoreError> {
    let UnitRecord { task: index, part, done: Some(done), .. } = record else { return Ok(()) };
    let (index, unit) = (index as usize, job.unit_id(number));
    let DoneRecord { attempt, worker, result, usage, merged } = done;
    let task = &mut job.tasks[index];
    if let Some(driver) = &mut task.driver {
        driver
            .absorb(&part, &result)
            .map_err(|fault| RestoreError::Merge { unit, what: fault.0 })?;
    }
    task.effort.add(&result, &usage);
    task.workers.insert(worker);
    job.totals.units_done += 1;
    job.totals.expansions = job.totals.expansions.saturating_add(result.expansions);
    job.totals.cpu_seconds += usage.cpu_seconds;
    job.merged = job.merged.max(merged + 1);
    if !task.is_driven() {
        job.settled.insert(number, Settled::new(index, attempt, &result));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sprague_work::Attempt;

    use super::*;

    proptest! {
        /// Units are merged in any order in which no more than `window` of them are ever at work.
        #[test]
        fn results_come_in_the_order_of_merging_and_few_are_held(
            window in 1usize..20, ends in prop::collection::vec(any::<prop::sample::Index>(), 0..200)
        ) {
            let (mut at_work, mut place_of) = (Vec::new(), vec![0; ends.len()]);
            let mut next = 0;
            for place in 0..ends.len() {
                while at_work.len() < window && next < ends.len() {
                    at_work.push(next);
                    next += 1;
                }
                place_of[at_work.swap_remove(ends[place].index(at_work.len()))] = place;
            }
            let (mut early, mut merged) = (Early::default(), Vec::new());
            for (number, &place) in (0..).zip(&place_of) {
                early.units.insert((place as u64, number), UnitRecord::leased(Attempt(1)));
                while let Some((number, _)) = early.next() {
                    merged.push(place_of[number as usize]);
                }
                prop_assert!(early.units.len() < window, "{} are held", early.units.len());
            }
            prop_assert_eq!(merged, (0..ends.len()).collect::<Vec<_>>());
        }
    }
}
