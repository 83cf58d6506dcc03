//! Worker processes on a leash: the same program as `worker`, started again when they die, and all
//! reaped before the command ends.
//!
//! Each has a process group of its own, so that Ctrl-C reaches only this process, which then tells
//! them. Should this process be killed, the pipe to their standard input ends, and so do they.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use indicatif::MultiProgress;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::Crew;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::log;

/// How often in a row a worker that dies young is started again before the whole fleet gives up.
const MOST_RESTARTS: u32 = 5;
/// Whoever lived for so long did not die young: a run of days may lose a worker now and then.
const YOUNG: Duration = Duration::from_secs(600);
/// Before it is.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a worker that is told to stop may take, beyond the grace that it gives its units.
const STOP_GRACE: Duration = Duration::from_secs(20);
/// How long a worker without its leash may take.
const LEASH_GRACE: Duration = Duration::from_secs(3);

/// What the fleet is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Work,
    Stop,
    StopAtOnce,
}

/// The worker processes.
pub(super) struct Fleet {
    order: watch::Sender<Order>,
    keepers: JoinSet<Result<(), ExpectedError>>,
}

impl Fleet {
    /// Starts the workers.
    pub(super) fn start(
        context: &Context,
        access: &Path,
        crew: Crew,
    ) -> Result<Self, ExpectedError> {
        let (order, orders) = watch::channel(Order::Work);
        let mut keepers = JoinSet::new();
        for number in 1..=crew.workers.get() {
            let command = command(context, access, crew, number)?;
            let keeper = Keeper { command, orders: orders.clone(), bars: context.bars.clone() };
            keepers.spawn(keeper.keep());
        }
        Ok(Self { order, keepers })
    }

    /// Resolves when a worker cannot be kept alive.
    pub(super) async fn failure(&mut self) -> ExpectedError {
        while let Some(end) = self.keepers.join_next().await {
            if let Ok(Err(fault)) = end {
                return fault;
            }
        }
        std::future::pending().await
    }

    /// Tells the workers to finish or hand back what they have, and reaps them. May be dropped.
    pub(super) async fn stop(&mut self) {
        self.end(Order::Stop).await;
    }

    /// Ends the workers and reaps them.
    pub(super) async fn stop_at_once(&mut self) {
        self.end(Order::StopAtOnce).await;
    }

    async fn end(&mut self, order: Order) {
        self.order.send_replace(order);
        while self.keepers.join_next().await.is_some() {}
    }
}

fn command(
    context: &Context,
    access: &Path,
    crew: Crew,
    number: usize,
) -> Result<Command, ExpectedError> {
    let program = std::env::current_exe().map_err(ExpectedError::Spawn)?;
    let mut command = Command::new(program);
    command
        .arg("worker")
        .arg("--access")
        .arg(access)
        .args(["--slots", "1", "--threads", &crew.threads.to_string()])
        .args(["--memory", &crew.memory.bytes().to_string()])
        .args(["--name", &format!("worker-{number}"), "--leash"])
        .args(log::flags_for_worker(&context.global))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    Ok(command)
}

/// Keeps one worker alive.
struct Keeper {
    command: Command,
    orders: watch::Receiver<Order>,
    bars: MultiProgress,
}

impl Keeper {
    /// Starts the worker, and again when it dies, until it is told to stop.
    async fn keep(mut self) -> Result<(), ExpectedError> {
        let mut deaths = 0;
        loop {
            let born = Instant::now();
            let mut child = self.command.spawn().map_err(ExpectedError::Spawn)?;
            // Held here, because waiting for a child closes what it still has of its standard input.
            let leash = child.stdin.take();
            if let Some(stderr) = child.stderr.take() {
                tokio::spawn(relay(stderr, self.bars.clone()));
            }
            let status = tokio::select! {
                status = child.wait() => status.map_err(ExpectedError::Spawn)?,
                order = next_order(&mut self.orders) => {
                    end(child, leash, order, &mut self.orders).await;
                    return Ok(());
                }
            };
            deaths = if born.elapsed() < YOUNG { deaths + 1 } else { 1 };
            if deaths > MOST_RESTARTS {
                return Err(ExpectedError::Fleet { times: deaths, how: status.to_string() });
            }
            tracing::warn!(how = %status, "a worker ended; it is started again");
            tokio::select! {
                () = sleep(PAUSE) => {}
                _ = next_order(&mut self.orders) => return Ok(()),
            }
        }
    }
}

/// Waits until the order is something other than to work. A fleet that was dropped is to stop.
async fn next_order(orders: &mut watch::Receiver<Order>) -> Order {
    let order = orders.wait_for(|order| *order != Order::Work).await;
    order.map_or(Order::StopAtOnce, |order| *order)
}

/// Ends and reaps a worker: by word, by letting go of its leash, by force.
async fn end(
    mut child: Child,
    leash: Option<ChildStdin>,
    order: Order,
    orders: &mut watch::Receiver<Order>,
) {
    if order == Order::Stop {
        // One without an id has already ended, and is only to be reaped.
        if let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            let _ = kill_process(pid, Signal::TERM);
        }
        tokio::select! {
            _ = timeout(STOP_GRACE, child.wait()) => {}
            _ = orders.wait_for(|order| *order == Order::StopAtOnce) => {}
        }
    }
    drop(leash);
    if timeout(LEASH_GRACE, child.wait()).await.is_err() {
        let _ = child.start_kill();
        let _ = child.wait().await;
    }
}

/// Hands on what a worker says, with the progress bars out of the way.
async fn relay(stderr: impl AsyncRead + Unpin, bars: MultiProgress) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        bars.suspend(|| {
            let _ = writeln!(io::stderr(), "{line}");
        });
    }
}
