//! Maximum matchings of graphs of any order by Edmonds' blossom algorithm.
//!
//! J. Edmonds, *Paths, trees, and flowers*, Canadian Journal of Mathematics 17 (1965). A tree of
//! alternating paths grows from an exposed vertex; an odd cycle in it, a blossom, is contracted to
//! its base by renaming the base of all its vertices; an edge to an exposed vertex ends an
//! augmenting path.

use crate::Graph;

/// Finds and holds a maximum matching of a graph. O(order³) time, O(order) space.
#[derive(Clone, Debug)]
pub struct Matcher<'a> {
    graph: &'a Graph,
    /// The vertices that are not there any more.
    removed: Vec<bool>,
    mate: Vec<Option<usize>>,
    size: usize,
    tree: Tree,
}

/// The alternating tree of one search. A vertex is *even* when an alternating path of even length
/// leads from the root to it.
#[derive(Clone, Debug)]
struct Tree {
    /// The vertex before an odd vertex on its path to the root; for vertices of a blossom, the way
    /// round the blossom.
    parent: Vec<Option<usize>>,
    /// The base of the outermost blossom that a vertex is in; itself where it is in none.
    base: Vec<usize>,
    even: Vec<bool>,
    /// The even vertices in the order of discovery, each of which is scanned once.
    queue: Vec<usize>,
    /// Scratch: bases on a path to the root, then bases of a blossom to be contracted.
    marked: Vec<bool>,
}

impl<'a> Matcher<'a> {
    /// Finds a maximum matching.
    #[must_use]
    pub fn new(graph: &'a Graph) -> Self {
        let order = graph.order();
        let tree = Tree {
            parent: vec![None; order],
            base: vec![0; order],
            even: vec![false; order],
            queue: Vec::with_capacity(order),
            marked: vec![false; order],
        };
        let mut matcher =
            Self { graph, removed: vec![false; order], mate: vec![None; order], size: 0, tree };
        // A greedy matching first: it leaves few searches to do.
        for (v, w) in graph.edges() {
            if matcher.mate[v].is_none() && matcher.mate[w].is_none() {
                matcher.mate[v] = Some(w);
                matcher.mate[w] = Some(v);
                matcher.size += 1;
            }
        }
        for root in 0..order {
            if matcher.mate[root].is_none() && matcher.augment(root) {
                matcher.size += 1;
            }
        }
        matcher
    }

    /// The size of a maximum matching.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The vertex that the matching found joins to `v`, if it covers `v`.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    #[must_use]
    pub fn mate(&self, v: usize) -> Option<usize> {
        self.mate[v]
    }

