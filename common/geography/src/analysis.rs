//! All about one position: its value, its outcome, its options, and a maximum matching of its graph.

use thiserror::Error;

use crate::matching::Matcher;
use crate::value::recursion::Solver;
use crate::{Graph, Limits, Outcome, Stop};

/// What is known about the token on one vertex of one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The order of the graph.
    pub vertices: usize,
    /// The size of the graph.
    pub edges: usize,
    /// The vertex that the token is on.
    pub start: usize,
    /// The value; none where the limits did not suffice for it.
    pub value: Option<u16>,
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
    /// Positions that the value took; 0 where it did not come out.
    pub states: u64,
}

/// One move: the token goes to `vertex` and the vertex it left is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeoOption {
    /// Where the token goes.
    pub vertex: usize,
    /// The value of the position after the move; none where the limits did not suffice for it.
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
    /// The caller stopped the analysis.
    #[error(transparent)]
    Stop(#[from] Stop),
}

/// Analyses the token on `start`: the outcome and the winning moves by matchings, in polynomial
/// time; the values by [recursion](crate::value::recursion), as far as the limits allow.
///
/// # Errors
///
/// If there is no such position, or the caller stops the analysis. Running out of memory, or into
/// the limit of the method, is not an error: the values are left out then.
pub fn analyse(graph: &Graph, start: usize, limits: &Limits<'_>) -> Result<Analysis, AnalyseError> {
    let order = graph.order();
    if order == 0 {
        return Err(AnalyseError::EmptyGraph);
    }
    if start >= order {
        return Err(AnalyseError::StartOutside { start, order });
    }
    let mut matcher = Matcher::new(graph);
    let matching = matcher.size();
    let matching_without_start = matcher.size_without(start);
    let after_move = graph.without(start);
    let mut after_matcher = Matcher::new(&after_move);
    let mut options: Vec<GeoOption> = graph
        .neighbours(start)
        .map(|vertex| {
            let vertex_after = vertex - usize::from(vertex > start);
            let missable = after_matcher.size_without(vertex_after) == after_matcher.size();
            GeoOption { vertex, value: None, winning: missable }
        })
        .collect();
    let (value, states) = match values(graph, start, &mut options, limits) {
        Ok(valued) => valued,
        Err(Stop::Cancelled) => return Err(AnalyseError::Stop(Stop::Cancelled)),
        Err(_) => {
            options.iter_mut().for_each(|option| option.value = None);
            (None, 0)
        }
    };
    Ok(Analysis {
        vertices: order,
        edges: graph.size(),
        start,
        value,
        outcome: if matching_without_start < matching { Outcome::N } else { Outcome::P },
        matching,
        matching_without_start,
        options,
        pairs: matcher.pairs(),
        states,
    })
}

/// The value of the position and, written into the options, theirs; with it, the positions met.
fn values(
    graph: &Graph,
    start: usize,
    options: &mut [GeoOption],
    limits: &Limits<'_>,
) -> Result<(Option<u16>, u64), Stop> {
    let mut solver = Solver::new(graph, start, limits)?;
    let value = solver.value()?;
    for option in options {
        option.value = Some(solver.option_value(option.vertex)?);
    }
    Ok((Some(value), solver.states()))
}
