//! Ctrl-C and SIGTERM: the first asks to stop kindly, the second to stop at once.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::ExpectedError;

/// The wishes of a user or a service manager that the program should stop.
#[derive(Debug)]
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Takes the two signals over, within a runtime.
    pub(crate) fn listen() -> Result<Self, ExpectedError> {
        let listen = |kind| {
            signal(kind)
                .map_err(|source| ExpectedError::System { what: "listen for signals", source })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// The next of either. May be dropped and called again.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
