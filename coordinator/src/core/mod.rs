//! The decisions of the coordinator as a pure state machine.
//!
//! [`Core`] is told what happened and when, and says what to do about it: [`Effects`], which are
//! writes to the store and orders to workers. It has no clock, no I/O and no async, and no input
//! makes it panic: a message that fits nothing it knows changes nothing. Its owner commits the
//! writes of a batch before it sends the orders of that batch.

mod assign;
mod book;
mod budget;
mod drain;
mod effect;
mod event;
mod explain;
mod figures;
mod fleet;
mod job;
mod lease;
mod machine;
mod outgrown;
mod plan;
mod quorum;
mod ready;
mod record;
mod report;
mod restore;
mod second_try;
mod settled;
mod submit;
mod time;
mod view;

pub use effect::{Effects, Order, Write};
pub use event::{Event, Happening, Tried};
pub use explain::{Explanation, Reason};
pub use figures::{Figures, Tally};
pub use fleet::{Introduction, WorkerState};
pub use machine::{Core, NoSuchJob, NoSuchWorker, Settings};
pub use quorum::Witness;
pub use record::{DoneRecord, JobRecord, JobTotals, Snapshot, UnitOrigin, UnitRecord};
pub use restore::{Restoration, RestoreError};
pub use submit::Submitted;
pub use time::{Moment, Now};
pub use view::{JobView, KnownView, RunningView, UnitCounts, WorkerView};
