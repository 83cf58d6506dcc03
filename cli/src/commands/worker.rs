//! `sprague worker --access FILE`

use std::ffi::OsString;

use sprague_proto::{Access, Role};
use sprague_worker::{Shutdown, WorkerConfig};

use crate::args::{WorkerArgs, enough_for_threads};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::machine;
use crate::slot;
use crate::stop::StopSignals;

pub(crate) async fn run(context: &Context, args: WorkerArgs) -> Result<Exit, ExpectedError> {
    let mut stop = StopSignals::listen()?;
    let slots = args.slots.unwrap_or_else(|| machine::teams(args.threads));
    let memory = args.memory.unwrap_or_else(|| machine::share(slots));
    enough_for_threads(memory, args.threads)?;
    let program = std::env::current_exe().map_err(ExpectedError::Spawn)?;
    let access = Access::read(&args.access, Role::Worker)?;
    let config = WorkerConfig {
        access_file: Some(args.access),
        name: args.name,
        slots: u32::try_from(slots.get()).expect("the command line bounds it"),
        threads: args.threads,
        slot_memory: memory.bytes(),
        ..WorkerConfig::new(access, vec![program.into(), OsString::from(slot::WORD)])
    };

    let shutdown = Shutdown::new();
    if args.leash {
        let what = "wait for the end of standard input";
        shutdown.when_input_ends().map_err(|source| ExpectedError::System { what, source })?;
    }
    let worker = sprague_worker::run(config, &context.registry, shutdown.clone());
    tokio::pin!(worker);
    let end = tokio::select! {
        end = &mut worker => end,
        () = stop.next() => {
            shutdown.graceful();
            tokio::select! {
                end = &mut worker => end,
                () = stop.next() => {
                    shutdown.now();
                    worker.await
                }
            }
        }
    };
    end?;
    Ok(Exit::Done)
}
