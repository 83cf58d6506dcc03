//! The state machine itself: what it holds, and the plainer of its events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use sprague_work::{Attempt, JobId, JobState, Question, Registry, UnitId, Value, WorkerId};

use super::book::Book;
use super::fleet::{Fleet, Worker};
use super::job::{Job, Place};
use super::{Effects, Happening, Introduction, Moment, Now, Order, Tally, WorkerState, Write};

/// How many jobs that ended keep their units, and how many units they may have together.
const MOST_RETIRED_JOBS: usize = 64;
const MOST_RETIRED_UNITS: usize = 20_000;

/// How many jobs that ended are remembered. The oldest go first.
const MOST_ENDED_JOBS: usize = 10_000;

/// What the core decides by, beside what happens.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// For how long a unit may stand still before its lease is lost.
    pub lease: Duration,
    /// For how long a worker that lost its connection is awaited.
    pub reconnect_grace: Duration,
    /// After how many bad ends of its own a unit is parked: crashes, and standing still at a worker that tells of it.
    pub crash_limit: u32,
    /// After how many workers have gone away in the middle of a unit it is parked. Machines that may be taken at any time take
    /// units with them without any fault of theirs, but a unit that kills its worker's process looks the same from here.
    pub departure_limit: u32,
    /// For how long a unit that no slot is large enough for waits for a larger one before it is split.
    pub split_after: Duration,
    /// A job whose remaining units fit no worker that is present fails instead of waiting.
    pub fixed_fleet: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            reconnect_grace: Duration::from_secs(5),
            crash_limit: 5,
            departure_limit: 50,
            split_after: Duration::from_secs(60),
            fixed_fleet: false,
        }
    }
}

impl Settings {
    /// After how many departures a unit is parked: where all workers are here for one run, nobody takes them away, and a
    /// departure is a crash.
    pub(super) fn most_departures(&self) -> u32 {
        if self.fixed_fleet { self.crash_limit } else { self.departure_limit }
    }

    /// For how long a unit waits for a larger slot: where all workers are here for one run, none will come.
    pub(super) fn patience(&self) -> Duration {
        if self.fixed_fleet { Duration::ZERO } else { self.split_after }
    }
}

/// No job has that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no job {0}")]
pub struct NoSuchJob(pub JobId);

/// No worker has that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no worker {0}")]
pub struct NoSuchWorker(pub WorkerId);

/// The state of the whole cluster, as far as the coordinator decides by it.
pub struct Core {
    pub(super) registry: Registry,
    pub(super) settings: Settings,
    /// All jobs; those that have ended are small.
    pub(super) jobs: BTreeMap<JobId, Job>,
    /// The jobs that have not ended: few of many.
    pub(super) open: BTreeSet<JobId>,
    pub(super) fleet: Fleet,
    pub(super) book: Book,
    /// The bytes that units of a memory class turned out to need.
    pub(super) needs: BTreeMap<String, u64>,
    /// Workers that are not trusted, by name, and why.
    pub(super) distrusted: BTreeMap<String, String>,
    /// When time last passed, in this life of the coordinator.
    pub(super) last_tick: Moment,
    /// How often what happened.
    pub(super) tally: Tally,
    /// The jobs that ended last and still have their units.
    pub(super) retired: VecDeque<JobId>,
    /// What the events since the last [`take_effects`](Self::take_effects) came to.
    pub(super) effects: Effects,
    /// Batches with a reservation of unit numbers that are not known to be committed: batch, job and the
    /// first number that is not reserved.
    pub(super) reserving: VecDeque<(u64, JobId, u32)>,
}

impl Core {
    /// A core that knows nothing yet.
    #[must_use]
    pub fn new(registry: Registry, settings: Settings) -> Self {
        Self {
            registry,
            settings,
            jobs: BTreeMap::new(),
            open: BTreeSet::new(),
            fleet: Fleet::default(),
            book: Book::default(),
            needs: BTreeMap::new(),
            distrusted: BTreeMap::new(),
            last_tick: Moment::default(),
            tally: Tally::default(),
            retired: VecDeque::new(),
            effects: Effects { number: 1, ..Effects::default() },
            reserving: VecDeque::new(),
        }
    }

