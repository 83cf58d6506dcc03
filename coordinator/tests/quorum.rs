//! Redundancy: units that several workers must agree on, liars that are outvoted, methods on machines of
//! their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod counting;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use sprague_coordinator::core::{
    Core, Introduction, Moment, Now, Order, Settings, Snapshot, Write,
};
use sprague_work::{
    Attempt, Ending, JobId, JobOptions, JobState, MethodName, Registry, Report, Standing, UnitId,
    UnitInput, Usage, WorkerId,
};

use counting::Total;
use counting::sum::{SUM, right};

fn registry() -> Registry {
    Registry::new(vec![Arc::new(SUM)])
}

/// A coordinator's core with workers that answer at once, some of them wrongly.
struct World {
    core: Core,
    names: BTreeMap<WorkerId, String>,
    liars: BTreeSet<WorkerId>,
    /// Which workers were leased which unit, by method.
    leased: Vec<(WorkerId, UnitId, MethodName)>,
    distrusted: Vec<(String, String)>,
}

fn now() -> Now {
    Now { moment: Moment(0), wall: SystemTime::UNIX_EPOCH }
}

impl World {
    fn new(honest: usize, liars: usize) -> Self {
        let core = Core::new(registry(), Settings::default());
        let mut world = Self {
            core,
            names: BTreeMap::new(),
            liars: BTreeSet::new(),
            leased: Vec::new(),
            distrusted: Vec::new(),
        };
        // Liars first: they are asked first where all are alike.
        for number in 0..liars + honest {
            let id = world.enter(&format!("worker-{number}"));
            if number < liars {
                world.liars.insert(id);
            }
        }
        world
    }

    fn enter(&mut self, name: &str) -> WorkerId {
        self.enter_on(name, "")
    }

    /// A worker on the machine of that name.
    fn enter_on(&mut self, name: &str, machine: &str) -> WorkerId {
        let introduction = Introduction {
            instance: format!("{name} of {}", self.names.len()),
            name: name.to_owned(),
            machine: machine.to_owned(),
            slots: 1,
            slot_memory: 1 << 30,
            capabilities: registry().capabilities().into_iter().collect(),
            ..Introduction::default()
        };
        let id = self.core.enter(now(), introduction).0;
        self.names.insert(id, name.to_owned());
        id
    }

    fn submit(&mut self, n: u64, redundancy: u32) -> JobId {
        self.submit_by(&["up", "down"], n, redundancy)
    }

    fn submit_by(&mut self, methods: &[&str], n: u64, redundancy: u32) -> JobId {
        let options = JobOptions { redundancy, ..JobOptions::default() };
        let words = ["sum".to_owned(), n.to_string()];
        let mut spec = registry().parse(&words, &options).unwrap();
        spec.tasks.retain(|task| methods.contains(&task.method.as_str()));
        self.core.submit(now(), spec).unwrap().job
    }

    /// One batch of the coordinator: its orders are obeyed at once. Gives how many leases there were.
    fn turn(&mut self) -> usize {
        self.core.settle(now());
        let effects = self.core.take_effects();
        for write in effects.writes {
            if let Write::Distrust(name, why) = write {
                self.distrusted.push((name, why));
            }
        }
        let mut leases = 0;
        for (worker, order) in effects.orders {
            match order {
                Order::Lease(unit, attempt, _, input) => {
                    leases += 1;
                    self.leased.push((worker, unit, input.method.clone()));
                    self.answer(worker, unit, attempt, &input);
                }
                Order::Cancel(unit, attempt) => {
                    let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
                    self.core.report(now(), worker, unit, attempt, report);
                }
                _ => {}
            }
        }
        leases
    }

    fn answer(&mut self, worker: WorkerId, unit: UnitId, attempt: Attempt, input: &UnitInput) {
        let mut result = right(input);
        if self.liars.contains(&worker) {
            result.fingerprint ^= 1 + worker.0;
        }
        let report = Report { ending: Ending::Done(result), usage: Usage::default() };
        self.core.report(now(), worker, unit, attempt, report);
    }

    fn run(&mut self) {
        while self.turn() > 0 {}
    }

    fn state(&self, job: JobId) -> JobState {
        self.core.job(now(), job).unwrap().state
    }
}

