//! One walk: a graph that grows pair by pair until it has the value wanted.

use super::joined::Joinable;
use super::{Aim, Hit};
use crate::random::Random;
use crate::value::table::{PAIRS, PairTable, WideStarts, WideTable};
use crate::{Graph, Limits, Stop};

/// Which walk, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The seed of the search.
    pub seed: u64,
    /// The number of the walk in the search.
    pub number: u64,
    /// Graphs that may be evaluated.
    pub evaluations: u64,
}

/// How a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkEnd {
    /// The graph that was looked for, if it came to one.
    pub hit: Option<Hit>,
    /// Graphs evaluated.
    pub evaluations: u64,
    /// The most vertices of a graph that could grow further.
    pub furthest: usize,
}

/// Graphs for one walk to evaluate, so that it takes a second or a few: a step is a shorter one the more
/// vertices there are.
#[must_use]
pub fn suggested_evaluations(order: usize) -> u64 {
    1 << 26_usize.saturating_sub(order).clamp(13, 16)
}

/// Climbs from other sets before a graph is given up.
const CLIMBS: usize = 10;

/// Changes to each set before a climb is given up.
const CHANGES: usize = 7;

/// Walks until there is a hit or all evaluations are used up. Depends on the arguments alone.
///
/// Begins anew from a small graph wherever a graph does not grow for a while. A step on n vertices takes 2^n times n/2 times the mean
/// value, for [`PAIRS`] sets together.
///
/// # Errors
///
/// If the tables would outgrow the limit or the caller stops it.
pub fn walk(aim: &Aim, walk: Walk, limits: &Limits<'_>) -> Result<WalkEnd, Stop> {
    let largest = aim.order().saturating_sub(4).max(2);
    limits.allow(
        WideTable::bytes(aim.order()).max(PairTable::bytes(largest) + WideTable::bytes(largest)),
    )?;
    let mut grower = Grower {
        aim,
        limits,
        random: Random::below_seed(walk.seed, walk.number),
        table: PairTable::default(),
        evaluations: 0,
        most: walk.evaluations,
    };
    let mut furthest = 0;
    let mut hit = None;
    while hit.is_none() && !grower.is_spent() {
        let mut grown = grower.first()?;
        while grown.order() + 2 < aim.order() {
            match grower.grow(&grown)? {
                Some(larger) => grown = larger,
                None => break,
            }
        }
        furthest = furthest.max(grown.order());
        if grown.order() == aim.order() {
            // Only a start of value 1 is wanted, which needs no pair.
            hit = grown.start_worth(aim.value());
        } else if grown.order() + 2 == aim.order() {
            hit = grower.finish(&grown);
        }
    }
    Ok(WalkEnd { hit, evaluations: grower.evaluations, furthest })
}

/// A graph on the way, with what is needed to grow it.
struct Grown {
    table: WideTable,
    starts: WideStarts,
    /// The vertices of one side, if it is bipartite.
    side: u32,
    graph: Graph,
}

impl Grown {
    fn order(&self) -> usize {
        self.graph.order()
    }

    /// The first start of a value.
    fn start_worth(&self, value: usize) -> Option<Hit> {
        let starts = self.starts[value];
        let start = (starts != 0).then(|| starts.trailing_zeros() as usize)?;
        Some(Hit { graph: self.graph.clone(), start, value })
    }
}

struct Grower<'a, 'b> {
    aim: &'a Aim,
    limits: &'a Limits<'b>,
    random: Random,
    table: PairTable,
    evaluations: u64,
    most: u64,
}

impl Grower<'_, '_> {
    fn is_spent(&self) -> bool {
        self.evaluations >= self.most
    }

    fn grown(&mut self, graph: Graph, side: u32) -> Result<Grown, Stop> {
        self.evaluations += 1;
        let table = WideTable::new(&graph, self.limits)?;
        Ok(Grown { starts: table.starts(), table, side, graph })
    }

    /// A random connected graph to begin with, which has a start of value 1.
    fn first(&mut self) -> Result<Grown, Stop> {
        loop {
            let (graph, side) = self.random_graph(self.aim.first_order());
            let grown = self.grown(graph, side)?;
            if grown.starts[1] != 0 || self.is_spent() {
                return Ok(grown);
            }
        }
    }

    /// A random tree with some edges more, as far as they are allowed; and the vertices of one side of the tree.
    fn random_graph(&mut self, order: usize) -> (Graph, u32) {
        let mut graph = Graph::edgeless(order);
        let mut side = 1;
        let has_room = |graph: &Graph, v: usize| graph.degree(v) < self.aim.max_degree();
        for new in 1..order {
            let open: Vec<usize> = (0..new).filter(|&v| has_room(&graph, v)).collect();
            // With a greatest degree of 1 there may be no place left: the graph falls apart then.
            let Some(pick) = open.len().checked_sub(1).map(|last| self.random.below(last + 1))
            else {
                continue;
            };
            graph.join(open[pick], new).expect("the vertex is new");
            side |= (!side >> open[pick] & 1) << new;
        }
        let density = self.random.below(100);
        for w in 1..order {
            for v in 0..w {
                let crosses = (side >> v ^ side >> w) & 1 == 1;
                let allowed = has_room(&graph, v)
                    && has_room(&graph, w)
                    && (crosses || !self.aim.is_bipartite())
                    && !graph.has_edge(v, w);
                if allowed && self.random.chance(density) {
                    graph.join(v, w).expect("the edge is new");
                }
            }
        }
        (graph, side)
    }

