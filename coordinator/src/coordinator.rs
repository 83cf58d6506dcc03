//! A whole coordinator: folder, keys, store, owner and services put together, and taken apart.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sprague_proto::{Role, innermost};
use sprague_work::Registry;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::Config;
use crate::addresses::{Addresses, AddressesError};
use crate::core::{Moment, Now, RestoreError, Settings};
use crate::environment::{Environment, Machine};
use crate::keys::{self, KeyError, Keys};
use crate::metrics::{self, MetricsError};
use crate::owner::{Fault, Owner};
use crate::rpc;
use crate::secrets::Secrets;
use crate::store::{self, RestartError, Store, StoreError};

/// How long open calls may take to end when the coordinator is told to stop. A connection that
/// never speaks would hold it for ever.
const DRAIN: Duration = Duration::from_secs(2);

/// How long a store that another process has open may take to become free. One that was just killed has it until it is gone.
const LOCK_PATIENCE: Duration = Duration::from_secs(3);
/// How often it is tried meanwhile.
const LOCK_TRY_EVERY: Duration = Duration::from_millis(100);

/// Why a coordinator cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder cannot be made.
    #[error("{path} cannot be made or used as a folder: {source}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The keys or access files cannot be used.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The addresses that the folder remembers cannot be used.
    #[error(transparent)]
    Addresses(#[from] AddressesError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store's content does not fit together.
    #[error("the store {path} cannot be gone on with: {source}")]
    Restore {
        /// Which.
        path: PathBuf,
        /// Why.
        source: RestoreError,
    },
    /// The address is taken, or not one of this machine's.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// Metrics cannot be served.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The keys do not make a TLS identity.
    #[error(
        "coordinator.key in {path} and the certificate in its access files do not fit together: {}",
        innermost(.source)
    )]
    Tls {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        source: tonic::transport::Error,
    },
}

/// A running coordinator.
pub struct Coordinator {
    dir: PathBuf,
    address: SocketAddr,
    published: String,
    metrics: Option<SocketAddr>,
    stop: CancellationToken,
    server: JoinHandle<()>,
    owner: oneshot::Receiver<Result<(), Fault>>,
}

impl Coordinator {
    /// Makes or opens the folder and starts to serve.
    ///
    /// # Errors
    /// When the folder, its keys or its store cannot be used, or the address cannot be listened on.
    /// Nothing that was in the folder is changed then.
    pub async fn start(config: Config, registry: Registry) -> Result<Self, StartError> {
        Self::start_in(Machine, config, registry).await
    }

