//! All about one position: its value, its outcome, its options, and a maximum matching of its graph.
//!
//! [`analyse`] takes positions of any size one by one; [`BatchAnalyser`] takes thousands of small ones.

mod batch;

use thiserror::Error;

use crate::matching::Matcher;
use crate::value::recursion::Solver;
use crate::{Graph, Limits, Outcome, Stop};

pub use batch::{BatchAnalyser, MAX_BATCH_ORDER};

/// What is known about the token on one vertex of one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The order of the graph.
    pub vertices: usize,
    /// The size of the graph.
    pub edges: usize,
    /// The vertex that the token is on.
    pub start: usize,
    /// The order of the component of `start`; the rest of the graph changes no value.
    pub component: usize,
    /// The value, or why it was not found.
    pub value: Result<u16, Stop>,
    /// Who wins. Comes from matchings and is always known.
    pub outcome: Outcome,
    /// The size of a maximum matching of the graph.
    pub matching: usize,
    /// The size of a maximum matching of the graph without `start`.
    pub matching_without_start: usize,
    /// The moves, by ascending vertex.
    pub options: Vec<GeoOption>,
    /// The edges of one maximum matching of the graph, as pairs `(v, w)` with `v < w`.
    pub pairs: Vec<(usize, usize)>,
    /// Positions that were valued on the way to the values; 0 where they did not come out.
    pub states: u64,
}

/// One move: the token goes to `vertex` and the vertex it left is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeoOption {
    /// Where the token goes.
    pub vertex: usize,
    /// The value of the position after the move; none where the values were not found.
    pub value: Option<u16>,
    /// Whether the player who makes the move wins with it. Comes from matchings.
    pub winning: bool,
}

/// Why a position could not be analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AnalyseError {
    /// A token needs a vertex to lie on.
    #[error("a graph without vertices has no position")]
    EmptyGraph,
    /// The start is not a vertex of the graph.
    #[error("start {start} is not in a graph of order {order}: vertices are numbered from 0")]
    StartOutside {
        /// The start asked for.
        start: usize,
        /// The order of the graph.
        order: usize,
    },
}

/// Analyses the token on `start`: the outcome and the winning moves by matchings, in polynomial
/// time; the values by [recursion](crate::value::recursion), as far as the limits allow.
///
/// # Errors
///
/// If there is no such position. A limit that is met is not an error: what is known without the values is known
/// still, and the value says which limit it was.
pub fn analyse(graph: &Graph, start: usize, limits: &Limits<'_>) -> Result<Analysis, AnalyseError> {
    let mut analysis = outcomes(graph, start)?;
    let options = analysis.options.iter().map(|option| option.vertex);
    match values(graph, start, options, limits) {
        Ok(Values { of_start, of_options, states }) => {
            analysis.value = Ok(of_start);
            analysis.states = states;
            for (option, value) in analysis.options.iter_mut().zip(of_options) {
                option.value = Some(value);
            }
        }
        Err(stop) => analysis.value = Err(stop),
    }
    Ok(analysis)
}

/// All but the values, by matchings. The value says that nobody looked for it.
fn outcomes(graph: &Graph, start: usize) -> Result<Analysis, AnalyseError> {
    let order = graph.order();
    if order == 0 {
        return Err(AnalyseError::EmptyGraph);
    }
    if start >= order {
        return Err(AnalyseError::StartOutside { start, order });
    }
    let mut matcher = Matcher::new(graph);
    let (matching, pairs) = (matcher.size(), matcher.pairs());
    matcher.remove(start);
    let matching_without_start = matcher.size();
    let missable = matcher.missable();
    let option = |vertex| GeoOption { vertex, value: None, winning: missable[vertex] };
    Ok(Analysis {
        vertices: order,
        edges: graph.size(),
        start,
        component: graph.component(start).len(),
        value: Err(Stop::Cancelled),
        outcome: if matching_without_start < matching { Outcome::N } else { Outcome::P },
        matching,
        matching_without_start,
        options: graph.neighbours(start).map(option).collect(),
        pairs,
        states: 0,
    })
}

/// The values of a position and of its options.
struct Values {
    of_start: u16,
    of_options: Vec<u16>,
    /// Positions met.
    states: u64,
}

fn values(
    graph: &Graph,
    start: usize,
    options: impl Iterator<Item = usize>,
    limits: &Limits<'_>,
) -> Result<Values, Stop> {
    let mut solver = Solver::new(graph, start, limits)?;
    let of_start = solver.value()?;
    let of_options = options.map(|vertex| solver.option_value(vertex)).collect::<Result<_, _>>()?;
    Ok(Values { of_start, of_options, states: solver.states() })
}
