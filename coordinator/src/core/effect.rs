//! What the core wants done: writes to the store, then orders to workers.

use std::sync::Arc;

use sprague_work::{Attempt, Dispute, Finding, JobId, UnitId, UnitInput, WorkerId};

use super::{Event, JobRecord, UnitRecord};

/// Something that must be in the store before the batch is acknowledged.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// The job as it now is.
    Job(JobRecord),
    /// The unit as it now is.
    Unit(UnitId, UnitRecord),
    /// The job ended so long ago that it is remembered no more, with all of its own. What it found stays.
    DropJob(JobId),
    /// Nobody needs the unit any more.
    DropUnit(UnitId),
    /// The job has ended and needs its units no more.
    DropUnits(JobId),
    /// One more finding.
    Finding(Finding),
    /// One more dispute.
    Dispute(Dispute),
    /// The worker of that name is given no more units, and why.
    Distrust(String, String),
    /// The worker of that name is trusted again.
    Trust(String),
    /// Something happened to a job: an event of this number.
    Event(JobId, u32, Event),
    /// The event is so old that it is not kept any more.
    DropEvent(JobId, u32),
    /// The bytes that units of this memory class turned out to need.
    Need(String, u64),
    /// The last number that was given to a worker. No other will have it.
    LastWorker(u64),
    /// The worker of this instance is to get no more leases; numbered in the order of that.
    Drained(String, u64),
    /// The worker of this instance was drained so long ago that it need not be remembered.
    ForgetDrained(String),
}

/// Something that a worker must be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Run this, a piece of the job's task of that number.
    Lease(UnitId, Attempt, u32, UnitInput),
    /// What processes that run units of a task of the job must know: the task's number, that of the
    /// first batch, and batches.
    Brief(JobId, u32, u32, Vec<Arc<[u8]>>),
    /// What another worker tells those that run units of a task. It may be lost.
    Hear(JobId, u32, Arc<[u8]>),
    /// The job has ended, and what was said of it is of no more use.
    Forget(JobId),
    /// Stop this.
    Cancel(UnitId, Attempt),
    /// The report of this is in the store.
    Acknowledge(UnitId, Attempt),
}

/// What a batch of events comes to.
///
/// Batches are committed in their order. Each may be begun before the one before it is committed, so
/// the core must hear of commits: [`Core::committed`](super::Core::committed).
#[derive(Debug, Default)]
pub struct Effects {
    /// The batch's number: one more than that of the batch before.
    pub number: u64,
    /// To be committed, in order, in one transaction.
    pub writes: Vec<Write>,
    /// To be sent at once, as nothing goes wrong if the writes are never committed.
    pub at_once: Vec<(WorkerId, Order)>,
    /// To be sent after the commit.
    pub orders: Vec<(WorkerId, Order)>,
    /// Whether anything that people watch has changed.
    pub visible: bool,
}
