//! What a coordinator stands on beside its configuration: where it listens, the clock on the wall, and threads.
//!
//! [`Machine`] is what every coordinator has. The simulated cluster of the tests has another, on one thread,
//! with a clock of its own that jumps and a network that breaks: the same services, the same core and the
//! same store are tried under it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_stream::{Stream, StreamExt as _};
use tonic::transport::server::{Connected, TcpIncoming};

/// The clock that people read. It may jump, as operators and daemons set it: nothing is decided by it.
pub type WallClock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Where the core and the store are worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Each in a thread of its own, which may take its time.
    Own,
    /// Both in tasks of the runtime that the coordinator is started in, so that a simulation has one thread.
    Simulated {
        /// For how long a commit waits for the disk.
        commit: Duration,
    },
}

impl Threads {
    /// For how long a commit waits, beside what the disk takes.
    pub(crate) fn commit_waits(self) -> Duration {
        match self {
            Self::Own => Duration::ZERO,
            Self::Simulated { commit } => commit,
        }
    }
}

/// What a coordinator stands on.
pub trait Environment: Send + Sync {
    /// A connection of a worker or an operator.
    type Connection: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static;
    /// All of them, as they come.
    type Incoming: Stream<Item = io::Result<Self::Connection>> + Send + 'static;

    /// Listens on an address, and gives the one that it is: port 0 is any free one.
    ///
    /// # Errors
    /// When the address is taken or not one of here.
    fn listen(
        &self,
        address: SocketAddr,
    ) -> impl Future<Output = io::Result<(SocketAddr, Self::Incoming)>> + Send;

    /// The clock on the wall.
    fn wall_clock(&self) -> WallClock;

    /// Where the core and the store are worked on.
    fn threads(&self) -> Threads;
}

/// How long a coordinator waits before it takes the next connection where one could not be taken.
const TAKE_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What has come, a while later if it is a fault of this machine, such as no descriptor that is free: the next attempt
/// would fail as fast, over and over.
async fn unhurried(taken: io::Result<TcpStream>) -> io::Result<TcpStream> {
    if let Err(fault) = &taken
        && !matches!(
            fault.kind(),
            io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
        )
    {
        tracing::warn!(%fault, "a connection cannot be taken");
        tokio::time::sleep(TAKE_AGAIN_AFTER).await;
    }
    taken
}

/// The machine that the coordinator runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Environment for Machine {
    type Connection = TcpStream;
    type Incoming = Pin<Box<dyn Stream<Item = io::Result<TcpStream>> + Send>>;

    async fn listen(&self, address: SocketAddr) -> io::Result<(SocketAddr, Self::Incoming)> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        // A lease that waits for the acknowledgement of the message before it would be late by 40 milliseconds.
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        Ok((address, Box::pin(incoming.then(unhurried))))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place of a coordinator that reads it")]
    fn wall_clock(&self) -> WallClock {
        Arc::new(SystemTime::now)
    }

    fn threads(&self) -> Threads {
        Threads::Own
    }
}
