//! What a coordinator bears: many simulated workers, everything through TLS, sessions and durable commits.
//!
//! ```text
//! cargo bench -p sprague-coordinator --bench load -- units [WORKERS [UNITS [SLOTS]]]
//! cargo bench -p sprague-coordinator --bench load -- mail [WORKERS [MESSAGES [BYTES]]]
//! cargo bench -p sprague-coordinator --bench load -- restart [WORKERS [UNITS]]
//! ```
//!
//! `units`, the usual, leases trivial units to 500 workers with two slots each until 100,000 are done. A unit is
//! done as soon as it is leased: what is measured is the coordinator. `mail` has 8 workers hold a unit of one task and
//! tell each other 1,000 messages of 4,096 bytes each, which the coordinator passes on. `restart` does as `units` until
//! nearly all of a million are done, stops the coordinator, and starts it again on the same folder.
//!
//! The workers, and the coordinator that is started again, are other processes, so that the memory and the processor
//! time that are shown are a coordinator's own; those of the workers are shown beside them, as both share one machine.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]

#[path = "../../tests/counting/mod.rs"]
mod counting;
mod process;
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
const PATIENCE: Duration = Duration::from_secs(900);

/// Nothing but sums, which the simulated workers know the answers of.
fn registry() -> Registry {
    Registry::new(vec![Arc::new(counting::sum::SUM)])
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so to every benchmark.
    let words: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|a| *a != "--bench").collect();
    let number = |at: usize, usual: u64| words.get(at).map_or(usual, |word| word.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    match words.first() {
        None | Some(&"units") => {
            runtime.block_on(units(number(1, 500), number(2, 100_000), number(3, 2)));
        }
        Some(&"mail") => runtime.block_on(mail(number(1, 8), number(2, 1000), number(3, 4096))),
        Some(&"restart") => runtime.block_on(restart(number(1, 500), number(2, 1_000_000))),
        Some(&"workers") => workers::main(&words[1..]),
        Some(&"again") => runtime.block_on(again(Path::new(words[1]))),
        Some(other) => panic!("{other:?} is none of units, mail and restart"),
    }
}

/// A coordinator in this process, and its workers in another one.
struct Cluster {
    folder: tempfile::TempDir,
    coordinator: Coordinator,
    operator: OperatorServiceClient<Authorized>,
    workers: Child,
}

impl Cluster {
    /// Starts all and waits until the workers are there. `duty` is what they are told to do, see [`workers::main`].
    async fn start(count: u64, slots: u64, duty: &[String]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let coordinator = Coordinator::start(Config::new(folder.path()), registry()).await.unwrap();
        let access = Access::read(&coordinator.operator_access(), Role::Operator).unwrap();
        let mut operator = OperatorServiceClient::new(connect(&access).await.unwrap());
        let workers = start_workers(&coordinator.worker_access(), count, slots, duty);
        wait_for_workers(&mut operator, count).await;
        Self { folder, coordinator, operator, workers }
    }

    async fn submit(&mut self, parts: u64) -> u64 {
        let words = vec!["sum".to_owned(), parts.to_string()];
        let request = v1::SubmitRequest { words, ..v1::SubmitRequest::default() };
        self.operator.submit(request).await.unwrap().into_inner().job
    }

    async fn job(&mut self, job: u64) -> v1::Job {
        self.operator.show_job(v1::JobRequest { job }).await.unwrap().into_inner()
    }

    fn store(&self) -> f64 {
        let store = std::fs::metadata(self.folder.path().join("store.redb")).unwrap();
        mebibytes(store.len())
    }

