//! A whole cluster in a simulation, under every fault that machines and networks have, by seed.
//!
//! The coordinator with its services, its core and its store, and five workers with their sessions are the
//! program's own code, over gRPC and TLS as ever. Only what they stand on is simulated, by turmoil: time, the
//! network, the clock on the wall. Workers run their units (real ones, of real jobs) in a task instead of a child
//! process, see `bench`; child processes have their tests elsewhere. A sixth worker repeats itself, see `parrot`.
//! For forty seconds of simulated time hosts are killed and started again, links are cut, cut one way, slowed and
//! held, and the clock is set; then there is peace, and the jobs have to come to their end. What must hold then is
//! in `verdict`.
//!
//! The same seed gives the same run, to the last line of the log. Each run has a process of its own, which is this
//! program called as `run SEED`: what the operating system's randomness is in it, see `entropy`, must not depend
//! on the runs before.
//!
//! 200 seeds, or as many as `SPRAGUE_SEEDS` says. A seed that fails is printed; `SPRAGUE_SEED=N` runs that one
//! alone and prints its log.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bench;
#[path = "../chance.rs"]
mod chance;
mod cluster;
mod entropy;
mod log;
mod network;
mod parrot;
mod trouble;
mod verdict;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

use chance::Chance;
use trouble::Trouble;

/// What the network does not do faster.
const TICK: Duration = Duration::from_millis(10);

/// How long a run may take, in simulated time.
const LIMIT: Duration = Duration::from_secs(600);

/// How many seeds are tried where nobody says.
const SEEDS: u64 = 200;

/// How many of them are run twice.
const TWICE: u64 = 8;

/// How many lines of its log a run that failed shows.
const LAST_LINES: usize = 60;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let ["run", seed, folder] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        println!("{}", run(seed.parse().unwrap(), folder.as_ref()));
        return ExitCode::SUCCESS;
    }
    let trials = vec![
        Trial::test("nothing_is_lost_and_nothing_counted_twice_under_any_seed", || {
            under_every_seed();
            Ok(())
        }),
        Trial::test("the_same_seed_gives_the_same_run", || {
            the_same_seed_gives_the_same_run();
            Ok(())
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Runs a seed in this process, and gives what there is to say of it in one line.
fn run(seed: u64, folder: &Path) -> String {
    let log = log::Log::start();
    let text = || log.text(folder.to_str().unwrap());
    let (shown, at) = (log.clone(), folder.to_str().unwrap().to_owned());
    // A panic of a host's task would else only end that task.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = shown.text(&at);
        let lines: Vec<&str> = text.lines().collect();
        eprintln!("{}", lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"));
        usual(info);
        std::process::exit(1);
    }));

    let chance = Chance::new(seed);
    let clock = Arc::new(AtomicI64::new(0));
    let mut sim = turmoil::Builder::new()
        .rng_seed(chance.draw())
        .enable_random_order()
        .tick_duration(TICK)
        .simulation_duration(LIMIT)
        .min_message_latency(Duration::from_millis(1))
        .max_message_latency(Duration::from_millis(40))
        .tcp_capacity(4096)
        .build();
    cluster::settle(&mut sim, folder, &chance, &clock);
    let mut trouble = Trouble::new(chance.fork(), clock);
    loop {
        let now = sim.elapsed();
        log::set_now(now);
        trouble.pass(&mut sim, now);
        if sim.step().unwrap() {
            break;
        }
    }
    let (seconds, faults) = (sim.elapsed().as_secs_f64(), trouble.faults());
    // Closes the store.
    drop(sim);
    if std::env::var_os("SPRAGUE_SEED").is_some() {
        eprintln!("{}", text());
    }
    let leases = verdict::judge(folder, &text());
    format!(
        "{seconds:.0} s simulated, {faults} faults, {} leases, {} reports acknowledged, {} late ones \
         compared, log {:016x}",
        leases.leased,
        leases.acknowledged,
        leases.compared,
        log::hash(&text())
    )
}

/// A folder in memory where there is such a thing: a simulated disk need not wait for a real one.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The process that runs a seed.
fn process(seed: u64, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["run", &seed.to_string()]).arg(folder);
    command
}

/// Runs a seed in a process of its own, and gives the line that it says, or what went wrong.
fn run_apart(seed: u64) -> Result<String, String> {
    let folder = folder();
    let output = process(seed, folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    if output.status.success() {
        return Ok(said);
    }
    Err(format!("{said}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Does it with each seed below a number, as many at a time as there are processors, and gives the seeds that
/// failed and why.
fn with_seeds(seeds: u64, run: impl Fn(u64) -> Result<(), String> + Sync) -> Vec<(u64, String)> {
    let next = AtomicU64::new(0);
    let some = || {
        let mut failed = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                return failed;
            }
            if let Err(why) = run(seed) {
                failed.push((seed, why));
            }
        }
    };
    let processors = std::thread::available_parallelism().unwrap().get();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn number(variable: &str) -> Option<u64> {
    Some(std::env::var(variable).ok()?.parse().expect("a number"))
}

fn under_every_seed() {
    if let Some(seed) = number("SPRAGUE_SEED") {
        let status = process(seed, folder().path()).status().unwrap();
        assert!(status.success(), "seed {seed}: {status}");
        return;
    }
    let begun = Instant::now();
    let seeds = number("SPRAGUE_SEEDS").unwrap_or(SEEDS);
    let failed = with_seeds(seeds, |seed| {
        println!("seed {seed}: {}", run_apart(seed)?);
        Ok(())
    });
    println!("{seeds} seeds in {:.0} s", begun.elapsed().as_secs_f64());
    let numbers: Vec<u64> = failed.iter().map(|(seed, _)| *seed).collect();
    let first = failed.first().map_or("", |(_, why)| why);
    assert!(
        failed.is_empty(),
        "seeds {numbers:?} failed (SPRAGUE_SEED=N runs one), first: {first}"
    );
}

fn the_same_seed_gives_the_same_run() {
    let failed = with_seeds(TWICE, |seed| {
        let (once, again) = (run_apart(seed)?, run_apart(seed)?);
        if once == again { Ok(()) } else { Err(format!("{once}\nand {again}")) }
    });
    assert!(failed.is_empty(), "{failed:?}");
}
