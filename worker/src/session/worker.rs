//! The life of a worker: reach the coordinator, serve it, come back when the connection is lost.
//!
//! One task owns all state. While there is no connection the units go on, their reports are kept,
//! and when the lease has run out without contact they are cancelled.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sprague_proto::v1::{
    Hello, Leaving, coordinator_message::Message as Order, worker_message::Message,
};
use sprague_proto::{CONTRACT, ConnectError};
use sprague_work::Registry;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};
use tracing::Instrument as _;

use super::backoff::{Backoff, when};
use super::duty::Duty;
use super::link::{Link, LinkError};
use super::pass::{Pass, read_again};
use crate::config::machine_name;
use crate::slot::{Slot, SlotNews};
use crate::{Environment, Machine, Shutdown, WorkerConfig, WorkerError};

/// A connection that lasted this long was a good one: the next attempt need not wait long.
const GOOD_LINK: Duration = Duration::from_secs(10);

/// After the last unit has ended: how long a leaving worker waits for its reports to be
/// acknowledged.
const HANDOVER: Duration = Duration::from_secs(5);

/// News of each slot that may wait for the session.
const NEWS_PER_SLOT: usize = 16;

/// The most often that progress is sent.
const LEAST_PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Runs a worker until it is told to stop or refused for good.
///
/// Must be called within a tokio runtime. Units are run in child processes, which have all ended and
/// been waited for when this returns. Dropping the future ends them as well, without the waiting.
///
/// # Errors
/// When the configuration cannot be used, when the coordinator refuses the worker for good, or when
/// it cannot be reached for [`WorkerConfig::patience`] at the start.
pub async fn run(
    config: WorkerConfig,
    registry: &Registry,
    shutdown: Shutdown,
) -> Result<(), WorkerError> {
    run_in(Machine, config, registry, shutdown).await
}

/// Runs a worker as [`run`] does, on something else than this machine.
///
/// # Errors
/// As [`run`].
pub async fn run_in<E: Environment>(
    environment: E,
    config: WorkerConfig,
    registry: &Registry,
    shutdown: Shutdown,
) -> Result<(), WorkerError> {
    config.check()?;
    // Each slot has at most one end that was not taken, so none ever waits long to hand it in.
    let (sender, news) = channel(NEWS_PER_SLOT * config.slots as usize);
    let slots = environment.engines(&config, &sender)?.into_iter().map(Slot::new).collect();
    let instance = format!("{:016x}{:016x}", environment.random(), environment.random());
    let hello = Hello {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        contract: CONTRACT,
        instance,
        name: config.shown_name(),
        slots: config.slots,
        slot_memory: config.slot_memory,
        capabilities: registry.capabilities(),
        running: Vec::new(),
        machine: machine_name(),
    };
    let mut worker = Worker {
        pass: Pass::new(config.access.clone()),
        environment: Arc::new(environment),
        config,
        hello,
        shutdown,
        news,
        duty: Duty::new(slots),
        stage: Stage::Working,
        lease: None,
    };
    let span = tracing::info_span!("session", worker = worker.hello.name);
    let result = match worker.live().instrument(span).await {
        Stop::Told => Ok(()),
        Stop::Error(fault) => Err(fault),
    };
    end_slots(worker.duty.into_slots()).await;
    result
}

async fn end_slots(mut slots: Vec<Slot>) {
    for slot in &mut slots {
        slot.stop();
    }
    let joining = tokio::task::spawn_blocking(|| slots.into_iter().for_each(Slot::join));
    // A slot's thread that panicked has ended as well.
    let _ = joining.await;
}

/// Why a worker ends.
enum Stop {
    Told,
    Error(WorkerError),
}

/// How far a worker is on its way out.
enum Stage {
    Working,
    /// No more leases.
    Leaving {
        /// When the units that still run are cancelled; `None` once they are.
        cancel_at: Option<Instant>,
        /// When the worker ends, whatever is not handed over.
        end_at: Instant,
    },
    /// At once.
    Ending,
}

/// What happens to a worker beside its connection.
enum Event {
    News(SlotNews),
    Leave,
    EndNow,
    /// One of the times that the worker waits for has come.
    Time,
}

struct Worker<E> {
    /// Shared, so that a connection that is being made holds nothing of the worker.
    environment: Arc<E>,
    config: WorkerConfig,
    /// What lets it in by now.
    pass: Pass,
    /// The greeting, but for the attempts that run.
    hello: Hello,
    shutdown: Shutdown,
    news: Receiver<SlotNews>,
    duty: Duty,
    stage: Stage,
    /// While there is no connection: when the units may go on no longer.
    lease: Option<Instant>,
}

