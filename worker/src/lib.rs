//! The worker: a session with the coordinator and a capped child process a slot.
//!
//! A worker calls home, says how many slots of how much memory it has, and runs the units that it is
//! leased, each in the child process of a slot. A child has a hard memory cap, may crash and may
//! be killed: the worker lives through all of it and reports how the attempt ended. No solver runs
//! in the worker itself.
//!
//! ```text
//! run ── session (async, tonic) ── one thread a slot ══ pipes ══ slot_main: one child process
//! ```
//!
//! [`run`] is the worker's life, [`slot_main`] the child's. Both belong to one program, which hands
//! its own path and the word for the child's role to [`WorkerConfig`], and which has
//! [`CappedAllocator`] as its global allocator:
//!
//! ```
//! use sprague_proto::{Access, Role, Secret};
//! use sprague_worker::{LEAST_CAP, WorkerConfig, WorkerError};
//!
//! #[global_allocator]
//! static ALLOCATOR: sprague_worker::CappedAllocator = sprague_worker::CappedAllocator;
//!
//! let access = Access::new(
//!     Role::Worker,
//!     "127.0.0.1:7777".to_owned(),
//!     "-----BEGIN CERTIFICATE-----".to_owned(),
//!     Secret::draw()?,
//! );
//! let own_path = std::env::current_exe()?;
//! let config = WorkerConfig::new(access, vec![own_path.into(), "slot".into()]);
//! assert!(config.check().is_ok());
//!
//! let tight = WorkerConfig { slot_memory: LEAST_CAP - 1, ..config };
//! assert!(matches!(tight.check(), Err(WorkerError::CapTooSmall { .. })));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Linux only: the caps, the parent-death signal and the peaks are the Linux kernel's.

#![deny(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "they panic where a stream is closed or its disk is full"
)]

mod allocator;
mod caps;
mod cgroup;
mod child;
mod config;
mod environment;
mod error;
mod frames;
mod session;
mod shutdown;
mod slot;
mod usage;

pub use allocator::CappedAllocator;
pub use caps::{LEAST_CAP, least_cap};
pub use child::slot_main;
pub use config::{MOST_THREADS, WorkerConfig};
pub use environment::{Environment, Machine};
pub use error::{Refusal, WorkerError};
pub use session::{run, run_in};
pub use shutdown::Shutdown;
pub use slot::{Engine, SlotNews, TaskBriefing};
