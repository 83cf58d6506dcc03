//! Giving units to slots: who gets which, and what a worker is told with it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use sprague_work::{JobState, Task, UnitId, UnitInput, WorkerId};

use super::fleet::{Fleet, Worker};
use super::job::{Job, Place};
use super::lease::new_lease;
use super::outgrown::is_held_up;
use super::quorum::Nearness;
use super::second_try::{may_try, suits};
use super::{Core, Happening, Now, Order, UnitOrigin, Write};

/// The bytes of batches that are put into one message, unless a batch has more: so few that the largest certificate finds room
/// in a session's queue.
const BRIEFING_BYTES: usize = 8 << 20;

impl Core {
    /// Leases waiting units to free slots: jobs in the order of their numbers, tasks and units in that of
    /// theirs, the freest worker first.
    pub(super) fn assign(&mut self, now: Now) {
        let free = self.fleet.workers.iter().map(|(&id, worker)| (worker.free_slots(), id));
        let mut free: Vec<(usize, WorkerId)> = free.filter(|(slots, _)| *slots > 0).collect();
        free.sort_unstable_by_key(|&(slots, id)| (Reverse(slots), id));
        // The methods of a question are for different machines, where there are some, or else for different workers: one that
        // is alone had better finish one question after the other.
        let is_alone = self.fleet.present().nth(1).is_none();
        let nearest: &[Nearness] = if is_alone {
            &[Nearness::SameWorker]
        } else {
            &[Nearness::Apart, Nearness::SameMachine, Nearness::SameWorker]
        };
        for &nearest in nearest {
            // One unit each, then another one for those that have room. Whom nothing fits is not asked again: leases
            // only take units away.
            let mut asked: Vec<&mut (usize, WorkerId)> = free.iter_mut().collect();
            while !asked.is_empty() {
                asked.retain_mut(|(slots, id)| {
                    if *slots == 0 {
                        return false;
                    }
                    let fitting = self.first_fitting(*id, is_alone);
                    let Some((_, unit)) = fitting.filter(|(near, _)| *near <= nearest) else {
                        return false;
                    };
                    self.lease(now, *id, unit);
                    *slots -= 1;
                    true
                });
            }
        }
    }

    /// The unit that a worker is to have next, of the first job with one for it, and how near it is to those that have a
    /// hand in what it must not be near to.
    fn first_fitting(&self, id: WorkerId, is_alone: bool) -> Option<(Nearness, UnitId)> {
        let worker = self.fleet.workers.get(&id)?;
        self.open.iter().filter_map(|job| self.jobs.get(job)).find_map(|job| {
            let first_of = |(task, numbers): (usize, &BTreeSet<u32>)| {
                let ability = job.tasks[task].ability.as_ref()?;
                if !worker.introduction.capabilities.contains(ability) {
                    return None;
                }
                let fits = |number: &u32| fits(&self.fleet, job, *number, worker);
                let fitting = if newest_first(job, numbers) {
                    numbers.iter().rev().copied().find(fits)
                } else {
                    numbers.iter().copied().find(fits)
                };
                fitting.map(|number| (task, number))
            };
            let mut fitting = job.ready.tasks().filter_map(first_of);
            let first = fitting.next()?;
            let mut best = (Nearness::SameWorker, job.unit_id(first.1));
            if is_alone {
                return Some(best);
            }
            for (task, number) in std::iter::once(first).chain(fitting) {
                let nearness = self.nearness(id, job, task);
                if nearness < best.0 {
                    best = (nearness, job.unit_id(number));
                }
                if nearness == Nearness::Apart {
                    break;
                }
            }
            Some(best)
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

/// Whether the units of a task are tried from the newest: the pieces of a unit come with the largest last, so that one
/// which is too large even for a piece is met as soon as can be.
fn newest_first(job: &Job, numbers: &BTreeSet<u32>) -> bool {
    let newest = numbers.last().and_then(|number| job.units.get(number));
    newest.is_some_and(|unit| unit.origin == UnitOrigin::Split)
}

/// Whether a unit, of a task that the worker is able to run, may go to it.
fn fits(fleet: &Fleet, job: &Job, number: u32, worker: &Worker) -> bool {
    job.units.get(&number).is_some_and(|unit| {
        suits(unit, &worker.introduction)
            && !is_held_up(fleet, job, unit)
            && may_try(fleet, job, unit, worker)
    })
}
