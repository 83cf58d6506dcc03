//! Real coordinators, workers and operators on loopback: values, faults, caps.
//!
//! One binary, so that the tests take turns on the machine's few cores.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod bad_workers;
mod caps;
mod faults;
mod literature;
mod operators;
mod run;
mod searches;
mod sessions;
mod spread;
mod stopping;
mod store;
mod support;
mod telling;
