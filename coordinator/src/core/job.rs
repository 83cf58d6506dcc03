//! A job as the core holds it: its tasks with their drivers, its units and where each of them is.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sprague_work::{
    Attempt, Driver, Effort, JobId, JobSpec, JobState, Part, Planning, Task, UnitId, UnitResult,
    WorkerId,
};

use super::book::Book;
use super::fleet::Named;
use super::ready::Ready;
use super::settled::Settled;
use super::{Event, JobRecord, JobTotals, Moment, UnitOrigin, UnitRecord, Witness};

/// A lease that is out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lease {
    pub(super) worker: WorkerId,
    pub(super) since: Moment,
    /// When its count of expansions last moved: a lease lives on progress.
    pub(super) moved: Moment,
    /// When its worker last told of it.
    pub(super) heard: Moment,
    pub(super) expansions: u64,
    pub(super) memory: u64,
}

/// Where a unit is that is still to be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Waits for a slot.
    Ready,
    /// A worker runs it.
    Leased(Lease),
    /// A worker ran it when its connection, or the coordinator, went away. It may come back and go
    /// on until this moment. Then its absence counts against the unit, unless it had said that it would go, or it was the
    /// coordinator that went.
    Awaited { until: Moment, unannounced: Option<Named> },
    /// Not tried any more, and why.
    Parked(String),
}

/// What is known of a waiting unit that needs more memory than any slot that is present has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outgrown {
    /// Since when, in this life of the coordinator.
    pub(super) since: Moment,
    /// Whether it can be split.
    pub(super) splits: bool,
}

/// A unit that is still to be done.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) task: usize,
    pub(super) part: Part,
    pub(super) origin: UnitOrigin,
    pub(super) attempt: Attempt,
    pub(super) crashes: u32,
    pub(super) departures: u32,
    /// The names of the workers at which it ended badly, in this life of the coordinator.
    pub(super) failed_at: BTreeSet<String>,
    /// Those of them that said that it needs more memory than they have.
    pub(super) starved_at: BTreeSet<String>,
    pub(super) need: u64,
    /// Set while it waits for a larger slot than there is.
    pub(super) outgrown: Option<Outgrown>,
    pub(super) place: Place,
    /// The batch in which it was planned, in this life of the coordinator.
    pub(super) planned_in: Option<u64>,
    /// Results of attempts that had lost their lease, kept to be compared with the one that counts.
    pub(super) late: Vec<(Attempt, UnitResult)>,
    /// The results of workers that have done it, while others have to do it as well.
    pub(super) witnesses: Vec<Witness>,
}

impl Unit {
    /// It, as the store keeps it.
    pub(super) fn record(&self) -> UnitRecord {
        let parked = match &self.place {
            Place::Parked(why) => Some(why.clone()),
            Place::Ready | Place::Leased(_) | Place::Awaited { .. } => None,
        };
        UnitRecord {
            task: u32::try_from(self.task).expect("jobs have at most 10,000 tasks"),
            part: self.part.clone(),
            origin: self.origin,
            attempt: self.attempt,
            crashes: self.crashes,
            departures: self.departures,
            need: self.need,
            waits: self.place == Place::Ready,
            parked,
            replaced: false,
            done: None,
            late: self.late.clone(),
            witnesses: self.witnesses.clone(),
        }
    }
}

/// A task on its way to a finding.
pub(super) struct TaskRun {
    pub(super) task: Task,
    /// The capability that a worker must have for it; `None` if no kind owns the question.
    pub(super) ability: Option<String>,
    /// There is a finding.
    pub(super) finished: bool,
    /// `None` once there is a finding.
    pub(super) driver: Option<Box<dyn Driver>>,
    /// Tasks whose findings the driver must be told before it is asked for its first unit; empty once it was.
    pub(super) needs: Vec<Task>,
    /// The driver had no more to give out when it was last asked.
    pub(super) exhausted: bool,
    pub(super) effort: Effort,
    pub(super) workers: BTreeSet<String>,
    /// The units that need more memory than any slot has and cannot be split.
    pub(super) indivisible: BTreeSet<u32>,
    /// The job's other tasks on the same question.
    pub(super) siblings: Vec<usize>,
}

impl TaskRun {
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Tells the driver what the task needs as soon as all of it is known; returns whether nothing is missing.
    pub(super) fn has_learnt(&mut self, book: &Book) -> bool {
        if let Some(findings) = book.findings(&self.needs) {
            if let (Some(driver), false) = (self.driver.as_mut(), findings.is_empty()) {
                driver.learn(&findings);
            }
            self.needs.clear();
        }
        self.needs.is_empty()
    }

    /// Whether its next part depends on when it is asked for.
    pub(super) fn is_driven(&self) -> bool {
        self.driver.as_ref().is_some_and(|driver| driver.planning() == Planning::OnDemand)
    }

    pub(super) fn finish(&mut self) {
        self.finished = true;
        self.driver = None;
    }
}

