//! Following a job, over restarts of its coordinator.

use std::time::Duration;

use sprague_proto::v1;
use sprague_work::JobId;
use tokio::time::{Instant, sleep};
use tonic::Streaming;

use super::{Client, Job, RemoteError};

/// For how long a coordinator that went away is awaited.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two attempts to reach it.
const PAUSE: Duration = Duration::from_secs(1);

/// A job that is being followed.
#[derive(Debug)]
pub(crate) struct Watch {
    client: Client,
    id: JobId,
    stream: Option<Streaming<v1::Job>>,
    /// Since when the coordinator has been away.
    away: Option<Instant>,
    ended: bool,
}

impl Watch {
    pub(super) fn new(client: Client, id: JobId) -> Self {
        Self { client, id, stream: None, away: None, ended: false }
    }

    /// The job at its next change; `None` once it has ended. May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Result<Option<Job>, RemoteError> {
        while !self.ended {
            match self.step().await {
                Ok(Some(job)) => {
                    self.away = None;
                    self.ended = job.state.is_final();
                    return Ok(Some(job));
                }
                // A coordinator that stops ends its streams before it goes.
                Ok(None) => self.lost(RemoteError::Lost("it ended the connection".to_owned()))?,
                Err(fault) => self.lost(fault)?,
            }
            sleep(PAUSE).await;
        }
        Ok(None)
    }

    /// Whether the coordinator went away, and is awaited.
    pub(crate) fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// The next message of the stream, which is opened first where there is none.
    async fn step(&mut self) -> Result<Option<Job>, RemoteError> {
        if self.away.is_some() {
            self.client = self.client.reconnect().await?;
        }
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => none.insert(self.client.job_stream(self.id).await?),
        };
        stream.message().await?.map(Job::try_from).transpose()
    }

    /// Notes that the coordinator is away, for as long as that may still pass.
    fn lost(&mut self, fault: RemoteError) -> Result<(), RemoteError> {
        self.stream = None;
        let since = *self.away.get_or_insert_with(Instant::now);
        if fault.may_pass() && since.elapsed() < PATIENCE { Ok(()) } else { Err(fault) }
    }
}
