//! Who wins, from maximum matchings alone.
//!
//! A. S. Fraenkel, E. R. Scheinerman, D. Ullman, *Undirected edge geography*, Theoretical Computer
//! Science 112 (1993), section on the vertex version: the next player wins from a start iff every
//! maximum matching covers it, that is iff removing it makes a maximum matching smaller. The winner
//! moves to the mate of the token's vertex: whatever the other player does then is a move within
//! a graph whose maximum matchings can still be chosen to miss the token's new vertex.

use std::fmt;

use super::Matcher;
use crate::Graph;

/// Which player wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The previous player, who has just moved: the value is 0.
    P,
    /// The next player, whose turn it is: the value is not 0.
    N,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::P => "P",
            Self::N => "N",
        })
    }
}

/// Who wins from a start. O(order³).
///
/// # Panics
///
/// If `start` is not in the graph.
#[must_use]
pub fn outcome(graph: &Graph, start: usize) -> Outcome {
    let mut matcher = Matcher::new(graph);
    if matcher.size_without(start) < matcher.size() { Outcome::N } else { Outcome::P }
}

/// A move that wins from a start, if there is one: to the mate of `start` in a maximum matching.
/// O(order³).
///
/// # Panics
///
/// If `start` is not in the graph.
#[must_use]
pub fn winning_move(graph: &Graph, start: usize) -> Option<usize> {
    let mut matcher = Matcher::new(graph);
    let covered = matcher.size_without(start) < matcher.size();
    covered.then(|| matcher.mate(start)).flatten()
}
