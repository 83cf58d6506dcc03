//! The core against random histories: workers that come, go, crash, lie in wait and repeat
//! themselves, and a coordinator that is killed before or after a commit.
//!
//! Whatever happens, attempts of a unit only grow, no unit is leased again once its end was
//! committed, every result is counted once, and when the trouble is over every job comes to the
//! right answer.
//!
//! A run takes 256 histories; `PROPTEST_CASES=10000 cargo test -p sprague-coordinator --test
//! core_model` is the long form.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod away;
mod budget;
#[path = "../counting/mod.rs"]
mod counting;
mod demand;
mod halves;
mod memory;
mod names;
mod world;

use std::collections::BTreeSet;

use proptest::prelude::*;
use sprague_coordinator::core::{Core, Introduction, Order, Settings, WorkerState};
use sprague_work::{
    Attempt, Ending, JobId, JobOptions, JobState, Report, Standing, UnitId, UnitInput, UnitResult,
    Usage,
};

use counting::Total;
use counting::sum::{SUM, right};
use demand::COVER;
use halves::HALVES;
use world::{How, Step, World, registry, settings, step};

proptest! {
    #[test]
    fn every_history_ends_in_the_right_answers(steps in proptest::collection::vec(step(), 0..120)) {
        let mut world = World::new();
        for step in &steps {
            world.take(step);
        }
        for (id, unit) in &world.disk.units {
            // Nobody tells of units, so none is known to stand still.
            let crashes = world.crashes.get(id).copied().unwrap_or_default();
            prop_assert!(unit.crashes <= crashes, "{id} is charged with what others did");
        }
        world.finish();
        for job in world.core.jobs(world.moment()) {
            prop_assert_eq!(job.state, JobState::Done, "{:?}", job);
            for value in world.core.values_of(job.id).unwrap() {
                let whole = SUM.numbers(&value.question);
                let halved = HALVES.numbers(&value.question);
                let n = whole.or(halved).or_else(|| COVER.numbers(&value.question)).unwrap();
                let standing =
                    if whole.is_some() { Standing::Confirmed } else { Standing::Single };
                prop_assert_eq!(value.standing, standing);
                prop_assert_eq!(value.answer.read::<Total>().unwrap().total, n * (n - 1) / 2);
                let methods: BTreeSet<_> = value.findings.iter().map(|f| &f.method).collect();
                prop_assert_eq!(methods.len(), value.findings.len(), "a finding is there twice");
                for finding in &value.findings {
                    match (whole, halved) {
                        (Some(n), _) => prop_assert_eq!(finding.effort.units, n, "each counts once"),
                        (_, Some(n)) => prop_assert_eq!(finding.effort.expansions, n, "as each piece"),
                        _ => prop_assert!(finding.effort.expansions >= n, "all were covered"),
                    }
                }
            }
        }
        // A restart after the end changes nothing.
        let again = Core::restore(registry(), settings(), world.moment(), world.disk.clone());
        prop_assert_eq!(again.unwrap().values(), world.core.values());
    }
}

/// A world with one connected worker of one slot that holds the only unit of a job.
fn one_lease() -> (World, UnitId, UnitInput) {
    let mut world = World::new();
    world.take(&Step::Submit(1));
    world.take(&Step::Enter(0));
    let (unit, input) = {
        let ((unit, attempt), input) = world.peers[0].holds.first_key_value().unwrap();
        assert_eq!(*attempt, Attempt(1));
        (*unit, input.clone())
    };
    (world, unit, input)
}

fn done(result: UnitResult) -> Report {
    Report { ending: Ending::Done(result), usage: Usage::default() }
}

#[test]
fn a_unit_of_a_lost_worker_is_leased_again_and_a_late_report_is_compared_only() {
    let (mut world, unit, input) = one_lease();
    let lost = world.peers[0].here.unwrap();
    world.take(&Step::Lose(0));
    world.take(&Step::Enter(1));
    world.take(&Step::Wait(6000));
    assert!(world.peers[1].holds.contains_key(&(unit, Attempt(2))));

    // The old attempt ends first, then the one that counts, and they agree.
    world.core.report(world.moment(), lost.0, unit, Attempt(1), done(right(&input)));
    world.settle();
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().units.done, 0);
    world.take(&Step::End(1, 0, How::Done));
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().totals.units_done, 1);
    assert!(world.core.values().iter().all(|value| value.standing != Standing::Disputed));
}

