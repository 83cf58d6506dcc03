//! What the threads of a child share: the attempt that runs, and the way out to the supervisor.

use std::io::{self, Stdout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sprague_proto::LONGEST_HEARSAY;
use sprague_proto::v1::{AttemptId, Hearsay, Progress, SlotEvent, TaskId, slot_event::Event};
use sprague_work::Mail;

use super::mailbox::Mailbox;
use crate::frames::{self, FrameError};
use crate::usage::resident_bytes;

/// How often progress is sent while a unit runs.
const TICK: Duration = Duration::from_millis(200);

/// An attempt that runs, as its kind sees the outside.
#[derive(Debug, Default)]
pub(super) struct Running {
    pub(super) id: AttemptId,
    pub(super) cancel: AtomicBool,
    pub(super) progress: AtomicU64,
}

/// The attempt that runs, and the pipe to the supervisor.
#[derive(Debug)]
pub(super) struct Post {
    running: Mutex<Option<Arc<Running>>>,
    /// Told when an attempt begins, so that the ticker costs nothing between units.
    begun: Condvar,
    output: Mutex<Stdout>,
    mailbox: Mutex<Mailbox>,
}

impl Default for Post {
    fn default() -> Self {
        Self {
            running: Mutex::default(),
            begun: Condvar::new(),
            output: Mutex::new(io::stdout()),
            mailbox: Mutex::default(),
        }
    }
}

impl Post {
    /// What has come for the unit's task.
    pub(super) fn mailbox(&self) -> MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An attempt begins.
    pub(super) fn begin(&self, id: AttemptId) -> Arc<Running> {
        let running = Arc::new(Running { id, ..Running::default() });
        *self.running() = Some(Arc::clone(&running));
        self.begun.notify_all();
        running
    }

    /// The attempt that runs is over. To be called before its report is sent: the order for the next
    /// one may come as soon as the report is out.
    pub(super) fn end(&self) {
        *self.running() = None;
    }

    /// Asks the attempt to stop, if it is the one that runs.
    pub(super) fn cancel(&self, id: AttemptId) {
        if let Some(running) = self.running().as_deref().filter(|running| running.id == id) {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Sends an event to the supervisor. Without a supervisor there is nothing left to do: the
    /// process ends.
    ///
    /// # Errors
    /// When the event is too large to be sent; nothing was sent then.
    pub(super) fn tell(&self, event: Event) -> Result<(), FrameError> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        match frames::write(&mut *output, &SlotEvent { event: Some(event) }) {
            Err(FrameError::Pipe(_)) => std::process::exit(0),
            sent => sent,
        }
    }

    /// Sends the progress of whatever runs, several times a second, for ever.
    pub(super) fn tell_progress(&self) {
        loop {
            let running = self
                .begun
                .wait_while(self.running(), |running| running.is_none())
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            if let Some(running) = running {
                let progress = Progress {
                    id: Some(running.id),
                    expansions: running.progress.load(Ordering::Relaxed),
                    memory: resident_bytes(),
                };
                // Three numbers are never too large to be sent.
                let _ = self.tell(Event::Progress(progress));
            }
            thread::sleep(TICK);
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Arc<Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way from a unit of a task to the others of the same task.
#[derive(Debug)]
pub(super) struct TaskMail<'a> {
    pub(super) post: &'a Post,
    pub(super) task: TaskId,
}

impl Mail for TaskMail<'_> {
    fn briefing(&self) -> Vec<Vec<u8>> {
        self.post.mailbox().take_briefing()
    }

    fn hear(&self) -> Vec<Vec<u8>> {
        self.post.mailbox().take_heard()
    }

    fn tell(&self, message: Vec<u8>) {
        // What is too long for a session or a pipe is lost, as hearsay may be.
        if message.len() > LONGEST_HEARSAY {
            return;
        }
        let _ = self.post.tell(Event::Tell(Hearsay { task: Some(self.task), message }));
    }
}
