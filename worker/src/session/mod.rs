//! The session with the coordinator: the one place of the worker that knows gRPC.

mod backoff;
mod duty;
mod link;
mod pass;
mod worker;

pub use worker::{run, run_in};
