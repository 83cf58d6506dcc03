//! The one thread that owns the store.
//!
//! It commits the owner's batches in their order, and only then sends what was to wait for that:
//! so nothing is ever acknowledged that is not on the disk. A durable commit takes milliseconds,
//! during which the owner goes on: all batches that have gathered meanwhile are committed together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

use crate::core::Write;
use crate::journal;
use crate::sessions::{Addressed, Sessions};
use crate::store::{Store, StoreError};

/// The most batches that are committed together.
const TOGETHER: usize = 64;

/// How often it is seen whether the store is still in its place.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// An answer that waits for the commit of what it tells.
pub(crate) type Reply = Box<dyn FnOnce() + Send>;

/// What the events of a batch came to, but for what was sent at once.
pub(crate) struct Batch {
    /// Grows from batch to batch.
    pub(crate) number: u64,
    pub(crate) writes: Vec<Write>,
    pub(crate) orders: Vec<Addressed>,
    pub(crate) replies: Vec<Reply>,
    /// Whether anything that people watch has changed.
    pub(crate) visible: bool,
}

/// What the thread works with.
pub(crate) struct Scribe {
    pub(crate) store: Store,
    pub(crate) sessions: Arc<Sessions>,
    /// The number of the last batch that is in the store.
    pub(crate) committed: Arc<AtomicU64>,
    /// Told when something that people watch has changed.
    pub(crate) revised: watch::Sender<u64>,
}

impl Scribe {
    /// The thread's whole life. It ends well, and closes the store, when there will be no more batches.
    /// Each commit waits for a while in a simulation, and for the disk.
    pub(crate) async fn serve(
        self,
        mut inbox: mpsc::Receiver<Batch>,
        wait: Duration,
    ) -> Result<(), StoreError> {
        let mut batches = Vec::with_capacity(TOGETHER);
        let mut looked = Instant::now();
        while inbox.recv_many(&mut batches, TOGETHER).await > 0 {
            if !wait.is_zero() {
                sleep(wait).await;
            }
            if looked.elapsed() >= LOOK_EVERY {
                self.store.must_be_in_place()?;
                looked = Instant::now();
            }
            self.commit(&mut batches)?;
        }
        // It is about to be closed, after which nothing could be saved.
        self.store.must_be_in_place()
    }

    fn commit(&self, batches: &mut Vec<Batch>) -> Result<(), StoreError> {
        let writes: Vec<Write> =
            batches.iter_mut().flat_map(|batch| std::mem::take(&mut batch.writes)).collect();
        if !writes.is_empty() {
            self.store.commit(&writes)?;
            journal::tell_events(&writes);
        }
        for Batch { number, orders, replies, visible, .. } in batches.drain(..) {
            self.committed.store(number, Ordering::Release);
            self.sessions.send(orders);
            for reply in replies {
                reply();
            }
            if visible {
                self.revised.send_modify(|revision| *revision += 1);
            }
        }
        Ok(())
    }
}
