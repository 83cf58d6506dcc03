//! Walks the tree of graphs by parentage down to the order wanted.

use super::augment::{Demands, Parent, SetsBySize};
use super::constraints::Constraints;
use crate::small_graph::MAX_SMALL_ORDER;
use crate::{SmallGraph, Stop};

/// A graph and the graphs made from it by adding a vertex, all of one order.
#[derive(Clone, Copy, Debug)]
pub struct Family<'a> {
    /// The graph with one vertex less.
    pub parent: &'a SmallGraph,
    /// What the new vertex is joined to, for each child; never empty.
    pub neighbourhoods: &'a [u16],
}

impl Family<'_> {
    /// The children themselves.
    pub fn children(&self) -> impl Iterator<Item = SmallGraph> + '_ {
        self.neighbourhoods.iter().map(|&neighbours| self.parent.extended(neighbours))
    }
}

/// Which part of a generation to run: of the graphs some levels above the order wanted, every
/// `of`-th from the `index`-th on, and what descends from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part, from 0.
    pub index: u32,
    /// The number of parts.
    pub of: u32,
}

impl Part {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

/// Levels between the graphs that are dealt out to the parts and the graphs wanted.
const LEVELS_BELOW_DEAL: usize = 3;

/// Generates one graph of each isomorphism class of connected graphs of an order, in families.
///
/// Which graph stands for its class, and the order they come in, depend on the arguments only. The
/// parts `0..of` for any `of` are disjoint and together the whole.
///
/// # Errors
///
/// What `visit` returns stops the generation.
///
/// # Panics
///
/// If `order` is 0 or above [`MAX_SMALL_ORDER`].
pub fn connected(
    order: usize,
    constraints: &Constraints,
    part: Part,
    visit: impl FnMut(Family<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    assert!((1..=MAX_SMALL_ORDER).contains(&order), "graphs of 1 to 16 vertices are generated");
    let mut walk = Walk {
        demands: Demands { constraints, target: order },
        sets: SetsBySize::below(order - 1),
        part,
        dealt: 0,
        spare: Vec::new(),
        visit,
    };
    walk.descend(SmallGraph::EMPTY)
}

struct Walk<'a, V> {
    demands: Demands<'a>,
    sets: SetsBySize,
    part: Part,
    /// Graphs on the level of the deal met so far.
    dealt: u32,
    /// Lists of neighbourhoods to be used again.
    spare: Vec<Vec<u16>>,
    visit: V,
}

impl<V: FnMut(Family<'_>) -> Result<(), Stop>> Walk<'_, V> {
    /// Visits what descends from a graph.
    fn descend(&mut self, graph: SmallGraph) -> Result<(), Stop> {
        let deal = self.demands.target.saturating_sub(LEVELS_BELOW_DEAL);
        if graph.order() == deal {
            let mine = self.dealt % self.part.of == self.part.index;
            self.dealt += 1;
            if !mine {
                return Ok(());
            }
        }
        let parent = Parent::new(graph);
        let mut neighbourhoods = self.spare.pop().unwrap_or_default();
        parent.children(&self.demands, &self.sets, &mut neighbourhoods);
        if graph.order() + 1 == self.demands.target {
            if !neighbourhoods.is_empty() {
                (self.visit)(Family { parent: parent.graph(), neighbourhoods: &neighbourhoods })?;
            }
        } else {
            for &neighbours in &neighbourhoods {
                self.descend(graph.extended(neighbours))?;
            }
        }
        self.spare.push(neighbourhoods);
        Ok(())
    }
}