    /// Stops all. The folder is gone when what it gives is.
    async fn stop(mut self) -> tempfile::TempDir {
        self.workers.kill().unwrap();
        self.workers.wait().unwrap();
        self.coordinator.shutdown().await;
        self.folder
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Units through lease, report and durable commit.
async fn units(workers: u64, units: u64, slots: u64) {
    let mut cluster = Cluster::start(workers, slots, &["report".to_owned()]).await;
    let (own, theirs) = (process::own(), process::of(cluster.workers.id()));
    let began = Instant::now();
    // Two methods, each with half of the units.
    let job = cluster.submit(units / 2).await;
    let mut planned = 0;
    let done = loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let shown = cluster.job(job).await;
        let counts = shown.units.unwrap_or_default();
        planned = planned.max(counts.waiting + counts.running);
        if shown.state == "done" {
            break shown;
        }
        assert_eq!(shown.state.replace("queued", "running"), "running", "{}", shown.reason);
        assert!(began.elapsed() < PATIENCE, "not done in time: {counts:?}");
    };
    let seconds = began.elapsed().as_secs_f64();
    let units = units / 2 * 2;
    assert_eq!(done.attempts, units, "leases that were lost");
    let (own, theirs) = (process::own() - own, process::of(cluster.workers.id()) - theirs);

    println!("workers           {workers} with {slots} slots each");
    println!(
        "units             {units}, each leased once, at most {planned} of them planned and not done"
    );
    println!("seconds           {seconds:.2}");
    println!("units a second    {:.0}", units as f64 / seconds);
    println!("processor time    {:.0} us a unit of the coordinator", own / units as f64 * 1e6);
    println!("                  {:.0} us a unit of the workers", theirs / units as f64 * 1e6);
    println!("peak memory       {:.0} MiB of the coordinator", mebibytes(process::peak_memory()));
    println!("store             {:.1} MiB", cluster.store());
    cluster.stop().await;
}

/// What units tell each other, through the coordinator.
async fn mail(workers: u64, messages: u64, bytes: u64) {
    let duty = ["tell".to_owned(), messages.to_string(), bytes.to_string()];
    let mut cluster = Cluster::start(workers, 1, &duty).await;
    let (own, theirs) = (process::own(), process::of(cluster.workers.id()));
    let began = Instant::now();
    // As many units of the first method as there are workers, each with as many expansions as its worker has heard.
    let job = cluster.submit(workers).await;
    let heard = loop {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let shown = cluster.job(job).await;
        if shown.units.unwrap_or_default().done >= workers {
            break shown.expansions;
        }
        assert!(began.elapsed() < PATIENCE, "not done in time");
    };
    let (own, theirs) = (process::own() - own, process::of(cluster.workers.id()) - theirs);
    println!("workers           {workers}, each tells {messages} messages of {bytes} bytes");
    println!("heard             {heard} of {}", workers * messages * (workers - 1));
    let heard = heard as f64;
    println!(
        "processor time    {:.1} us a message that was heard, of the coordinator",
        own / heard * 1e6
    );
    println!("                  {:.1} us of the workers", theirs / heard * 1e6);
    println!("peak memory       {:.0} MiB of the coordinator", mebibytes(process::peak_memory()));
    cluster.stop().await;
}

/// The start of a coordinator in the middle of a job, with nearly all units done.
async fn restart(workers: u64, units: u64) {
    let mut cluster = Cluster::start(workers, 2, &["report".to_owned()]).await;
    let began = Instant::now();
    let job = cluster.submit(units / 2).await;
    let enough = units - units / 50;
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let shown = cluster.job(job).await;
        assert_ne!(shown.state, "done", "too few units to be stopped in the middle");
        if shown.units.unwrap_or_default().done >= enough {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "not done in time");
    }
    let folder = cluster.stop().await;
    let start = Command::new(std::env::current_exe().unwrap())
        .arg("again")
        .arg(folder.path())
        .status()
        .unwrap();
    assert!(start.success(), "{start}");
}

/// Starts a coordinator on the folder of another one, and says what that took.
async fn again(folder: &Path) {
    let store = mebibytes(std::fs::metadata(folder.join("store.redb")).unwrap().len());
    let began = Instant::now();
    let coordinator = Coordinator::start(Config::new(folder), registry()).await.unwrap();
    let seconds = began.elapsed().as_secs_f64();
    let access = Access::read(&coordinator.operator_access(), Role::Operator).unwrap();
    let mut operator = OperatorServiceClient::new(connect(&access).await.unwrap());
    let shown = operator.show_job(v1::JobRequest { job: 1 }).await.unwrap().into_inner();
    let counts = shown.units.unwrap_or_default();
    println!("units             {} done of {}", counts.done, counts.total.unwrap_or_default());
    println!("store             {store:.1} MiB");
    println!("seconds           {seconds:.2} until it serves");
    println!("processor time    {:.2} s", process::own());
    println!("peak memory       {:.0} MiB", mebibytes(process::peak_memory()));
    println!("memory            {:.0} MiB", mebibytes(process::memory()));
    coordinator.shutdown().await;
}

fn start_workers(access: &Path, count: u64, slots: u64, duty: &[String]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg("workers")
        .arg(access)
        .args([count.to_string(), slots.to_string()])
        .args(duty)
        .spawn()
        .unwrap()
}

async fn wait_for_workers(operator: &mut OperatorServiceClient<Authorized>, count: u64) {
    let began = Instant::now();
    loop {
        let reply = operator.list_workers(v1::ListWorkersRequest {}).await.unwrap();
        if reply.into_inner().workers.len() as u64 == count {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "the workers do not come");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
