//! What a worker has to be told before it can start.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sprague_proto::Access;

use crate::WorkerError;
use crate::caps::least_cap;

/// The most slots of one worker.
const MOST_SLOTS: u32 = 1024;
/// The most threads of one slot.
pub const MOST_THREADS: u32 = 256;

/// The configuration of a worker.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The coordinator's address and certificate, and the secret that lets a worker in.
    pub access: Access,
    /// Where the access file is read again before each attempt to connect, as it may have changed meanwhile.
    /// `None` for an access that stays as it is.
    pub access_file: Option<PathBuf>,
    /// How people know the worker; host name and process if `None`.
    pub name: Option<String>,
    /// How many units it runs at a time, from 1 to 1024.
    pub slots: u32,
    /// How many threads a unit may use, if its method can use more than one: from 1 to 256.
    pub threads: u32,
    /// The hard cap of each slot in bytes, at least [`LEAST_CAP`](crate::LEAST_CAP) and [`THREAD_STACK`](sprague_work::THREAD_STACK)
    /// for each further thread.
    pub slot_memory: u64,
    /// The program and arguments that start the child of a slot. Three more are added, which the program
    /// hands to [`slot_main`](crate::slot_main): the cap in bytes, the threads, and the number of the
    /// worker's process.
    pub slot_command: Vec<OsString>,
    /// How long the coordinator may be out of reach before the first contact. After that the
    /// worker never gives up.
    pub patience: Duration,
    /// After the first stage of a stop: how long units may go on before they are cancelled.
    pub leave_grace: Duration,
    /// How long a cancelled unit may take to end before its process is killed.
    pub cancel_grace: Duration,
    /// How long the process of a slot, and with it its tables, is kept for the next unit of its job.
    pub idle_limit: Duration,
}

impl WorkerConfig {
    /// One slot of one thread and 1 GiB, and the default times: 30 s of patience, 10 s to finish units when it is
    /// told to stop, 2 s for a cancelled unit to end, 10 s for an idle process to be used again.
    #[must_use]
    pub fn new(access: Access, slot_command: Vec<OsString>) -> Self {
        Self {
            access,
            access_file: None,
            name: None,
            slots: 1,
            threads: 1,
            slot_memory: 1 << 30,
            slot_command,
            patience: Duration::from_secs(30),
            leave_grace: Duration::from_secs(10),
            cancel_grace: Duration::from_secs(2),
            idle_limit: Duration::from_secs(10),
        }
    }

    /// Whether a worker can be run like this. [`run`](crate::run) asks first of all.
    ///
    /// # Errors
    /// When there is no slot or too many, when the cap is too small to run anything, or when there
    /// is no command for a slot's child.
    pub fn check(&self) -> Result<(), WorkerError> {
        if !(1..=MOST_SLOTS).contains(&self.slots) {
            return Err(WorkerError::Slots { slots: self.slots, most: MOST_SLOTS });
        }
        if !(1..=MOST_THREADS).contains(&self.threads) {
            return Err(WorkerError::Threads { threads: self.threads, most: MOST_THREADS });
        }
        let least = least_cap(self.threads);
        if self.slot_memory < least {
            return Err(WorkerError::CapTooSmall { cap: self.slot_memory, least });
        }
        if self.slot_command.is_empty() {
            return Err(WorkerError::NoSlotCommand);
        }
        Ok(())
    }

    /// The name by which people know the worker.
    pub(crate) fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}-{}", machine_name(), std::process::id()))
    }
}

/// The name of this machine, as the system has it.
pub(crate) fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
