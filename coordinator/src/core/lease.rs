//! Who works on what: planning units ahead, leasing them to free slots, and taking leases back.

use std::sync::Arc;

use sprague_work::{
    Attempt, JobId, JobState, Planning, Registry, Task, UnitId, UnitInput, WorkerId, capability,
};

use super::fleet::{Fleet, Worker};
use super::job::{Job, Lease, Place, Unit};
use super::quorum::may_witness;
use super::second_try::may_try;
use super::{Core, Happening, Moment, Now, Order, Tried, UnitOrigin, WorkerState, Write};

/// How many units that are too large for every slot may wait before a job plans no more.
const MOST_TOO_LARGE: usize = 10_000;

/// The bytes of batches that are put into one message, unless a batch has more: so few that the largest certificate finds room
/// in a session's queue.
const BRIEFING_BYTES: usize = 8 << 20;

/// How many unit numbers of a job are reserved at a time.
const RESERVE: u32 = 1024;

/// How many units of a job are planned ahead of the free slots, so that a job of a million units
/// never has a million of them waiting.
const PLAN_AHEAD: usize = 16;

impl Core {
    /// Time has passed: leases that stand still, workers that stay away and budgets that are used
    /// up come to their end.
    pub fn tick(&mut self, now: Now) {
        self.forget_lost_workers(now);
        self.expire_units(now);
        self.stop_spent_jobs(now);
        self.record_running_time(now);
    }

    /// Plans and leases what can be leased, and ends jobs of which nothing can be done any more.
    /// To be called once after the events of a batch.
    pub fn settle(&mut self, now: Now) {
        self.plan();
        self.reserve_numbers(now);
        self.assign(now);
        self.end_stuck_jobs(now);
    }

    /// Gives a unit back to a worker that says it still runs this attempt of it.
    pub(super) fn readopt(
        &mut self,
        now: Now,
        id: WorkerId,
        unit: UnitId,
        attempt: Attempt,
    ) -> bool {
        let Some(worker) = self.fleet.workers.get_mut(&id) else { return false };
        let Some(job) = self.jobs.get_mut(&unit.job).filter(|job| !job.state.is_final()) else {
            return false;
        };
        let waits = job.units.get(&unit.number).is_some_and(|known| {
            known.attempt == attempt && matches!(known.place, Place::Ready | Place::Awaited { .. })
        });
        if waits {
            job.put(unit.number, Place::Leased(new_lease(id, now)));
            job.running_since.get_or_insert(now.moment);
            worker.leases.insert(unit, attempt);
        }
        waits
    }

    /// A worker went away: what it runs is awaited for a while.
    pub(super) fn await_leases(&mut self, now: Now, id: WorkerId) {
        let until = now.moment.after(self.settings.reconnect_grace);
        let Some(worker) = self.fleet.workers.get_mut(&id) else { return };
        // A worker that said that it would go is not to blame for going.
        let blame = worker.state != WorkerState::Draining;
        for unit in std::mem::take(&mut worker.leases).into_keys() {
            if let Some(job) = self.jobs.get_mut(&unit.job) {
                job.put(unit.number, Place::Awaited { until, blame });
            }
        }
    }

    /// Counts a crash of a unit that just lost its lease, and makes it wait for another slot, or
    /// parks it when it has crashed too often.
    pub(super) fn retry_after_crash(
        &mut self,
        now: Now,
        unit: UnitId,
        worker: Option<WorkerId>,
        how: &str,
    ) {
        let limit = self.settings.crash_limit;
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        let Some(known) = job.units.get_mut(&unit.number) else { return };
        known.crashes += 1;
        let (crashes, attempt) = (known.crashes, known.attempt);
        let worker = worker.map_or_else(String::new, |id| self.fleet.name(id));
        known.failed_at.insert(worker.clone());
        let attempt = Tried { unit: unit.number, attempt, worker };
        self.note(now, unit.job, Happening::EndedBadly { attempt, how: how.to_owned() });
        if crashes >= limit {
            self.park(now, unit, format!("it ended badly {crashes} times, last: {how}"));
        } else {
            self.put_back(unit);
        }
    }

    /// A unit is not tried any more.
    pub(super) fn park(&mut self, now: Now, unit: UnitId, reason: String) {
        if let Some(job) = self.jobs.get_mut(&unit.job) {
            job.put(unit.number, Place::Parked(reason.clone()));
        }
        self.write_unit(unit);
        self.note(now, unit.job, Happening::Parked { unit: unit.number, reason });
    }

