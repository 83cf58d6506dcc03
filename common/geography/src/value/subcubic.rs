//! Values in polynomial time where no vertex has more than three neighbours.
//!
//! After a first move the token has at most two moves, so every value is 0, 1 or 2, and whether it
//! is 0 is told by matchings. Two options that are both 0 give 1, none gives 0, and one that is 0 with
//! another of value x gives 3 - x: so the value is found along one path. With three moves, at the
//! start only, there are three such paths.
//!
//! The result is of the paper by Burke, Ferland and Teng (arXiv 2106.02114); this is the third
//! method for a value and shares no code with the other two.

use thiserror::Error;

use crate::Graph;
use crate::matching::Matcher;

/// A value and what it took to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubcubicValue {
    /// The value, at most 3.
    pub value: u16,
    /// Questions asked whether a position has the value 0.
    pub oracle_calls: u64,
}

/// A vertex has more than three neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("vertex {vertex} has {degree} neighbours: at most 3 are possible here")]
pub struct NotSubcubic {
    /// The vertex.
    pub vertex: usize,
    /// The number of its neighbours.
    pub degree: usize,
}

/// The value of a start of a graph without vertices of degree above 3. O(order⁴).
///
/// # Errors
///
/// If a vertex that can be reached has more than three neighbours.
///
/// # Panics
///
/// If `start` is not in the graph.
pub fn value(graph: &Graph, start: usize) -> Result<SubcubicValue, NotSubcubic> {
    let component = graph.component(start);
    let too_wide = component.iter().find(|&&vertex| graph.degree(vertex) > 3);
    if let Some(&vertex) = too_wide {
        return Err(NotSubcubic { vertex, degree: graph.degree(vertex) });
    }
    // The component begins with the start.
    let graph = graph.induced(&component);
    let mut oracle_calls = 0;
    let value = if graph.degree(0) <= 2 {
        along_path(graph, 0, &mut oracle_calls)
    } else {
        let rest = graph.without(0);
        let options: Vec<u16> = graph
            .neighbours(0)
            .map(|option| along_path(rest.clone(), option - 1, &mut oracle_calls))
            .collect();
        (0..).find(|value| !options.contains(value)).expect("three options leave a value out")
    };
    Ok(SubcubicValue { value, oracle_calls })
}

/// The value of a token with at most two moves.
fn along_path(mut graph: Graph, mut token: usize, oracle_calls: &mut u64) -> u16 {
    let mut reflected = false;
    loop {
        let rest = graph.without(token);
        let mut matcher = Matcher::new(&rest);
        let mut zeros = 0;
        let mut nonzero = None;
        for option in graph.neighbours(token) {
            let option = option - usize::from(option > token);
            *oracle_calls += 1;
            if matcher.size_without(option) == matcher.size() {
                zeros += 1;
            } else {
                nonzero = Some(option);
            }
        }
        let value = match (zeros, nonzero) {
            (0, _) => 0,
            (_, None) => 1,
            (_, Some(option)) => {
                // The value is 3 less that of the option, which is 1 or 2.
                reflected = !reflected;
                (graph, token) = (rest, option);
                continue;
            }
        };
        return if reflected { 3 - value } else { value };
    }
}