impl<E: Environment> Worker<E> {
    async fn live(&mut self) -> Stop {
        let began = Instant::now();
        let mut backoff = Backoff::new();
        let mut met = false;
        loop {
            let fault = match self.establish().await {
                Err(stop) => return stop,
                Ok(Err(fault)) => fault,
                Ok(Ok(link)) => {
                    met = true;
                    let welcomed = Instant::now();
                    let lease = Duration::from_millis(link.welcome.lease_milliseconds);
                    let fault = match self.serve(link).await {
                        Ok(fault) => fault,
                        Err(stop) => return stop,
                    };
                    self.lease = Some(Instant::now() + lease);
                    if welcomed.elapsed() >= GOOD_LINK {
                        backoff = Backoff::new();
                    }
                    fault
                }
            };
            // What was refused may be what the access file said before.
            let renewed = match fault.refusal() {
                Some(_) => self.renew_pass().await,
                None => Ok(false),
            };
            let over = match renewed {
                Ok(true) => None,
                Ok(false) => self.is_over(&fault, met, began.elapsed()),
                Err(stop) => Some(stop),
            };
            if let Some(stop) = over {
                return stop;
            }
            let wait = backoff.next_wait(self.environment.random());
            tracing::warn!("{fault}; trying again {}", when(wait));
            if let Err(stop) = self.meanwhile(sleep(wait)).await {
                return stop;
            }
        }
    }

    /// Whether it is of no use to try again after `fault`.
    fn is_over(&self, fault: &LinkError, met: bool, waited: Duration) -> Option<Stop> {
        let coordinator = || self.pass.access().coordinator.clone();
        if let Some((refusal, said)) = fault.refusal() {
            let coordinator = coordinator();
            return Some(Stop::Error(WorkerError::Refused { coordinator, refusal, said }));
        }
        if !met && waited >= self.config.patience {
            let reason = fault.to_string();
            return Some(Stop::Error(WorkerError::Unreachable { waited, reason }));
        }
        None
    }

    /// Reads the access file again, and gives whether it has changed.
    async fn renew_pass(&mut self) -> Result<bool, Stop> {
        let Some(file) = self.config.access_file.clone() else { return Ok(false) };
        let read = self.meanwhile(read_again(file)).await?;
        Ok(self.pass.renew(read))
    }

    /// Tries once to reach the coordinator and to be welcomed.
    async fn establish(&mut self) -> Result<Result<Link, LinkError>, Stop> {
        self.renew_pass().await?;
        let (environment, access) = (Arc::clone(&self.environment), self.pass.access().clone());
        let channel = match self.meanwhile(environment.connect(&access)).await? {
            Ok(channel) => channel,
            Err(fault @ (ConnectError::Access { .. } | ConnectError::NoCertificate)) => {
                return Err(Stop::Error(WorkerError::Access(fault)));
            }
            Err(fault) => return Ok(Err(fault.into())),
        };
        let hello = Hello { running: self.duty.running(), ..self.hello.clone() };
        self.meanwhile(Link::open(channel, hello)).await
    }

    /// Does what a worker does without a connection until `future` has ended.
    async fn meanwhile<T>(&mut self, future: impl Future<Output = T>) -> Result<T, Stop> {
        let mut future = pin!(future);
        loop {
            if self.is_finished() {
                return Err(Stop::Told);
            }
            tokio::select! {
                event = self.next_event() => self.handle(event, None),
                output = &mut future => return Ok(output),
            }
        }
    }

