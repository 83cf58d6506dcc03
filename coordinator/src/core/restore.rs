//! A core from what the store holds: after a restart everything goes on from the last commit.

use std::collections::{BTreeMap, BTreeSet};

use sprague_work::{JobState, Registry, Report, UnitId};

use super::job::{Job, Place, Reserved, TaskRun, Unit};
use super::{Core, JobRecord, Now, Settings, Snapshot, UnitOrigin, UnitRecord};

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
            // Its last finding may have come from another job.
            if open {
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
            ready: BTreeSet::new(),
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
            if let Some(record) = &record.done {
                done.push((record.merged, id.number));
            }
            let leased = record.attempt.0 > 0;
            let unit = restore_unit(record, if leased { Some(until) } else { None });
            if unit.place == Place::Ready {
                job.ready.insert(id.number);
            }
            job.units.insert(id.number, unit);
        }
        done.sort_unstable();
        for (_, number) in done {
            merge_again(&mut job, number)?;
        }
        Ok(job)
    }
}

fn restore_unit(record: UnitRecord, awaited_until: Option<super::Moment>) -> Unit {
    let place = match (record.done, record.parked) {
        (Some(done), _) => Place::Done(Box::new(done)),
        (None, _) if record.replaced => Place::Replaced,
        (None, Some(why)) => Place::Parked(why),
        (None, None) => match awaited_until {
            Some(until) => Place::Awaited { until, blame: false },
            None => Place::Ready,
        },
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

/// Tells a unit's driver again what its result was.
fn merge_again(job: &mut Job, number: u32) -> Result<(), RestoreError> {
    let id = job.unit_id(number);
    let Some(unit) = job.units.get(&number) else { return Ok(()) };
    let Place::Done(done) = &unit.place else { return Ok(()) };
    let driven = job.tasks[unit.task].is_driven();
    let TaskRun { driver, effort, workers, .. } = &mut job.tasks[unit.task];
    if let Some(driver) = driver {
        driver
            .absorb(&unit.part, &done.result)
            .map_err(|fault| RestoreError::Merge { unit: id, what: fault.0 })?;
    }
    let report =
        Report { ending: sprague_work::Ending::Done(done.result.clone()), usage: done.usage };
    effort.add(&done.result, &report);
    workers.insert(done.worker.clone());
    job.totals.units_done += 1;
    job.totals.expansions = job.totals.expansions.saturating_add(done.result.expansions);
    job.totals.cpu_seconds += done.usage.cpu_seconds;
    job.merged = job.merged.max(done.merged + 1);
    if driven {
        job.units.remove(&number);
    }
    Ok(())
}
