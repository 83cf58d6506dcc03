//! The recursion on graphs of any order, as long as the token's component is not too large.

use super::hashed_memo::HashedMemo;
use super::vertex_set::{VertexSet, Words};
use super::walk::{reach, walk};
use crate::{Graph, Limits, Stop};

/// The most vertices that the component of the start may have.
pub const MAX_COMPONENT: usize = 512;

/// A value and what it took to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The value.
    pub value: u16,
    /// Different positions (token, component) met, the start included.
    pub states: u64,
}

/// Finds the value of one start and of its options, with one memory of positions.
#[derive(Debug)]
pub struct Solver<'a> {
    /// The vertices of the component; the recursion numbers them in this order, the start first.
    vertices: Vec<usize>,
    width: Width<'a>,
}

/// The recursion for the number of words that the component takes.
#[derive(Debug)]
enum Width<'a> {
    One(Recursion<'a, 1>),
    Two(Recursion<'a, 2>),
    Four(Recursion<'a, 4>),
    Six(Recursion<'a, 6>),
    Eight(Recursion<'a, 8>),
}

/// Does the same with the recursion of whatever width.
macro_rules! with_recursion {
    ($width:expr, $recursion:ident => $result:expr) => {
        match $width {
            Width::One($recursion) => $result,
            Width::Two($recursion) => $result,
            Width::Four($recursion) => $result,
            Width::Six($recursion) => $result,
            Width::Eight($recursion) => $result,
        }
    };
}

impl<'a> Solver<'a> {
    /// Prepares to find the value of `start`.
    ///
    /// # Errors
    ///
    /// If the component of `start` has more than [`MAX_COMPONENT`] vertices or not even an empty
    /// memory fits the limit.
    ///
    /// # Panics
    ///
    /// If `start` is not in the graph.
    pub fn new(graph: &Graph, start: usize, limits: &Limits<'a>) -> Result<Self, Stop> {
        let vertices = graph.component(start);
        let order = vertices.len();
        let component = graph.induced(&vertices);
        let width = match order.div_ceil(64) {
            0 | 1 => Width::One(Recursion::new(&component, limits)?),
            2 => Width::Two(Recursion::new(&component, limits)?),
            3 | 4 => Width::Four(Recursion::new(&component, limits)?),
            5 | 6 => Width::Six(Recursion::new(&component, limits)?),
            7 | 8 => Width::Eight(Recursion::new(&component, limits)?),
            _ => {
                return Err(Stop::TooLarge { order, limit: MAX_COMPONENT });
            }
        };
        Ok(Self { vertices, width })
    }

    /// The value of the start.
    ///
    /// # Errors
    ///
    /// If the memory for positions would outgrow the limit, or the caller stops the computation.
    pub fn value(&mut self) -> Result<u16, Stop> {
        with_recursion!(&mut self.width, recursion => recursion.value())
    }

    /// The value of the position after the move from the start to `vertex`.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    ///
    /// # Panics
    ///
    /// If `vertex` is not a neighbour of the start.
    pub fn option_value(&mut self, vertex: usize) -> Result<u16, Stop> {
        let number = self.vertices.iter().position(|&known| known == vertex);
        let number = number.expect("a neighbour of the start is in its component");
        with_recursion!(&mut self.width, recursion => recursion.option_value(number))
    }

    /// Different positions met so far.
    #[must_use]
    pub fn states(&self) -> u64 {
        with_recursion!(&self.width, recursion => recursion.memo.states())
    }
}

/// The recursion on a connected graph of at most `64 * W` vertices, from vertex 0.
#[derive(Debug)]
struct Recursion<'a, const W: usize> {
    rows: Vec<Words<W>>,
    memo: HashedMemo<'a, W>,
}

impl<'a, const W: usize> Recursion<'a, W> {
    fn new(component: &Graph, limits: &Limits<'a>) -> Result<Self, Stop> {
        let row = |v| {
            component.neighbours(v).fold(Words::EMPTY, |mut row, w| {
                row.insert(w);
                row
            })
        };
        let rows = (0..component.order()).map(row).collect();
        Ok(Self { rows, memo: HashedMemo::new(limits)? })
    }

    fn vertices(&self) -> Words<W> {
        (0..self.rows.len()).fold(Words::EMPTY, |mut vertices, v| {
            vertices.insert(v);
            vertices
        })
    }

    fn value(&mut self) -> Result<u16, Stop> {
        let vertices = self.vertices();
        walk(&self.rows, 0, vertices, &mut self.memo)
    }

    fn option_value(&mut self, option: usize) -> Result<u16, Stop> {
        assert!(self.rows[0].and(Words::single(option)) != Words::EMPTY, "a move is along an edge");
        let rest = self.vertices().minus(Words::single(0));
        let component = reach(&self.rows, option, rest);
        walk(&self.rows, option, component, &mut self.memo)
    }
}

/// The value of a start of a graph.
///
/// # Errors
///
/// If the component of `start` has more than [`MAX_COMPONENT`] vertices, the memory for positions
/// would outgrow the limit, or the caller stops the computation.
///
/// # Panics
///
/// If `start` is not in the graph.
pub fn value(graph: &Graph, start: usize, limits: &Limits<'_>) -> Result<Valued, Stop> {
    let mut solver = Solver::new(graph, start, limits)?;
    let value = solver.value()?;
    Ok(Valued { value, states: solver.states() })
}
