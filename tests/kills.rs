//! `kill -9`, again and again: a coordinator and three workers, chosen by chance, in the middle of real jobs.
//!
//! Ten kills, or as many as `SPRAGUE_KILLS` says, ten for each cluster; the seed is printed, and `SPRAGUE_SEED`
//! names another. When a cluster is left in peace its jobs have to come to what an undisturbed run comes to: the
//! same values, the same findings, each unit counted once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "the simulation uses the rest of it")]
mod chance;
#[path = "cluster/support.rs"]
#[expect(dead_code, reason = "the other tests use the rest of it")]
mod support;

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value as Json, json};

use chance::Chance;
use support::{Coordinator, Process, json_ok};

/// What is computed: whole boards by methods with large tables, and a sweep of many slices.
const JOBS: [&[&str]; 2] =
    [&["cram", "3x3..3x11", "--method", "mex,outcome"], &["geography", "sweep", "9"]];

/// How often a cluster is hit.
const KILLS_EACH: u64 = 10;

/// How many workers there are, each of one slot.
const WORKERS: usize = 3;

/// What of a run must be the same in every run: all but times, places and memory.
fn essence(values: &Json) -> BTreeMap<String, Json> {
    let essence = |value: &Json| {
        let findings = value["findings"].as_array().unwrap().iter().map(|finding| {
            let mut finding = finding.clone();
            let fields = finding.as_object_mut().unwrap();
            for differs in ["seconds", "cpu_seconds", "peak_memory", "workers", "when"] {
                assert!(fields.remove(differs).is_some(), "{value}");
            }
            (fields["method"].as_str().unwrap().to_owned(), finding)
        });
        let findings: Vec<_> = findings.collect();
        let methods: BTreeMap<_, _> = findings.iter().cloned().collect();
        assert_eq!(methods.len(), findings.len(), "a finding is there twice: {value}");
        let mut value = value.clone();
        value["findings"] = json!(methods);
        (value["question"].as_str().unwrap().to_owned(), value)
    };
    values.as_array().unwrap().iter().map(essence).collect()
}

/// What an undisturbed run finds.
fn undisturbed() -> BTreeMap<String, Json> {
    let found = |words: &&[&str]| {
        essence(&json_ok(&[&["run"], *words, &["--memory", "2GiB"]].concat())["values"])
    };
    JOBS.iter().flat_map(found).collect()
}

/// Kills as often as one cluster is to be hit, and gives what it found all the same.
fn disturbed(chance: &Chance) -> BTreeMap<String, Json> {
    let mut cluster = Coordinator::start();
    let mut workers: Vec<Process> = (0..WORKERS).map(|_| cluster.worker("2GiB")).collect();
    let jobs: Vec<String> = JOBS.iter().map(|words| cluster.submit(words)).collect();
    for kill in 0..KILLS_EACH {
        std::thread::sleep(chance.milliseconds(50, 900));
        let victim = usize::try_from(chance.below(2 + WORKERS as u64)).unwrap();
        match workers.get_mut(victim) {
            Some(worker) => {
                worker.kill();
                *worker = cluster.worker("2GiB");
            }
            None => cluster.kill_and_restart(),
        }
        let open = jobs.iter().filter(|job| cluster.job(job)["state"] != "done").count();
        let who = if victim < WORKERS { "a worker" } else { "the coordinator" };
        println!("kill {kill}: {who}, {open} jobs are open");
        assert!(open > 0, "the jobs were over before the kills were");
    }
    for job in &jobs {
        let end = cluster.wait_state(job, "done");
        println!("job {job}: {} attempts at {} units", end["attempts"], end["units"]["done"]);
    }
    essence(&cluster.ask(&["values"])["values"])
}

#[test]
fn killed_at_any_moment_a_cluster_finds_what_an_undisturbed_one_does() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = number("SPRAGUE_KILLS").unwrap_or(KILLS_EACH);
    let seed = number("SPRAGUE_SEED").unwrap_or(1);
    let begun = Instant::now();
    let expected = undisturbed();
    for round in 0..kills.div_ceil(KILLS_EACH) {
        println!("seed {}", seed + round);
        assert_eq!(disturbed(&Chance::new(seed + round)), expected, "seed {}", seed + round);
    }
    println!("{kills} kills in {:.0} s", begun.elapsed().as_secs_f64());
}