    /// Hands over what has to be done, and begins the next batch.
    pub fn take_effects(&mut self) -> Effects {
        let next = Effects { number: self.effects.number + 1, ..Effects::default() };
        std::mem::replace(&mut self.effects, next)
    }

    /// The batch of that number and all before it are in the store.
    pub fn committed(&mut self, number: u64) {
        while let Some(&(batch, job, end)) = self.reserving.front()
            && batch <= number
        {
            self.reserving.pop_front();
            if let Some(job) = self.jobs.get_mut(&job) {
                job.reserved.stored = end;
            }
        }
    }

    /// A worker connected, or connected again. Gives its number and that of the connection.
    ///
    /// Attempts that it says it runs are its own again if nobody else was given the unit meanwhile,
    /// and are cancelled otherwise.
    pub fn enter(&mut self, now: Now, introduction: Introduction) -> (WorkerId, u64) {
        let running = introduction.running.clone();
        let trusted = self.is_trusted(&introduction.name);
        let last = self.fleet.last;
        let (id, session) = self.fleet.enter(introduction);
        if self.fleet.last > last {
            self.effects.writes.push(Write::LastWorker(self.fleet.last));
        }
        if let Some(worker) = self.fleet.workers.get_mut(&id) {
            worker.trusted = trusted;
        }
        self.effects.visible = true;
        // What it held before and does not name now was finished, and is reported soon, or lost.
        self.await_leases(now, id);
        for (unit, attempt) in running {
            if !self.readopt(now, id, unit, attempt) {
                self.fleet.call_back(&mut self.effects, id, unit, attempt);
            }
        }
        (id, session)
    }

    /// A connection ended. Nothing happens if the worker has another one by now.
    pub fn lose(&mut self, now: Now, id: WorkerId, session: u64) {
        let until = now.moment.after(self.settings.reconnect_grace);
        let Some(worker) = self.fleet.workers.get_mut(&id) else { return };
        if worker.session != session {
            return;
        }
        self.effects.visible = true;
        if worker.state == WorkerState::Draining && worker.leases.is_empty() {
            self.fleet.forget(id);
            return;
        }
        self.await_leases(now, id);
        if let Some(worker) = self.fleet.workers.get_mut(&id) {
            worker.state = WorkerState::Lost(until);
        }
    }

    /// A running unit told how far it is.
    pub fn progress(
        &mut self,
        now: Now,
        id: WorkerId,
        unit: UnitId,
        attempt: Attempt,
        (expansions, memory): (u64, u64),
    ) {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        let Some(unit) = job.units.get_mut(&unit.number) else { return };
        if let Place::Leased(lease) = &mut unit.place
            && lease.worker == id
            && unit.attempt == attempt
        {
            lease.heard = now.moment;
            if lease.expansions != expansions {
                lease.moved = now.moment;
            }
            (lease.expansions, lease.memory) = (expansions, memory);
            self.effects.visible = true;
        }
    }

    /// A running unit tells something to the others of its task. It is passed on to the other workers
    /// that have such units, and nobody keeps it.
    pub fn tell(&mut self, id: WorkerId, job: JobId, task: u32, message: &Arc<[u8]>) {
        let Some(known) = self.jobs.get(&job) else { return };
        let same = |unit: &UnitId| {
            let unit = known.units.get(&unit.number).filter(|_| unit.job == job);
            unit.is_some_and(|unit| unit.task == task as usize)
        };
        let runs_it = |worker: &Worker| worker.leases.keys().any(same);
        if !self.fleet.workers.get(&id).is_some_and(runs_it) {
            return;
        }
        for (&other, _) in
            self.fleet.workers.iter().filter(|(other, w)| **other != id && runs_it(w))
        {
            self.effects.at_once.push((other, Order::Hear(job, task, Arc::clone(message))));
        }
    }

