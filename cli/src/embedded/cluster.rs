//! The coordinator in this process and its workers, started and stopped together.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use sprague_coordinator::{Config, Coordinator};
use tokio::time::timeout;

use super::fleet::Fleet;
use crate::args::Memory;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::remote::{Client, RemoteError};

/// How long a coordinator that ends may take to say why, after its calls failed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The workers of an embedded cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crew {
    /// Worker processes, of one slot each.
    pub(crate) workers: NonZeroUsize,
    /// Threads of each.
    pub(crate) threads: u32,
    /// What each of them may take.
    pub(crate) memory: Memory,
}

/// A cluster that lives as long as one command.
pub(crate) struct Cluster {
    coordinator: Coordinator,
    fleet: Fleet,
    client: Client,
}

impl Cluster {
    /// Starts it on a folder, going on from what the folder's store holds.
    pub(crate) async fn start(
        context: &Context,
        dir: &Path,
        crew: Crew,
    ) -> Result<Self, ExpectedError> {
        let config = Config { embedded: true, ..Config::new(dir) };
        let coordinator = Coordinator::start(config, context.registry.clone()).await?;
        match Self::man(context, &coordinator, crew).await {
            Ok((fleet, client)) => Ok(Self { coordinator, fleet, client }),
            Err(fault) => {
                coordinator.shutdown().await;
                Err(fault)
            }
        }
    }

    async fn man(
        context: &Context,
        coordinator: &Coordinator,
        crew: Crew,
    ) -> Result<(Fleet, Client), ExpectedError> {
        let client = Client::open(&coordinator.operator_access()).await?;
        let fleet = Fleet::start(context, &coordinator.worker_access(), crew)?;
        Ok((fleet, client))
    }

    /// An operator's connection.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Resolves when the cluster cannot go on: its store failed, or its workers keep dying.
    pub(crate) async fn failure(&mut self) -> ExpectedError {
        tokio::select! {
            end = self.coordinator.stopped() => match end {
                Err(fault) => fault.into(),
                Ok(()) => ExpectedError::CoordinatorGone,
            },
            fault = self.fleet.failure() => fault,
        }
    }

    /// Why a call failed. A cluster that came to its end says more than the call that was lost to it.
    pub(crate) async fn reason(&mut self, fault: ExpectedError) -> ExpectedError {
        match fault {
            ExpectedError::Remote(RemoteError::Lost(_)) => {
                timeout(LAST_WORDS, self.failure()).await.unwrap_or(fault)
            }
            fault => fault,
        }
    }

    /// Lets the workers finish or hand back what they have, then closes the store. When `hurry`
    /// resolves they are ended at once instead. Nothing acknowledged is lost either way.
    pub(crate) async fn stop(self, hurry: impl Future<Output = ()>) {
        let Self { coordinator, mut fleet, client } = self;
        tokio::select! {
            () = fleet.stop() => {}
            () = hurry => fleet.stop_at_once().await,
        }
        // An open connection would hold the coordinator up.
        drop(client);
        coordinator.shutdown().await;
    }
}