    fn put_back(&mut self, unit: UnitId) {
        if let Some(job) = self.jobs.get_mut(&unit.job) {
            job.put(unit.number, Place::Ready);
        }
        self.write_unit(unit);
    }

    pub(super) fn write_unit(&mut self, unit: UnitId) {
        let job = self.jobs.get(&unit.job);
        if let Some(known) = job.and_then(|job| job.units.get(&unit.number)) {
            self.effects.writes.push(Write::Unit(unit, known.record()));
            self.effects.visible = true;
        }
    }

    fn forget_lost_workers(&mut self, now: Now) {
        let lost = self.fleet.workers.iter().filter(
            |(_, worker)| matches!(worker.state, WorkerState::Lost(until) if until <= now.moment),
        );
        for id in lost.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.fleet.forget(id);
            self.effects.visible = true;
        }
    }

    fn expire_units(&mut self, now: Now) {
        for (unit, expired) in self.expired(now.moment) {
            match expired {
                Expired::Absent { blame: false } => {
                    if let Some(job) = self.jobs.get_mut(&unit.job) {
                        job.put(unit.number, Place::Ready);
                    }
                }
                Expired::Absent { blame: true } => {
                    self.retry_after_crash(now, unit, None, "its worker went away");
                }
                Expired::Still { worker, attempt } => {
                    self.fleet.call_back(&mut self.effects, worker, unit, attempt);
                    let how = "it stood still past its lease";
                    self.retry_after_crash(now, unit, Some(worker), how);
                }
            }
        }
    }

    fn expired(&self, now: Moment) -> Vec<(UnitId, Expired)> {
        let mut expired = Vec::new();
        for job in self.jobs.values().filter(|job| !job.state.is_final()) {
            for (&number, unit) in &job.units {
                let why = match &unit.place {
                    Place::Awaited { until, blame } if *until <= now => {
                        Expired::Absent { blame: *blame }
                    }
                    Place::Leased(lease) if lease.moved.after(self.settings.lease) <= now => {
                        Expired::Still { worker: lease.worker, attempt: unit.attempt }
                    }
                    _ => continue,
                };
                expired.push((job.unit_id(number), why));
            }
        }
        expired
    }

    /// Asks the drivers for units until enough of them wait.
    fn plan(&mut self) {
        let slots: usize = self.fleet.present().map(|w| w.introduction.slots as usize).sum();
        let free: usize = self.fleet.workers.values().map(Worker::free_slots).sum();
        let mut planned = Vec::new();
        for job in self.jobs.values_mut().filter(|job| !job.state.is_final()) {
            // Units that no slot is large enough for must not keep others from being planned.
            let large = job.ready.iter().filter(|number| {
                let unit = job.units.get(number);
                unit.is_some_and(|unit| {
                    unit.need > 0 && !has_room(&self.registry, &self.fleet, job, unit)
                })
            });
            let large = large.count().min(MOST_TOO_LARGE);
            for index in 0..job.tasks.len() {
                if !job.tasks[index].has_learnt(&self.book) {
                    continue;
                }
                let driver = job.tasks[index].driver.as_ref();
                let wanted = large
                    + match driver.map(|driver| driver.planning()) {
                        Some(Planning::OnDemand) => free,
                        Some(Planning::Ahead) | None => slots + PLAN_AHEAD,
                    };
                while job.ready.len() < wanted && !job.tasks[index].exhausted {
                    let task = &mut job.tasks[index];
                    let Some(part) = task.driver.as_mut().and_then(|driver| driver.next()) else {
                        task.exhausted = true;
                        break;
                    };
                    let need = remembered(&self.registry, &self.needs, &task.task, &part);
                    let number = job.add_unit(index, part, UnitOrigin::Planned, need);
                    if let Some(unit) = job.units.get_mut(&number) {
                        unit.planned_in = Some(self.effects.number);
                    }
                    planned.push(job.unit_id(number));
                }
            }
        }
        for unit in planned {
            self.write_unit(unit);
        }
    }

    /// Leases waiting units to free slots: jobs in the order of their numbers, units in that of
    /// theirs, the freest worker first.
    fn assign(&mut self, now: Now) {
        loop {
            let mut free: Vec<(usize, WorkerId)> = self
                .fleet
                .workers
                .iter()
                .map(|(&id, worker)| (worker.free_slots(), id))
                .filter(|(slots, _)| *slots > 0)
                .collect();
            free.sort_by_key(|&(slots, id)| (std::cmp::Reverse(slots), id));
            let mut leased = false;
            for (_, id) in free {
                if let Some(unit) = self.first_fitting(id) {
                    self.lease(now, id, unit);
                    leased = true;
                }
            }
            if !leased {
                return;
            }
        }
    }

    fn first_fitting(&self, id: WorkerId) -> Option<UnitId> {
        let worker = self.fleet.workers.get(&id)?;
        self.jobs.values().filter(|job| !job.state.is_final()).find_map(|job| {
            let fits = |number: &&u32| fits(&self.registry, &self.fleet, job, **number, worker);
            let mut fitting = job.ready.iter().filter(fits);
            let first = *fitting.next()?;
            // The methods of a question are for different workers, where there are some: one that is alone
            // had better finish one question after the other.
            let is_alone = self.fleet.present().nth(1).is_none();
            let is_apart =
                |number: &u32| is_alone || !self.touched_siblings(id, job, job.units[number].task);
            let best = std::iter::once(&first).chain(fitting).find(|number| is_apart(number));
            Some(job.unit_id(best.copied().unwrap_or(first)))
        })
    }

    fn lease(&mut self, now: Now, id: WorkerId, unit: UnitId) {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        job.put(unit.number, Place::Leased(new_lease(id, now)));
        job.totals.attempts += 1;
        job.running_since.get_or_insert(now.moment);
        let begins = job.state == JobState::Queued;
        if begins {
            job.state = JobState::Running;
            self.effects.writes.push(Write::Job(job.record(now.moment)));
        }
        let Some(known) = job.units.get_mut(&unit.number) else { return };
        known.attempt = known.attempt.next();
        let attempt = known.attempt;
        let run = &job.tasks[known.task];
        // A unit of which the store knows nothing, and whose number no other unit will have: if the
        // coordinator is killed before the commit, its report will be of a unit that is not there.
        let hasty = run.is_driven()
            && known.planned_in == Some(self.effects.number)
            && unit.number < job.reserved.stored;
        let Task { question, method } = run.task.clone();
        let input = UnitInput { question, method, part: known.part.clone() };
        let task = u32::try_from(known.task).expect("jobs have at most 10,000 tasks");
        if let Some(worker) = self.fleet.workers.get_mut(&id) {
            worker.leases.insert(unit, attempt);
            let batches = run.driver.as_ref().map_or(&[][..], |driver| driver.briefing());
            if !batches.is_empty() {
                let given = worker.briefed.entry((unit.job, known.task)).or_default();
                for (first, batches) in in_messages(batches, *given) {
                    let order = Order::Brief(unit.job, task, first, batches);
                    self.effects.at_once.push((id, order));
                }
                *given = batches.len();
            }
        }
        let order = (id, Order::Lease(unit, attempt, task, input));
        if hasty {
            self.effects.at_once.push(order);
        } else {
            self.effects.orders.push(order);
        }
        self.tally.leases += 1;
        self.write_unit(unit);
        if begins {
            self.note(now, unit.job, Happening::Started);
        }
    }

    /// Reserves numbers for the next units of the jobs that are to be leased in haste.
    fn reserve_numbers(&mut self, now: Now) {
        let batch = self.effects.number;
        for job in self.jobs.values_mut().filter(|job| !job.state.is_final()) {
            if job.is_driven() && job.next_unit + RESERVE / 2 >= job.reserved.written {
                job.reserved.written = job.next_unit.saturating_add(RESERVE);
                self.reserving.push_back((batch, job.id, job.reserved.written));
                self.effects.writes.push(Write::Job(job.record(now.moment)));
            }
        }
    }

    /// Jobs of which nothing runs, nothing can be planned and nothing that waits will ever run.
    fn end_stuck_jobs(&mut self, now: Now) {
        let stuck = self.jobs.values().filter_map(|job| Some((job.id, self.stuck(job)?)));
        for (id, reason) in stuck.collect::<Vec<_>>() {
            self.end_job(now, id, JobState::Failed, Some(reason));
        }
    }

    /// Why a job will not come to its end, if it will not.
    fn stuck(&self, job: &Job) -> Option<String> {
        if job.state.is_final()
            || job.tasks.iter().any(|task| !task.exhausted && !task.is_finished())
        {
            return None;
        }
        let mut why = None;
        for unit in job.units.values() {
            let reason = match &unit.place {
                Place::Done(_) | Place::Replaced => continue,
                Place::Parked(reason) => reason.clone(),
                Place::Ready if self.settings.fixed_fleet => {
                    self.too_large(job, unit).or_else(|| self.too_few(job, unit))?
                }
                Place::Ready | Place::Leased(_) | Place::Awaited { .. } => return None,
            };
            let Task { question, method } = &job.tasks[unit.task].task;
            why.get_or_insert_with(|| format!("{question} by {method}: {reason}"));
        }
        why
    }

    /// What a waiting unit needs, in words, if no worker that is present has it.
    fn too_large(&self, job: &Job, unit: &Unit) -> Option<String> {
        let ability = ability(&self.registry, &job.tasks[unit.task].task)?;
        let largest = self.fleet.largest_slot(&ability)?;
        (unit.need > largest).then(|| {
            let (need, largest) = (bytes(unit.need), bytes(largest));
            format!("out of memory: it needs slots of at least {need}, the largest has {largest}")
        })
    }
}

