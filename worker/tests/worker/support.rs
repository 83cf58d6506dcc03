//! What the tests share: a worker in the test's own process, and a look at other processes.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use sprague_proto::Access;
use sprague_worker::{Shutdown, WorkerConfig, WorkerError};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::mischief;

/// A test: its name and what it does.
pub(crate) type Test = (&'static str, fn());

/// Lists test functions under their names.
macro_rules! tests {
    ($($test:ident),+ $(,)?) => {
        pub(crate) fn trials() -> Vec<$crate::support::Test> {
            vec![$((stringify!($test), $test as fn())),+]
        }
    };
}
pub(crate) use tests;

/// The cap of a slot in most tests.
pub(crate) const CAP: u64 = 64 << 20;

/// Nothing in these tests takes longer, unless it is broken.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A runtime for one test.
pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A worker of one slot with short times, whose children are this program.
pub(crate) fn config(access: Access) -> WorkerConfig {
    let own_path = std::env::current_exe().unwrap();
    WorkerConfig {
        slot_memory: CAP,
        cancel_grace: Duration::from_millis(500),
        ..WorkerConfig::new(access, vec![own_path.into(), "slot".into()])
    }
}

/// A worker that runs in this process.
pub(crate) struct Worker {
    pub(crate) shutdown: Shutdown,
    life: JoinHandle<Result<(), WorkerError>>,
}

impl Worker {
    /// Starts it. Within a runtime only.
    pub(crate) fn start(config: WorkerConfig) -> Self {
        let shutdown = Shutdown::new();
        let told = shutdown.clone();
        let life =
            tokio::spawn(
                async move { sprague_worker::run(config, &mischief::registry(), told).await },
            );
        Self { shutdown, life }
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(self) -> Result<(), WorkerError> {
        tokio::time::timeout(PATIENCE, self.life).await.expect("the worker does not end").unwrap()
    }

    /// Stops it at once.
    pub(crate) async fn stop(self) {
        self.shutdown.now();
        self.ended().await.unwrap();
    }
}

/// Whether a process of that number is there and can compute. A zombie cannot.
pub(crate) fn computes(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    // PID (NAME) STATE ...; the name may hold anything, so the state is after the last bracket.
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}

/// Whether a process of that number is there at all, waited for by nobody.
pub(crate) fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

/// Waits until `holds`. Blocks.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "{what} does not come true");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Reads the process number that a unit has written to a file, once it is there. Blocks.
pub(crate) fn pid_in(file: &Path) -> u32 {
    let read = || fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok();
    wait_until("a unit's start", || read().is_some());
    read().unwrap()
}
