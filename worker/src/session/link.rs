//! One connection to the coordinator, from the greeting to its loss.

use std::time::Duration;

use sprague_proto::v1::worker_service_client::WorkerServiceClient;
use sprague_proto::v1::{
    CoordinatorMessage, Hello, Welcome, WorkerMessage, coordinator_message as from_coordinator,
    worker_message::Message,
};
use sprague_proto::{Authorized, ConnectError, LARGEST_MESSAGE};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

use crate::Refusal;

/// How long a coordinator may take to answer a greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a coordinator may take to see that the worker has left.
const PARTING_TIMEOUT: Duration = Duration::from_millis(500);

/// Messages that may wait for the transport. What finds no room waits with its owner.
const OUTGOING: usize = 64;

/// Why there is no connection, or none any more.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error("the coordinator did not answer within {} s", GREETING_TIMEOUT.as_secs())]
    Silent,
    #[error("the coordinator ended the session: {}", .0.message())]
    Status(#[from] Status),
    #[error("the coordinator closed the session")]
    Closed,
    #[error("the coordinator answered with something else than a welcome")]
    NoWelcome,
    #[error("the coordinator acknowledges no reports")]
    Unacknowledged,
}

impl LinkError {
    /// What is refused for good, and what was said about it, if trying again would change nothing.
    pub(super) fn refusal(&self) -> Option<(Refusal, String)> {
        let status = match self {
            Self::Status(status) => status,
            Self::Connect(ConnectError::Stranger { why, .. }) => {
                return Some((Refusal::Certificate, why.to_string()));
            }
            _ => return None,
        };
        let refusal = match status.code() {
            Code::Unauthenticated => Refusal::Secret,
            Code::PermissionDenied => Refusal::Role,
            Code::FailedPrecondition => Refusal::Version,
            Code::InvalidArgument | Code::Unimplemented => Refusal::Words,
            _ => return None,
        };
        Some((refusal, status.message().to_owned()))
    }
}

/// A session that the coordinator has welcomed.
#[derive(Debug)]
pub(super) struct Link {
    /// What the coordinator asks for.
    pub(super) welcome: Welcome,
    outgoing: Sender<WorkerMessage>,
    incoming: Streaming<CoordinatorMessage>,
}

impl Link {
    /// Greets the coordinator and waits to be welcomed.
    pub(super) async fn open(channel: Authorized, hello: Hello) -> Result<Self, LinkError> {
        let (outgoing, messages) = channel_of_messages();
        let first = WorkerMessage { message: Some(Message::Hello(hello)) };
        outgoing.try_send(first).expect("a new channel has room");
        let greeting = async {
            let mut client =
                WorkerServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
            let mut incoming = client.session(messages).await?.into_inner();
            let answer = incoming.message().await?.ok_or(LinkError::Closed)?;
            match answer.message {
                Some(from_coordinator::Message::Welcome(welcome)) => Ok((welcome, incoming)),
                _ => Err(LinkError::NoWelcome),
            }
        };
        let (welcome, incoming) =
            timeout(GREETING_TIMEOUT, greeting).await.map_err(|_| LinkError::Silent)??;
        Ok(Self { welcome, outgoing, incoming })
    }

    /// Sends a message, if there is room for it now. If not, or if the link is lost, it is still
    /// the caller's.
    pub(super) fn try_send(&self, message: Message) -> bool {
        self.outgoing.try_send(WorkerMessage { message: Some(message) }).is_ok()
    }

    /// Waits for the next message. Nothing is lost when the waiting is given up.
    pub(super) async fn next(&mut self) -> Result<from_coordinator::Message, LinkError> {
        loop {
            let received = self.incoming.message().await?.ok_or(LinkError::Closed)?;
            // A message without content is one that a newer coordinator knows and this version not.
            if let Some(message) = received.message {
                return Ok(message);
            }
        }
    }

    /// Says no more, and gives what was said last the time to arrive.
    pub(super) async fn part(self) {
        drop(self.outgoing);
        let mut incoming = self.incoming;
        let its_end = async { while let Ok(Some(_)) = incoming.message().await {} };
        // A coordinator that does not end its side is left all the same.
        let _ = timeout(PARTING_TIMEOUT, its_end).await;
    }
}

fn channel_of_messages() -> (Sender<WorkerMessage>, ReceiverStream<WorkerMessage>) {
    let (outgoing, messages) = channel(OUTGOING);
    (outgoing, ReceiverStream::new(messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_trying_again_cannot_change_is_final() {
        let refusal =
            |status: Status| LinkError::from(status).refusal().map(|(refusal, _)| refusal);
        assert_eq!(refusal(Status::unauthenticated("no")), Some(Refusal::Secret));
        assert_eq!(refusal(Status::permission_denied("no")), Some(Refusal::Role));
        assert_eq!(refusal(Status::failed_precondition("0.2.0")), Some(Refusal::Version));
        assert_eq!(refusal(Status::unavailable("later")), None);
        assert_eq!(refusal(Status::resource_exhausted("full")), None);
        assert_eq!(LinkError::Closed.refusal(), None);
    }
}