/// The batches from a number on, as many as fit a message together, each with the number of its first.
fn in_messages(batches: &[Arc<[u8]>], from: usize) -> Vec<(u32, Vec<Arc<[u8]>>)> {
    let mut messages: Vec<(u32, Vec<Arc<[u8]>>)> = Vec::new();
    let mut bytes = usize::MAX;
    for (number, batch) in batches.iter().enumerate().skip(from) {
        if bytes.saturating_add(batch.len()) > BRIEFING_BYTES {
            let number = u32::try_from(number).expect("there is at most a batch for each unit");
            messages.push((number, Vec::new()));
            bytes = 0;
        }
        bytes += batch.len();
        messages.last_mut().expect("the first batch begins one").1.push(Arc::clone(batch));
    }
    messages
}

enum Expired {
    Absent { blame: bool },
    Still { worker: WorkerId, attempt: Attempt },
}

fn new_lease(worker: WorkerId, now: Now) -> Lease {
    Lease { worker, since: now.moment, moved: now.moment, expansions: 0, memory: 0 }
}

/// The capability that a worker must have for a task.
pub(super) fn ability(registry: &Registry, task: &Task) -> Option<String> {
    let kind = registry.kind_of(&task.question)?;
    Some(capability(kind.name(), task.method.as_str()))
}

