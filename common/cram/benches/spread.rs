//! One board on many workers, simulated: the effort and real engines, one after the other in one process.
//!
//! `cargo bench -p sprague-cram --bench spread -- 5x8 3x17` prints for 1, 2, 4, 8, 16 and 64 workers the expansions of all, their
//! ratio to those of one (the search overhead), how long the slowest chain of slices is in expansions and the speed-up that follows from it, the share of
//! that time in which workers have work, slices, facts and bytes. `WORKERS=1,8` chooses the numbers of workers, `MEMORY` the MiB of each table,
//! `THREADS` how many threads share each: 8 workers of 8 threads are 64 cores.
//!
//! Time is counted in expansions: a slice takes as long as its expansions, and what it found out is known to the others once it
//! has ended. So the run is the same on every machine. What the network and the coordinator's disk take is not in it: `LATENCY` is the
//! number of expansions that go by between two slices of a worker (a millisecond is about 250). Threads are real ones, whose expansions are taken to
//! go on side by side: what they find depends on how the machine lets them run.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_cram::spread::{Effort, Explored, Explorer, Slice, Step};
use sprague_cram::{Board, Limits, Nimber};

fn main() {
    let mut boards: Vec<String> = std::env::args().skip(1).collect();
    // What `cargo bench` adds; without it this is a test of the bench itself.
    let is_bench = boards.iter().any(|argument| argument == "--bench");
    boards.retain(|argument| !argument.starts_with("--"));
    if boards.is_empty() {
        boards = ["5x8", "3x17", "5x9"].map(String::from).to_vec();
    }
    if !is_bench {
        boards = vec!["3x9".to_owned()];
    }
    let workers = number_list("WORKERS", if is_bench { "1,2,4,8,16,64" } else { "1,3" });
    let memory = number_list("MEMORY", "256")[0] as usize;
    let latency = number_list("LATENCY", "1500")[0];
    let threads = number_list("THREADS", "1")[0];

    println!(
        "{:<6} {:>7} {:>6} {:>11} {:>8} {:>11} {:>8} {:>6} {:>7} {:>10} {:>10}",
        "board",
        "workers",
        "nimber",
        "expansions",
        "overhead",
        "time",
        "speed-up",
        "busy",
        "slices",
        "fact bytes",
        "told bytes"
    );
    for name in &boards {
        let board: Board = name.parse().expect("a board is named as in 3x17");
        let mut one = None;
        for &count in &workers {
            let run = simulate(&board, count as usize, memory << 20, threads, latency);
            let one = *one.get_or_insert((run.expansions, run.time));
            println!(
                "{name:<6} {count:>7} {:>6} {:>11} {:>8.2} {:>11} {:>8.1} {:>6.2} {:>7} {:>10} {:>10}",
                run.nimber,
                run.expansions,
                run.expansions as f64 / one.0 as f64,
                run.time,
                one.1 as f64 / run.time as f64,
                run.expansions as f64 / (run.time * count * threads) as f64,
                run.slices,
                run.fact_bytes,
                run.told_bytes,
            );
        }
    }
}

/// What a simulated run came to.
struct Run {
    nimber: Nimber,
    expansions: u64,
    time: u64,
    slices: u64,
    fact_bytes: usize,
    told_bytes: usize,
}

/// A simulated worker.
struct Worker {
    explorer: Explorer,
    /// How much of what all have told it has heard.
    heard: usize,
    /// What it works on.
    slice: Option<Slice>,
}

/// How long other workers take to hear what one has told.
const HEARSAY: u64 = 1000;

fn simulate(board: &Board, count: usize, memory: usize, threads: u64, latency: u64) -> Run {
    let limits = Limits {
        memory,
        cancel: &AtomicBool::new(false),
        progress: &AtomicU64::new(0),
        threads: threads as usize,
    };
    let mut effort = Effort::new(board);
    let worker = || Worker {
        explorer: Explorer::new(board, &limits).expect("the table fits"),
        heard: 0,
        slice: None,
    };
    let mut workers: Vec<Worker> = (0..count).map(|_| worker()).collect();
    // What was told: when, by whom, what.
    let mut told: Vec<(u64, usize, Vec<u8>)> = Vec::new();
    // When a worker's next step begins.
    let mut steps: BinaryHeap<Reverse<(u64, usize)>> =
        (0..count).map(|number| Reverse((0, number))).collect();
    let mut idle: Vec<usize> = Vec::new();
    let mut ends: Vec<Option<Explored>> = vec![None; count];
    let (mut time, mut slices, mut expansions) = (0, 0, 0);
    let nimber = loop {
        let Reverse((now, number)) = steps.pop().expect("somebody always works");
        time = time.max(now);
        let worker = &mut workers[number];
        if let Some(explored) = ends[number].take() {
            slices += 1;
            let slice = worker.slice.take().expect("its slice ends now");
            effort.absorb(&slice, &explored).expect("engines do not contradict each other");
            if let Some(nimber) = effort.nimber() {
                break nimber;
            }
            steps.push(Reverse((now + latency, number)));
            steps.extend(idle.drain(..).map(|number| Reverse((now, number))));
            continue;
        }
        if worker.slice.is_none() {
            let Some(slice) = effort.next_slice() else {
                idle.push(number);
                continue;
            };
            worker.slice = Some(slice);
            worker.explorer.begin(slice);
        }
        let news = told[worker.heard..].iter().take_while(|(when, ..)| when + HEARSAY <= now);
        for (_, teller, message) in news {
            worker.heard += 1;
            if *teller != number {
                worker.explorer.learn(message).expect("explorers write facts");
            }
        }
        let before = worker.explorer.expansions();
        let Step { message, expansions: after, explored } =
            worker.explorer.step(&limits).expect("nobody cancels");
        let spent = after - before;
        expansions += spent;
        let end = now + spent / threads;
        let at = told.partition_point(|(when, ..)| *when <= end);
        told.insert(at, (end, number, message));
        ends[number] = explored;
        steps.push(Reverse((end, number)));
    };
    let fact_bytes = effort.batches().iter().map(|batch| batch.len()).sum();
    let told_bytes = told.iter().map(|(.., message)| message.len()).sum();
    Run { nimber, expansions, time, slices, fact_bytes, told_bytes }
}

/// The numbers, parted by commas, of an environment variable.
fn number_list(variable: &str, default: &str) -> Vec<u64> {
    let list = std::env::var(variable).unwrap_or_else(|_| default.to_owned());
    list.split(',').map(|number| number.parse().expect("the variable lists numbers")).collect()
}
