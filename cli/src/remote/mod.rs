//! The operator's side of a coordinator. Nothing outside this folder knows how it is spoken to.

mod client;
mod error;
mod event;
mod job;
mod watch;
mod worker;

pub(crate) use client::Client;
pub(crate) use error::RemoteError;
pub(crate) use event::Event;
pub(crate) use job::{Counts, Explanation, Job, Known, RunningUnit};
pub(crate) use watch::Watch;
pub(crate) use worker::Worker;
