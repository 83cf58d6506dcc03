//! The exit codes, which scripts may rely on.

use std::process::ExitCode;

use sprague_work::JobState;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All that was asked for was done.
    Done = 0,
    /// It could not be done.
    Failed = 1,
    /// What was asked for cannot be meant.
    Usage = 2,
    /// Answers contradict each other.
    Disputed = 3,
    /// It was stopped early. A job keeps every value found; what has no store keeps nothing.
    Stopped = 4,
}

impl Exit {
    /// How a command ends that followed a job to this state. A job that still goes on when the
    /// command leaves it was left early.
    pub(crate) fn of(state: JobState) -> Self {
        match state {
            JobState::Done => Self::Done,
            JobState::Failed => Self::Failed,
            JobState::Disputed => Self::Disputed,
            JobState::Cancelled | JobState::Stopped | JobState::Queued | JobState::Running => {
                Self::Stopped
            }
        }
    }

    /// The number that the operating system gets.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
