//! The simulated cluster: a coordinator, five workers, a parrot and an operator, each a host with the program's
//! own code, and a folder that outlives every crash.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use sprague_coordinator::{Config, Coordinator, Threads, WallClock};
use sprague_proto::v1::operator_service_client::OperatorServiceClient;
use sprague_proto::{Access, Authorized, ConnectError, Role, v1};
use sprague_work::{JobState, Registry};
use sprague_worker::{Engine, Shutdown, SlotNews, WorkerConfig, WorkerError};
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use turmoil::Sim;

use crate::bench::{Bench, MEMORY, appears};
use crate::chance::Chance;
use crate::network::{self, Accepted};
use crate::{log, parrot};

/// The hosts.
pub(crate) const COORDINATOR: &str = "coordinator";
pub(crate) const WORKERS: [&str; 5] = ["worker-1", "worker-2", "worker-3", "worker-4", "worker-5"];

/// Where the coordinator listens.
const PORT: u16 = 7777;
/// For how long a unit may stand still, and for how long a lost worker is awaited.
const LEASE: Duration = Duration::from_secs(4);
const GRACE: Duration = Duration::from_secs(2);
/// How long a commit takes, so that a crash finds something that is not on the disk.
const COMMIT: Duration = Duration::from_millis(25);
/// When the simulation begins, by the clock on the wall before anybody sets it, in seconds since 1970.
const BEGIN: i64 = 1_800_000_000;

/// What the cluster is to do.
pub(crate) const JOBS: [&str; 3] = ["cram 2x2..2x14", "cram 3x3..3x7", "geography sweep 7"];

/// The ground under a simulated coordinator.
struct Ground {
    clock: Arc<AtomicI64>,
}

impl sprague_coordinator::Environment for Ground {
    type Connection = Accepted;
    type Incoming = ReceiverStream<io::Result<Accepted>>;

    async fn listen(&self, address: SocketAddr) -> io::Result<(SocketAddr, Self::Incoming)> {
        network::listen(address).await
    }

    fn wall_clock(&self) -> WallClock {
        let clock = Arc::clone(&self.clock);
        Arc::new(move || {
            let seconds = BEGIN + clock.load(Ordering::Relaxed);
            let seconds = Duration::from_secs(u64::try_from(seconds).unwrap());
            SystemTime::UNIX_EPOCH + seconds + log::now()
        })
    }

    fn threads(&self) -> Threads {
        Threads::Simulated { commit: COMMIT }
    }
}

/// The ground under a simulated worker.
struct Desk {
    registry: Registry,
    chance: Arc<Chance>,
}

impl sprague_worker::Environment for Desk {
    async fn connect(&self, access: &Access) -> Result<Authorized, ConnectError> {
        network::connect(access).await
    }

    fn random(&self) -> u64 {
        self.chance.draw()
    }

    fn engines(
        &self,
        config: &WorkerConfig,
        news: &Sender<SlotNews>,
    ) -> Result<Vec<Box<dyn Engine>>, WorkerError> {
        let bench = |slot: usize| -> Box<dyn Engine> {
            let (registry, chance) = (self.registry.clone(), Arc::clone(&self.chance));
            Box::new(Bench { slot, registry, chance, news: news.clone(), running: None })
        };
        Ok((0..config.slots as usize).map(bench).collect())
    }
}

async fn coordinate(folder: &Path, clock: Arc<AtomicI64>) -> turmoil::Result {
    let config = Config {
        listen: Some(SocketAddr::from(([0, 0, 0, 0], PORT))),
        advertise: Some(format!("{COORDINATOR}:{PORT}")),
        lease: LEASE,
        reconnect_grace: GRACE,
        ..Config::new(folder)
    };
    let mut coordinator =
        Coordinator::start_in(Ground { clock }, config, Registry::standard()).await?;
    Ok(coordinator.stopped().await?)
}

async fn work(folder: &Path, name: &str, chance: Arc<Chance>) -> turmoil::Result {
    let file = folder.join("worker.access");
    let access = appears(|| Access::read(&file, Role::Worker).ok()).await;
    let registry = Registry::standard();
    let config = WorkerConfig {
        name: Some(name.to_owned()),
        slots: 2,
        slot_memory: MEMORY,
        patience: Duration::MAX,
        ..WorkerConfig::new(access, vec!["no process".into()])
    };
    let desk = Desk { registry: registry.clone(), chance };
    Ok(sprague_worker::run_in(desk, config, &registry, Shutdown::new()).await?)
}

/// Submits the jobs and sees them to their end.
async fn operate(folder: &Path) -> turmoil::Result {
    let file = folder.join("operator.access");
    let access = appears(|| Access::read(&file, Role::Operator).ok()).await;
    // All are there before the first is over.
    for words in JOBS {
        while submit(&access, words).await.is_none() {
            sleep(Duration::from_secs(1)).await;
        }
    }
    for words in JOBS {
        while submit_and_watch(&access, words).await != Some(JobState::Done) {
            sleep(Duration::from_secs(1)).await;
        }
        tracing::info!(words, "the job is done");
    }
    Ok(())
}

/// How long a call may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Submits a job, for the first time or again; `None` when the coordinator went away.
async fn submit(access: &Access, words: &str) -> Option<(OperatorServiceClient<Authorized>, u64)> {
    let mut operator = OperatorServiceClient::new(network::connect(access).await.ok()?);
    let words = words.split(' ').map(str::to_owned).collect();
    let request = v1::SubmitRequest { words, ..v1::SubmitRequest::default() };
    let submitted = timeout(PATIENCE, operator.submit(request)).await.ok()?.ok()?;
    Some((operator, submitted.into_inner().job))
}

/// Submits a job, and follows it to its end; `None` when the coordinator went away.
async fn submit_and_watch(access: &Access, words: &str) -> Option<JobState> {
    let (mut operator, job) = submit(access, words).await?;
    loop {
        let shown = operator.show_job(v1::JobRequest { job });
        let shown = timeout(PATIENCE, shown).await.ok()?.ok()?.into_inner();
        match shown.state.as_str() {
            "done" => return Some(JobState::Done),
            // It goes on when it is submitted again.
            "failed" => return Some(JobState::Failed),
            "queued" | "running" => sleep(Duration::from_millis(500)).await,
            other => panic!("job {job} is {other}: {}", shown.reason),
        }
    }
}

/// Puts the hosts into a simulation.
pub(crate) fn settle(sim: &mut Sim<'_>, folder: &Path, chance: &Chance, clock: &Arc<AtomicI64>) {
    let (at, clock) = (folder.to_owned(), Arc::clone(clock));
    sim.host(COORDINATOR, move || {
        let (at, clock) = (at.clone(), Arc::clone(&clock));
        async move { coordinate(&at, clock).await }
    });
    for name in WORKERS {
        let (at, chance) = (folder.to_owned(), Arc::new(chance.fork()));
        sim.host(name, move || {
            let (at, chance) = (at.clone(), Arc::clone(&chance));
            async move { work(&at, name, chance).await }
        });
    }
    let (at, parrots) = (folder.to_owned(), Arc::new(chance.fork()));
    sim.host("parrot", move || {
        let (at, chance) = (at.clone(), Arc::clone(&parrots));
        async move {
            parrot::live(&at, chance).await;
            Ok(())
        }
    });
    let at = folder.to_owned();
    sim.client("operator", async move { operate(&at).await });
}