#[test]
fn each_unit_is_done_by_as_many_distinct_workers_as_must_agree() {
    let mut world = World::new(4, 0);
    let job = world.submit(10, 3);
    world.run();
    assert_eq!(world.state(job), JobState::Done);
    let mut by_unit: BTreeMap<UnitId, Vec<WorkerId>> = BTreeMap::new();
    for (worker, unit, _) in &world.leased {
        by_unit.entry(*unit).or_default().push(*worker);
    }
    assert_eq!(by_unit.len(), 20);
    for workers in by_unit.values() {
        assert_eq!(workers.len(), 3);
        assert_eq!(workers.iter().collect::<BTreeSet<_>>().len(), 3);
    }
    for finding in &world.core.values()[0].findings {
        assert_eq!(finding.effort.units, 10, "each unit counts once");
    }
}

#[test]
fn a_liar_is_outvoted_and_gets_no_more_units_until_it_is_trusted_again() {
    let mut world = World::new(3, 1);
    let liar = *world.liars.first().unwrap();
    let job = world.submit(30, 2);
    world.run();
    assert_eq!(world.state(job), JobState::Done);
    let value = &world.core.values()[0];
    assert_eq!(value.standing, Standing::Confirmed);
    let n = SUM.numbers(&value.question).unwrap();
    assert_eq!(value.answer.read::<Total>().unwrap().total, n * (n - 1) / 2);
    assert!(value.findings.iter().all(|f| !f.workers.contains(&world.names[&liar])));
    let [(name, why)] = &world.distrusted[..] else { panic!("{:?}", world.distrusted) };
    assert!(name == "worker-0" && why.contains("fingerprint"), "{why}");
    let events = world.core.events(job).unwrap();
    assert!(events.iter().any(|event| event.what.name() == "outvoted"));

    // It stays so when it comes again, and when the coordinator does.
    let asked = world.leased.iter().filter(|(worker, ..)| *worker == liar).count();
    assert!(asked < 5, "{asked} units before it was found out");
    world.enter("worker-0");
    let other = world.submit(5, 1);
    world.run();
    assert_eq!(world.state(other), JobState::Done);
    assert_eq!(world.leased.iter().filter(|(worker, ..)| *worker == liar).count(), asked);
    let stored = Snapshot { distrusted: world.distrusted.clone(), ..Snapshot::default() };
    let core = Core::restore(registry(), Settings::default(), now(), stored).unwrap();
    world.core = core;
    world.enter("worker-0");
    let alone = world.submit(5, 1);
    assert_eq!(world.turn(), 0, "nobody else is there");
    let explained = world.core.explain(alone).unwrap();
    assert_eq!(explained[0].reason.code(), "R10");

    let id = world.core.workers()[0].id;
    world.core.trust(id).unwrap();
    assert!(world.turn() > 0);
}

#[test]
fn where_nobody_agrees_the_question_is_disputed() {
    let mut world = World::new(0, 6);
    let job = world.submit(3, 2);
    world.run();
    assert_eq!(world.state(job), JobState::Disputed);
    let value = &world.core.values()[0];
    assert_eq!(value.standing, Standing::Disputed);
    assert!(value.disputes[0].contains("worker-"), "{:?}", value.disputes);
    assert!(world.distrusted.is_empty(), "nobody knows who lied");
}

#[test]
fn what_a_worker_says_twice_is_one_voice() {
    let mut world = World::new(1, 0);
    let job = world.submit(1, 2);
    world.core.settle(now());
    for (worker, order) in world.core.take_effects().orders {
        let Order::Lease(unit, attempt, _, input) = order else { continue };
        for _ in 0..2 {
            world.answer(worker, unit, attempt, &input);
        }
    }
    world.run();
    assert_eq!(world.core.job(now(), job).unwrap().units.done, 0, "nobody else has done any");
}

#[test]
fn with_too_few_workers_a_job_waits_and_says_for_what() {
    let mut world = World::new(1, 0);
    let job = world.submit(2, 2);
    world.run();
    assert_eq!(world.state(job), JobState::Running);
    let explained = world.core.explain(job).unwrap();
    assert_eq!(explained[0].reason.code(), "R9", "{explained:?}");
    world.enter("another");
    world.run();
    assert_eq!(world.state(job), JobState::Done);
}

