//! Planning: which units there are, a little ahead of the slots that could take them.

use std::collections::BTreeMap;

use sprague_work::{Part, Planning, Registry, Task, UnitInput};

use super::fleet::Worker;
use super::outgrown::{MOST_OUTGROWN, lacking, outgrown};
use super::{Core, Now, UnitOrigin, Write};

/// How many unit numbers of a job are reserved at a time.
const RESERVE: u32 = 1024;

/// How many units of a job are planned ahead of the free slots, so that a job of a million units
/// never has a million of them waiting.
const PLAN_AHEAD: usize = 16;

impl Core {
    /// Plans and leases what can be leased, splits what no slot will have the memory for, and ends jobs of which nothing can
    /// be done any more. To be called once after the events of a batch.
    pub fn settle(&mut self, now: Now) {
        self.plan();
        self.split_outgrown(now);
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
            let mut large = outgrown(&self.fleet, job);
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
                    if unit.is_some_and(|unit| lacking(&self.fleet, job, unit).is_some()) {
                        large = MOST_OUTGROWN.min(large + 1);
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
pub(super) fn remembered(
    registry: &Registry,
    needs: &BTreeMap<String, u64>,
    task: &Task,
    part: &Part,
) -> u64 {
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
