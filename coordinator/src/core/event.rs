//! What happened to a job, for people to read later: the turns that it took, not every lease.

use std::fmt;

use serde::{Deserialize, Serialize};
use sprague_work::{Attempt, JobId, JobState, MethodName, Question, UnitId, WorkerId, counted};

use super::fleet::Named;
use super::machine::NoSuchJob;
use super::{Core, Now, Write};

/// How many events of a job are kept. The oldest go first.
pub(super) const MOST_EVENTS: usize = 500;

/// Something that happened to a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When, by the coordinator's clock, as RFC 3339 in UTC.
    pub when: String,
    /// What.
    #[serde(flatten)]
    pub what: Happening,
}

/// What can happen to a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Happening {
    /// It was submitted.
    Submitted {
        /// In these words.
        words: String,
    },
    /// It was submitted again and goes on.
    Resumed,
    /// The first unit of it was leased.
    Started,
    /// A task came to its finding.
    Found {
        /// Of what.
        question: Question,
        /// By what.
        method: MethodName,
        /// Which, in short. Events of earlier versions do not say it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        answer: String,
    },
    /// Something contradicts something.
    Disputed {
        /// What is in doubt.
        question: Question,
        /// What contradicts what.
        note: String,
    },
    /// An attempt needed more memory than its slot had.
    OutOfMemory {
        /// Which.
        #[serde(flatten)]
        attempt: Tried,
        /// The least slot that it may be given to now, in bytes.
        need: u64,
    },
    /// An attempt crashed, or stood still.
    EndedBadly {
        /// Which.
        #[serde(flatten)]
        attempt: Tried,
        /// How.
        how: String,
    },
    /// The worker went away in the middle of an attempt, and had not said that it would.
    TakenAway {
        /// Which.
        #[serde(flatten)]
        attempt: Tried,
        /// How.
        how: String,
    },
    /// A worker's result is not the one that enough others gave. It is given no more units.
    Outvoted {
        /// Which attempt.
        #[serde(flatten)]
        attempt: Tried,
        /// What it gave and what the others did.
        why: String,
    },
    /// A unit is not tried any more.
    Parked {
        /// Which.
        unit: u32,
        /// Why.
        reason: String,
    },
    /// Smaller units do the work of one that no slot is large enough for.
    Split {
        /// Which.
        unit: u32,
        /// Into how many.
        pieces: u32,
    },
    /// It ended.
    Ended {
        /// How.
        state: JobState,
        /// Why, when it did not end well.
        reason: Option<String>,
    },
}

/// An attempt at a unit, and where it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The unit's number in its job.
    pub unit: u32,
    /// The attempt.
    pub attempt: Attempt,
    /// The name of the worker.
    pub worker: String,
    /// Its number, as others may have its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<WorkerId>,
}

impl Tried {
    pub(super) fn new(unit: UnitId, attempt: Attempt, worker: Named) -> Self {
        let Named { id, name } = worker;
        Self { unit: unit.number, attempt, worker: name, number: Some(id) }
    }
}

impl Happening {
    /// Its name, as in the store and in `sprague events`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Submitted { .. } => "submitted",
            Self::Resumed => "resumed",
            Self::Started => "started",
            Self::Found { .. } => "found",
            Self::Disputed { .. } => "disputed",
            Self::OutOfMemory { .. } => "out-of-memory",
            Self::EndedBadly { .. } => "ended-badly",
            Self::TakenAway { .. } => "taken-away",
            Self::Outvoted { .. } => "outvoted",
            Self::Parked { .. } => "parked",
            Self::Split { .. } => "split",
            Self::Ended { .. } => "ended",
        }
    }

    /// The unit that it happened to, if it was one.
    #[must_use]
    pub fn unit(&self) -> Option<u32> {
        match self {
            Self::OutOfMemory { attempt, .. }
            | Self::EndedBadly { attempt, .. }
            | Self::TakenAway { attempt, .. }
            | Self::Outvoted { attempt, .. } => Some(attempt.unit),
            Self::Parked { unit, .. } | Self::Split { unit, .. } => Some(*unit),
            _ => None,
        }
    }

    /// The attempt that it happened to, if it was one.
    #[must_use]
    pub fn tried(&self) -> Option<&Tried> {
        match self {
            Self::OutOfMemory { attempt, .. }
            | Self::EndedBadly { attempt, .. }
            | Self::TakenAway { attempt, .. }
            | Self::Outvoted { attempt, .. } => Some(attempt),
            _ => None,
        }
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Submitted { words } => write!(f, "submitted: {words}"),
            Self::Resumed => f.write_str("submitted again, and goes on"),
            Self::Started => f.write_str("started"),
            Self::Found { question, method, answer } => {
                let colon = if answer.is_empty() { "" } else { ": " };
                write!(f, "{question} has an answer by {method}{colon}{answer}")
            }
            Self::Disputed { question, note } => write!(f, "{question} is disputed: {note}"),
            Self::OutOfMemory { need, .. } => {
                write!(f, "out of memory: it needs {}", super::lease::bytes(*need))
            }
            Self::EndedBadly { how, .. } => write!(f, "ended badly: {how}"),
            Self::TakenAway { how, .. } => write!(f, "taken away: {how}"),
            Self::Outvoted { why, .. } => write!(f, "its worker is not trusted: {why}"),
            Self::Parked { reason, .. } => write!(f, "parked: {reason}"),
            Self::Split { pieces, .. } => {
                let units = counted(u64::from(*pieces), "smaller unit", "smaller units");
                write!(f, "split into {units}")
            }
            Self::Ended { state, reason: None } => write!(f, "{state}"),
            Self::Ended { state, reason: Some(reason) } => write!(f, "{state}: {reason}"),
        }
    }
}

impl Core {
    /// Writes down that something happened to a job.
    pub(super) fn note(&mut self, now: Now, id: JobId, what: Happening) {
        self.tally.count(&what);
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let event = Event { when: now.stamp(), what };
        let number = job.events.back().map_or(0, |(last, _)| last.wrapping_add(1));
        job.events.push_back((number, event.clone()));
        self.effects.writes.push(Write::Event(id, number, event));
        if job.events.len() > MOST_EVENTS
            && let Some((oldest, _)) = job.events.pop_front()
        {
            self.effects.writes.push(Write::DropEvent(id, oldest));
        }
    }

    /// What happened to a job, oldest first, as far as it is kept.
    ///
    /// # Errors
    /// When there is no such job.
    pub fn events(&self, id: JobId) -> Result<Vec<Event>, NoSuchJob> {
        let job = self.jobs.get(&id).ok_or(NoSuchJob(id))?;
        Ok(job.events.iter().map(|(_, event)| event.clone()).collect())
    }
}
