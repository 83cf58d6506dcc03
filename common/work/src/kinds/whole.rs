//! The driver of a task that is one unit: the answer of the unit is the answer of the task.

use crate::{Conclusion, Contradiction, Driver, Part, UnitResult};

/// One unit, and what it said.
#[derive(Debug, Default)]
pub(super) struct Whole {
    given_out: bool,
    conclusion: Option<Conclusion>,
}

impl Driver for Whole {
    fn next(&mut self) -> Option<Part> {
        if self.given_out {
            return None;
        }
        self.given_out = true;
        Some(Part::WHOLE)
    }

    fn replan(&mut self, _part: &Part) {
        self.given_out = true;
    }

    fn absorb(&mut self, _part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let answer = result.answer.clone();
        self.conclusion = Some(Conclusion { answer, fingerprint: result.fingerprint });
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        self.conclusion.clone()
    }

    fn total(&self) -> Option<u64> {
        Some(1)
    }
}
