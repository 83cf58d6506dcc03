//! What a coordinator can be told at its start.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a coordinator.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of its store, its keys and its access files. Made if it does not exist.
    pub dir: PathBuf,
    /// Where to listen. Port 0 means the port of the last time, or a free one the first time.
    pub listen: SocketAddr,
    /// `HOST:PORT` to write into the access files instead of the address listened on.
    pub advertise: Option<String>,
    /// Where to serve `/metrics` and `/healthz` in plain text, if anywhere: a loopback address.
    pub metrics: Option<SocketAddr>,
    /// No other workers than those that come at once will come, so a job whose remaining units fit
    /// none of them fails instead of waiting.
    pub fixed_fleet: bool,
    /// For how long a unit may stand still, and a worker go on without contact.
    pub lease: Duration,
    /// For how long a worker that lost its connection is awaited before its units go to others.
    pub reconnect_grace: Duration,
}

impl Config {
    /// The usual settings for a folder: loopback, any port.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            advertise: None,
            metrics: None,
            fixed_fleet: false,
            lease: Duration::from_secs(60),
            reconnect_grace: Duration::from_secs(5),
        }
    }
}
