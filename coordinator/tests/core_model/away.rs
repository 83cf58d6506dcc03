//! What a unit is charged with: crashes and standing still, apart from workers that go away with it.

use sprague_coordinator::core::{Core, Settings};
use sprague_work::{Attempt, JobId, JobState};

use crate::one_lease;
use crate::world::{How, Step, World, registry, settings};

#[test]
fn a_worker_that_goes_away_counts_apart_from_a_crash_and_over_restarts() {
    let mut world = World::new();
    let settings = Settings { crash_limit: 2, departure_limit: 4, ..settings() };
    world.core = Core::new(registry(), settings);
    world.take(&Step::Submit(1));
    let parked = |world: &World| {
        let explained = world.core.explain(JobId(1)).unwrap();
        explained.iter().find(|e| e.reason.code() == "R11").map_or(0, |e| e.units)
    };
    for turn in 0..8 {
        // One worker of one slot: the first of two units is parked before it has the second.
        assert_eq!(parked(&world), u64::from(turn >= 4), "after {turn} departures");
        let leased = |world: &World| !world.peers[0].holds.is_empty();
        world.peers[0].holds.clear();
        world.take(&Step::Enter(0));
        assert!(leased(&world), "after {turn} departures");
        world.take(&Step::Lose(0));
        world.take(&Step::Wait(5001));
        if turn == 3 {
            world.core =
                Core::restore(registry(), settings, world.moment(), world.disk.clone()).unwrap();
        }
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Failed, 8));
    assert!(job.reason.unwrap().contains("4 times its worker went away"));
    assert_eq!(parked(&world), 2);
    assert_eq!(world.core.figures().tally.ended_badly, 0);

    // Submitted again it has all its chances again.
    world.take(&Step::Submit(1));
    world.peers[0].holds.clear();
    world.take(&Step::Enter(0));
    world.take(&Step::End(0, 0, How::Done));
    world.take(&Step::End(0, 0, How::Done));
    assert_eq!(world.core.job(world.moment(), JobId(1)).unwrap().state, JobState::Done);
}

#[test]
fn a_unit_that_nothing_is_told_of_was_taken_away_and_one_that_is_told_to_stand_still_ended_badly() {
    for told in [false, true] {
        let (mut world, unit, _) = one_lease();
        let (id, _) = world.peers[0].here.unwrap();
        for _ in 0..5 {
            world.now += 5000;
            if told {
                world.core.progress(world.moment(), id, unit, Attempt(1), (0, 0));
            }
            world.core.tick(world.moment());
            world.settle();
        }
        assert!(!world.peers[0].holds.contains_key(&(unit, Attempt(1))));
        let tally = world.core.figures().tally;
        assert_eq!((tally.ended_badly, tally.taken_away), (u64::from(told), u64::from(!told)));
    }
}

#[test]
fn a_crash_that_is_reported_twice_is_one_also_over_a_restart() {
    let (mut world, unit, _) = one_lease();
    let (id, _) = world.peers[0].here.unwrap();
    world.core.leave(id);
    world.take(&Step::End(0, 0, How::Crash));
    world.take(&Step::Repeat(0));
    world.take(&Step::Kill { commits: 1 });
    let (.., report) = world.sent[0].clone();
    world.core.report(world.moment(), id, unit, Attempt(1), report);
    world.settle();
    let (_, record) = world.disk.units.iter().find(|(known, _)| *known == unit).unwrap();
    assert_eq!(record.crashes, 1);
}

#[test]
fn a_worker_that_said_that_it_would_go_may_do_so_any_number_of_times() {
    let mut world = World::new();
    world.core = Core::new(registry(), Settings { departure_limit: 1, ..settings() });
    world.take(&Step::Submit(1));
    for _ in 0..20 {
        world.peers[0].holds.clear();
        world.take(&Step::Enter(0));
        let (id, _) = world.peers[0].here.unwrap();
        world.core.leave(id);
        world.take(&Step::Lose(0));
        world.take(&Step::Wait(5001));
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Running, 20));
    assert_eq!(world.core.figures().tally.taken_away, 0);
}

#[test]
fn where_nobody_takes_workers_away_a_departure_is_a_crash() {
    let mut world = World::new();
    let settings = Settings { crash_limit: 2, fixed_fleet: true, ..settings() };
    world.core = Core::new(registry(), settings);
    world.take(&Step::Submit(1));
    for _ in 0..4 {
        world.peers[0].holds.clear();
        world.take(&Step::Enter(0));
        world.take(&Step::Lose(0));
        world.take(&Step::Wait(5001));
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Failed, 4));
}
