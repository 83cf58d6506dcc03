//! A slot: a thread that lives as long as the worker, and the child process that it looks after.

mod ending;
mod handle;
mod process;
mod reap;
mod supervisor;

pub(crate) use handle::{Slot, SlotNews, SlotSetup, TaskBriefing};
