//! Nothing grows without bound: a coordinator under churn, with workers that come, leave and are killed, and
//! jobs that are submitted and cancelled.
//!
//! Takes 20 seconds, or what `SPRAGUE_SOAK` says in seconds: CI gives it 120, a long run 1200. What it
//! measures is printed: `SPRAGUE_SOAK=1200 cargo test --test soak -- --nocapture`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "the other tests use the rest of it")]
#[path = "cluster/support.rs"]
mod support;

use std::process::Command;
use std::time::{Duration, Instant};

use support::{Coordinator, Process, wait_for};

/// The coordinator at one moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    seconds: f64,
    resident: u64,
    threads: u64,
    descriptors: u64,
    store: u64,
    workers: usize,
}

fn sample(cluster: &Coordinator, begun: Instant) -> Sample {
    let pid = cluster.process.pid();
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let field = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    let workers = cluster.ask(&["workers"])["workers"].as_array().unwrap().len();
    Sample {
        seconds: begun.elapsed().as_secs_f64(),
        resident: field("VmRSS:") << 10,
        threads: field("Threads:"),
        descriptors: descriptors as u64,
        store: std::fs::metadata(cluster.dir().join("store.redb")).unwrap().len(),
        workers,
    }
}

/// The middle one of some numbers.
fn median(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

/// One turn of everything that can come and go.
fn churn(cluster: &Coordinator, turn: usize, workers: &mut Vec<Process>) {
    workers.push(cluster.worker("1GiB"));
    if workers.len() > 3 {
        let mut leaving = workers.remove(0);
        if turn.is_multiple_of(2) {
            leaving.kill();
        } else {
            let id = leaving.pid().to_string();
            assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
            wait_for("a worker to leave", || leaving.0.try_wait().unwrap());
        }
    }
    // One that is long and cancelled, one that is short or known by now.
    let long = cluster.submit(&["cram", "4x11", "--method", "mex"]);
    let boards = format!("{}x{}", 3 + turn % 2, 3 + turn % 7);
    let short = cluster.submit(&["cram", &boards]);
    std::thread::sleep(Duration::from_millis(300));
    cluster.ask(&["job", "cancel", &long]);
    cluster.wait_state(&short, "done");
}

#[test]
fn a_coordinator_under_churn_stays_as_small_as_it_was() {
    let seconds = std::env::var("SPRAGUE_SOAK").map_or(20, |text| text.parse().unwrap());
    let cluster = Coordinator::start();
    let begun = Instant::now();
    let mut workers = Vec::new();
    let mut samples = Vec::new();
    while begun.elapsed() < Duration::from_secs(seconds) || samples.len() < 9 {
        churn(&cluster, samples.len(), &mut workers);
        let now = sample(&cluster, begun);
        println!("after {:.0} s: {now:?}", now.seconds);
        samples.push(now);
    }

    // The first third warms up, the last third is compared with the middle one.
    let third = samples.len() / 3;
    let (before, after) = (&samples[third..2 * third], &samples[2 * third..]);
    let compare = |name: &str, of: fn(&Sample) -> u64, room: u64| {
        let (before, after) = (median(before.iter().map(of)), median(after.iter().map(of)));
        println!("{name}: {before} then {after}");
        assert!(after <= before + room, "{name} grew from {before} to {after}");
    };
    compare("resident bytes", |sample| sample.resident, 16 << 20);
    compare("threads", |sample| sample.threads, 4);
    compare("files and sockets", |sample| sample.descriptors, 8);
    // A job is remembered: some kilobytes each, in a file that grows in steps.
    compare("store bytes", |sample| sample.store, 16 << 20);
    let most = samples.iter().map(|sample| sample.workers).max().unwrap();
    assert!(most < 16, "{most} workers are remembered");
}