/// The memory that units like this one turned out to need, in bytes.
pub(super) fn remembered(
    registry: &Registry,
    needs: &std::collections::BTreeMap<String, u64>,
    task: &Task,
    part: &sprague_work::Part,
) -> u64 {
    memory_class(registry, task, part).and_then(|class| needs.get(&class)).copied().unwrap_or(0)
}

pub(super) fn memory_class(
    registry: &Registry,
    task: &Task,
    part: &sprague_work::Part,
) -> Option<String> {
    let Task { question, method } = task.clone();
    let kind = registry.kind_of(&question)?;
    Some(kind.memory_class(&UnitInput { question, method, part: part.clone() }))
}

fn fits(registry: &Registry, fleet: &Fleet, job: &Job, number: u32, worker: &Worker) -> bool {
    let Some(unit) = job.units.get(&number) else { return false };
    unit.need <= worker.introduction.slot_memory
        && may_witness(unit, &worker.introduction.name)
        && may_try(registry, fleet, job, unit, worker)
        && ability(registry, &job.tasks[unit.task].task)
            .is_some_and(|ability| worker.introduction.capabilities.contains(&ability))
}

/// Whether a slot that is present is large enough for the unit.
fn has_room(registry: &Registry, fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    ability(registry, &job.tasks[unit.task].task)
        .and_then(|ability| fleet.largest_slot(&ability))
        .is_none_or(|largest| unit.need <= largest)
}

/// Bytes for people, rounded up to a whole MiB: what is said must suffice when it is typed again.
pub(super) fn bytes(count: u64) -> String {
    format!("{}MiB", count.div_ceil(1 << 20))
}

/// The jobs that have a task on this question and have not ended.
pub(super) fn open_jobs_on<'a>(
    jobs: impl Iterator<Item = &'a Job>,
    question: &sprague_work::Question,
) -> Vec<JobId> {
    jobs.filter(|job| !job.state.is_final())
        .filter(|job| job.tasks.iter().any(|task| task.task.question == *question))
        .map(|job| job.id)
        .collect()
}
