//! The engine of every real slot: a thread that looks after a child process.

use std::ffi::OsString;
use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sprague_proto::v1;
use tokio::sync::mpsc::Sender;

use super::engine::{Engine, SlotNews, TaskBriefing};
use super::supervisor::{Message, Supervisor};
use crate::cgroup::Groups;

/// What all slots of a worker have in common.
#[derive(Clone, Debug)]
pub(crate) struct SlotSetup {
    /// The name of the worker, for the log.
    pub(crate) worker: String,
    /// The program and the arguments that start a child.
    pub(crate) command: Vec<OsString>,
    /// Where groups of slots can be made, if anywhere.
    pub(crate) groups: Option<Groups>,
    /// The hard cap of a child in bytes.
    pub(crate) cap: u64,
    /// How many threads a unit may use.
    pub(crate) threads: u32,
    /// How long a cancelled unit may take to end before its process is killed.
    pub(crate) cancel_grace: Duration,
    /// How long a child is kept for the next unit of its job.
    pub(crate) idle_limit: Duration,
}

/// The attempt that a slot's child runs, and how far it has come.
///
/// Only the latest state is kept, so that a child that floods its pipe fills no queue.
#[derive(Debug, Default)]
pub(super) struct Gauge(Mutex<Option<v1::Progress>>);

impl Gauge {
    /// An attempt begins.
    pub(super) fn begin(&self, id: v1::AttemptId) {
        *self.lock() = Some(v1::Progress { id: Some(id), ..v1::Progress::default() });
    }

    /// Takes in how far an attempt has come, if it is the one that runs.
    pub(super) fn advance(&self, progress: v1::Progress) {
        let mut gauge = self.lock();
        if gauge.as_ref().is_some_and(|now| now.id == progress.id) {
            *gauge = Some(progress);
        }
    }

    /// The attempt has ended; whether it was the one that ran.
    pub(super) fn end(&self, id: Option<v1::AttemptId>) -> bool {
        self.lock().take_if(|now| now.id == id).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<v1::Progress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A supervisor's thread, and with it its child.
#[derive(Debug)]
pub(crate) struct Threaded {
    /// Not bounded by itself, but by who writes: the session one order to run and one to cancel an
    /// attempt, the reader of a child's pipe one message an attempt and one at its end, the other
    /// workers what the coordinator lets through to this one.
    messages: mpsc::Sender<Message>,
    gauge: Arc<Gauge>,
    thread: JoinHandle<()>,
}

impl Threaded {
    /// Starts the thread of a slot; its child is started with its first unit. `news` takes the end
    /// of each attempt, and as much as it has room for of what units tell each other.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start(
        number: usize,
        setup: Arc<SlotSetup>,
        news: Sender<SlotNews>,
    ) -> io::Result<Self> {
        let (messages, inbox) = mpsc::channel();
        let gauge = Arc::new(Gauge::default());
        let supervisor =
            Supervisor::new(number, setup, inbox, messages.clone(), Arc::clone(&gauge), news);
        let thread =
            thread::Builder::new().name(format!("slot-{number}")).spawn(|| supervisor.serve())?;
        Ok(Self { messages, gauge, thread })
    }

    /// A slot whose thread is gone has said so to its log, and its attempts stand still until the
    /// coordinator takes them back.
    fn tell(&self, message: Message) {
        let _ = self.messages.send(message);
    }
}

impl Engine for Threaded {
    fn run(&mut self, unit: v1::Unit, briefing: TaskBriefing) {
        self.tell(Message::Run(unit, briefing));
    }

    fn cancel(&mut self, id: v1::AttemptId) {
        self.tell(Message::Cancel(id));
    }

    fn hear(&mut self, hearsay: &v1::Hearsay) {
        self.tell(Message::Hear(hearsay.clone()));
    }

    fn progress(&self) -> Option<v1::Progress> {
        *self.gauge.lock()
    }

    fn stop(&mut self) {
        self.tell(Message::Stop);
    }

    fn join(self: Box<Self>) {
        // A thread that panicked has ended as well.
        let _ = self.thread.join();
    }
}
