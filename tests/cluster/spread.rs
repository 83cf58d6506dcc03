//! One board on many workers: it is shared, and no kill takes away what was proven.

use std::time::Duration;

use serde_json::Value as Json;

use crate::support::{Coordinator, Process, check, json_ok, known_nimbers, wait_for};

/// A board that takes some hundred thousand expansions.
const BOARD: &str = "cram 5x8";

fn expansions(job: &Json) -> u64 {
    job["expansions"].as_u64().unwrap()
}

fn submit(cluster: &Coordinator) -> String {
    let words: Vec<&str> = BOARD.split(' ').chain(["--method", "proof-number"]).collect();
    cluster.submit(&words)
}

/// Waits until the job has done so much work, and gives what it has done.
fn wait_for_work(cluster: &Coordinator, job: &str, work: u64) -> u64 {
    wait_for("the job to get on", || {
        let job = cluster.job(job);
        let running = job["running"].as_array().into_iter().flatten();
        let done = expansions(&job) + running.map(expansions).sum::<u64>();
        (done >= work).then_some(done)
    })
}

/// The board's value, once the job is done.
fn finding(cluster: &Coordinator, job: &str) -> Json {
    cluster.wait_state(job, "done");
    let words: Vec<&str> = ["values"].into_iter().chain(BOARD.split(' ')).collect();
    let value = cluster.ask(&words)["values"][0].clone();
    assert_eq!(value["nimber"].as_u64(), known_nimbers().get(BOARD).copied(), "{value}");
    value["findings"][0].clone()
}

/// The expansions of a run with one worker, which is always the same run as long as nobody interferes.
fn run(interfere: impl FnOnce(&mut Coordinator, &mut Process, &str)) -> u64 {
    let mut cluster = Coordinator::start();
    let mut worker = cluster.worker("512MiB");
    let job = submit(&cluster);
    interfere(&mut cluster, &mut worker, &job);
    expansions(&finding(&cluster, &job))
}

#[test]
fn a_killed_coordinator_has_all_that_was_proven() {
    let undisturbed = run(|_, _, _| {});
    let killed = run(|cluster, _, job| {
        wait_for_work(cluster, job, undisturbed / 2);
        cluster.kill_and_restart();
    });
    // The worker's table goes as well: what is left is what the coordinator has in its store.
    let all_killed = run(|cluster, worker, job| {
        wait_for_work(cluster, job, undisturbed / 2);
        worker.kill();
        cluster.kill_and_restart();
        *worker = cluster.worker("512MiB");
    });
    println!("{undisturbed} expansions, {killed} with a kill, {all_killed} with a lost table too");
    assert!(killed <= undisturbed * 6 / 5, "{killed} expansions instead of {undisturbed}");
    assert!(all_killed <= undisturbed * 3 / 2, "{all_killed} expansions, not {undisturbed}");
}

#[test]
fn what_is_refuted_is_told_on_the_way_and_outlives_a_kill() {
    let mut cluster = Coordinator::start();
    let mut worker = cluster.worker("512MiB");
    // Worth 1: that it is not worth 0 is known halfway.
    let job = cluster.submit(&["cram", "5x9", "--method", "proof-number"]);
    let known = wait_for("something to be known", || {
        let known = cluster.job(&job)["known"].clone();
        known.is_array().then_some(known)
    });
    let words = "not worth 0, so the next player wins";
    assert_eq!(known[0]["known"], words, "{known}");
    assert_eq!(
        (&known[0]["question"], &known[0]["method"]),
        (&"cram 5x9".into(), &"proof-number".into())
    );
    worker.kill();
    cluster.kill_and_restart();
    assert_eq!(cluster.job(&job)["known"], known);
    cluster.ask(&["job", "cancel", &job]);
    assert_eq!(cluster.job(&job)["known"], known, "it is as true as before");
}

#[test]
fn workers_share_a_board_and_one_may_die() {
    let cluster = Coordinator::start();
    let _first = cluster.worker("512MiB");
    let mut second = cluster.worker("512MiB");
    let job = submit(&cluster);
    wait_for("both to work", || {
        (cluster.job(&job)["running"].as_array()?.len() == 2).then_some(())
    });
    wait_for_work(&cluster, &job, 50_000);
    second.kill();
    std::thread::sleep(Duration::from_millis(200));
    let _third = cluster.worker("512MiB");
    let finding = finding(&cluster, &job);
    assert!(finding["workers"].as_array().unwrap().len() >= 2, "{finding}");
    let end = cluster.job(&job);
    assert_eq!(end["units"]["waiting"], 0, "{end}");
    assert_eq!(end["units"]["running"], 0, "{end}");
}

#[test]
fn boards_on_which_there_is_nothing_to_do_are_done_at_once() {
    let words = ["run", "cram", "1x1..1x3", "--method", "proof-number"];
    let values = json_ok(&words)["values"].clone();
    for value in values.as_array().unwrap() {
        assert_eq!(check(value, "dawson").unwrap()["ok"], true, "{value}");
    }
    assert_eq!(values.as_array().unwrap().len(), 3);
}

#[test]
fn the_threads_of_a_slot_share_a_board() {
    let run = |board: &str, flags: &[&str]| {
        let words = ["run", "cram", board, "--method", "proof-number", "--workers", "1"];
        let value = json_ok(&[&words, flags].concat())["values"][0].clone();
        let known = known_nimbers().get(&format!("cram {board}")).copied();
        assert_eq!(value["nimber"].as_u64(), known, "{value}");
        value["findings"][0]["cpu_seconds"].as_f64().unwrap()
    };
    assert!(run("5x7", &["--threads", "3"]) > 0.0);
    // As many as there may be, under a small cap: they take turns, and their stacks are within it.
    run("4x8", &["--threads", "32", "--memory", "128MiB"]);
}
