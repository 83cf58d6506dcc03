//! Where a unit that ended badly is tried again, and how many workers must say that it needs more memory than any
//! slot has.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod counting;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use sprague_coordinator::core::{Core, Introduction, Moment, Now, Order, Settings};
use sprague_work::{
    Ending, JobId, JobOptions, JobState, Registry, Report, UnitId, Usage, WorkerId,
};

use counting::sum::{SUM, right};

const CAP: u64 = 1 << 30;

/// How a worker ends every unit.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Right,
    Crashes,
    Starves,
}

/// A coordinator's core with workers of one slot that answer at once.
struct World {
    core: Core,
    habits: BTreeMap<WorkerId, Habit>,
    /// Which workers were leased which unit.
    leased: BTreeMap<UnitId, Vec<WorkerId>>,
}

fn now() -> Now {
    Now { moment: Moment(0), wall: SystemTime::UNIX_EPOCH }
}

impl World {
    fn new(habits: &[Habit], fixed_fleet: bool) -> Self {
        let registry = Registry::new(vec![Arc::new(SUM)]);
        let settings = Settings { fixed_fleet, ..Settings::default() };
        let capabilities: BTreeSet<String> = registry.capabilities().into_iter().collect();
        let mut core = Core::new(registry, settings);
        let enter = |(number, &habit): (usize, &Habit)| {
            let introduction = Introduction {
                instance: number.to_string(),
                name: number.to_string(),
                slots: 1,
                slot_memory: CAP,
                capabilities: capabilities.clone(),
                ..Introduction::default()
            };
            (core.enter(now(), introduction).0, habit)
        };
        let habits = habits.iter().enumerate().map(enter).collect();
        Self { core, habits, leased: BTreeMap::new() }
    }

    /// Runs a job of so many units by each of two methods until nothing of it is leased any more.
    fn run(&mut self, units: u64) -> JobId {
        let words = ["sum".to_owned(), units.to_string()];
        let spec = Registry::new(vec![Arc::new(SUM)]).parse(&words, &JobOptions::default());
        let job = self.core.submit(now(), spec.unwrap()).unwrap().job;
        while self.turn() {}
        job
    }

    /// One batch of the coordinator, and its leases answered; whether there were any.
    fn turn(&mut self) -> bool {
        self.core.settle(now());
        let mut any = false;
        for (worker, order) in self.core.take_effects().orders {
            let Order::Lease(unit, attempt, _, input) = order else { continue };
            any = true;
            self.leased.entry(unit).or_default().push(worker);
            let ending = match self.habits[&worker] {
                Habit::Right => Ending::Done(right(&input)),
                Habit::Crashes => Ending::Crashed { how: "its machine is broken".to_owned() },
                Habit::Starves => Ending::OutOfMemory { cap: CAP, needed: CAP + 1 },
            };
            let report = Report { ending, usage: Usage::default() };
            self.core.report(now(), worker, unit, attempt, report);
        }
        any
    }

    fn state(&self, job: JobId) -> JobState {
        self.core.job(now(), job).unwrap().state
    }

    /// How many workers had a unit, and how often the one that had it most.
    fn tries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.leased.values().map(|workers| {
            let distinct: BTreeSet<_> = workers.iter().collect();
            (distinct.len(), workers.len())
        })
    }
}

#[test]
fn a_broken_worker_alone_has_no_unit_parked() {
    for broken in [Habit::Crashes, Habit::Starves] {
        let mut world = World::new(&[broken, Habit::Right], false);
        let job = world.run(20);
        assert_eq!(world.state(job), JobState::Done);
        assert!(world.leased.values().flatten().any(|worker| world.habits[worker] == broken));
        assert!(world.tries().all(|(distinct, all)| distinct == all), "never twice at one worker");
    }
}

#[test]
fn a_unit_that_crashes_everywhere_is_parked_after_it_was_everywhere() {
    let mut world = World::new(&[Habit::Crashes; 3], false);
    let job = world.run(1);
    assert_eq!(world.state(job), JobState::Failed);
    assert!(world.tries().all(|tries| tries == (3, 5)), "five times, at three workers");
}

#[test]
fn two_workers_are_believed_that_a_unit_needs_more_memory_than_there_is() {
    let mut world = World::new(&[Habit::Starves; 5], false);
    let job = world.run(1);
    assert_eq!(world.state(job), JobState::Running, "it waits for a larger slot");
    assert!(world.tries().all(|tries| tries == (2, 2)));
    let reasons = world.core.explain(job).unwrap();
    assert_eq!(reasons[0].reason.code(), "R3", "{reasons:?}");
}

#[test]
fn a_worker_that_is_alone_or_one_of_a_single_machine_is_believed_at_once() {
    let mut alone = World::new(&[Habit::Starves], false);
    let job = alone.run(1);
    assert_eq!(alone.state(job), JobState::Running);
    assert!(alone.tries().all(|tries| tries == (1, 1)));

    let mut embedded = World::new(&[Habit::Starves; 5], true);
    let job = embedded.run(1);
    assert_eq!(embedded.state(job), JobState::Failed);
    assert!(embedded.tries().all(|tries| tries == (1, 1)));
}

#[test]
fn a_job_without_end_whose_units_are_all_too_large_fails_where_no_worker_can_join() {
    let mut world = World::new(&[Habit::Starves; 2], true);
    let job = world.run(1 << 40);
    assert_eq!(world.state(job), JobState::Failed);
    assert!(world.leased.len() < 100, "what is like a unit that starved is not tried");
}
