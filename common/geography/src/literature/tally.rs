//! What came of testing a claim on some inputs.

use std::collections::BTreeMap;

/// Counts of the cases of one claim. Tallies of disjoint inputs add up, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases in which it was found out whether the claim holds.
    pub cases: u64,
    /// Those in which it does not.
    pub failed: u64,
    /// Cases beyond the reach of the method.
    pub skipped: u64,
    /// For a claim on Section 5, what the construction for n is worth.
    pub worth: BTreeMap<u8, u16>,
    /// For a claim on Section 5, the positions that the value for n took, in the unit of the method.
    pub states: BTreeMap<u8, u64>,
    /// Questions that the degree-3 algorithm asked; 0 for the other claims.
    pub oracle_calls: u64,
    /// A case that failed, in words: of all of them the one that sorts first.
    pub counterexample: Option<String>,
    /// Work done, in the unit of the method.
    pub expansions: u64,
    /// A sum over all values found of a hash of the value with its start and the size of its graph.
    pub fingerprint: u64,
}

impl Tally {
    /// Adds what came of other inputs. Counts that would overflow stay at the greatest number.
    pub fn merge(&mut self, other: &Self) {
        self.cases = self.cases.saturating_add(other.cases);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped = self.skipped.saturating_add(other.skipped);
        self.worth.extend(&other.worth);
        self.states.extend(&other.states);
        self.oracle_calls = self.oracle_calls.saturating_add(other.oracle_calls);
        if let Some(case) = &other.counterexample {
            self.note(case.clone());
        }
        self.expansions = self.expansions.saturating_add(other.expansions);
        self.fingerprint = self.fingerprint.wrapping_add(other.fingerprint);
    }

    /// Counts a case; `holds` is none where the method does not reach it.
    pub(super) fn case(&mut self, holds: Option<bool>, describe: impl FnOnce() -> String) {
        match holds {
            None => self.skipped += 1,
            Some(holds) => {
                self.cases += 1;
                if !holds {
                    self.failed += 1;
                    self.note(describe());
                }
            }
        }
    }

    /// Keeps the counterexample that sorts first, so that the order of merging does not matter.
    pub(super) fn note(&mut self, case: String) {
        self.counterexample = Some(match self.counterexample.take() {
            Some(known) => known.min(case),
            None => case,
        });
    }
}
