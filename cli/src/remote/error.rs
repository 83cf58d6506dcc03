//! What goes wrong between an operator and a coordinator.

use sprague_proto::ConnectError;
use tonic::{Code, Status};

use crate::exit::Exit;

/// Why a coordinator did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoteError {
    /// Nobody answers.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The job or the worker does not exist.
    #[error("{0}")]
    NotFound(String),
    /// What was asked for cannot be meant.
    #[error("{0}")]
    Invalid(String),
    /// The secret of the access file is not the coordinator's.
    #[error("the coordinator does not accept this access file: {0}")]
    Denied(String),
    /// The connection was lost, or the coordinator is about to stop.
    #[error("lost the coordinator: {0}")]
    Lost(String),
    /// No answer in time.
    #[error("the coordinator did not answer in time")]
    Deadline,
    /// It cannot do it as things are.
    #[error("the coordinator refuses: {0}")]
    Refused(String),
    /// It answered something that means nothing to this version.
    #[error("the coordinator's answer cannot be read: {0}")]
    Answer(String),
}

impl RemoteError {
    /// How the program ends after it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::NotFound(_)
            | Self::Invalid(_)
            | Self::Denied(_)
            | Self::Connect(ConnectError::Stranger { .. }) => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    /// The name that scripts can tell it by.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Denied(_) | Self::Connect(ConnectError::Stranger { .. }) => "access",
            Self::Connect(_) | Self::Lost(_) | Self::Deadline => "unreachable",
            Self::NotFound(_) => "not-found",
            Self::Invalid(_) => "job",
            Self::Refused(_) => "refused",
            Self::Answer(_) => "version",
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Connect(ConnectError::NoTls { .. }) => {
                "check that the address in the access file is that of `sprague serve`, not of its --metrics"
            }
            Self::Connect(ConnectError::Unreachable { .. } | ConnectError::Silent { .. })
            | Self::Lost(_)
            | Self::Deadline => {
                "check that `sprague serve` runs and that its address can be reached from here"
            }
            Self::Connect(
                ConnectError::Access { .. }
                | ConnectError::NoCertificate
                | ConnectError::Stranger { .. },
            )
            | Self::Denied(_) => "copy operator.access again from the folder of the coordinator",
            Self::NotFound(_) => "`sprague jobs` and `sprague workers` list what there is",
            Self::Invalid(_) => "`sprague submit --help` lists the jobs",
            Self::Answer(_) => "use the version of the program that the coordinator runs",
            Self::Refused(_) => return None,
        })
    }

    /// Whether the same call may succeed after the coordinator was started again.
    pub(super) fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Connect(ConnectError::Unreachable { .. } | ConnectError::Silent { .. })
                | Self::Lost(_)
        )
    }
}

impl From<Status> for RemoteError {
    fn from(status: Status) -> Self {
        let message = status.message().to_owned();
        match status.code() {
            Code::NotFound => Self::NotFound(message),
            Code::InvalidArgument => Self::Invalid(message),
            Code::Unauthenticated | Code::PermissionDenied => Self::Denied(message),
            Code::DeadlineExceeded => Self::Deadline,
            Code::Unimplemented => Self::Answer("it does not know what it was asked".to_owned()),
            // A connection that breaks in the middle of a call shows as one of these.
            Code::Unavailable | Code::Unknown | Code::Cancelled => Self::Lost(message),
            _ => Self::Refused(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinator_that_is_away_may_come_back_and_one_that_refuses_will_not() {
        assert!(RemoteError::from(Status::unavailable("gone")).may_pass());
        for status in [Status::not_found("x"), Status::unauthenticated("x")] {
            assert!(!RemoteError::from(status).may_pass());
        }
    }

    #[test]
    fn what_cannot_be_meant_is_a_usage_error() {
        assert_eq!(RemoteError::from(Status::not_found("no job 7")).exit(), Exit::Usage);
        assert_eq!(RemoteError::from(Status::unavailable("gone")).exit(), Exit::Failed);
    }
}