#[test]
fn a_late_report_that_differs_is_a_dispute() {
    let (mut world, unit, input) = one_lease();
    let lost = world.peers[0].here.unwrap();
    world.take(&Step::Lose(0));
    world.take(&Step::Enter(1));
    world.take(&Step::Wait(6000));
    world.take(&Step::End(1, 0, How::Done));
    let lie = UnitResult { fingerprint: 99, ..right(&input) };
    world.core.report(world.moment(), lost.0, unit, Attempt(1), done(lie));
    world.settle();
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().state, JobState::Disputed);
    let value = world.core.value(&input.question).unwrap();
    assert_eq!(value.standing, Standing::Disputed);
    assert!(value.disputes[0].contains("attempt 1"), "{:?}", value.disputes);
}

#[test]
fn a_worker_that_comes_back_in_time_keeps_its_lease() {
    let (mut world, unit, _) = one_lease();
    world.take(&Step::Kill { commits: 1 });
    world.take(&Step::Enter(1));
    world.take(&Step::Enter(0));
    assert!(world.peers[0].holds.contains_key(&(unit, Attempt(1))));
    world.take(&Step::End(0, 0, How::Done));
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().totals.attempts, 2);
}

#[test]
fn a_unit_that_stands_still_loses_its_lease_and_one_that_moves_does_not() {
    let (mut world, unit, _) = one_lease();
    let (id, _) = world.peers[0].here.unwrap();
    for expansions in 1..6 {
        world.now += 15_000;
        world.core.progress(world.moment(), id, unit, Attempt(1), (expansions, 0));
        world.core.tick(world.moment());
        world.settle();
    }
    assert!(world.peers[0].holds.contains_key(&(unit, Attempt(1))));
    for _ in 0..3 {
        world.now += 15_000;
        world.core.progress(world.moment(), id, unit, Attempt(1), (5, 0));
        world.core.tick(world.moment());
        world.settle();
    }
    assert!(!world.peers[0].holds.contains_key(&(unit, Attempt(1))));
}

#[test]
fn a_unit_that_always_crashes_is_parked_and_its_job_fails() {
    let mut world = World::new();
    world.core = Core::new(registry(), Settings { crash_limit: 3, ..settings() });
    world.take(&Step::Submit(1));
    world.take(&Step::Enter(0));
    for _ in 0..20 {
        world.take(&Step::End(0, 0, How::Crash));
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Failed, 6));
    assert!(job.reason.unwrap().contains("3 times"));
    let explained = world.core.explain(JobId(1)).unwrap();
    assert!(explained.iter().any(|e| e.reason.code() == "R4" && e.units == 2), "{explained:?}");

    // Submitted again it goes on, and can now end well.
    world.take(&Step::Submit(1));
    for _ in 0..4 {
        world.take(&Step::End(0, 0, How::Done));
    }
    assert_eq!(world.core.job(world.moment(), JobId(1)).unwrap().state, JobState::Done);
}

#[test]
fn what_was_found_is_not_computed_again() {
    let (mut world, _, _) = one_lease();
    for _ in 0..4 {
        world.take(&Step::End(0, 0, How::Done));
    }
    world.take(&Step::Submit(1));
    let job = world.core.job(world.moment(), JobId(2)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Done, 0));
}

#[test]
fn what_another_job_found_ends_a_job_now_and_after_a_restart() {
    let (mut world, unit, _) = one_lease();
    // The same tasks in another view make another job.
    let words = ["sum".to_owned(), "1".to_owned()];
    let mut spec = registry().parse(&words, &JobOptions::default()).unwrap();
    spec.view = "other".to_owned();
    world.core.submit(world.moment(), spec).unwrap();
    for _ in 0..4 {
        world.take(&Step::End(0, 0, How::Done));
    }
    for id in [unit.job, JobId(2)] {
        assert_eq!(world.core.job(world.moment(), id).unwrap().state, JobState::Done);
    }
    world.take(&Step::Kill { commits: 1 });
    assert_eq!(world.core.job(world.moment(), JobId(2)).unwrap().state, JobState::Done);
}

#[test]
fn a_cancelled_unit_keeps_its_slot_until_the_worker_lets_go() {
    let (mut world, unit, _) = one_lease();
    world.core.cancel(world.moment(), unit.job).unwrap();
    let spec = registry().parse(&["sum".to_owned(), "2".to_owned()], &JobOptions::default());
    world.core.submit(world.moment(), spec.unwrap()).unwrap();
    world.core.settle(world.moment());
    let effects = world.core.take_effects();
    let leases = effects.orders.iter().filter(|(_, order)| matches!(order, Order::Lease(..)));
    assert_eq!(leases.count(), 0, "the slot is still busy");
    let (id, _) = world.peers[0].here.unwrap();
    assert_eq!(world.core.worker(id).unwrap().busy, 1, "and is shown as busy");

    let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
    world.core.report(world.moment(), id, unit, Attempt(1), report);
    world.core.settle(world.moment());
    let effects = world.core.take_effects();
    assert!(effects.orders.iter().any(|(_, order)| matches!(order, Order::Lease(..))));
    assert_eq!(world.core.worker(id).unwrap().busy, 1);
}

