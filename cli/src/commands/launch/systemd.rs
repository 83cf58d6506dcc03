//! `sprague launch systemd coordinator|worker`

use std::num::NonZeroUsize;

use super::template::{fill, mebibytes, systemd};
use crate::args::{LaunchSystemdArgs, Memory, ServiceArgs, SystemdRole};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

const COORDINATOR: &str = include_str!("../../../../deploy/templates/coordinator.service");
const WORKER: &str = include_str!("../../../../deploy/templates/worker.service");

pub(crate) fn run(context: &Context, args: LaunchSystemdArgs) -> Result<Exit, ExpectedError> {
    let text = match args.role {
        SystemdRole::Coordinator { advertise, listen, service: ServiceArgs { program, user } } => {
            let values = [
                ("USER", user),
                ("PROGRAM", systemd(&program)),
                ("LISTEN", systemd(&listen.to_string())),
                ("ADVERTISE", systemd(&advertise)),
            ];
            fill(COORDINATOR, &values)
        }
        SystemdRole::Worker {
            access,
            slots,
            threads,
            memory,
            service: ServiceArgs { program, user },
        } => {
            let values = [
                ("USER", user),
                ("PROGRAM", systemd(&program)),
                ("ACCESS", systemd(&access)),
                ("ACCESS_PLAIN", access),
                ("SHAPE", shape(slots, threads, memory)),
                ("MEMORY_MAX", memory_max(slots, memory)),
            ];
            fill(WORKER, &values)
        }
    };
    context.printer.show(&ForeignFile { of: "systemd".to_owned(), text })?;
    Ok(Exit::Done)
}

/// The flags of a worker that somebody chose.
fn shape(slots: Option<NonZeroUsize>, threads: Option<u32>, memory: Option<Memory>) -> String {
    let slots = slots.map(|slots| format!(" --slots {slots}")).unwrap_or_default();
    let threads = threads.map(|threads| format!(" --threads {threads}")).unwrap_or_default();
    let memory = memory.map(|memory| format!(" --memory {}", memory.as_flag())).unwrap_or_default();
    slots + &threads + &memory
}

/// Above the caps of all slots, where both are known: then the caps are what ends a unit.
fn memory_max(slots: Option<NonZeroUsize>, memory: Option<Memory>) -> String {
    let Some((slots, memory)) = slots.zip(memory) else { return String::new() };
    format!("MemoryMax={}M", mebibytes(slots, memory))
}
