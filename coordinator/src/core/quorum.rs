//! Jobs whose units are done by several workers, and what becomes of a worker that the others outvote.
//!
//! With a redundancy of N a unit is leased to distinct workers until N of them have given the same result,
//! as BOINC does: D. P. Anderson, "BOINC: A System for Public-Resource Computing and Storage" (2004). The
//! results of those that gave another one are kept as events, and they are given no more units until an
//! operator trusts them again. Only results that must be equal can be counted: those of tasks that are planned
//! ahead.

use serde::{Deserialize, Serialize};
use sprague_work::{Attempt, Planning, Task, UnitId, UnitResult, WorkerId};

use super::event::{Happening, Tried};
use super::fleet::{Named, Worker};
use super::job::{Job, Place, TaskRun, Unit};
use super::machine::NoSuchWorker;
use super::{Core, Now, Write};

/// How many workers beyond its redundancy a unit is given to before it is disputed.
const MOST_OUTVOTED: usize = 3;

/// The result of a worker for a unit that is done when enough of them agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// Its attempt.
    pub attempt: Attempt,
    /// Its name.
    pub worker: String,
    /// Its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<WorkerId>,
    /// What it said.
    pub result: UnitResult,
}

impl Witness {
    fn agrees(&self, result: &UnitResult) -> bool {
        self.result.answer == result.answer && self.result.fingerprint == result.fingerprint
    }
}

/// What one more result of a unit comes to.
pub(super) enum Vote {
    /// It counts.
    Enough,
    /// Other workers have to do it as well.
    Waits,
    /// So many have done it without agreement that they will not.
    Hopeless,
}

/// How near a worker is to those that have had a hand in something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    /// It is none of them, and none of them is known to be on its machine.
    Apart,
    /// One of them is on its machine.
    SameMachine,
    /// It is one of them.
    SameWorker,
}

/// How many workers must agree on a unit.
pub(super) fn redundancy(job: &Job, unit: &Unit) -> usize {
    let driver = job.tasks.get(unit.task).and_then(|task| task.driver.as_ref());
    match driver {
        Some(driver) if driver.planning() == Planning::Ahead => job.spec.options.times() as usize,
        _ => 1,
    }
}

/// Whether the worker of that name may do the unit: each does it once.
pub(super) fn may_witness(unit: &Unit, worker: &str) -> bool {
    unit.witnesses.iter().all(|witness| witness.worker != worker)
}

