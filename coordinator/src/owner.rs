//! The one thread that owns the core and the store.
//!
//! Everything that happens is a closure over the core, sent here. The thread gathers what has come,
//! applies it, commits what it came to in one transaction, and only then sends orders and answers:
//! so nothing is ever acknowledged that is not on the disk. It does nothing else: no solver, no
//! socket, no reading of clocks in the middle of a batch.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use sprague_work::WorkerId;
use tokio::sync::{mpsc, oneshot, watch};

use crate::core::{Core, Effects, Moment, Now, Order};
use crate::store::{Store, StoreError};

/// How many events may wait before those who send them have to.
const QUEUE: usize = 4096;
/// How many events make one batch at most.
const BATCH: usize = 1024;
/// How often time passes for the core when nothing else happens.
const TICK: Duration = Duration::from_millis(100);

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

type Reply = Box<dyn FnOnce() + Send>;
type Call = Box<dyn FnOnce(&mut State, Now) -> Reply + Send>;

/// What a session's orders go through. Its bound is more than a worker can have outstanding.
pub(crate) type OrderSender = mpsc::Sender<Order>;

/// What the thread holds.
pub(crate) struct State {
    pub(crate) core: Core,
    sessions: HashMap<WorkerId, (u64, OrderSender)>,
}

impl State {
    /// Makes the orders for a worker go to this connection; the one before, if any, ends.
    pub(crate) fn attach(&mut self, worker: WorkerId, session: u64, orders: OrderSender) {
        self.sessions.insert(worker, (session, orders));
    }

    pub(crate) fn detach(&mut self, worker: WorkerId, session: u64) {
        if self.sessions.get(&worker).is_some_and(|(present, _)| *present == session) {
            self.sessions.remove(&worker);
        }
    }

    fn send(&mut self, orders: Vec<(WorkerId, Order)>) {
        for (worker, order) in orders {
            let Some((_, sender)) = self.sessions.get(&worker) else { continue };
            // Hearsay may be lost, and must not take the room of what may not.
            if matches!(order, Order::Hear(..)) && sender.capacity() < sender.max_capacity() / 2 {
                continue;
            }
            if sender.try_send(order).is_err() {
                // It does not listen. Closing the connection makes it come back and say what it
                // runs, which puts everything right.
                tracing::warn!(%worker, "a worker does not take its orders, its connection ends");
                self.sessions.remove(&worker);
            }
        }
    }
}

/// Speaks to the owner. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Owner {
    calls: mpsc::Sender<Call>,
    revision: watch::Receiver<u64>,
}

impl Owner {
    /// Starts the thread. The receiver resolves when it has stopped.
    pub(crate) fn start(core: Core, store: Store) -> (Self, oneshot::Receiver<Result<(), Fault>>) {
        let (calls, inbox) = mpsc::channel(QUEUE);
        let (revised, revision) = watch::channel(0);
        let (stopped, stop) = oneshot::channel();
        std::thread::Builder::new()
            .name("owner".to_owned())
            .spawn(move || {
                let _ = stopped.send(run(core, &store, inbox, &revised));
            })
            .expect("the system has room for one more thread at the start");
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
            Box::new(move || {
                let _ = reply.send(result);
            })
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
            Box::new(|| ())
        });
        self.calls.send(call).await.map_err(|_| Gone)
    }

    /// Changes whenever something that people watch has changed.
    pub(crate) fn revision(&self) -> watch::Receiver<u64> {
        self.revision.clone()
    }
}

/// The thread's whole life. It ends well when nobody can send to it any more.
fn run(
    core: Core,
    store: &Store,
    mut inbox: mpsc::Receiver<Call>,
    revised: &watch::Sender<u64>,
) -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime with nothing but a timer needs nothing that could fail");
    let mut state = State { core, sessions: HashMap::new() };
    let started = Instant::now();
    let now = || Now {
        moment: Moment(u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)),
        wall: SystemTime::now(),
    };
    let mut calls = Vec::with_capacity(BATCH);
    let mut ticked = started;
    loop {
        let wait = TICK.saturating_sub(ticked.elapsed());
        let got = runtime.block_on(async {
            tokio::time::timeout(wait, inbox.recv_many(&mut calls, BATCH)).await
        });
        if got == Ok(0) {
            return Ok(());
        }
        let now = now();
        let replies: Vec<Reply> = calls.drain(..).map(|call| call(&mut state, now)).collect();
        if ticked.elapsed() >= TICK {
            state.core.tick(now);
            ticked = Instant::now();
        }
        state.core.settle(now);
        let Effects { writes, orders, visible } = state.core.take_effects();
        if !writes.is_empty() {
            store.commit(&writes)?;
        }
        state.send(orders);
        for reply in replies {
            reply();
        }
        if visible {
            revised.send_modify(|revision| *revision += 1);
        }
    }
}
