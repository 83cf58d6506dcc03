//! The neighbourhoods by which a graph is extended, and the rule which of its children are its own.
//!
//! The vertex to delete from a child is one of greatest degree; of these, one whose neighbours have
//! the greatest degrees; of these, the first in canonical order. A child is the parent's own iff its
//! new vertex is that vertex or an image of it. Degrees decide about half of the children, the
//! degrees of neighbours most of the rest, an equitable partition nearly all that remain.

use super::canonical::{Permutation, automorphisms, closure, image, search};
use super::constraints::Constraints;
use super::partition::Partition;
use crate::SmallGraph;
use crate::small_graph::{MAX_SMALL_ORDER, members};

/// A graph that is about to be extended.
pub(super) struct Parent {
    graph: SmallGraph,
    size: usize,
    /// The vertices of each degree.
    by_degree: [u16; MAX_SMALL_ORDER + 1],
    max_degree: usize,
    generators: Vec<Permutation>,
    /// The components, each as two sets between which all its edges run if there are such, and
    /// as the whole and the empty set if there are none.
    components: Vec<(u16, u16)>,
}

/// What is asked of the children, beyond being the parent's own.
pub(super) struct Demands<'a> {
    pub(super) constraints: &'a Constraints,
    /// The order of the graphs that the generation is about.
    pub(super) target: usize,
}

impl Demands<'_> {
    /// The most edges that can still be added to a graph of some order.
    fn most_edges_above(&self, order: usize) -> usize {
        (order..self.target).map(|others| others.min(self.constraints.max_degree)).sum()
    }
}

impl Parent {
    pub(super) fn new(graph: SmallGraph) -> Self {
        let mut by_degree = [0; MAX_SMALL_ORDER + 1];
        for v in 0..graph.order() {
            by_degree[graph.row(v).count_ones() as usize] |= 1 << v;
        }
        let max_degree = by_degree.iter().rposition(|&class| class != 0).unwrap_or(0);
        Self {
            size: graph.size(),
            by_degree,
            max_degree,
            generators: automorphisms(&graph),
            components: components(&graph),
            graph,
        }
    }

    pub(super) fn graph(&self) -> &SmallGraph {
        &self.graph
    }

    /// Collects the neighbourhoods that make the parent's own children that meet the demands, one
    /// of each orbit, by ascending size and then by ascending number.
    pub(super) fn children(&self, demands: &Demands<'_>, sets: &SetsBySize, own: &mut Vec<u16>) {
        own.clear();
        let order = self.graph.order();
        let last = order + 1 == demands.target;
        let (fewest, most) = (*demands.constraints.edges.start(), *demands.constraints.edges.end());
        let to_come = demands.most_edges_above(order + 1);
        let mut seen = SetOfSets::default();
        for degree in self.max_degree..=order.min(demands.constraints.max_degree) {
            // No vertex to come has a smaller degree than this one.
            if self.size + degree * (demands.target - order) > most {
                break;
            }
            if self.size + degree + to_come < fewest {
                continue;
            }
            // A neighbour of this degree would have a greater one than the new vertex.
            let barred = self.by_degree[degree];
            for &neighbours in sets.of_size(degree).take_while(|&&set| set <= self.graph.vertices())
            {
                if neighbours & barred == 0
                    && self.admits(neighbours, last, demands.constraints)
                    && self.is_first_of_orbit(neighbours, &mut seen)
                    && self.is_own(neighbours, degree)
                {
                    own.push(neighbours);
                }
            }
        }
    }

    /// Whether a neighbourhood keeps the child connected, where it has to be, and bipartite.
    fn admits(&self, neighbours: u16, connected: bool, constraints: &Constraints) -> bool {
        let connects = !connected || {
            self.components.iter().all(|(one, other)| (one | other) & neighbours != 0)
        };
        let bipartite = !constraints.bipartite || {
            self.components
                .iter()
                .all(|(one, other)| one & neighbours == 0 || other & neighbours == 0)
        };
        connects && bipartite
    }

    /// Whether no automorphism takes a set met before to this one.
    fn is_first_of_orbit(&self, set: u16, seen: &mut SetOfSets) -> bool {
        if self.generators.is_empty() {
            return true;
        }
        if !seen.insert(set) {
            return false;
        }
        let mut orbit = vec![set];
        while let Some(set) = orbit.pop() {
            for generator in &self.generators {
                let image = image(generator, set);
                if seen.insert(image) {
                    orbit.push(image);
                }
            }
        }
        true
    }