    /// Serves a coordinator until the connection is lost, and says why it was.
    async fn serve(&mut self, mut link: Link) -> Result<LinkError, Stop> {
        tracing::info!(
            worker = link.welcome.worker,
            name = self.hello.name,
            coordinator = self.pass.access().coordinator,
            "connected"
        );
        if link.welcome.shares_name {
            tracing::warn!(
                name = self.hello.name,
                "another worker has this name: with `--redundancy` they count as one, so give each its own with `--name`"
            );
        }
        self.lease = None;
        self.duty.send_again();
        let mut says_goodbye = false;
        let every = Duration::from_millis(link.welcome.progress_milliseconds);
        let mut progress = interval(every.max(LEAST_PROGRESS_INTERVAL));
        progress.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if self.is_leaving() && !says_goodbye {
                says_goodbye = link.try_send(Message::Leaving(Leaving {}));
            }
            self.duty.send_reports(|report| link.try_send(Message::Report(report)));
            if self.is_finished() {
                link.part().await;
                return Err(Stop::Told);
            }
            if self.duty.is_overdue() {
                return Ok(LinkError::Unacknowledged);
            }
            tokio::select! {
                event = self.next_event() => self.handle(event, Some(&link)),
                order = link.next() => match order {
                    Ok(order) => self.obey(order),
                    Err(fault) => return Ok(fault),
                },
                _ = progress.tick() => {
                    // What finds no room is left out: the next one says more.
                    let sent = self.duty.progress().all(|it| link.try_send(Message::Progress(it)));
                    if !sent {
                        tracing::debug!("the connection is too slow for all progress");
                    }
                }
            }
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Lease(lease) => {
                if let Some(unit) = lease.unit {
                    self.duty.lease(unit, self.is_leaving());
                }
            }
            Order::Cancel(cancel) => self.duty.cancel(cancel.id.unwrap_or_default()),
            Order::Acknowledge(acknowledged) => {
                let id = acknowledged.id.unwrap_or_default();
                let (job, unit, attempt) = (id.job, id.unit, id.attempt);
                tracing::debug!(job, unit, attempt, "acknowledged");
                self.duty.acknowledged(id);
            }
            Order::Briefing(briefing) => self.duty.brief(briefing),
            Order::Hear(hearsay) => self.duty.hear(&hearsay, None),
            Order::Forget(forget) => self.duty.forget(forget.job),
            // A second welcome says nothing new.
            Order::Welcome(_) => {}
        }
    }

    async fn next_event(&mut self) -> Event {
        let working = matches!(self.stage, Stage::Working);
        let time = self.next_time();
        tokio::select! {
            Some(news) = self.news.recv() => Event::News(news),
            () = self.shutdown.now_requested() => Event::EndNow,
            () = self.shutdown.graceful_requested(), if working => Event::Leave,
            () = sleep_until(time.unwrap_or_else(Instant::now)), if time.is_some() => Event::Time,
        }
    }

    /// The first of the times that the worker waits for.
    fn next_time(&self) -> Option<Instant> {
        let lease = self.lease.filter(|_| !self.duty.is_idle());
        let (cancel_at, end_at) = match self.stage {
            Stage::Leaving { cancel_at, end_at } => (cancel_at, Some(end_at)),
            Stage::Working | Stage::Ending => (None, None),
        };
        [lease, cancel_at, end_at].into_iter().flatten().min()
    }

    fn handle(&mut self, event: Event, link: Option<&Link>) {
        match event {
            Event::News(SlotNews::Ended { slot, report }) => self.duty.ended(slot, report),
            Event::News(SlotNews::Told { slot, hearsay }) => {
                self.duty.hear(&hearsay, Some(slot));
                // What finds no room is lost, as hearsay may be.
                let _ = link.is_some_and(|link| link.try_send(Message::Tell(hearsay)));
            }
            Event::Leave => {
                tracing::info!(
                    "stopping: no more units, those that run may finish; a second signal stops at once"
                );
                let cancel_at = Instant::now() + self.config.leave_grace;
                let end_at = cancel_at + self.config.cancel_grace + HANDOVER;
                self.stage = Stage::Leaving { cancel_at: Some(cancel_at), end_at };
            }
            Event::EndNow => self.stage = Stage::Ending,
            Event::Time => self.on_time(Instant::now()),
        }
    }

    fn on_time(&mut self, now: Instant) {
        if self.lease.is_some_and(|at| at <= now) {
            tracing::warn!("no contact for the length of a lease, so its units are cancelled");
            self.lease = None;
            self.duty.cancel_all();
        }
        if let Stage::Leaving { cancel_at, .. } = &mut self.stage
            && cancel_at.is_some_and(|at| at <= now)
        {
            *cancel_at = None;
            self.duty.cancel_all();
        }
    }

    fn is_leaving(&self) -> bool {
        !matches!(self.stage, Stage::Working)
    }

    fn is_finished(&self) -> bool {
        match self.stage {
            Stage::Working => false,
            Stage::Leaving { end_at, .. } => self.duty.is_done() || Instant::now() >= end_at,
            Stage::Ending => true,
        }
    }
}
