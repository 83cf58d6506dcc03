//! Canonical forms and automorphism groups of small graphs.
//!
//! B. D. McKay, *Practical graph isomorphism*, Congressus Numerantium 30 (1981), without its finer
//! pruning: the search individualises the vertices of the first wide cell in turn and refines. A
//! leaf is a numbering; the greatest adjacency among the leaves is the canonical form. Two leaves
//! with one adjacency are an automorphism, and with the automorphisms that fix the vertices above a
//! node one vertex of each orbit is enough there. The graphs have sixteen vertices at most, and most
//! searches one leaf.

use super::partition::Partition;
use crate::SmallGraph;
use crate::small_graph::{MAX_SMALL_ORDER, members};

/// Where each vertex goes.
pub(super) type Permutation = [u8; MAX_SMALL_ORDER];

/// The image of a set of vertices.
#[inline]
pub(super) fn image(permutation: &Permutation, set: u16) -> u16 {
    members(set).fold(0, |image, v| image | 1 << permutation[v])
}

/// The vertices that the automorphisms generated take the set to, the set included.
pub(super) fn closure(generators: &[Permutation], set: u16) -> u16 {
    let mut closed = set;
    loop {
        let grown = generators.iter().fold(closed, |all, generator| all | image(generator, closed));
        if grown == closed {
            return closed;
        }
        closed = grown;
    }
}

/// A numbering of the vertices that the search arrived at.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The adjacency in this numbering: the upper triangle by columns, as in graph6.
    form: u128,
    /// The vertices in the order of their numbers.
    vertices: [u8; MAX_SMALL_ORDER],
    /// The vertices individualised, in order.
    path: [u8; MAX_SMALL_ORDER],
}

/// What a search found.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    /// Generators of the group of all automorphisms that respect the partition begun with.
    pub(super) generators: Vec<Permutation>,
    /// The vertices in canonical order: cells of the partition begun with stay in order.
    pub(super) vertices: [u8; MAX_SMALL_ORDER],
}

/// Searches from an equitable partition.
pub(super) fn search(graph: &SmallGraph, partition: Partition) -> Canonical {
    let mut search = Search { graph, first: None, best: None, generators: Vec::new() };
    search.descend(partition, [0; MAX_SMALL_ORDER], 0);
    let best = search.best.expect("a search has a leaf");
    Canonical { generators: search.generators, vertices: best.vertices }
}

/// Generators of the automorphism group of a graph.
pub(super) fn automorphisms(graph: &SmallGraph) -> Vec<Permutation> {
    let partition = equitable(graph);
    if partition.first_wide().is_none() {
        return Vec::new();
    }
    search(graph, partition).generators
}

/// The canonical form of a graph: two graphs have the same one iff they are isomorphic.
///
/// Exponential at worst, a few microseconds as a rule.
#[must_use]
pub fn canonical_form(graph: &SmallGraph) -> SmallGraph {
    let vertices = search(graph, equitable(graph)).vertices;
    (0..graph.order()).fold(SmallGraph::EMPTY, |form, number| {
        let row = graph.row(usize::from(vertices[number]));
        let earlier = (0..number).filter(|&other| row >> vertices[other] & 1 == 1);
        form.extended(earlier.fold(0, |set, other| set | 1 << other))
    })
}

/// The coarsest equitable partition.
fn equitable(graph: &SmallGraph) -> Partition {
    let mut partition = Partition::of([graph.vertices()]);
    partition.refine(graph.rows(), graph.order(), |_| false);
    partition
}

struct Search<'a> {
    graph: &'a SmallGraph,
    first: Option<Leaf>,
    /// The leaf with the greatest form so far.
    best: Option<Leaf>,
    generators: Vec<Permutation>,
}

impl Search<'_> {
    /// Searches below a node with this partition, `path[..depth]` being individualised. Returns the
    /// depth of the node to go on from: this one's parent, or one further up if what lies between
    /// is the image of what was searched.
    fn descend(
        &mut self,
        partition: Partition,
        mut path: [u8; MAX_SMALL_ORDER],
        depth: usize,
    ) -> usize {
        let Some(place) = partition.first_wide() else {
            return self.arrive(&partition, path, depth);
        };
        let mut tried = 0;
        for vertex in members(partition.cells()[place]) {
            if self.is_image_of(vertex, tried, &path[..depth]) {
                continue;
            }
            let mut child = partition;
            child.individualise(self.graph.rows(), self.graph.order(), place, vertex);
            path[depth] = vertex as u8;
            let next = self.descend(child, path, depth + 1);
            if next < depth {
                return next;
            }
            tried |= 1 << vertex;
        }
        depth.saturating_sub(1)
    }

    /// Whether known automorphisms that fix a path take one of the vertices tried to this one.
    fn is_image_of(&self, vertex: usize, tried: u16, path: &[u8]) -> bool {
        if tried == 0 || self.generators.is_empty() {
            return false;
        }
        let fixes = |generator: &&Permutation| path.iter().all(|&v| generator[usize::from(v)] == v);
        let fixing: Vec<Permutation> = self.generators.iter().filter(fixes).copied().collect();
        closure(&fixing, tried) >> vertex & 1 == 1
    }

    /// Takes notice of a leaf; returns the depth of the node to go on from.
    fn arrive(
        &mut self,
        partition: &Partition,
        path: [u8; MAX_SMALL_ORDER],
        depth: usize,
    ) -> usize {
        let leaf = self.leaf(partition, path);
        let (Some(first), Some(best)) = (self.first, self.best) else {
            self.first = Some(leaf);
            self.best = Some(leaf);
            return depth.saturating_sub(1);
        };
        for known in [first, best] {
            if known.form == leaf.form {
                let mut automorphism = [0; MAX_SMALL_ORDER];
                for (from, to) in known.vertices.iter().zip(leaf.vertices).take(self.graph.order())
                {
                    automorphism[usize::from(*from)] = to;
                }
                self.generators.push(automorphism);
                let parting = known.path.iter().zip(path).take_while(|(v, w)| *v == w).count();
                return parting.min(depth.saturating_sub(1));
            }
        }
        if leaf.form > best.form {
            self.best = Some(leaf);
        }
        depth.saturating_sub(1)
    }

    /// The leaf of a partition into single vertices.
    fn leaf(&self, partition: &Partition, path: [u8; MAX_SMALL_ORDER]) -> Leaf {
        let mut vertices = [0; MAX_SMALL_ORDER];
        for (vertex, cell) in vertices.iter_mut().zip(partition.cells()) {
            *vertex = cell.trailing_zeros() as u8;
        }
        let mut form = 0;
        for number in 1..self.graph.order() {
            let row = self.graph.row(usize::from(vertices[number]));
            for vertex in &vertices[..number] {
                form = form << 1 | u128::from(row >> vertex & 1);
            }
        }
        Leaf { form, vertices, path }
    }
}