    /// The graph and a leaf pair more, with all the values that are needed then; none if none is found.
    fn grow(&mut self, grown: &Grown) -> Result<Option<Grown>, Stop> {
        let order = grown.order();
        let needed = self.aim.values_needed(order + 2);
        for _ in 0..CLIMBS {
            let Some((joinable, side)) = self.joinable(grown, 0) else { return Ok(None) };
            let mut sets: [u32; PAIRS] = std::array::from_fn(|_| joinable.draw(&mut self.random));
            let mut best = [0; PAIRS];
            let mut tried = sets;
            for _ in 0..=CHANGES {
                if self.is_spent() {
                    return Ok(None);
                }
                let found = self.table.solve(&grown.table, &tried, self.limits)?;
                // Of the last sets together only as many count as may be evaluated.
                let lanes = (self.most - self.evaluations).min(PAIRS as u64);
                self.evaluations += lanes;
                let sides = self.sides(grown.side, order, side);
                let present = found.map(|starts| present(&starts, needed, &sides));
                let counted = &present[..lanes as usize];
                if let Some(lane) = counted.iter().position(|&present| present == needed) {
                    if self.is_spent() {
                        return Ok(None);
                    }
                    let (graph, side) = extended(grown, tried[lane], side);
                    return self.grown(graph, side).map(Some);
                }
                for lane in 0..PAIRS {
                    if present[lane] >= best[lane] {
                        (best[lane], sets[lane]) = (present[lane], tried[lane]);
                    }
                    tried[lane] = joinable.vary(sets[lane], &mut self.random);
                }
            }
        }
        Ok(None)
    }

    /// The vertices that the next last vertex can be joined to together, with a leaf pair more: all of them, or one side or the other.
    fn sides(&self, of_old: u32, order: usize, leaf_side: bool) -> Vec<u32> {
        if !self.aim.is_bipartite() {
            return vec![u32::MAX];
        }
        let side = with_pair(of_old, order, leaf_side);
        vec![side, !side]
    }

    /// The last leaf pair: the last vertex has the value wanted and no greater one.
    fn finish(&mut self, grown: &Grown) -> Option<Hit> {
        let value = self.aim.value();
        let barred = grown.starts.get(value).copied().unwrap_or(0);
        let (joinable, side) = self.joinable(grown, barred)?;
        let (graph, _) = extended(grown, joinable.draw(&mut self.random), side);
        Some(Hit { start: graph.order() - 1, graph, value })
    }

    /// What the next last vertex may be joined to, and on which side that is. A bipartite graph has two sides to
    /// choose from: the random one if it will do, the other one else.
    fn joinable(&mut self, grown: &Grown, barred: u32) -> Option<(Joinable, bool)> {
        let values = self.aim.values_needed(grown.order());
        let rows: Vec<u32> = (0..grown.order())
            .map(|v| grown.graph.neighbours(v).fold(0, |row, w| row | 1 << w))
            .collect();
        let on = |side: bool| {
            let vertices = if side { grown.side } else { !grown.side };
            let side_vertices = self.aim.is_bipartite().then_some(vertices);
            let joinable =
                Joinable::new(&rows, &grown.starts, values, barred, side_vertices, self.aim)?;
            Some((joinable, side))
        };
        let first = self.random.chance(50);
        on(first).or_else(|| on(!first))
    }
}

/// How many of the values 1..=`needed` the starts among some vertices have: among those of the sets for which it is most.
fn present(starts: &WideStarts, needed: usize, sides: &[u32]) -> usize {
    let on = |side: &u32| starts[1..=needed].iter().filter(|&&set| set & side != 0).count();
    sides.iter().map(on).max().unwrap_or(0)
}

/// The graph with a leaf and a last vertex joined to it and to a set, and its side: the leaf is on the side of the set.
fn extended(grown: &Grown, joined: u32, side: bool) -> (Graph, u32) {
    let (leaf, last) = (grown.order(), grown.order() + 1);
    let neighbours = (0..leaf).filter(|v| joined >> v & 1 == 1).chain([leaf]);
    let edges = grown.graph.edges().chain(neighbours.map(|v| (v, last)));
    let graph = Graph::from_edges(last + 1, edges).expect("the vertices are new");
    (graph, with_pair(grown.side, leaf, side))
}

/// The vertices of one side with a leaf pair more, of which one is on that side.
fn with_pair(side: u32, order: usize, leaf_is_on_it: bool) -> u32 {
    side | 1 << if leaf_is_on_it { order } else { order + 1 }
}