impl Core {
    /// Counts a result of a unit, and takes the trust from those that it outvotes when it counts.
    pub(super) fn vote(
        &mut self,
        now: Now,
        unit: UnitId,
        attempt: Attempt,
        worker: Named,
        result: &UnitResult,
    ) -> Vote {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return Vote::Enough };
        let Some(known) = job.units.get(&unit.number) else { return Vote::Enough };
        let wanted = redundancy(job, known);
        if wanted == 1 {
            return Vote::Enough;
        }
        let Some(known) = job.units.get_mut(&unit.number) else { return Vote::Enough };
        // What is said twice, as the first time was not seen to have been heard, is one voice.
        if known.witnesses.iter().any(|witness| witness.attempt == attempt) {
            return Vote::Waits;
        }
        let agreed = 1 + known.witnesses.iter().filter(|witness| witness.agrees(result)).count();
        if agreed < wanted {
            let Named { id, name: worker } = worker;
            let (number, result) = (Some(id), result.clone());
            known.witnesses.push(Witness { attempt, worker, number, result });
            let hopeless = known.witnesses.len() >= wanted + MOST_OUTVOTED;
            job.put(unit.number, Place::Ready);
            self.write_unit(unit);
            return if hopeless { Vote::Hopeless } else { Vote::Waits };
        }
        for witness in std::mem::take(&mut known.witnesses) {
            if !witness.agrees(result) {
                self.outvote(now, unit, witness, agreed, result);
            }
        }
        Vote::Enough
    }

    /// What the workers gave that did not agree, in words.
    pub(super) fn votes(&self, unit: UnitId) -> String {
        let known = self.jobs.get(&unit.job).and_then(|job| job.units.get(&unit.number));
        let votes = known.into_iter().flat_map(|unit| &unit.witnesses).map(|witness| {
            let (answer, fingerprint) = (witness.result.answer.shown(), witness.result.fingerprint);
            format!("{} gave {answer} with fingerprint {fingerprint:016x}", witness.worker)
        });
        format!("of unit {unit}, {}", votes.collect::<Vec<_>>().join(", "))
    }

    fn outvote(
        &mut self,
        now: Now,
        unit: UnitId,
        loser: Witness,
        agreed: usize,
        result: &UnitResult,
    ) {
        let why = format!(
            "of unit {unit} it gave {} with fingerprint {:016x}, {agreed} others gave {} with {:016x}",
            loser.result.answer.shown(),
            loser.result.fingerprint,
            result.answer.shown(),
            result.fingerprint,
        );
        let Witness { attempt, worker, number, .. } = loser;
        let attempt = Tried { unit: unit.number, attempt, worker: worker.clone(), number };
        self.note(now, unit.job, Happening::Outvoted { attempt, why: why.clone() });
        self.distrust(worker, why);
    }

    /// A worker is given no more units, and what it runs is taken back.
    fn distrust(&mut self, name: String, why: String) {
        // Other results that it had given before may be outvoted after the first.
        if !self.is_trusted(&name) {
            return;
        }
        let same = self.fleet.workers.iter_mut().filter(|(_, w)| w.introduction.name == name);
        let mut called_back = Vec::new();
        for (&id, worker) in same {
            worker.trusted = false;
            called_back.extend(worker.leases.iter().map(|(&unit, &attempt)| (id, unit, attempt)));
        }
        for (id, unit, attempt) in called_back {
            self.fleet.call_back(&mut self.effects, id, unit, attempt);
            if let Some(job) = self.jobs.get_mut(&unit.job) {
                job.put(unit.number, Place::Ready);
            }
        }
        self.effects.writes.push(Write::Distrust(name.clone(), why.clone()));
        self.effects.visible = true;
        self.distrusted.insert(name, why);
    }

    /// An operator trusts a worker again.
    ///
    /// # Errors
    /// When there is no such worker.
    pub fn trust(&mut self, id: WorkerId) -> Result<(), NoSuchWorker> {
        let worker = self.fleet.workers.get(&id).ok_or(NoSuchWorker(id))?;
        let name = worker.introduction.name.clone();
        for worker in self.fleet.workers.values_mut() {
            worker.trusted |= worker.introduction.name == name;
        }
        if self.distrusted.remove(&name).is_some() {
            self.effects.writes.push(Write::Trust(name));
        }
        self.effects.visible = true;
        Ok(())
    }

    /// How near a worker is to those that have had a hand in another method's answer to the question of a task, in this job or
    /// before: the methods of a question are better kept on different machines.
    pub(super) fn nearness(&self, id: WorkerId, job: &Job, task: usize) -> Nearness {
        let TaskRun { task: Task { question, method }, siblings, .. } = &job.tasks[task];
        let findings = || self.book.found_by_others(question, method);
        if siblings.is_empty() && findings().next().is_none() {
            return Nearness::Apart;
        }
        let Some(worker) = self.fleet.workers.get(&id) else { return Nearness::Apart };
        let has_touched = |worker: &Worker| {
            let name = &worker.introduction.name;
            let runs = |sibling: usize| {
                worker.leases.keys().any(|unit| {
                    let known = job.units.get(&unit.number).filter(|_| unit.job == job.id);
                    known.is_some_and(|known| known.task == sibling)
                })
            };
            siblings.iter().any(|&other| job.tasks[other].workers.contains(name) || runs(other))
                || findings().any(|finding| finding.workers.contains(name))
        };
        let mut neighbours = self.fleet.on_machine_of(worker);
        if has_touched(worker) {
            Nearness::SameWorker
        } else if neighbours.any(|id| self.fleet.workers.get(&id).is_some_and(has_touched)) {
            Nearness::SameMachine
        } else {
            Nearness::Apart
        }
    }

    /// Why a job with a redundancy will never have enough workers, where no others will come.
    pub(super) fn too_few(&self, job: &Job, unit: &Unit) -> Option<String> {
        let wanted = redundancy(job, unit);
        let present = self.fleet.present().count();
        let could =
            self.fleet.present().filter(|w| may_witness(unit, &w.introduction.name)).count();
        let lacking = wanted > 1 && present > 0 && could == 0 && !self.distrusted.is_empty();
        lacking.then(|| format!("{wanted} workers must agree, and too few are trusted"))
    }

    /// Whether no result of the worker of that name was outvoted, since an operator last trusted it.
    pub(super) fn is_trusted(&self, name: &str) -> bool {
        !self.distrusted.contains_key(name)
    }
}
