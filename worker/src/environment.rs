//! What a worker stands on beside its configuration: the way to its coordinator, chance, and what runs its
//! units.
//!
//! [`Machine`] is what every worker has. The simulated cluster of the tests has another, on one thread and
//! without processes, under which the same session is tried with every fault that a network has.

use std::sync::Arc;

use rustix::rand::{GetRandomFlags, getrandom};
use sprague_proto::{Access, Authorized, ConnectError, connect};
use tokio::sync::mpsc::Sender;

use crate::cgroup::Groups;
use crate::slot::{Engine, SlotNews, SlotSetup, Threaded};
use crate::{WorkerConfig, WorkerError};

/// What a worker stands on.
pub trait Environment: Send + Sync {
    /// Opens a channel to the coordinator of an access file.
    ///
    /// # Errors
    /// When nobody answers there, or somebody else.
    fn connect(
        &self,
        access: &Access,
    ) -> impl Future<Output = Result<Authorized, ConnectError>> + Send;

    /// A random number.
    fn random(&self) -> u64;

    /// Makes what runs the units of each slot. All say how their attempts end in `news`, which has room for
    /// one end of each slot and more.
    ///
    /// # Errors
    /// When the machine has no room for them.
    fn engines(
        &self,
        config: &WorkerConfig,
        news: &Sender<SlotNews>,
    ) -> Result<Vec<Box<dyn Engine>>, WorkerError>;
}

/// The machine that the worker runs on: its network, its randomness, and a thread and a child process for
/// each slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Environment for Machine {
    async fn connect(&self, access: &Access) -> Result<Authorized, ConnectError> {
        connect(access).await
    }

    /// From the system; 0 if it has none to give, which means not to wait.
    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        match getrandom(&mut bytes[..], GetRandomFlags::empty()) {
            Ok(8) => u64::from_le_bytes(bytes),
            _ => 0,
        }
    }

    fn engines(
        &self,
        config: &WorkerConfig,
        news: &Sender<SlotNews>,
    ) -> Result<Vec<Box<dyn Engine>>, WorkerError> {
        let setup = Arc::new(SlotSetup {
            worker: config.shown_name(),
            groups: Groups::delegated(),
            command: config.slot_command.clone(),
            cap: config.slot_memory,
            threads: config.threads,
            cancel_grace: config.cancel_grace,
            idle_limit: config.idle_limit,
        });
        let engine = |slot: usize| -> Result<Box<dyn Engine>, WorkerError> {
            Threaded::start(slot, Arc::clone(&setup), news.clone())
                .map(|engine| Box::new(engine) as Box<dyn Engine>)
                .map_err(|source| WorkerError::Thread { slot, source })
        };
        (0..config.slots as usize).map(engine).collect()
    }
}
