//! What a coordinator bears: many simulated workers, many trivial units, everything through TLS, leases,
//! reports and durable commits.
//!
//! `cargo bench -p sprague-coordinator --bench load [-- WORKERS UNITS [SLOTS]]`, by default 500 workers with
//! two slots each and 100,000 units. The workers are another process, so that the memory that is shown is
//! the coordinator's own. A unit is done as soon as it is leased: what is measured is the coordinator.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]

#[path = "../../tests/core_model/sum.rs"]
mod sum;
mod workers;

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sprague_coordinator::{Config, Coordinator};
use sprague_proto::v1::operator_service_client::OperatorServiceClient;
use sprague_proto::{Access, Authorized, Role, connect, v1};
use sprague_work::Registry;

/// How long everything may take before it is given up.
const PATIENCE: Duration = Duration::from_secs(600);

/// Nothing but sums, which the simulated workers know the answers of.
fn registry() -> Registry {
    Registry::new(vec![Arc::new(sum::Sum)])
}

struct Load {
    workers: usize,
    units: u64,
    slots: u32,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so to every benchmark.
    let words: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|a| *a != "--bench").collect();
    let number = |at: usize, usual: u64| words.get(at).map_or(usual, |word| word.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if let ["workers", access, count, slots] = words[..] {
        runtime.block_on(workers::run(access, count.parse().unwrap(), slots.parse().unwrap()));
        return;
    }
    let load = Load {
        workers: usize::try_from(number(0, 500)).unwrap(),
        units: number(1, 100_000),
        slots: u32::try_from(number(2, 2)).unwrap(),
    };
    runtime.block_on(measure(&load));
}

async fn measure(load: &Load) {
    let folder = tempfile::tempdir().unwrap();
    let coordinator = Coordinator::start(Config::new(folder.path()), registry()).await.unwrap();
    let access = Access::read(&coordinator.operator_access(), Role::Operator).unwrap();
    let mut operator = OperatorServiceClient::new(connect(&access).await.unwrap());
    let mut workers = start_workers(&coordinator.worker_access(), load);
    wait_for_workers(&mut operator, load.workers).await;

    let began = Instant::now();
    // Two methods, each with half of the units.
    let words = vec!["sum".to_owned(), (load.units / 2).to_string()];
    let request = v1::SubmitRequest { words, ..v1::SubmitRequest::default() };
    let job = operator.submit(request).await.unwrap().into_inner().job;
    let done = loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let shown = operator.show_job(v1::JobRequest { job }).await.unwrap().into_inner();
        if shown.state == "done" {
            break shown;
        }
        assert_eq!(shown.state.replace("queued", "running"), "running", "{}", shown.reason);
        assert!(began.elapsed() < PATIENCE, "not done in time: {:?}", shown.units);
    };
    let seconds = began.elapsed().as_secs_f64();
    let units = load.units / 2 * 2;
    assert_eq!(done.attempts, units, "leases that were lost");

    workers.kill().unwrap();
    workers.wait().unwrap();
    let store = std::fs::metadata(folder.path().join("store.redb")).unwrap().len();
    println!("workers           {} with {} slots each", load.workers, load.slots);
    println!("units             {units}, each leased once");
    println!("seconds           {seconds:.2}");
    println!("units a second    {:.0}", units as f64 / seconds);
    println!("peak memory       {:.0} MiB of the coordinator", peak() as f64 / 1_048_576.0);
    println!("store             {:.1} MiB", store as f64 / 1_048_576.0);
    coordinator.shutdown().await;
}

fn start_workers(access: &Path, load: &Load) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg("workers")
        .arg(access)
        .args([load.workers.to_string(), load.slots.to_string()])
        .spawn()
        .unwrap()
}

async fn wait_for_workers(operator: &mut OperatorServiceClient<Authorized>, count: usize) {
    let began = Instant::now();
    loop {
        let reply = operator.list_workers(v1::ListWorkersRequest {}).await.unwrap();
        if reply.into_inner().workers.len() == count {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "the workers do not come");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The most bytes that this process has had resident.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() << 10
}
