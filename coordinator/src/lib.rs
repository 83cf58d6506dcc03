//! The coordinator: it cuts jobs into units, leases them to workers, merges their reports into a
//! store, and believes no value until independent methods agree on it.
//!
//! - [`core`] is the whole of its decisions: events in, effects out; no clock, no I/O, no async.
//! - `store` keeps what was decided, in one redb file.
//! - `owner` is the one thread that holds the core: it applies events in batches.
//! - `scribe` is the one thread that holds the store: it commits each batch before anything of it is
//!   acknowledged.
//! - `environment` is what all of it stands on: the network, the clock on the wall, threads.
//! - `metrics` is what Prometheus and probes read, `journal` what the log says.
//! - `rpc` is how workers and operators talk to it.
//!
//! [`Coordinator`] puts them together.

#![deny(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "they panic where a stream is closed or its disk is full"
)]

mod addresses;
mod config;
mod coordinator;
pub mod core;
mod environment;
mod journal;
mod keys;
mod metrics;
mod owner;
mod rpc;
mod scribe;
mod secrets;
mod sessions;
pub mod store;

pub use addresses::AddressesError;
pub use config::Config;
pub use coordinator::{Coordinator, StartError};
pub use environment::{Environment, Machine, Threads, WallClock};
pub use keys::{KeyError, RenewError, renew_keys};
pub use metrics::MetricsError;
pub use owner::Fault;
