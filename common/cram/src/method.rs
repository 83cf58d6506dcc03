//! The methods by name, and which of them suit a board.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Board;

/// A way to value a position. Any two of them share the rules, the split into components and the
/// canonical key at most, never search code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// The definition of the nimber and nothing else, on every subset of the cells.
    BruteForce,
    /// The least nimber that no option has, over all options, each shape once.
    Mex,
    /// Who wins, from wins and losses of sums alone.
    Outcome,
    /// "Is the nimber n?" as the win or loss of the couple (shape, `*n`), depth first
    /// (Lemoine and Viennot, arXiv 1011.5841).
    Couples,
    /// Couples again, the most proving first (df-pn), in a table of fixed size.
    ProofNumber,
}

/// A name that is no method's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no method: there are brute-force, mex, outcome, couples and proof-number")]
pub struct MethodError(String);

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] =
        [Self::BruteForce, Self::Mex, Self::Outcome, Self::Couples, Self::ProofNumber];

    /// The name on the command line and in findings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute-force",
            Self::Mex => "mex",
            Self::Outcome => "outcome",
            Self::Couples => "couples",
            Self::ProofNumber => "proof-number",
        }
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Self, MethodError> {
        Self::ALL
            .into_iter()
            .find(|method| method.name() == name)
            .ok_or_else(|| MethodError(name.to_owned()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The most cells of a board that [`default_methods`] has valued by the definition alone.
const BRUTE_FORCE_CELLS: usize = 12;

/// The most cells of a board that [`default_methods`] has valued shape by shape, for boards of one,
/// two, three, four and more rows: those that take seconds and at most about 512 MiB.
const MEX_CELLS: [usize; 5] = [128, 32, 36, 32, 30];

/// The cheapest methods that together confirm the nimber of a board, as far as there are two that reach it.
///
/// Small boards get every method that is cheap on them. Where the shapes are too many for [`Method::Mex`], boards of up to
/// two rows get [`Method::Couples`] and [`Method::ProofNumber`]; all others get the latter alone, and need a
/// [`certificate`](crate::certificate) to be believed.
#[must_use]
pub fn default_methods(board: &Board) -> Vec<Method> {
    let cells = board.cells();
    let short_side = board.rows().min(board.cols());
    let mut methods = Vec::new();
    if cells <= BRUTE_FORCE_CELLS {
        methods.push(Method::BruteForce);
    }
    if cells <= MEX_CELLS[short_side.min(MEX_CELLS.len()) - 1] {
        methods.extend([Method::Mex, Method::Outcome, Method::Couples]);
    } else {
        if short_side <= 2 {
            methods.push(Method::Couples);
        }
        methods.push(Method::ProofNumber);
    }
    methods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_reads_back_as_written() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert!("brute".parse::<Method>().is_err());
    }

    #[test]
    fn every_board_gets_two_methods_that_give_nimbers_or_the_one_that_reaches_it() {
        for rows in 1..=128 {
            for cols in 1..=128 / rows {
                let methods = default_methods(&Board::new(rows, cols).unwrap());
                let nimbers = methods.iter().filter(|&&method| method != Method::Outcome);
                let alone = methods == [Method::ProofNumber] && rows.min(cols) > 2;
                assert!(nimbers.count() >= 2 || alone, "{rows}x{cols}");
            }
        }
    }
}
