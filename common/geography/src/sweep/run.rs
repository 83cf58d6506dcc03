//! Runs one slice of a sweep with one evaluator.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::evaluate::{ByMatching, ByRecursion, ByTable, Evaluate};
use super::tally::Tally;
use super::{Report, Slice};
use crate::generate::{Constraints, Part, connected};
use crate::{Limits, Stop};

/// How the positions of a sweep are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// Values by the [subset table](crate::value::table), outcomes by matchings from the
    /// definition.
    Table,
    /// Values by [recursion](crate::value::recursion), outcomes by the blossom algorithm.
    Recursion,
    /// Outcomes only, by both ways to matchings.
    Matching,
}

/// There is no evaluator of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no evaluator `{0}`: there are `table`, `recursion` and `matching`")]
pub struct UnknownEvaluator(String);

impl Evaluator {
    /// All evaluators.
    pub const ALL: [Self; 3] = [Self::Table, Self::Recursion, Self::Matching];

    /// The name of the evaluator.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Recursion => "recursion",
            Self::Matching => "matching",
        }
    }
}

impl fmt::Display for Evaluator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Evaluator {
    type Err = UnknownEvaluator;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluator> {
        let named = Self::ALL.into_iter().find(|evaluator| evaluator.name() == name);
        named.ok_or_else(|| UnknownEvaluator(name.to_owned()))
    }
}

/// Evaluates every start of every graph of a slice.
///
/// # Errors
///
/// If there is no such slice, the caller stops it, or the tables would outgrow the limit.
pub fn run(slice: Slice, evaluator: Evaluator, limits: &Limits<'_>) -> Result<Report, Stop> {
    slice.check()?;
    let order = usize::from(slice.vertices);
    match evaluator {
        Evaluator::Table => run_with(slice, ByTable::new(order, limits)?, limits),
        Evaluator::Recursion => run_with(slice, ByRecursion::new(order, limits)?, limits),
        Evaluator::Matching => run_with(slice, ByMatching::new(order, limits)?, limits),
    }
}

fn run_with(
    slice: Slice,
    mut evaluator: impl Evaluate,
    limits: &Limits<'_>,
) -> Result<Report, Stop> {
    let mut tally = Tally::new(usize::from(slice.vertices));
    let part = Part { index: slice.index, of: slice.of };
    connected(usize::from(slice.vertices), &Constraints::NONE, part, |family| {
        limits.advance(family.neighbourhoods.len() as u64)?;
        evaluator.family(family, &mut tally);
        Ok(())
    })?;
    Ok(tally.into_report())
}
