//! What the store keeps of jobs and units, and what a core is restored from.

use serde::{Deserialize, Serialize};
use sprague_work::{
    Attempt, Dispute, Finding, JobId, JobSpec, JobState, Part, UnitId, UnitResult, Usage,
};

use super::{Event, Witness};

/// What the units of a job came to, kept when the units are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobTotals {
    /// Units that are done.
    pub units_done: u64,
    /// Executions that were begun.
    pub attempts: u64,
    /// Expansions of units that are done.
    pub expansions: u64,
    /// Processor seconds of units that are done.
    pub cpu_seconds: f64,
}

/// A job in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Its number.
    pub id: JobId,
    /// What was submitted.
    pub spec: JobSpec,
    /// Where it is in its life.
    pub state: JobState,
    /// Why it ended, when it did not end well.
    pub reason: Option<String>,
    /// When it was submitted, as RFC 3339 in UTC.
    pub submitted: String,
    /// How long it has been running, as of this record.
    pub milliseconds: u64,
    /// How long it had run when its present budget began.
    #[serde(default)]
    pub budget_from: u64,
    /// How many of its tasks have their finding, as of this record.
    #[serde(default)]
    pub tasks_done: u64,
    /// Its units may have had any number below this one, also those that are not in the store.
    #[serde(default)]
    pub units_reserved: u32,
    /// What its units came to, as of this record.
    pub totals: JobTotals,
}

/// Where a unit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitOrigin {
    /// The task's driver gave it out.
    Planned,
    /// It is a piece of a unit that no slot had the memory for.
    Split,
}

/// The accepted end of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoneRecord {
    /// The attempt that was accepted.
    pub attempt: Attempt,
    /// The name of the worker.
    pub worker: String,
    /// What it said.
    pub result: UnitResult,
    /// What it cost.
    pub usage: Usage,
    /// The order among the units of the job in which the results were merged.
    pub merged: u64,
}

/// A unit in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitRecord {
    /// Which task of the job it belongs to.
    pub task: u32,
    /// Which piece of the task it is.
    pub part: Part,
    /// Where it comes from.
    pub origin: UnitOrigin,
    /// The last attempt that was leased; 0 for none.
    pub attempt: Attempt,
    /// How often an attempt crashed or stood still.
    pub crashes: u32,
    /// How often its worker went away in the middle of an attempt.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub departures: u32,
    /// The least slot that it may be given to, in bytes.
    pub need: u64,
    /// Nobody runs it: the last attempt has ended, if there was one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Why it is not tried any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parked: Option<String>,
    /// Smaller units, or another job, do its work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// How it ended well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<DoneRecord>,
    /// Results of attempts that had lost their lease, to be compared with the one that counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<(Attempt, UnitResult)>,
    /// The results of workers that have done it, while others have to do it as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
impl UnitRecord {
    /// A unit that was leased so often and of which nothing else is known, for tests.
    pub(crate) fn leased(attempt: Attempt) -> Self {
        Self {
            task: 0,
            part: Part::WHOLE,
            origin: UnitOrigin::Planned,
            attempt,
            crashes: 0,
            departures: 0,
            need: 0,
            waits: false,
            parked: None,
            replaced: false,
            done: None,
            late: Vec::new(),
            witnesses: Vec::new(),
        }
    }
}

/// All that a store holds, as a core is restored from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The jobs, by number.
    pub jobs: Vec<JobRecord>,
    /// The units of jobs that still have them, by number.
    pub units: Vec<(UnitId, UnitRecord)>,
    /// All findings, oldest first.
    pub findings: Vec<Finding>,
    /// All disputes, oldest first.
    pub disputes: Vec<Dispute>,
    /// What happened to jobs, by job and number.
    pub events: Vec<(JobId, u32, Event)>,
    /// Workers that are not trusted, by name, and why.
    pub distrusted: Vec<(String, String)>,
    /// Remembered needs of memory, by class.
    pub needs: Vec<(String, u64)>,
    /// The instances of drained workers, with numbers in the order in which they were.
    pub drained: Vec<(String, u64)>,
    /// The last number that was given to a worker.
    pub last_worker: u64,
}
