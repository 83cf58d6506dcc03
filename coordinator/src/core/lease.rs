//! Leases and their ends: given back to a worker that returns, lost by standing still, taken by a crash, and
//! what becomes of the unit then.

use sprague_work::{Attempt, JobState, Task, UnitId, WorkerId};

use super::fleet::Named;
use super::job::{Job, Lease, Place, Unit};
use super::outgrown::{Slots, awaits_split, is_full_of_outgrown, lacking};
use super::{Core, Happening, Moment, Now, Tried, UnitOrigin, WorkerState, Write};

impl Core {
    /// Time has passed: leases that stand still, workers that stay away and budgets that are used
    /// up come to their end.
    pub fn tick(&mut self, now: Now) {
        self.forget_lost_workers(now);
        self.expire_units(now);
        self.charge_waiting_jobs(now);
        self.stop_spent_jobs(now);
        self.record_running_time(now);
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
        // One that said that it would go takes nothing away.
        let is_announced = worker.state == WorkerState::Draining;
        let leases = std::mem::take(&mut worker.leases);
        worker.winding_down.clear();
        let unannounced = (!is_announced).then(|| self.fleet.named(id));
        for unit in leases.into_keys() {
            if let Some(job) = self.jobs.get_mut(&unit.job) {
                let unannounced = unannounced.clone();
                job.put(unit.number, Place::Awaited { until, unannounced });
            }
        }
    }

    /// Counts a crash of a unit that just lost its lease at that worker, and makes it wait for another slot, or parks it
    /// when it has crashed too often.
    pub(super) fn retry_after_crash(&mut self, now: Now, unit: UnitId, worker: Named, how: &str) {
        let limit = self.settings.crash_limit;
        let Some(known) = self.unit_mut(unit) else { return };
        known.crashes += 1;
        let crashes = known.crashes;
        let too_often =
            (crashes >= limit).then(|| format!("it ended badly {crashes} times, last: {how}"));
        let how = how.to_owned();
        let happening = |attempt| Happening::EndedBadly { attempt, how };
        self.retry_elsewhere(now, unit, worker, too_often, happening);
    }

    /// The same for a worker that went away with a unit, which is seldom the unit's doing and so has a limit of its own.
    fn retry_after_departure(&mut self, now: Now, unit: UnitId, worker: Named, how: &str) {
        let limit = self.settings.most_departures();
        let Some(known) = self.unit_mut(unit) else { return };
        known.departures += 1;
        let departures = known.departures;
        let too_often = (departures >= limit)
            .then(|| format!("{departures} times its worker went away with it"));
        let how = how.to_owned();
        let happening = |attempt| Happening::TakenAway { attempt, how };
        self.retry_elsewhere(now, unit, worker, too_often, happening);
    }

    /// Makes a unit wait for another slot, of another worker where there is one, or parks it when it was `too_often`
    /// that this happened.
    fn retry_elsewhere(
        &mut self,
        now: Now,
        unit: UnitId,
        worker: Named,
        too_often: Option<String>,
        happening: impl FnOnce(Tried) -> Happening,
    ) {
        let Some(known) = self.unit_mut(unit) else { return };
        known.failed_at.insert(worker.name.clone());
        let tried = Tried::new(unit, known.attempt, worker);
        self.note(now, unit.job, happening(tried));
        match too_often {
            Some(reason) => self.park(now, unit, reason),
            None => self.put_back(unit),
        }
    }

    fn unit_mut(&mut self, unit: UnitId) -> Option<&mut Unit> {
        self.jobs.get_mut(&unit.job)?.units.get_mut(&unit.number)
    }

    /// A unit is not tried any more.
    pub(super) fn park(&mut self, now: Now, unit: UnitId, reason: String) {
        if let Some(job) = self.jobs.get_mut(&unit.job) {
            job.put(unit.number, Place::Parked(reason.clone()));
        }
        self.write_unit(unit);
        self.note(now, unit.job, Happening::Parked { unit: unit.number, reason });
    }

    pub(super) fn put_back(&mut self, unit: UnitId) {
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
                Expired::Absent { unannounced: None } => {
                    if let Some(job) = self.jobs.get_mut(&unit.job) {
                        job.put(unit.number, Place::Ready);
                    }
                }
                Expired::Absent { unannounced: Some(worker) } => {
                    self.retry_after_departure(now, unit, worker, "its worker went away");
                }
                Expired::Silent { worker, attempt } => {
                    self.fleet.call_back(&mut self.effects, worker, unit, attempt);
                    let how = "its worker told nothing of it for as long as a lease lasts";
                    self.retry_after_departure(now, unit, self.fleet.named(worker), how);
                }
                Expired::Still { worker, attempt } => {
                    self.fleet.call_back(&mut self.effects, worker, unit, attempt);
                    let how = "it stood still past its lease";
                    self.retry_after_crash(now, unit, self.fleet.named(worker), how);
                }
            }
        }
    }

    fn expired(&self, now: Moment) -> Vec<(UnitId, Expired)> {
        let mut expired = Vec::new();
        for job in self.open_jobs() {
            for (&number, unit) in &job.units {
                let why = match &unit.place {
                    Place::Awaited { until, unannounced } if *until <= now => {
                        Expired::Absent { unannounced: unannounced.clone() }
                    }
                    Place::Leased(lease) if lease.heard.after(self.settings.lease) <= now => {
                        Expired::Silent { worker: lease.worker, attempt: unit.attempt }
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

    /// Jobs of which nothing runs, nothing can be planned and nothing that waits will ever run.
    pub(super) fn end_stuck_jobs(&mut self, now: Now) {
        let stuck = self.open_jobs().filter_map(|job| Some((job.id, self.stuck(job)?)));
        for (id, reason) in stuck.collect::<Vec<_>>() {
            self.end_job(now, id, JobState::Failed, Some(reason));
        }
    }

    /// Why a job will not come to its end, if it will not.
    fn stuck(&self, job: &Job) -> Option<String> {
        let has_more = job.tasks.iter().any(|task| !task.exhausted && !task.is_finished());
        if has_more && !is_full_of_outgrown(&self.fleet, job) {
            return None;
        }
        let mut why = None;
        for unit in job.units.values() {
            let reason = match &unit.place {
                Place::Parked(reason) => reason.clone(),
                Place::Ready
                    if self.settings.fixed_fleet && !awaits_split(&self.fleet, job, unit) =>
                {
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
        let slots = Slots::of(&self.fleet, &job.tasks[unit.task])?;
        let largest = bytes(slots.largest_for(unit)?);
        let need = bytes(lacking(&self.fleet, job, unit)?);
        let whole = match unit.origin {
            UnitOrigin::Planned => "it needs",
            UnitOrigin::Split => "even a piece of it needs",
        };
        Some(format!(
            "out of memory: {whole} slots of at least {need}, the largest has {largest}: \
             give them that or more with --memory"
        ))
    }
}

enum Expired {
    Absent { unannounced: Option<Named> },
    Silent { worker: WorkerId, attempt: Attempt },
    Still { worker: WorkerId, attempt: Attempt },
}

pub(super) fn new_lease(worker: WorkerId, now: Now) -> Lease {
    let moment = now.moment;
    Lease { worker, since: moment, moved: moment, heard: moment, expansions: 0, memory: 0 }
}

/// Bytes for people, rounded up to a whole MiB: what is said must suffice when it is typed again.
pub(super) fn bytes(count: u64) -> String {
    format!("{}MiB", count.div_ceil(1 << 20))
}
