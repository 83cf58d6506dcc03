//! Planning: which units there are, a little ahead of the slots that could take them.

use std::collections::BTreeMap;

use sprague_work::{Part, Planning, Registry, Task, UnitInput};

use super::fleet::{Fleet, Worker};
use super::job::{Job, Unit};
use super::{Core, Now, UnitOrigin, Write};

/// How many units that are too large for every slot may wait before a job plans no more.
const MOST_TOO_LARGE: usize = 10_000;

/// How many unit numbers of a job are reserved at a time.
const RESERVE: u32 = 1024;

/// How many units of a job are planned ahead of the free slots, so that a job of a million units
/// never has a million of them waiting.
const PLAN_AHEAD: usize = 16;

impl Core {
    /// Plans and leases what can be leased, and ends jobs of which nothing can be done any more.
    /// To be called once after the events of a batch.
    pub fn settle(&mut self, now: Now) {
        self.plan();
        self.reserve_numbers(now);
        self.assign(now);
        self.end_stuck_jobs(now);
    }

    /// Asks the drivers for units until enough of them wait.
    fn plan(&mut self) {
        let slots: usize = self.fleet.present().map(|w| w.introduction.slots as usize).sum();
        let free: usize = self.fleet.workers.values().map(Worker::free_slots).sum();
        let mut planned = Vec::new();
        for id in &self.open {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            let mut large = too_large(&self.fleet, job);
            for index in 0..job.tasks.len() {
                if job.ready.len() >= large + slots + PLAN_AHEAD {
                    break;
                }
                if job.tasks[index].exhausted || !job.tasks[index].has_learnt(&self.book) {
                    continue;
                }
                let driver = job.tasks[index].driver.as_ref();
                let wanted = match driver.map(|driver| driver.planning()) {
                    Some(Planning::OnDemand) => free,
                    Some(Planning::Ahead) | None => slots + PLAN_AHEAD,
                };
                while job.ready.len() < large + wanted && !job.tasks[index].exhausted {
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
                    // What is known to be too large makes room for one more at once: where all units are, the job must
                    // come to its end.
                    let unit = job.units.get(&number);
                    if unit.is_some_and(|unit| is_too_large(&self.fleet, job, unit)) {
                        large = MOST_TOO_LARGE.min(large + 1);
                    }
                    planned.push(job.unit_id(number));
                }
            }
        }
        for unit in planned {
            self.write_unit(unit);
        }
    }

    /// Reserves numbers for the next units of the jobs that are to be leased in haste.
    fn reserve_numbers(&mut self, now: Now) {
        let batch = self.effects.number;
        for id in &self.open {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            if job.is_driven() && job.next_unit + RESERVE / 2 >= job.reserved.written {
                job.reserved.written = job.next_unit.saturating_add(RESERVE);
                self.reserving.push_back((batch, job.id, job.reserved.written));
                self.effects.writes.push(Write::Job(job.record(now.moment)));
            }
        }
    }
}

/// The memory that units like this one turned out to need, in bytes.
fn remembered(registry: &Registry, needs: &BTreeMap<String, u64>, task: &Task, part: &Part) -> u64 {
    if needs.is_empty() {
        return 0;
    }
    memory_class(registry, task, part).and_then(|class| needs.get(&class)).copied().unwrap_or(0)
}

pub(super) fn memory_class(registry: &Registry, task: &Task, part: &Part) -> Option<String> {
    let Task { question, method } = task.clone();
    let kind = registry.kind_of(&question)?;
    Some(kind.memory_class(&UnitInput { question, method, part: part.clone() }))
}

/// Whether so many units wait that no slot is large enough for that the job plans no more.
pub(super) fn is_full_of_too_large(fleet: &Fleet, job: &Job) -> bool {
    too_large(fleet, job) == MOST_TOO_LARGE
}

/// How many waiting units no slot is large enough for: they must not keep others from being planned.
fn too_large(fleet: &Fleet, job: &Job) -> usize {
    if job.largest_need == 0 {
        return 0;
    }
    let waiting = job.ready.numbers().filter_map(|number| job.units.get(&number));
    waiting.filter(|unit| is_too_large(fleet, job, unit)).take(MOST_TOO_LARGE).count()
}

/// Whether no slot that is present is large enough for the unit.
fn is_too_large(fleet: &Fleet, job: &Job, unit: &Unit) -> bool {
    let largest = || fleet.largest_slot_for(&job.tasks[unit.task]);
    unit.need > 0 && largest().is_some_and(|largest| unit.need > largest)
}
