//! The one thread that owns the core.
//!
//! Everything that happens is a closure over the core, sent here. The thread gathers what has come,
//! applies it, sends at once what needs no store, hands the rest to the scribe, which commits it
//! before it sends the orders and answers, and goes on with the next batch meanwhile. It does nothing else: no
//! solver, no socket, no disk, no reading of clocks in the middle of a batch.
//!
//! What it does is an async function that waits for nothing but the next call and the next tick. It has a
//! thread of its own, but in a simulation, where it is a task.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sprague_work::WorkerId;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};

use crate::core::{Core, Effects, Moment, Now};
use crate::environment::{Threads, WallClock};
use crate::scribe::{Batch, Reply, Scribe};
use crate::sessions::{Connection, Sessions};
use crate::store::{Store, StoreError};

/// How many events may wait before those who send them have to.
const QUEUE: usize = 4096;
/// How many events make one batch at most.
const BATCH: usize = 1024;
/// How many batches may wait for their commit before the owner has to.
const UNCOMMITTED: usize = 256;
/// How often time passes for the core when nothing else happens.
const TICK: Duration = Duration::from_millis(100);
/// The most time that passes for the core between two rounds of its owner. In all that is longer the coordinator stood
/// still: its process or machine was suspended, or the disk held it up. It heard nobody then, so it is held against nobody.
const LONGEST_ROUND: Duration = Duration::from_secs(1);

/// Why the owner stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The store failed. Nothing that was acknowledged is lost.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A mistake in the program: the message that names it is above in the log.
    #[error("the coordinator stopped by a mistake in the program; what it acknowledged is kept")]
    Panicked,
}

/// The owner is gone, because the coordinator is stopping or its store failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator is stopping")]
pub(crate) struct Gone;

type Call = Box<dyn FnOnce(&mut State, Now) -> Option<Reply> + Send>;

/// What the thread holds.
pub(crate) struct State {
    pub(crate) core: Core,
    sessions: Arc<Sessions>,
}

impl State {
    /// Makes the orders for a worker go to this connection; the one before, if any, ends.
    pub(crate) fn attach(&mut self, worker: WorkerId, connection: Connection) {
        self.sessions.attach(worker, connection);
    }

    pub(crate) fn detach(&mut self, worker: WorkerId, session: u64) {
        self.sessions.detach(worker, session);
    }
}

/// Speaks to the owner. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Owner {
    calls: mpsc::Sender<Call>,
    revision: watch::Receiver<u64>,
}

impl Owner {
    /// Starts it and the scribe. The receiver resolves when both have stopped, with the store closed.
    pub(crate) fn start(
        core: Core,
        store: Store,
        wall: WallClock,
        threads: Threads,
    ) -> (Self, oneshot::Receiver<Result<(), Fault>>) {
        let (calls, inbox) = mpsc::channel(QUEUE);
        let (revised, revision) = watch::channel(0);
        let (stopped, stop) = oneshot::channel();
        let (batches, waiting) = mpsc::channel(UNCOMMITTED);
        let sessions = Arc::new(Sessions::default());
        let committed = Arc::new(AtomicU64::new(0));
        let scribe = Scribe {
            store,
            sessions: Arc::clone(&sessions),
            committed: Arc::clone(&committed),
            revised,
        };
        let state = State { core, sessions };
        let decided = launch(threads, "owner", decide(state, inbox, committed, batches, wall));
        let written = launch(threads, "scribe", scribe.serve(waiting, threads.commit_waits()));
        tokio::spawn(async move {
            let end = match (decided.await, written.await) {
                (Ok(()), Ok(end)) => end.map_err(Fault::from),
                _ => Err(Fault::Panicked),
            };
            let _ = stopped.send(end);
        });
        (Self { calls, revision }, stop)
    }

    /// Applies `event`, and gives its result once everything it came to is on the disk.
    pub(crate) async fn call<T, F>(&self, event: F) -> Result<T, Gone>
    where
        T: Send + 'static,
        F: FnOnce(&mut State, Now) -> T + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let call: Call = Box::new(move |state, now| {
            let result = event(state, now);
            Some(Box::new(move || {
                let _ = reply.send(result);
            }))
        });
        self.calls.send(call).await.map_err(|_| Gone)?;
        answer.await.map_err(|_| Gone)
    }

    /// Applies `event` some time soon.
    pub(crate) async fn tell<F>(&self, event: F) -> Result<(), Gone>
    where
        F: FnOnce(&mut State, Now) + Send + 'static,
    {
        let call: Call = Box::new(move |state, now| {
            event(state, now);
            None
        });
        self.calls.send(call).await.map_err(|_| Gone)
    }

    /// Changes whenever something that people watch has changed.
    pub(crate) fn revision(&self) -> watch::Receiver<u64> {
        self.revision.clone()
    }
}

/// Runs it to its end where it is to be run. The receiver hears what it came to, and nothing if it panicked.
fn launch<T: Send + 'static>(
    threads: Threads,
    name: &str,
    life: impl Future<Output = T> + Send + 'static,
) -> oneshot::Receiver<T> {
    let (ended, end) = oneshot::channel();
    match threads {
        Threads::Own => {
            let life = move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
                let runtime = runtime
                    .expect("a runtime with nothing but a timer needs nothing that could fail");
                let _ = ended.send(runtime.block_on(life));
            };
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(life)
                .expect("the system has room for one more thread at the start");
        }
        Threads::Simulated { .. } => {
            tokio::spawn(async move {
                let _ = ended.send(life.await);
            });
        }
    }
    end
}

/// The time that the owner has lived through, round by round.
struct Lifetime {
    lived: Duration,
    last_round: Instant,
}

impl Lifetime {
    fn begin() -> Self {
        Self { lived: Duration::ZERO, last_round: Instant::now() }
    }

    fn moment(&mut self) -> Moment {
        let now = Instant::now();
        self.lived += now.duration_since(self.last_round).min(LONGEST_ROUND);
        self.last_round = now;
        Moment(u64::try_from(self.lived.as_millis()).unwrap_or(u64::MAX))
    }
}

/// Applies events until nobody can send any more, or the scribe has ended.
async fn decide(
    mut state: State,
    mut inbox: mpsc::Receiver<Call>,
    committed: Arc<AtomicU64>,
    batches: mpsc::Sender<Batch>,
    wall: WallClock,
) {
    let mut lifetime = Lifetime::begin();
    let mut calls = Vec::with_capacity(BATCH);
    let mut ticked = Instant::now();
    loop {
        let wait = TICK.saturating_sub(ticked.elapsed());
        if timeout(wait, inbox.recv_many(&mut calls, BATCH)).await == Ok(0) {
            return;
        }
        let now = Now { moment: lifetime.moment(), wall: wall() };
        state.core.committed(committed.load(Ordering::Acquire));
        let replies: Vec<Reply> =
            calls.drain(..).filter_map(|call| call(&mut state, now)).collect();
        let ticks = ticked.elapsed() >= TICK;
        if ticks {
            state.core.tick(now);
            ticked = Instant::now();
        }
        state.core.settle(now);
        let Effects { number, writes, at_once, orders, visible } = state.core.take_effects();
        state.sessions.send(state.sessions.address(at_once));
        let orders = state.sessions.address(orders);
        let says_nothing = writes.is_empty() && orders.is_empty() && replies.is_empty() && !visible;
        // Now and then also a batch that says nothing, so that the end of the scribe is noticed.
        if says_nothing && !ticks {
            continue;
        }
        if batches.send(Batch { number, writes, orders, replies, visible }).await.is_err() {
            return;
        }
    }
}
