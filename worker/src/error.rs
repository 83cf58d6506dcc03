//! Why a worker cannot start or cannot go on.

use std::io;
use std::time::Duration;

use sprague_proto::ConnectError;

/// Why a worker ended without having been told to.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// No slot, or too many.
    #[error("a worker has from 1 to {most} slots, not {slots}")]
    Slots {
        /// How many were asked for.
        slots: u32,
        /// The most.
        most: u32,
    },
    /// No thread, or too many.
    #[error("a unit has from 1 to {most} threads, not {threads}")]
    Threads {
        /// How many were asked for.
        threads: u32,
        /// The most.
        most: u32,
    },
    /// The memory of a slot is too little to run anything.
    #[error(
        "{cap} bytes are too little memory for a slot, the least is {least} ({} MiB)",
        least.div_ceil(1 << 20)
    )]
    CapTooSmall {
        /// The cap that was asked for, in bytes.
        cap: u64,
        /// The least cap, in bytes.
        least: u64,
    },
    /// It was not said how to start the child process of a slot.
    #[error("the command that starts a slot's process is empty")]
    NoSlotCommand,
    /// The system does not let the worker have a thread for a slot.
    #[error("cannot start the thread of slot {slot}: {source}")]
    Thread {
        /// The number of the slot, from 0.
        slot: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The access file cannot be used.
    #[error(transparent)]
    Access(ConnectError),
    /// Nobody answered for as long as the worker is willing to wait at its start.
    #[error("gave up after {} s: {reason}", waited.as_secs())]
    Unreachable {
        /// For how long it was tried.
        waited: Duration,
        /// What the last attempt met.
        reason: String,
    },
    /// The coordinator answered that it will not have this worker, and trying again would not change
    /// that: the secret, the role or the version is wrong.
    #[error("the coordinator at {coordinator} refuses this worker: {refusal}{}", in_brackets(.said))]
    Refused {
        /// Its address.
        coordinator: String,
        /// What it will not have.
        refusal: Refusal,
        /// What it said; may be empty.
        said: String,
    },
}

impl WorkerError {
    /// Whether a worker that is started again in the same way ends in the same way.
    #[must_use]
    pub fn is_for_good(&self) -> bool {
        match self {
            Self::Slots { .. }
            | Self::Threads { .. }
            | Self::CapTooSmall { .. }
            | Self::NoSlotCommand
            | Self::Access(_)
            | Self::Refused { .. } => true,
            Self::Thread { .. } | Self::Unreachable { .. } => false,
        }
    }
}

/// What about a worker a coordinator will not have, however often it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The secret is none of its own, or none any more.
    #[error("the secret in the access file does not let in")]
    Secret,
    /// It is not the coordinator of the access file.
    #[error("the access file is of another coordinator")]
    Certificate,
    /// The access file is an operator's.
    #[error("the access file does not let a worker in")]
    Role,
    /// The program is older or newer than its own.
    #[error("the versions do not fit")]
    Version,
    /// It cannot read what the worker says.
    #[error("it does not understand this worker")]
    Words,
}

fn in_brackets(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(" ({said})") }
}
