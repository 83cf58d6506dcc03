//! A report: how an attempt at a unit ended. An answer, or a typed reason why not.

use serde::{Deserialize, Serialize};

use crate::Answer;

/// What a unit that ran to its end says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The answer of this part, in the kind's own shape.
    pub answer: Answer,
    /// A hash of the work done. Equal work has equal fingerprints on every machine, so that a
    /// worker that skipped half of it is found out even where its answer is right.
    pub fingerprint: u64,
    /// Shapes (sums, couples, subsets) that the tables held facts on.
    pub entries: u64,
    /// Generations of a node's children.
    pub expansions: u64,
    /// What else its driver needs: bytes that only the kind reads. They travel and are stored beside
    /// the result, not in its JSON.
    #[serde(skip)]
    pub notes: Vec<u8>,
}

/// What an attempt cost, measured by the worker from outside the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Wall time.
    pub seconds: f64,
    /// Processor time.
    pub cpu_seconds: f64,
    /// The most bytes that were resident during the attempt.
    pub peak_memory: u64,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It ran to its end.
    Done(UnitResult),
    /// It needs more memory than its slot has.
    OutOfMemory {
        /// The cap of the slot in bytes.
        cap: u64,
        /// The least cap, in bytes, under which it would have come further.
        needed: u64,
    },
    /// The process that ran it ended by itself.
    Crashed {
        /// How: the signal or the exit code, in words.
        how: String,
    },
    /// It was told to stop.
    Cancelled,
    /// The worker does not know the question's kind or its method, or cannot read the part.
    Refused {
        /// What it does not know.
        reason: String,
    },
}

/// The end of one attempt with its cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// What it cost.
    pub usage: Usage,
}
