//! The one thread that owns the store.
//!
//! It commits the owner's batches in their order, and only then sends what was to wait for that:
//! so nothing is ever acknowledged that is not on the disk. A durable commit takes milliseconds,
//! during which the owner goes on: all batches that have gathered meanwhile are committed together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;

use tokio::sync::watch;

use crate::core::Write;
use crate::journal;
use crate::sessions::{Addressed, Sessions};
use crate::store::{Store, StoreError};

/// The most batches that are committed together.
const TOGETHER: usize = 64;

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
pub(crate) struct Scribe<'a> {
    pub(crate) store: &'a Store,
    pub(crate) sessions: &'a Sessions,
    /// The number of the last batch that is in the store.
    pub(crate) committed: &'a AtomicU64,
    /// Told when something that people watch has changed.
    pub(crate) revised: &'a watch::Sender<u64>,
}

impl Scribe<'_> {
    /// The thread's whole life. It ends well when there will be no more batches.
    pub(crate) fn serve(&self, inbox: &Receiver<Batch>) -> Result<(), StoreError> {
        while let Ok(first) = inbox.recv() {
            let mut batches = vec![first];
            batches.extend(inbox.try_iter().take(TOGETHER - 1));
            self.commit(batches)?;
        }
        Ok(())
    }

    fn commit(&self, mut batches: Vec<Batch>) -> Result<(), StoreError> {
        let writes: Vec<Write> =
            batches.iter_mut().flat_map(|batch| std::mem::take(&mut batch.writes)).collect();
        if !writes.is_empty() {
            self.store.commit(&writes)?;
            journal::tell_events(&writes);
        }
        for Batch { number, orders, replies, visible, .. } in batches {
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
