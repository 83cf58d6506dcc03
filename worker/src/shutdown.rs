//! How a worker is told to stop: first to finish what it has, then to stop at once.

use std::io::{self, Read};
use std::thread;

use tokio_util::sync::CancellationToken;

/// A stop in two stages, as with the first and the second Ctrl-C. Clones are the same stop.
///
/// ```
/// let shutdown = sprague_worker::Shutdown::new();
/// shutdown.graceful();
/// assert!(shutdown.is_graceful() && !shutdown.is_now());
/// shutdown.now();
/// assert!(shutdown.is_now());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    graceful: CancellationToken,
    now: CancellationToken,
}

impl Shutdown {
    /// A stop that nobody has asked for yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// First stage: no new units; those that run may finish within the grace period.
    pub fn graceful(&self) {
        self.graceful.cancel();
    }

    /// Second stage: at once. Includes the first.
    pub fn now(&self) {
        self.graceful.cancel();
        self.now.cancel();
    }

    /// Whether the first stage was asked for.
    #[must_use]
    pub fn is_graceful(&self) -> bool {
        self.graceful.is_cancelled()
    }

    /// Whether the second stage was asked for.
    #[must_use]
    pub fn is_now(&self) -> bool {
        self.now.is_cancelled()
    }

    /// Stops at once when this process's standard input ends: a leash for a worker that belongs to
    /// the process that started it and holds the other end of the pipe. However that process ends,
    /// the pipe ends with it.
    ///
    /// # Errors
    /// When the thread that waits for it cannot be started.
    pub fn when_input_ends(&self) -> io::Result<()> {
        let shutdown = self.clone();
        thread::Builder::new().name("leash".to_owned()).spawn(move || {
            let mut ignored = [0; 256];
            let mut input = io::stdin().lock();
            loop {
                match input.read(&mut ignored) {
                    Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
            }
            tracing::info!("standard input has ended, so the worker stops");
            shutdown.now();
        })?;
        Ok(())
    }

    /// Waits for the first stage.
    pub(crate) async fn graceful_requested(&self) {
        self.graceful.cancelled().await;
    }

    /// Waits for the second stage.
    pub(crate) async fn now_requested(&self) {
        self.now.cancelled().await;
    }
}