#[test]
fn a_drained_worker_stays_drained_whoever_goes_and_comes_back() {
    let (mut world, _, _) = one_lease();
    let state = |world: &World| world.core.worker(world.peers[0].here.unwrap().0).unwrap().state;
    world.core.drain(world.peers[0].here.unwrap().0).unwrap();
    world.take(&Step::Lose(0));
    world.take(&Step::Enter(0));
    assert_eq!(state(&world), WorkerState::Draining);
    world.take(&Step::Kill { commits: 0 });
    world.take(&Step::Enter(0));
    assert_eq!(state(&world), WorkerState::Draining);
    world.take(&Step::End(0, 0, How::Done));

    // Also after the coordinator has forgotten it.
    world.take(&Step::Lose(0));
    world.take(&Step::Wait(60_000));
    world.take(&Step::Enter(0));
    assert_eq!(state(&world), WorkerState::Draining);
    assert!(world.peers[0].holds.is_empty());
    world.take(&Step::Enter(1));
    assert!(!world.peers[1].holds.is_empty(), "another one goes on");
}

#[test]
fn a_worker_that_leaves_gets_no_more_and_is_not_remembered() {
    let (mut world, _, _) = one_lease();
    world.core.leave(world.peers[0].here.unwrap().0);
    world.take(&Step::End(0, 0, How::Done));
    assert!(world.peers[0].holds.is_empty());
    assert!(world.disk.drained.is_empty());
}

#[test]
fn as_many_drained_workers_are_remembered_as_there_may_be() {
    let mut world = World::new();
    for instance in 0..1010 {
        let instance = format!("instance {instance}");
        let introduction = Introduction { instance, slots: 1, ..Introduction::default() };
        let (id, session) = world.core.enter(world.moment(), introduction);
        world.core.drain(id).unwrap();
        world.core.drain(id).unwrap();
        world.core.lose(world.moment(), id, session);
        world.settle();
    }
    assert_eq!(world.disk.drained.len(), 1000);
    assert_eq!(world.disk.drained[0].0, "instance 10");
}

#[test]
fn the_oldest_jobs_that_ended_are_forgotten_and_what_was_found_stays() {
    let mut world = World::new();
    world.take(&Step::Submit(1));
    world.take(&Step::Enter(0));
    world.finish();
    let values = world.core.values();
    let first = world.core.jobs(world.moment())[0].id;
    // Known by now, so each is done at once.
    let words = ["sum".to_owned(), "1".to_owned()];
    let spec = registry().parse(&words, &JobOptions::default()).unwrap();
    for _ in 0..10_001 {
        world.core.submit(world.moment(), spec.clone()).unwrap();
    }
    let jobs = world.core.jobs(world.moment());
    assert_eq!(jobs.len(), 10_001, "those that ended and the newest");
    assert!(jobs.iter().all(|job| job.id != first));
    assert_eq!(world.core.values(), values);
}

#[test]
fn two_workers_of_the_same_name_are_two_workers() {
    let mut world = World::new();
    world.take(&Step::Submit(1));
    let enter = |world: &mut World, instance: &str| {
        let introduction = Introduction {
            instance: instance.to_owned(),
            name: "twin".to_owned(),
            slots: 1,
            slot_memory: 1 << 30,
            capabilities: ["sum/up", "sum/down"].map(str::to_owned).into(),
            ..Introduction::default()
        };
        world.core.enter(world.moment(), introduction)
    };
    let (one, _) = enter(&mut world, "a");
    let (other, session) = enter(&mut world, "b");
    assert_ne!(one, other);
    world.core.settle(world.moment());
    let leased: BTreeSet<_> = world
        .core
        .take_effects()
        .orders
        .into_iter()
        .filter_map(|(id, order)| match order {
            Order::Lease(unit, ..) => Some((id, unit)),
            _ => None,
        })
        .collect();
    let workers: BTreeSet<_> = leased.iter().map(|&(id, _)| id).collect();
    assert_eq!(workers, [one, other].into(), "each has a unit");

    // What becomes of one does not concern the other.
    world.core.lose(world.moment(), other, session);
    assert_eq!(world.core.worker(one).unwrap().state, WorkerState::Present);
    assert_eq!(world.core.worker(one).unwrap().busy, 1);
    assert_eq!(enter(&mut world, "b").0, other);
}
