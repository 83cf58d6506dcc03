//! A finding: the answer of one method to one question, with all that is known of how it came.

use serde::{Deserialize, Serialize};

use crate::{Answer, MethodName, Question, UnitResult, Usage};

/// What a finding cost, over all its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Units.
    pub units: u64,
    /// Shapes (sums, couples, subsets) that the tables held facts on.
    pub entries: u64,
    /// Generations of a node's children.
    pub expansions: u64,
    /// Wall time of the units, added up.
    pub seconds: f64,
    /// Processor time of the units, added up.
    pub cpu_seconds: f64,
    /// The largest resident memory of a unit, in bytes.
    pub peak_memory: u64,
}

impl Effort {
    /// Adds one finished unit.
    pub fn add(&mut self, result: &UnitResult, usage: &Usage) {
        self.units += 1;
        self.entries = self.entries.saturating_add(result.entries);
        self.expansions = self.expansions.saturating_add(result.expansions);
        self.seconds += usage.seconds;
        self.cpu_seconds += usage.cpu_seconds;
        self.peak_memory = self.peak_memory.max(usage.peak_memory);
    }
}

/// The answer of one method to one question. Findings are only ever appended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The question.
    pub question: Question,
    /// The method.
    pub method: MethodName,
    /// What it cost. Stands before the answer, which takes all fields that no other field claims.
    #[serde(flatten)]
    pub effort: Effort,
    /// What it found.
    #[serde(flatten)]
    pub answer: Answer,
    /// A hash of the work done, in hexadecimal.
    pub fingerprint: String,
    /// Who did it: the names of the workers, each once.
    pub workers: Vec<String>,
    /// When it was complete, by the coordinator's clock, as RFC 3339 in UTC.
    pub when: String,
    /// The version of the program.
    pub version: String,
}
