//! The one binary: every role and every operator command.

#![deny(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "they panic where a stream is closed or its disk is full"
)]

mod args;
mod commands;
mod context;
mod dispatch;
mod embedded;
mod error;
mod exit;
mod log;
mod machine;
mod output;
mod progress;
mod remote;
mod slot;
mod stop;
mod suggest;
mod usage;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: sprague_worker::CappedAllocator = sprague_worker::CappedAllocator;

fn main() -> ExitCode {
    slot::live_as_child().unwrap_or_else(dispatch::main)
}
