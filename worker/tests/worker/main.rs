//! The worker from outside: a small coordinator leases it units that misbehave in every way.
//!
//! This program is also the child of the workers' slots (`slot CAP PARENT`) and a worker process of
//! its own (`worker ACCESS`), which a library has no binary for. Each test starts what it needs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod children;
mod coordinator;
mod endings;
mod mischief;
mod sessions;
mod stopping;
mod support;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use sprague_proto::{Access, Role};
use sprague_worker::{CappedAllocator, Shutdown, slot_main};

#[global_allocator]
static ALLOCATOR: CappedAllocator = CappedAllocator;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
    match words[..] {
        ["slot", cap, threads, parent] => slot_main(
            mischief::registry(),
            cap.parse().unwrap(),
            threads.parse().unwrap(),
            parent.parse().unwrap(),
        ),
        ["worker", access] => worker_process(Path::new(access)),
        _ => libtest_mimic::run(&Arguments::from_args(), trials()).exit_code(),
    }
}

/// A worker on a leash, until it ends.
fn worker_process(access: &Path) -> ExitCode {
    let shutdown = Shutdown::new();
    shutdown.when_input_ends().unwrap();
    let config = support::config(Access::read(access, Role::Worker).unwrap());
    let registry = mischief::registry();
    support::runtime().block_on(sprague_worker::run(config, &registry, shutdown)).unwrap();
    ExitCode::SUCCESS
}

fn trials() -> Vec<Trial> {
    [children::trials(), endings::trials(), sessions::trials(), stopping::trials()]
        .into_iter()
        .flatten()
        .map(|(name, test)| {
            Trial::test(name, move || {
                test();
                Ok(())
            })
        })
        .collect()
}