    /// Whether the rule would delete the new vertex from the child with these neighbours.
    fn is_own(&self, neighbours: u16, degree: usize) -> bool {
        let new = self.graph.order();
        let rivals = self.class_in_child(neighbours, degree);
        if rivals == 0 {
            return true;
        }
        let child = self.graph.extended(neighbours);
        let mut classes = [0; MAX_SMALL_ORDER + 1];
        for (class, of_degree) in classes.iter_mut().zip(0..=degree) {
            *class = self.class_in_child(neighbours, of_degree);
        }
        classes[degree] |= 1 << new;
        let weight = |v: usize| {
            let around = classes.iter().enumerate().take(degree + 1);
            around
                .map(|(k, class)| (child.row(v) & class).count_ones() as usize * k * k)
                .sum::<usize>()
        };
        let wanted = weight(new);
        let mut tied = 1 << new;
        for rival in members(rivals) {
            let weight = weight(rival);
            if weight > wanted {
                return false;
            }
            if weight == wanted {
                tied |= 1 << rival;
            }
        }
        if tied == 1 << new {
            return true;
        }
        classes[degree] &= !tied;
        let below = (0..=degree).rev().map(|k| classes[k]);
        is_first(&child, Partition::of(std::iter::once(tied).chain(below)), new)
    }

    /// The old vertices that have this degree once the new one is there.
    fn class_in_child(&self, neighbours: u16, degree: usize) -> u16 {
        let raised = if degree == 0 { 0 } else { self.by_degree[degree - 1] & neighbours };
        raised | self.by_degree[degree] & !neighbours
    }
}

/// Whether a vertex of the first cell is an image of the one that comes first in canonical order.
fn is_first(graph: &SmallGraph, mut partition: Partition, vertex: usize) -> bool {
    let single = 1 << vertex;
    let order = graph.order();
    partition.refine(graph.rows(), order, |first| first == single || first & single == 0);
    let first = partition.cells()[0];
    if first & single == 0 {
        return false;
    }
    if first == single || cells_are_orbits(&partition, order) {
        return true;
    }
    let canonical = search(graph, partition);
    closure(&canonical.generators, 1 << canonical.vertices[0]) & single != 0
}

/// Whether the cells of an equitable partition are the orbits of a group of automorphisms for want
/// of room for anything else: McKay 1981, Lemma 2.25.
fn cells_are_orbits(partition: &Partition, order: usize) -> bool {
    let cells = partition.cells().len();
    let wide = partition.cells().iter().filter(|&cell| cell & (cell - 1) != 0).count();
    order <= cells + 4 || order <= cells + wide + 1
}

/// The components of a graph, each with its two sides if it is bipartite.
fn components(graph: &SmallGraph) -> Vec<(u16, u16)> {
    let mut components = Vec::new();
    let mut left = graph.vertices();
    while left != 0 {
        let mut sides = (left & left.wrapping_neg(), 0);
        let whole = graph.reach(sides.0, left);
        // The vertices at even and at odd distance from the first.
        let mut frontier = sides.0;
        while frontier != 0 {
            let around = members(frontier).fold(0, |around, v| around | graph.row(v));
            frontier = around & !(sides.0 | sides.1);
            sides = (sides.1 | frontier, sides.0);
        }
        let crosses = |side: u16| members(side).all(|v| graph.row(v) & side == 0);
        let bipartite = crosses(sides.0) && crosses(sides.1);
        components.push(if bipartite { sides } else { (whole, 0) });
        left &= !whole;
    }
    components
}

/// All sets of small vertices by size.
pub(super) struct SetsBySize {
    by_size: Vec<Vec<u16>>,
}

impl SetsBySize {
    /// The sets of the vertices below `order`.
    pub(super) fn below(order: usize) -> Self {
        let mut by_size = vec![Vec::new(); order + 1];
        for set in 0..1_u32 << order {
            by_size[set.count_ones() as usize].push(set as u16);
        }
        Self { by_size }
    }

    /// The sets of one size in ascending order.
    fn of_size(&self, size: usize) -> std::slice::Iter<'_, u16> {
        self.by_size[size].iter()
    }
}

/// Sets of vertices that were met.
#[derive(Default)]
struct SetOfSets {
    bits: Vec<u64>,
}

impl SetOfSets {
    /// Puts a set in; returns whether it was missing.
    fn insert(&mut self, set: u16) -> bool {
        let (word, bit) = (usize::from(set) / 64, 1 << (set % 64));
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        let missing = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        missing
    }
}
