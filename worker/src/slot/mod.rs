//! A slot: what the session holds of it, and what runs units in it, which is a thread that lives as long as
//! the worker and the child process that it looks after.

mod ending;
mod engine;
mod handle;
mod process;
mod reap;
mod supervisor;
mod threaded;

pub use engine::{Engine, SlotNews, TaskBriefing};
pub(crate) use handle::Slot;
pub(crate) use threaded::{SlotSetup, Threaded};
