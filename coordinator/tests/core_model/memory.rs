//! What becomes of a unit that is larger than its slot: what it needs is remembered, it goes to a larger slot, it is split
//! where there is none, and it waits where it cannot be.

use sprague_coordinator::core::{Core, Explanation, Happening, JobView, Reason, Settings};
use sprague_work::{JobId, JobOptions, JobState};

use crate::halves::WHOLE;
use crate::world::{A_NUMBER, How, Step, World, registry, settings};

/// The slot of worker 0: too small for a unit that cannot be split. That of worker 1 is not.
const SMALL: u64 = (WHOLE - 1) * A_NUMBER;

/// A world in which worker 0 has tried a unit of so many numbers, in vain.
fn tried(numbers: u8) -> World {
    let mut world = World::new();
    world.take(&Step::Enter(0));
    world.take(&Step::Halves(numbers));
    assert_eq!(world.peers[0].holds.len(), 1);
    world.take(&Step::End(0, 0, How::Done));
    assert!(world.peers[0].holds.is_empty());
    world
}

fn job(world: &World, id: u64) -> JobView {
    world.core.job(world.moment(), JobId(id)).unwrap()
}

fn explained(world: &World) -> Vec<Explanation> {
    world.core.explain(JobId(1)).unwrap()
}

/// The names of what happened to a job.
fn events(world: &World, id: u64) -> Vec<&'static str> {
    let events = world.disk.events.iter().filter(|(of, ..)| *of == JobId(id));
    events.map(|(.., event)| event.what.name()).collect()
}

/// Lets a worker do all that it is given.
fn work(world: &mut World, peer: u8) {
    while !world.peers[peer as usize].holds.is_empty() {
        world.take(&Step::End(peer, 0, How::Done));
    }
}

#[test]
fn it_goes_to_a_larger_slot_that_comes_in_time_and_is_not_split() {
    let mut world = tried(6);
    let reason = Reason::NoSlotLargeEnough {
        need: 6 * A_NUMBER,
        largest: SMALL,
        of_others: false,
        splits: true,
    };
    assert!(reason.hint().contains("split"));
    assert_eq!(explained(&world), [Explanation { reason, units: 1 }]);
    world.take(&Step::Wait(2900));
    world.take(&Step::Enter(1));
    world.take(&Step::Wait(5000));
    work(&mut world, 1);
    let job = job(&world, 1);
    assert_eq!((job.state, job.totals.units_done, job.totals.attempts), (JobState::Done, 1, 2));
    assert!(!events(&world, 1).contains(&"split"));
}

#[test]
fn it_is_split_if_no_larger_slot_comes() {
    let mut world = tried(6);
    world.take(&Step::Wait(2900));
    assert!(world.peers[0].holds.is_empty());
    world.take(&Step::Wait(200));
    assert_eq!(world.peers[0].holds.len(), 1, "half of it");
    work(&mut world, 0);
    let job = job(&world, 1);
    assert_eq!((job.state, job.totals.units_done), (JobState::Done, 2));
    assert_eq!(
        events(&world, 1),
        ["submitted", "started", "out-of-memory", "split", "found", "ended"]
    );
    // A unit of which all pieces but one are known already.
    let one = Happening::Split { unit: 0, pieces: 1 };
    assert_eq!(one.to_string(), "split into 1 smaller unit");
}

#[test]
fn a_piece_that_cannot_be_split_waits_and_holds_up_the_others() {
    let mut world = tried(2 * WHOLE as u8);
    world.take(&Step::Wait(3100));
    work(&mut world, 0);
    world.take(&Step::Wait(10_000));
    assert!(world.peers[0].holds.is_empty(), "the other half is not tried");
    let need = WHOLE * A_NUMBER;
    let reason =
        Reason::NoSlotLargeEnough { need, largest: SMALL, of_others: false, splits: false };
    assert!(!reason.hint().contains("split"));
    assert_eq!(explained(&world), [Explanation { reason, units: 2 }]);
    // Other work goes on.
    world.take(&Step::Submit(1));
    work(&mut world, 0);
    assert_eq!(job(&world, 2).state, JobState::Done);

    for restarted in [false, true] {
        if restarted {
            world.take(&Step::Kill { commits: 0 });
            world.take(&Step::Enter(0));
            world.take(&Step::Wait(10_000));
        }
        assert!(world.peers[0].holds.is_empty());
    }
    world.take(&Step::Enter(1));
    work(&mut world, 0);
    work(&mut world, 1);
    assert_eq!(job(&world, 1).state, JobState::Done);
}

#[test]
fn what_it_needs_is_remembered_for_its_like() {
    let mut world = tried(6);
    world.core.cancel(world.moment(), JobId(1)).unwrap();
    world.settle();
    world.take(&Step::Halves(6));
    assert!(world.peers[0].holds.is_empty(), "it is not tried again");
    world.take(&Step::Wait(3100));
    work(&mut world, 0);
    let job = job(&world, 2);
    assert_eq!((job.state, job.totals.attempts), (JobState::Done, 2), "one for each half");
}

#[test]
fn where_no_worker_can_join_it_is_split_at_once_and_fails_as_soon_as_a_piece_is_too_large() {
    let mut world = World::new();
    world.core = Core::new(registry(), Settings { fixed_fleet: true, ..settings() });
    world.take(&Step::Enter(0));
    world.take(&Step::Halves(6));
    work(&mut world, 0);
    assert_eq!(job(&world, 1).state, JobState::Done);

    world.take(&Step::Halves(8 * WHOLE as u8));
    work(&mut world, 0);
    let job = job(&world, 2);
    assert_eq!((job.state, job.totals.attempts), (JobState::Failed, 4), "32, 16, 8 and 4 numbers");
    let reason = job.reason.unwrap();
    assert!(reason.contains("out of memory: even a piece"), "{reason}");
}

#[test]
fn the_slot_of_a_worker_that_has_done_it_is_none_for_it_where_another_must_agree() {
    let mut world = World::new();
    let options = JobOptions { redundancy: 2, ..JobOptions::default() };
    let spec = registry().parse(&["halves".to_owned(), "6".to_owned()], &options).unwrap();
    world.core.submit(world.moment(), spec).unwrap();
    world.take(&Step::Enter(1));
    work(&mut world, 1);
    world.take(&Step::Enter(0));
    work(&mut world, 0);
    let need = 6 * A_NUMBER;
    let reason = Reason::NoSlotLargeEnough { need, largest: SMALL, of_others: true, splits: true };
    assert!(reason.sentence().contains("of those that have not done it"), "{}", reason.sentence());
    assert_eq!(explained(&world), [Explanation { reason, units: 1 }]);
    world.take(&Step::Wait(3100));
    work(&mut world, 0);
    work(&mut world, 1);
    work(&mut world, 0);
    let job = job(&world, 1);
    assert_eq!((job.state, job.totals.units_done), (JobState::Done, 2), "both halves");
}
