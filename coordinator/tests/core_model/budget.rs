//! What uses up the budget of a job, and what does not.

use sprague_work::{JobId, JobOptions, JobState};

use crate::world::{Step, World, registry};

#[test]
fn a_budget_beyond_all_bounds_is_no_budget() {
    let mut world = World::new();
    let words = ["sum".to_owned(), "1".to_owned()];
    let options = JobOptions { budget_seconds: Some(u64::MAX), ..JobOptions::default() };
    let spec = registry().parse(&words, &options).unwrap();
    world.core.submit(world.moment(), spec).unwrap();
    world.take(&Step::Enter(0));
    world.take(&Step::Wait(9000));
    assert_eq!(world.core.job(world.moment(), JobId(1)).unwrap().state, JobState::Running);
}

#[test]
fn a_budget_goes_on_where_it_was_when_the_coordinator_is_killed_again_and_again() {
    let mut world = World::new();
    let words = ["sum".to_owned(), "1".to_owned()];
    let options = JobOptions { budget_seconds: Some(10), ..JobOptions::default() };
    let spec = registry().parse(&words, &options).unwrap();
    world.core.submit(world.moment(), spec).unwrap();
    let mut lives = 0;
    loop {
        world.take(&Step::Enter(0));
        for _ in 0..25 {
            world.take(&Step::Wait(100));
        }
        let job = world.core.job(world.moment(), JobId(1)).unwrap();
        lives += 1;
        if job.state == JobState::Stopped {
            assert!(job.reason.unwrap().contains("budget"));
            break;
        }
        assert!(lives < 7, "each kill loses less than a second of 2.5");
        world.take(&Step::Kill { commits: 0 });
    }
    assert!(lives >= 4, "a budget does not end early");
}

/// A world with a job of one unit by each of two methods, and a budget of ten seconds.
fn with_a_budget() -> World {
    let mut world = World::new();
    let words = ["sum".to_owned(), "1".to_owned()];
    let options = JobOptions { budget_seconds: Some(10), ..JobOptions::default() };
    let spec = registry().parse(&words, &options).unwrap();
    world.core.submit(world.moment(), spec).unwrap();
    world
}

#[test]
fn a_budget_ends_a_job_that_nobody_is_there_for_also_over_restarts() {
    let mut world = with_a_budget();
    let state = |world: &World| world.core.job(world.moment(), JobId(1)).unwrap().state;
    for _ in 0..9 {
        world.take(&Step::Wait(1000));
        world.take(&Step::Kill { commits: 9 });
    }
    assert_eq!(state(&world), JobState::Queued);
    for _ in 0..10 {
        world.take(&Step::Wait(1000));
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!(job.state, JobState::Stopped);
    assert_eq!(job.reason.as_deref(), Some("its budget is used up"));
}

#[test]
fn a_budget_is_not_used_while_others_have_the_slots() {
    let mut world = World::new();
    world.take(&Step::Submit(2));
    world.take(&Step::Enter(0));
    let words = ["sum".to_owned(), "1".to_owned()];
    let options = JobOptions { budget_seconds: Some(10), ..JobOptions::default() };
    let spec = registry().parse(&words, &options).unwrap();
    world.core.submit(world.moment(), spec).unwrap();
    let (id, _) = world.peers[0].here.unwrap();
    for expansions in 0..100 {
        let (unit, attempt) = *world.peers[0].holds.first_key_value().unwrap().0;
        world.core.progress(world.moment(), id, unit, attempt, (expansions, 0));
        world.take(&Step::Wait(1000));
    }
    assert_eq!(world.core.job(world.moment(), JobId(2)).unwrap().state, JobState::Queued);
}
