//! Jobs and workers as people see them.

use std::collections::HashMap;

use sprague_work::{Attempt, JobId, JobSpec, JobState, Task, UnitId, WorkerId};

use super::fleet::Worker;
use super::job::{Job, Place};
use super::machine::{NoSuchJob, NoSuchWorker};
use super::{Core, Explanation, JobTotals, Moment, Now, WorkerState};

/// How many units of a job are where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCounts {
    /// In all, as far as that is known.
    pub total: Option<u64>,
    /// Ended well.
    pub done: u64,
    /// At a worker.
    pub running: u64,
    /// Planned and waiting for a slot, or for their worker to come back.
    pub waiting: u64,
    /// Not tried any more.
    pub parked: u64,
}

/// A unit at work.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningView {
    /// Its number.
    pub unit: u32,
    /// Its attempt.
    pub attempt: Attempt,
    /// What it is a part of.
    pub task: Task,
    /// Where it runs.
    pub worker: String,
    /// For how long.
    pub seconds: f64,
    /// How far it is.
    pub expansions: u64,
    /// Bytes that it has resident.
    pub memory: u64,
}

/// What is known already of a task that is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownView {
    /// The task.
    pub task: Task,
    /// What is known, in words.
    pub known: String,
}

/// A job as people see it.
#[derive(Clone, Debug, PartialEq)]
pub struct JobView {
    /// Its number.
    pub id: JobId,
    /// What was submitted.
    pub spec: JobSpec,
    /// Where it is in its life.
    pub state: JobState,
    /// Why it ended, when it did not end well.
    pub reason: Option<String>,
    /// When it was submitted, as RFC 3339 in UTC.
    pub submitted: String,
    /// How long it ran.
    pub seconds: f64,
    /// Its units.
    pub units: UnitCounts,
    /// Tasks in all and done.
    pub tasks: (u64, u64),
    /// What its units came to.
    pub totals: JobTotals,
    /// Why nothing of it runs, when nothing does though it has not ended.
    pub idle: Option<Explanation>,
    /// What runs just now.
    pub running: Vec<RunningView>,
    /// What is known already of its tasks that are not done.
    pub known: Vec<KnownView>,
}

/// A worker as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerView {
    /// Its number.
    pub id: WorkerId,
    /// Its name.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// How many units it runs at a time.
    pub slots: u32,
    /// How many of its slots run one now, or were told to stop one and have not said that they did.
    pub busy: u32,
    /// The hard cap of each slot, in bytes.
    pub slot_memory: u64,
    /// Whether it can be given units.
    pub state: WorkerState,
    /// Why it is not trusted, when it is not.
    pub distrusted: Option<String>,
    /// Whether another connected worker has its name.
    pub shares_name: bool,
    /// Bytes that its units have resident, as it last told.
    pub memory: u64,
    /// Units that it finished, in this life of the coordinator.
    pub units_done: u64,
}

impl Core {
    /// A job as people see it.
    ///
    /// # Errors
    /// When there is no such job.
    pub fn job(&self, now: Now, id: JobId) -> Result<JobView, NoSuchJob> {
        Ok(self.view(now.moment, self.jobs.get(&id).ok_or(NoSuchJob(id))?))
    }

    /// All jobs, oldest first.
    #[must_use]
    pub fn jobs(&self, now: Now) -> Vec<JobView> {
        self.jobs.values().map(|job| self.view(now.moment, job)).collect()
    }

    /// A worker as people see it.
    ///
    /// # Errors
    /// When there is no such worker.
    pub fn worker(&self, id: WorkerId) -> Result<WorkerView, NoSuchWorker> {
        let worker = self.fleet.workers.get(&id).ok_or(NoSuchWorker(id))?;
        let shares_name = self.fleet.namesakes(&worker.introduction.name) > 1;
        Ok(self.worker_view(id, worker, shares_name))
    }