#[test]
fn the_methods_of_a_question_go_to_different_workers_where_there_is_a_choice() {
    let mut world = World::new(2, 0);
    let jobs: Vec<JobId> = (1..=8).map(|_| world.submit(1, 1)).collect();
    world.run();
    // The first job finds everything; the others know it by then.
    assert!(jobs.iter().all(|&job| world.state(job) == JobState::Done));
    let methods: BTreeMap<_, BTreeSet<_>> =
        world.leased.iter().fold(BTreeMap::new(), |mut all, (worker, _, method)| {
            all.entry(method.clone()).or_insert_with(BTreeSet::new).insert(*worker);
            all
        });
    let workers: Vec<_> = methods.values().collect();
    assert_eq!(workers.len(), 2);
    assert!(workers[0].is_disjoint(workers[1]), "{methods:?}");
    // One alone does both.
    let mut alone = World::new(1, 0);
    let job = alone.submit(4, 1);
    alone.run();
    assert_eq!(alone.state(job), JobState::Done);
}

/// Which workers ran units of each method.
fn by_method(world: &World) -> BTreeMap<MethodName, BTreeSet<WorkerId>> {
    world.leased.iter().fold(BTreeMap::new(), |mut all, (worker, _, method)| {
        all.entry(method.clone()).or_insert_with(BTreeSet::new).insert(*worker);
        all
    })
}

#[test]
fn the_methods_of_a_question_go_to_different_machines_where_there_are_some() {
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
        let mut world = World::new(0, 0);
        let places = [("one", "near"), ("two", "near"), ("three", "far")];
        let mut far = None;
        for at in order {
            let (name, machine) = places[at];
            let id = world.enter_on(name, machine);
            if machine == "far" {
                far = Some(id);
            }
        }
        world.submit(1, 1);
        world.run();
        let methods = by_method(&world);
        let is_far = |workers: &BTreeSet<WorkerId>| workers.contains(&far.unwrap());
        let apart = methods.values().filter(|workers| is_far(workers)).count();
        assert_eq!((methods.len(), apart), (2, 1), "{order:?}: {methods:?}");
    }
    // Two workers of one machine are still better than one.
    let mut world = World::new(0, 0);
    world.enter_on("one", "near");
    world.enter_on("two", "near");
    world.submit(1, 1);
    world.run();
    let methods = by_method(&world);
    let workers: Vec<_> = methods.values().collect();
    assert!(workers.len() == 2 && workers[0].is_disjoint(workers[1]), "{methods:?}");
}

#[test]
fn another_method_that_is_asked_for_later_goes_to_another_machine() {
    let mut world = World::new(0, 0);
    world.enter_on("one", "near");
    world.submit_by(&["up"], 1, 1);
    world.run();
    world.enter_on("two", "near");
    let far = world.enter_on("three", "far");
    let one = world.leased[0].0;
    // All have a slot free, and two units wait: that of the other method and one of another question.
    world.submit_by(&["down"], 1, 1);
    world.submit_by(&["up"], 1000, 1);
    world.turn();
    let later: Vec<_> =
        world.leased.iter().filter(|(.., method)| method.as_str() == "down").collect();
    assert!(later.iter().all(|(worker, ..)| *worker == far && *worker != one), "{later:?}");
    assert_eq!(later.len(), 1);
}

#[test]
fn two_workers_of_one_name_are_one_voice_and_whoever_asks_is_told() {
    let mut world = World::new(0, 0);
    world.enter("twin");
    world.enter("twin");
    assert!(world.core.workers().iter().all(|worker| worker.shares_name));
    let job = world.submit(1, 2);
    world.run();
    let explained = &world.core.explain(job).unwrap()[0].reason;
    assert_eq!(explained.code(), "R9");
    assert!(explained.sentence().contains("share the name twin"), "{}", explained.sentence());
    assert!(explained.hint().contains("--name"), "{}", explained.hint());
    world.enter("another");
    world.run();
    assert_eq!(world.state(job), JobState::Done);
    assert!(!world.core.workers()[2].shares_name);
}