    /// Starts as [`start`](Self::start) does, on something else than this machine. The folder, and metrics if
    /// any, are this machine's all the same.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn start_in<E: Environment>(
        environment: E,
        config: Config,
        registry: Registry,
    ) -> Result<Self, StartError> {
        let dir = config.dir.clone();
        std::fs::create_dir_all(&dir)
            .and_then(|()| std::fs::read_dir(&dir).map(drop))
            .map_err(|source| StartError::Folder { path: dir.clone(), source })?;
        let path = store::in_folder(&dir);
        store::must_not_have_been_rescued(&path)?;
        // The store first: whoever has it open owns the folder.
        let store = open_when_free(&path, LOCK_PATIENCE).await?;
        let settings = Settings {
            lease: config.lease,
            reconnect_grace: config.reconnect_grace,
            fixed_fleet: config.embedded,
            ..Settings::default()
        };
        let wall = environment.wall_clock();
        let now = Now { moment: Moment(0), wall: wall() };
        let core = match store.restart(registry.clone(), settings, now) {
            Ok(core) => core,
            Err(RestartError::Store(fault)) => return Err(fault.into()),
            Err(RestartError::Content(source)) => return Err(StartError::Restore { path, source }),
        };
        // A store that holds something had keys. One that was killed at its first start may not.
        let keys = Keys::in_folder(&dir, core.has_no_jobs())?;

        let mut addresses = if config.embedded {
            Addresses::of_this_machine()
        } else {
            Addresses::of_start(&dir, config.listen, config.advertise)?
        };
        let wanted = addresses.listen;
        let (address, incoming) = environment
            .listen(wanted)
            .await
            .map_err(|source| StartError::Listen { address: wanted, source })?;
        addresses.listen = address;
        if !config.embedded {
            addresses.write(&dir)?;
        }
        let published = addresses.published();
        keys.publish(&published)?;
        let secrets = Secrets::new(
            &dir,
            published.clone(),
            keys.certificate.clone(),
            [keys.worker.clone(), keys.operator.clone()],
        )?;

        let (owner, stopped) = Owner::start(core, store, wall, environment.threads());
        let stop = CancellationToken::new();
        let metrics = match config.metrics {
            Some(wanted) => Some(metrics::serve(wanted, owner.clone(), &path, stop.clone()).await?),
            None => None,
        };
        let lease = config.lease;
        let services = rpc::Services { owner, registry, lease, stop: stop.clone(), secrets };
        let server = rpc::serve(incoming, &keys, services)
            .map_err(|source| StartError::Tls { path: dir.clone(), source })?;
        tracing::info!(%address, published, dir = %dir.display(), "listening");
        Ok(Self { dir, address, published, metrics, stop, server, owner: stopped })
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the access files name: that address, or the one that is advertised.
    #[must_use]
    pub fn published(&self) -> &str {
        &self.published
    }

    /// The address of `/metrics` and `/healthz`, if they are served.
    #[must_use]
    pub fn metrics(&self) -> Option<SocketAddr> {
        self.metrics
    }

    /// The access file for workers.
    #[must_use]
    pub fn worker_access(&self) -> PathBuf {
        keys::access_path(&self.dir, Role::Worker)
    }

    /// The access file for operators.
    #[must_use]
    pub fn operator_access(&self) -> PathBuf {
        keys::access_path(&self.dir, Role::Operator)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Resolves when the coordinator has stopped by itself, because its store failed.
    ///
    /// # Errors
    /// What was wrong with the store. Nothing that was acknowledged is lost.
    pub async fn stopped(&mut self) -> Result<(), Fault> {
        let end = (&mut self.owner).await;
        self.stop.cancel();
        end.unwrap_or(Err(Fault::Panicked))
    }

    /// Stops: no new calls, open ones have two seconds, then the store is closed.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        if tokio::time::timeout(DRAIN, &mut self.server).await.is_err() {
            self.server.abort();
            let _ = (&mut self.server).await;
        }
        // With the services gone nobody can send to the owner, so it ends and closes the store. It
        // may have ended before, and its end was told by `stopped`.
        if !self.owner.is_terminated() {
            let _ = tokio::time::timeout(DRAIN, &mut self.owner).await;
        }
    }
}

/// Opens the store, and waits a while for another process to let go of it.
async fn open_when_free(path: &Path, patience: Duration) -> Result<Store, StoreError> {
    let mut waited = Duration::ZERO;
    loop {
        match Store::open(path) {
            Err(StoreError::InUse(_)) if waited < patience => {}
            end => return end,
        }
        if waited.is_zero() {
            let (path, seconds) = (path.display(), patience.as_secs());
            tracing::warn!(
                "the store {path} is open in another process; waiting for up to {seconds} s"
            );
        }
        tokio::time::sleep(LOCK_TRY_EVERY).await;
        waited += LOCK_TRY_EVERY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_store_that_becomes_free_is_waited_for_and_one_that_does_not_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let held = Store::open(&path).unwrap();
        let let_go = async {
            tokio::time::sleep(LOCK_TRY_EVERY).await;
            drop(held);
        };
        let (opened, ()) = tokio::join!(open_when_free(&path, Duration::MAX), let_go);
        let _held = opened.unwrap();
        let refused = open_when_free(&path, 2 * LOCK_TRY_EVERY).await;
        assert!(matches!(refused, Err(StoreError::InUse(_))));
    }
}
