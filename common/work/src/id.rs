//! The numbers by which jobs, units, attempts and workers are known.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Numbers jobs in the order of their submission, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub u64);

/// Numbers workers in the order in which a coordinator first met them, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkerId(pub u64);

/// One unit of one job. Units are numbered in the order in which they were planned, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnitId {
    /// The job.
    pub job: JobId,
    /// The number of the unit within its job.
    pub number: u32,
}

/// One execution of a unit, from 1. Attempts of a unit only grow, over restarts as well.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Attempt(pub u32);

impl Attempt {
    /// The attempt after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A text that is not the number of a job or a worker.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{text:?} is not a number of a {what}")]
pub struct ParseIdError {
    what: &'static str,
    text: String,
}

fn parse(what: &'static str, text: &str) -> Result<u64, ParseIdError> {
    text.parse().map_err(|_| ParseIdError { what, text: text.to_owned() })
}

impl FromStr for JobId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        parse("job", text).map(Self)
    }
}

impl FromStr for WorkerId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        parse("worker", text).map(Self)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.job, self.number)
    }
}