/// Up to which number, exclusively, the store has the numbers of a job's units as taken: after a
/// restart units get greater ones, whether or not those below were given out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reserved {
    /// Once all batches so far are committed.
    pub(super) written: u32,
    /// Now.
    pub(super) stored: u32,
}

/// A job.
pub(super) struct Job {
    pub(super) id: JobId,
    pub(super) spec: JobSpec,
    pub(super) state: JobState,
    pub(super) reason: Option<String>,
    pub(super) submitted: String,
    /// Since when it runs, in this life of the coordinator.
    pub(super) running_since: Option<Moment>,
    /// How long it ran before that.
    pub(super) ran_before: u64,
    /// How long it had run when its budget began.
    pub(super) budget_from: u64,
    /// How long it had run when that was last written.
    pub(super) recorded: u64,
    /// How many tasks were done when it was restored or let go of, for a job that was over by then and has none.
    pub(super) tasks_done_before: u64,
    pub(super) tasks: Vec<TaskRun>,
    /// The units that are still to be done. Those that smaller ones, or another job, do the work of are not.
    pub(super) units: BTreeMap<u32, Unit>,
    /// The units whose place is `Ready`.
    pub(super) ready: Ready,
    /// The units that are done and that another attempt would have to agree with.
    pub(super) settled: BTreeMap<u32, Settled>,
    /// The most that a unit of it was found to need: as long as it is 0, none is too large for any slot.
    pub(super) largest_need: u64,
    pub(super) next_unit: u32,
    pub(super) reserved: Reserved,
    pub(super) totals: JobTotals,
    /// What happened to it, with its numbers, oldest first.
    pub(super) events: VecDeque<(u32, Event)>,
    /// How many results were merged: the order in which a restart merges them again.
    pub(super) merged: u64,
}

impl Job {
    pub(super) fn unit_id(&self, number: u32) -> UnitId {
        UnitId { job: self.id, number }
    }

    pub(super) fn milliseconds(&self, now: Moment) -> u64 {
        self.ran_before + self.running_since.map_or(0, |since| now.since(since))
    }

    pub(super) fn record(&self, now: Moment) -> JobRecord {
        JobRecord {
            id: self.id,
            spec: self.spec.clone(),
            state: self.state,
            reason: self.reason.clone(),
            submitted: self.submitted.clone(),
            milliseconds: self.milliseconds(now),
            budget_from: self.budget_from,
            tasks_done: self.tasks_done(),
            units_reserved: self.reserved.written,
            totals: self.totals,
        }
    }

    /// Whether a task of it has parts that depend on when they are asked for.
    pub(super) fn is_driven(&self) -> bool {
        self.tasks.iter().any(TaskRun::is_driven)
    }

    /// How many tasks have their finding.
    pub(super) fn tasks_done(&self) -> u64 {
        if self.tasks.is_empty() {
            return self.tasks_done_before;
        }
        self.tasks.iter().filter(|task| task.is_finished()).count() as u64
    }

    /// Adds a unit that waits for a slot.
    pub(super) fn add_unit(
        &mut self,
        task: usize,
        part: Part,
        origin: UnitOrigin,
        need: u64,
    ) -> u32 {
        let number = self.next_unit;
        self.next_unit += 1;
        let unit = Unit {
            task,
            part,
            origin,
            attempt: Attempt::default(),
            crashes: 0,
            departures: 0,
            failed_at: BTreeSet::new(),
            starved_at: BTreeSet::new(),
            need,
            outgrown: None,
            place: Place::Ready,
            planned_in: None,
            late: Vec::new(),
            witnesses: Vec::new(),
        };
        self.insert(number, unit);
        number
    }

    /// Takes in a unit that is to be done.
    pub(super) fn insert(&mut self, number: u32, unit: Unit) {
        if unit.place == Place::Ready {
            self.ready.insert(unit.task, number);
        }
        self.largest_need = self.largest_need.max(unit.need);
        self.units.insert(number, unit);
    }

    /// Moves a unit to another place.
    pub(super) fn put(&mut self, number: u32, place: Place) {
        if let Some(unit) = self.units.get_mut(&number) {
            if place == Place::Ready {
                self.ready.insert(unit.task, number);
            } else {
                self.ready.remove(unit.task, number);
            }
            unit.place = place;
        }
    }

    /// Takes out a unit that is not to be done any more.
    pub(super) fn take(&mut self, number: u32) -> Option<Unit> {
        let unit = self.units.remove(&number)?;
        self.ready.remove(unit.task, number);
        self.tasks[unit.task].indivisible.remove(&number);
        Some(unit)
    }

    /// Lets go of everything that only a job that goes on needs.
    pub(super) fn release(&mut self) {
        self.units.clear();
        self.ready.clear();
        self.settled.clear();
        self.tasks_done_before = self.tasks_done();
        self.tasks = Vec::new();
    }
}