    /// The edges of the matching as pairs `(v, w)` with `v < w`, in ascending order.
    #[must_use]
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let mates = self.mate.iter().enumerate();
        mates.filter_map(|(v, &mate)| mate.filter(|&w| v < w).map(|w| (v, w))).collect()
    }

    /// Removes a vertex with its edges and goes on to a maximum matching of the rest, by one search.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    pub fn remove(&mut self, v: usize) {
        self.removed[v] = true;
        let Some(widow) = self.mate[v].take() else { return };
        // Without v the matching that is left is one short at most, and if a larger one exists, an
        // augmenting path begins at the vertex that lost its mate: one that avoided it would have
        // augmented the maximum matching of the whole graph.
        self.mate[widow] = None;
        if !self.augment(widow) {
            self.size -= 1;
        }
    }

    /// The size of a maximum matching of the graph without `v`, by one search.
    ///
    /// # Panics
    ///
    /// If `v` is not in the graph.
    #[must_use]
    pub fn size_without(&mut self, v: usize) -> usize {
        let (mate, size) = (self.mate.clone(), self.size);
        self.remove(v);
        self.removed[v] = false;
        self.mate = mate;
        std::mem::replace(&mut self.size, size)
    }

    /// For each vertex, whether some maximum matching misses it; never for one that was removed. One search for each
    /// vertex that this matching misses.
    ///
    /// A vertex is missed by a maximum matching iff an alternating path of even length leads to it from a vertex that
    /// this one misses: flipping the path frees its end (J. Edmonds, T. Gallai).
    #[must_use]
    pub fn missable(&mut self) -> Vec<bool> {
        let mut missable = vec![false; self.graph.order()];
        for root in 0..self.graph.order() {
            if self.mate[root].is_none() && !self.removed[root] {
                let augmenting = self.search(root);
                debug_assert_eq!(augmenting, None, "the matching is maximum");
                for (missable, even) in missable.iter_mut().zip(&self.tree.even) {
                    *missable |= even;
                }
            }
        }
        missable
    }

    /// Looks for an augmenting path from an exposed vertex and, if there is one, flips it.
    fn augment(&mut self, root: usize) -> bool {
        let Some(end) = self.search(root) else {
            return false;
        };
        let mut odd = Some(end);
        while let Some(v) = odd {
            let before = self.tree.parent[v].expect("a path leads back to the root");
            let next = self.mate[before];
            self.mate[v] = Some(before);
            self.mate[before] = Some(v);
            odd = next;
        }
        true
    }

    /// Grows an alternating tree from `root` until it meets an exposed vertex, which is returned.
    fn search(&mut self, root: usize) -> Option<usize> {
        self.tree.plant(root);
        let mut scanned = 0;
        while let Some(&v) = self.tree.queue.get(scanned) {
            scanned += 1;
            for w in self.graph.neighbours(v) {
                let inside = self.tree.base[v] == self.tree.base[w] || self.mate[v] == Some(w);
                if inside || self.removed[w] {
                    continue;
                }
                if self.tree.even[w] {
                    self.contract(v, w);
                } else if self.tree.parent[w].is_none() {
                    self.tree.parent[w] = Some(v);
                    match self.mate[w] {
                        None => return Some(w),
                        Some(mate) => self.tree.reach(mate),
                    }
                }
            }
        }
        None
    }

    /// Contracts the blossom that the edge between two even vertices closes.
    fn contract(&mut self, v: usize, w: usize) {
        let base = self.common_base(v, w);
        self.tree.marked.fill(false);
        self.mark_side(v, base, w);
        self.mark_side(w, base, v);
        for u in 0..self.graph.order() {
            if self.tree.marked[self.tree.base[u]] {
                self.tree.base[u] = base;
                self.tree.reach(u);
            }
        }
    }

    /// The first base that the paths from two even vertices to the root have in common.
    fn common_base(&mut self, v: usize, w: usize) -> usize {
        self.tree.marked.fill(false);
        let mut on_path = self.tree.base[v];
        loop {
            self.tree.marked[on_path] = true;
            let Some(mate) = self.mate[on_path] else {
                break;
            };
            on_path = self.even_before(mate);
        }
        let mut meeting = self.tree.base[w];
        while !self.tree.marked[meeting] {
            let mate = self.mate[meeting].expect("the root is on both paths");
            meeting = self.even_before(mate);
        }
        meeting
    }

    /// The base of the even vertex before an odd one.
    fn even_before(&self, odd: usize) -> usize {
        self.tree.base[self.tree.parent[odd].expect("an odd vertex has a parent")]
    }

    /// Marks the bases from `v` down to `base` and turns the parents there so that the odd
    /// vertices, now even too, lead back by way of `across`.
    fn mark_side(&mut self, mut v: usize, base: usize, mut across: usize) {
        while self.tree.base[v] != base {
            let mate = self.mate[v].expect("only the root of a tree is exposed");
            self.tree.marked[self.tree.base[v]] = true;
            self.tree.marked[self.tree.base[mate]] = true;
            self.tree.parent[v] = Some(across);
            across = mate;
            v = self.tree.parent[mate].expect("an odd vertex has a parent");
        }
    }
}

impl Tree {
    /// Clears the tree and begins a new one.
    fn plant(&mut self, root: usize) {
        self.parent.fill(None);
        self.even.fill(false);
        self.queue.clear();
        self.base.iter_mut().enumerate().for_each(|(v, base)| *base = v);
        self.reach(root);
    }

    /// Notes that a vertex is even.
    fn reach(&mut self, v: usize) {
        if !self.even[v] {
            self.even[v] = true;
            self.queue.push(v);
        }
    }
}

/// The size of a maximum matching, by the blossom algorithm. O(order³).
#[must_use]
pub fn blossom_size(graph: &Graph) -> usize {
    Matcher::new(graph).size()
}

/// The edges of one maximum matching as pairs `(v, w)` with `v < w`, in ascending order. O(order³).
#[must_use]
pub fn maximum_matching(graph: &Graph) -> Vec<(usize, usize)> {
    Matcher::new(graph).pairs()
}
