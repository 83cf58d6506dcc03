//! What jobs and workers are called stays theirs.

use sprague_coordinator::core::Submitted;
use sprague_work::{JobId, JobOptions};

use crate::world::{Step, World, registry};

#[test]
fn a_worker_that_comes_after_a_restart_has_a_number_that_nobody_had_before() {
    let mut world = World::new();
    for peer in 0..3 {
        world.take(&Step::Enter(peer));
    }
    let before: Vec<_> = world.core.workers().iter().map(|worker| worker.id).collect();
    world.take(&Step::Kill { commits: 0 });
    for peer in [2, 3] {
        world.take(&Step::Enter(peer));
    }
    let after = world.core.workers();
    assert_eq!(after.len(), 2);
    assert!(after.iter().all(|worker| !before.contains(&worker.id)), "{after:?} after {before:?}");
}

#[test]
fn a_job_that_is_submitted_again_in_other_words_keeps_its_own_and_takes_the_new_options() {
    let mut world = World::new();
    world.take(&Step::Submit(3));
    let words = ["sum".to_owned(), "3".to_owned()];
    let options = JobOptions { budget_seconds: Some(60), ..JobOptions::default() };
    let mut spec = registry().parse(&words, &options).unwrap();
    spec.words = "sum III".to_owned();
    let submitted = world.core.submit(world.moment(), spec).unwrap();
    assert_eq!(submitted, Submitted { job: JobId(1), resumed: true });
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.spec.words.as_str(), job.spec.options), ("sum 3", options));
}
