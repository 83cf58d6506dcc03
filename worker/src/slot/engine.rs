//! What runs the units of a slot, as the session knows it, and what it says of them.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprague_proto::v1;

/// Runs the units of a slot, one at a time.
///
/// Every attempt that it is given comes to one [`SlotNews::Ended`], in the channel that it was made with,
/// unless it is stopped first. No call waits for anything, but for [`join`](Self::join).
pub trait Engine: Debug + Send {
    /// Runs an attempt, after its task's briefing. Nothing else runs.
    fn run(&mut self, unit: v1::Unit, briefing: TaskBriefing);

    /// Cancels the attempt, if it is the one that runs.
    fn cancel(&mut self, id: v1::AttemptId);

    /// Passes on what another unit of the same task tells.
    fn hear(&mut self, hearsay: &v1::Hearsay);

    /// How far the attempt that runs has come.
    fn progress(&self) -> Option<v1::Progress>;

    /// Ends what runs, and itself.
    fn stop(&mut self);

    /// Waits until it has ended, after [`stop`](Self::stop). Blocks.
    fn join(self: Box<Self>);
}

/// What the session hears from a slot.
#[derive(Debug)]
pub enum SlotNews {
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
pub struct TaskBriefing(Arc<Mutex<Vec<Vec<u8>>>>);

impl TaskBriefing {
    /// Takes batches, if the first of them is the next one.
    pub(crate) fn append(&self, first: u32, more: Vec<Vec<u8>>) {
        let mut batches = self.lock();
        if batches.len() == first as usize {
            batches.extend(more);
        }
    }

    /// Whether both are of the same task and over the same connection.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The batch of that number, if it has come.
    #[must_use]
    pub fn batch(&self, number: usize) -> Option<Vec<u8>> {
        self.lock().get(number).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
