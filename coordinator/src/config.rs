//! What a coordinator can be told at its start.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a coordinator.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of its store, its keys and its access files. Made if it does not exist.
    pub dir: PathBuf,
    /// Where to listen; nothing for the place of the last time, or loopback and a free port the first time. Port 0 means
    /// the port of the last time, or a free one the first time.
    pub listen: Option<SocketAddr>,
    /// `HOST:PORT` to write into the access files instead of the address listened on. With neither, that of the last time.
    pub advertise: Option<String>,
    /// Where to serve `/metrics` and `/healthz` in plain text, if anywhere: a loopback address.
    pub metrics: Option<SocketAddr>,
    /// It and its workers are one command: it listens on loopback at any port, whatever the folder remembers and goes on
    /// to remember. No other workers than those that come at once will come, so a job whose remaining units fit none of
    /// them fails instead of waiting.
    pub embedded: bool,
    /// For how long a unit may stand still, and a worker go on without contact.
    pub lease: Duration,
    /// For how long a worker that lost its connection is awaited before its units go to others.
    pub reconnect_grace: Duration,
}

impl Config {
    /// The usual settings for a folder: the addresses of the last time.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            listen: None,
            advertise: None,
            metrics: None,
            embedded: false,
            lease: Duration::from_secs(60),
            reconnect_grace: Duration::from_secs(5),
        }
    }
}