    /// An operator does not want a job any more. Nothing happens to a job that has ended.
    ///
    /// # Errors
    /// When there is no such job.
    pub fn cancel(&mut self, now: Now, id: JobId) -> Result<(), NoSuchJob> {
        let job = self.jobs.get(&id).ok_or(NoSuchJob(id))?;
        if !job.state.is_final() {
            self.end_job(now, id, JobState::Cancelled, Some("cancelled by an operator".to_owned()));
        }
        Ok(())
    }

    /// The value of a question; `None` when no kind owns it.
    #[must_use]
    pub fn value(&self, question: &Question) -> Option<Value> {
        self.book.value(&self.registry, question)
    }

    /// The values of all questions that something is known of.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        self.book.values(&self.registry).collect()
    }

    /// The values of the questions of a job, in its order.
    ///
    /// # Errors
    /// When there is no such job.
    pub fn values_of(&self, id: JobId) -> Result<Vec<Value>, NoSuchJob> {
        let job = self.jobs.get(&id).ok_or(NoSuchJob(id))?;
        Ok(self.book.values_of(&self.registry, &job.spec).collect())
    }

    /// Whether it was never given a job, as far as is remembered.
    #[must_use]
    pub fn has_no_jobs(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The jobs that have not ended, oldest first.
    pub(super) fn open_jobs(&self) -> impl Iterator<Item = &Job> {
        self.open.iter().filter_map(|id| self.jobs.get(id))
    }

    /// The jobs that have a task on this question and have not ended.
    pub(super) fn open_jobs_on(&self, question: &Question) -> Vec<JobId> {
        let asks = |job: &&Job| job.tasks.iter().any(|task| task.task.question == *question);
        self.open_jobs().filter(asks).map(|job| job.id).collect()
    }

    /// Ends a job: its leases are cancelled, and what only a running job needs is let go.
    pub(super) fn end_job(&mut self, now: Now, id: JobId, state: JobState, reason: Option<String>) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        job.ran_before = job.milliseconds(now.moment);
        job.running_since = None;
        job.state = state;
        job.reason = reason;
        self.open.remove(&id);
        let mut called_back = Vec::new();
        for (&number, unit) in &job.units {
            if let Place::Leased(lease) = &unit.place {
                called_back.push((lease.worker, number, unit.attempt));
            }
        }
        for (worker, number, attempt) in called_back {
            job.put(number, Place::Ready);
            let unit = job.unit_id(number);
            self.fleet.call_back(&mut self.effects, worker, unit, attempt);
        }
        // A job that was stopped or failed may be submitted again and then goes on from here; a
        // disputed one keeps its evidence.
        if matches!(state, JobState::Done | JobState::Cancelled) {
            self.effects.writes.push(Write::DropUnits(id));
            self.retired.push_back(id);
        }
        let ended = Happening::Ended { state, reason: job.reason.clone() };
        self.effects.writes.push(Write::Job(job.record(now.moment)));
        self.effects.visible = true;
        self.note(now, id, ended);
        self.fleet.forget_job(&mut self.effects, id);
        self.release_retired();
    }

    /// Forgets the oldest of the jobs that ended, when there are too many. What they found stays.
    pub(super) fn forget_old_jobs(&mut self) {
        let ended = self.jobs.values().filter(|job| job.state.is_final());
        let too_many = ended.clone().count().saturating_sub(MOST_ENDED_JOBS);
        for id in ended.map(|job| job.id).take(too_many).collect::<Vec<_>>() {
            self.jobs.remove(&id);
            self.retired.retain(|retired| *retired != id);
            self.effects.writes.push(Write::DropJob(id));
        }
    }

    /// The units of the jobs that ended last stay a while, so that late reports can be compared.
    fn release_retired(&mut self) {
        let units = |core: &Self| -> usize {
            let jobs = core.retired.iter().filter_map(|id| core.jobs.get(id));
            jobs.map(|job| job.units.len() + job.settled.len()).sum()
        };
        while self.retired.len() > MOST_RETIRED_JOBS || units(self) > MOST_RETIRED_UNITS {
            let Some(id) = self.retired.pop_front() else { return };
            if let Some(job) = self.jobs.get_mut(&id) {
                job.release();
            }
        }
    }
}
