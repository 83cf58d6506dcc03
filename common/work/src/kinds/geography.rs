//! What the kinds of jobs about Undirected Vertex Geography share: which words are for one of them, and how their units
//! are run and end. What they ask and answer is their own.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use sprague_geography::literature::TestError;
use sprague_geography::search::Unverified;
use sprague_geography::{Limits, Stop};

use crate::{JobError, RunEnd, RunLimits, UnitInput, UnitResult};

/// The words of a job after those of a kind's name; `None` when they begin otherwise.
pub(super) fn words_after<'a>(name: &str, words: &'a [String]) -> Option<&'a [String]> {
    let named = name.split(' ').count();
    let (first, rest) = words.split_at_checked(named)?;
    first.iter().map(String::as_str).eq(name.split(' ')).then_some(rest)
}

/// Why a unit has no result.
pub(super) enum Unanswered {
    /// It was stopped, or its tables would not fit.
    Stop(Stop),
    /// It cannot be run.
    Refused(String),
}

impl Unanswered {
    /// It cannot be run, for this reason.
    pub(super) fn refused(reason: impl Display) -> Self {
        Self::Refused(reason.to_string())
    }
}

impl From<Stop> for Unanswered {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<JobError> for Unanswered {
    fn from(fault: JobError) -> Self {
        Self::refused(fault)
    }
}

impl From<Unverified> for Unanswered {
    fn from(fault: Unverified) -> Self {
        match fault {
            Unverified::Stop(stop) => stop.into(),
            fault @ Unverified::OtherValue { .. } => Self::refused(fault),
        }
    }
}

impl From<TestError> for Unanswered {
    fn from(fault: TestError) -> Self {
        match fault {
            TestError::Stop(stop) => stop.into(),
            fault @ TestError::NoSuchInput(_) => Self::refused(fault),
        }
    }
}

/// Reads the part of a unit, which should be `what`.
pub(super) fn part<T: DeserializeOwned>(input: &UnitInput, what: &str) -> Result<T, Unanswered> {
    let read = input.part.read();
    read.map_err(|fault| Unanswered::refused(format!("the part is not {what}: {fault}")))
}

/// Runs a unit within the limits.
pub(super) fn run(
    limits: &RunLimits<'_>,
    unit: impl FnOnce(&Limits<'_>) -> Result<UnitResult, Unanswered>,
) -> RunEnd {
    let limits = Limits {
        memory: usize::try_from(limits.memory).unwrap_or(usize::MAX),
        cancel: limits.cancel,
        progress: limits.progress,
    };
    match unit(&limits) {
        Ok(result) => RunEnd::Done(result),
        Err(Unanswered::Stop(Stop::Cancelled)) => RunEnd::Cancelled,
        Err(Unanswered::Stop(Stop::OutOfMemory { needed, .. })) => RunEnd::OutOfMemory { needed },
        Err(Unanswered::Stop(fault @ (Stop::TooLarge { .. } | Stop::NoSuchSlice { .. }))) => {
            RunEnd::Refused { reason: fault.to_string() }
        }
        Err(Unanswered::Refused(reason)) => RunEnd::Refused { reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_followed_by_the_words_of_the_job() {
        let after = |words: &str| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            words_after("geography sweep", &words).map(<[String]>::to_vec)
        };
        assert_eq!(after("geography sweep 8 9"), Some(vec!["8".to_owned(), "9".to_owned()]));
        assert_eq!(after("geography sweep"), Some(Vec::new()));
        for words in ["", "geography", "geography sweeps 8", "cram sweep 8", "sweep geography"] {
            assert_eq!(after(words), None, "{words}");
        }
    }
}