    /// All workers, in the order in which they came.
    #[must_use]
    pub fn workers(&self) -> Vec<WorkerView> {
        let mut namesakes: HashMap<&str, usize> = HashMap::new();
        for worker in self.fleet.connected() {
            *namesakes.entry(&worker.introduction.name).or_default() += 1;
        }
        let view = |(&id, worker): (&WorkerId, &Worker)| {
            let shares_name = namesakes.get(&*worker.introduction.name).is_some_and(|&n| n > 1);
            self.worker_view(id, worker, shares_name)
        };
        self.fleet.workers.iter().map(view).collect()
    }

    fn worker_view(&self, id: WorkerId, worker: &Worker, shares_name: bool) -> WorkerView {
        WorkerView {
            id,
            name: worker.introduction.name.clone(),
            version: worker.introduction.version.clone(),
            slots: worker.introduction.slots,
            busy: u32::try_from(worker.busy_slots()).unwrap_or(u32::MAX),
            slot_memory: worker.introduction.slot_memory,
            state: worker.state,
            distrusted: self.distrusted.get(&worker.introduction.name).cloned(),
            shares_name,
            memory: worker.leases.keys().map(|&unit| self.resident(unit)).sum(),
            units_done: worker.units_done,
        }
    }

    fn view(&self, now: Moment, job: &Job) -> JobView {
        let running = job.units.iter().filter_map(|(&number, unit)| match &unit.place {
            Place::Leased(lease) => Some(RunningView {
                unit: number,
                attempt: unit.attempt,
                task: job.tasks[unit.task].task.clone(),
                worker: self.fleet.name(lease.worker),
                seconds: now.since(lease.since) as f64 / 1000.0,
                expansions: lease.expansions,
                memory: lease.memory,
            }),
            _ => None,
        });
        let known = job.tasks.iter().filter_map(|run| {
            let known = run.driver.as_ref()?.known()?;
            Some(KnownView { task: run.task.clone(), known })
        });
        JobView {
            id: job.id,
            spec: job.spec.clone(),
            state: job.state,
            reason: job.reason.clone(),
            submitted: job.submitted.clone(),
            seconds: job.milliseconds(now) as f64 / 1000.0,
            units: counts(job),
            tasks: tasks(job),
            totals: job.totals,
            idle: self.why_idle(job),
            running: running.collect(),
            known: known.collect(),
        }
    }

    /// Bytes that a running unit has resident.
    fn resident(&self, unit: UnitId) -> u64 {
        let known = self.jobs.get(&unit.job).and_then(|job| job.units.get(&unit.number));
        match known.map(|unit| &unit.place) {
            Some(Place::Leased(lease)) => lease.memory,
            _ => 0,
        }
    }

    /// What keeps most of the units of a job from running, when none runs.
    pub(super) fn why_idle(&self, job: &Job) -> Option<Explanation> {
        let runs = |unit: &super::job::Unit| matches!(unit.place, Place::Leased(_));
        if job.state.is_final() || job.units.values().any(runs) {
            return None;
        }
        let reasons = self.explain(job.id).ok()?;
        reasons.into_iter().max_by_key(|explanation| explanation.units)
    }
}

fn tasks(job: &Job) -> (u64, u64) {
    let all = job.spec.tasks.len() as u64;
    let done = match job.state {
        JobState::Done => all,
        _ => job.tasks_done(),
    };
    (all, done)
}

fn counts(job: &Job) -> UnitCounts {
    let done = job.totals.units_done;
    // Nothing of a job that is over is to be done any more; how much it would have been is not kept.
    if job.state.is_over() {
        let total = (job.state == JobState::Done).then_some(done);
        return UnitCounts { total, done, ..UnitCounts::default() };
    }
    let mut counts = UnitCounts { total: total(job), done, ..UnitCounts::default() };
    for unit in job.units.values() {
        match unit.place {
            Place::Ready | Place::Awaited { .. } => counts.waiting += 1,
            Place::Leased(_) => counts.running += 1,
            Place::Parked(_) => counts.parked += 1,
        }
    }
    counts
}

/// What the open tasks say of their parts, and what was done for the finished ones.
fn total(job: &Job) -> Option<u64> {
    let of_task = |task: &super::job::TaskRun| match &task.driver {
        Some(driver) => driver.total(),
        None => Some(task.effort.units),
    };
    job.tasks.iter().map(of_task).sum()
}
