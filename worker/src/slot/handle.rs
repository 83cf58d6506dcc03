//! A slot as the session holds it: orders go in, the ends of attempts come out.

use std::ffi::OsString;
use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sprague_proto::v1;
use tokio::sync::mpsc::Sender;

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
    /// How long a cancelled unit may take to end before its process is killed.
    pub(crate) cancel_grace: Duration,
    /// How long a child is kept for the next unit of its job.
    pub(crate) idle_limit: Duration,
}

/// What the session hears from a slot.
#[derive(Debug)]
pub(crate) enum SlotNews {
    /// An attempt has ended.
    Ended {
        /// The number of the slot that ran it.
        slot: usize,
        /// Which attempt and how it ended.
        report: v1::Report,
    },
    /// A unit tells the others of its task something.
    Told {
        /// The number of the slot that runs it.
        slot: usize,
        /// What and whom.
        hearsay: v1::Hearsay,
    },
}

/// The briefing of a task as far as it has come: batches in the order of their numbers. The session
/// appends, the slots read.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaskBriefing(Arc<Mutex<Vec<Vec<u8>>>>);

impl TaskBriefing {
    /// Takes batches, if the first of them is the next one.
    pub(crate) fn append(&self, first: u32, more: Vec<Vec<u8>>) {
        let mut batches = self.lock();
        if batches.len() == first as usize {
            batches.extend(more);
        }
    }

    /// Whether both are of the same task and over the same connection.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The batch of that number, if it has come.
    pub(super) fn batch(&self, number: usize) -> Option<Vec<u8>> {
        self.lock().get(number).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<v1::Progress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot. Dropping it ends its child and its thread.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Not bounded by itself, but by who writes: the session one order to run and one to cancel an
    /// attempt, the reader of a child's pipe one message an attempt and one at its end, the other
    /// workers what the coordinator lets through to this one.
    messages: mpsc::Sender<Message>,
    gauge: Arc<Gauge>,
    thread: Option<JoinHandle<()>>,
    /// The job whose unit it ran last: its child may hold tables of use to the next one.
    job: Option<u64>,
    /// The task of that unit.
    task: v1::TaskId,
    /// Whether the attempt that runs was already cancelled.
    cancelled: bool,
}

impl Slot {
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
        Ok(Self {
            messages,
            gauge,
            thread: Some(thread),
            job: None,
            task: v1::TaskId::default(),
            cancelled: false,
        })
    }

    /// Runs an attempt, after its task's briefing. The slot must be free.
    pub(crate) fn run(&mut self, unit: v1::Unit, briefing: TaskBriefing) {
        self.job = unit.id.map(|id| id.job);
        self.task = unit.task_id();
        self.cancelled = false;
        // A slot whose thread is gone has said so to its log, and its attempts stand still until the
        // coordinator takes them back.
        let _ = self.messages.send(Message::Run(unit, briefing));
    }

    /// Cancels the attempt, if it is the one that runs. Once is enough.
    pub(crate) fn cancel(&mut self, id: v1::AttemptId) {
        if !self.cancelled {
            self.cancelled = true;
            let _ = self.messages.send(Message::Cancel(id));
        }
    }

    /// Passes on what another unit of the same task tells.
    pub(crate) fn hear(&self, hearsay: &v1::Hearsay) {
        if hearsay.task == Some(self.task) {
            let _ = self.messages.send(Message::Hear(hearsay.clone()));
        }
    }

    /// How far the attempt that runs has come.
    pub(crate) fn progress(&self) -> Option<v1::Progress> {
        *self.gauge.lock()
    }

    /// How well the slot suits a unit of a job, less being better: its child may hold tables of the
    /// same job, or of none, or would have to be replaced.
    pub(crate) fn distance(&self, job: u64) -> u8 {
        match self.job {
            Some(last) if last == job => 0,
            None => 1,
            Some(_) => 2,
        }
    }

    /// Ends the child, whatever it computes, and the thread. [`join`](Self::join) waits for it.
    pub(crate) fn stop(&self) {
        let _ = self.messages.send(Message::Stop);
    }

    /// Waits until the child is reaped and the thread has ended. Blocks.
    pub(crate) fn join(mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has ended as well.
            let _ = thread.join();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.stop();
    }
}
