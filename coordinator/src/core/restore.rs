//! A core from what the store holds: after a restart everything goes on from the last commit.

use std::collections::{BTreeMap, BTreeSet};

use sprague_work::{JobState, Registry, UnitId};

use super::job::{Job, Place, Reserved, Unit};
use super::ready::Ready;
use super::settled::Settled;
use super::{Core, DoneRecord, JobRecord, Moment, Now, Settings, Snapshot, UnitOrigin, UnitRecord};

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
        job: sprague_work::JobId,
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
        let mut core = Self::new(registry, settings);
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
        let mut units: BTreeMap<_, Vec<(UnitId, UnitRecord)>> = BTreeMap::new();
        for (id, record) in snapshot.units {
            units.entry(id.job).or_default().push((id, record));
        }
        for record in snapshot.jobs {
            let units = units.remove(&record.id).unwrap_or_default();
            let job = core.restore_job(now, record, units)?;
            let (id, open) = (job.id, !job.state.is_final());
            core.jobs.insert(id, job);
            if open {
                core.open.insert(id);
                // Its last finding may have come from another job.
                core.end_if_known(now, id);
            }
        }
        for (id, number, event) in snapshot.events {
            if let Some(job) = core.jobs.get_mut(&id) {
                job.events.push_back((number, event));
            }
        }
        if let Some((id, _)) = units.into_values().flatten().next() {
            return Err(RestoreError::Stray(id));
        }
        Ok(core)
    }

    fn restore_job(
        &self,
        now: Now,
        record: JobRecord,
        units: Vec<(UnitId, UnitRecord)>,
    ) -> Result<Job, RestoreError> {
        // A job that has ended for good needs no drivers, and may be of a kind that is gone.
        let over =
            matches!(record.state, JobState::Done | JobState::Cancelled | JobState::Disputed);
        let tasks = if over {
            Vec::new()
        } else {
            self.task_runs(&record.spec)
                .map_err(|source| RestoreError::Job { job: record.id, source })?
        };
        let mut job = Job {
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
            totals: record.totals,
            merged: 0,
            events: std::collections::VecDeque::new(),
        };
        if over {
            return Ok(job);
        }
        job.totals = super::JobTotals::default();
        let until = now.moment.after(self.settings.reconnect_grace);
        let mut done = Vec::new();
        for (id, record) in units {
            let task = job.tasks.get_mut(record.task as usize).ok_or(RestoreError::Stray(id))?;
            if let (UnitOrigin::Planned, Some(driver)) = (record.origin, task.driver.as_mut()) {
                driver.replan(&record.part);
            }
            job.totals.attempts += u64::from(record.attempt.0);
            job.next_unit = job.next_unit.max(id.number + 1);
            if record.done.is_some() {
                done.push((id, record));
            } else if !record.replaced {
                job.insert(id.number, restore_unit(record, until));
            }
        }
        done.sort_unstable_by_key(|(_, record)| record.done.as_ref().map(|done| done.merged));
        for (id, record) in done {
            merge_again(&mut job, id, record)?;
        }
        Ok(job)
    }
}

/// A unit that is still to be done; one that was leased is awaited until then.
fn restore_unit(record: UnitRecord, until: Moment) -> Unit {
    let place = match record.parked {
        Some(why) => Place::Parked(why),
        None if record.attempt.0 > 0 => Place::Awaited { until, blame: false },
        None => Place::Ready,
    };
    Unit {
        task: record.task as usize,
        part: record.part,
        origin: record.origin,
        attempt: record.attempt,
        crashes: record.crashes,
        failed_at: BTreeSet::new(),
        starved_at: BTreeSet::new(),
        need: record.need,
        place,
        planned_in: None,
        late: record.late,
        witnesses: record.witnesses,
    }
}

/// Tells the driver of a unit that is done again what its result was.
fn merge_again(job: &mut Job, id: UnitId, record: UnitRecord) -> Result<(), RestoreError> {
    let UnitRecord { task: index, part, done: Some(done), .. } = record else { return Ok(()) };
    let index = index as usize;
    let DoneRecord { attempt, worker, result, usage, merged } = done;
    let task = &mut job.tasks[index];
    if let Some(driver) = &mut task.driver {
        driver
            .absorb(&part, &result)
            .map_err(|fault| RestoreError::Merge { unit: id, what: fault.0 })?;
    }
    task.effort.add(&result, &usage);
    task.workers.insert(worker);
    job.totals.units_done += 1;
    job.totals.expansions = job.totals.expansions.saturating_add(result.expansions);
    job.totals.cpu_seconds += usage.cpu_seconds;
    job.merged = job.merged.max(merged + 1);
    if !task.is_driven() {
        job.settled.insert(id.number, Settled::new(index, attempt, &result));
    }
    Ok(())
}
