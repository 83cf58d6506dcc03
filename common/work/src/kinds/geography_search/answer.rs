//! What a walk or a whole search found.

use serde::{Deserialize, Serialize};
use sprague_geography::draw;
use sprague_geography::matching::{Outcome, outcome};
use sprague_geography::search::{Aim, Hit};
use sprague_geography::{Analysis, graph6};

use crate::kinds::found::fingerprint;

/// What some walks came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchAnswer {
    /// The graphs found, in the order of their walks, one of each isomorphism class as far as classes are known.
    pub(super) hits: Vec<FoundGraph>,
    pub(super) walks: u64,
    /// Graphs evaluated.
    pub(super) evaluations: u64,
    /// The most vertices of a graph that could grow further.
    pub(super) furthest: usize,
}

/// A graph with a start of the value wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundGraph {
    /// The graph without edges that it does not need.
    pub(super) graph6: String,
    pub(super) start: usize,
    pub(super) value: usize,
    pub(super) edges: usize,
    /// The same for isomorphic graphs of at most 16 vertices.
    pub(super) class: String,
    /// The graph as it was found, with all its edges.
    pub(super) found: String,
    /// The walk that found it.
    pub(super) walk: u64,
    /// The graph with its start, the values of the options and a maximum matching, for Graphviz. An SVG has
    /// places of vertices, in which machines may differ: `sprague geography draw` makes one.
    pub(super) dot: String,
}

impl SearchAnswer {
    pub(super) fn add(&mut self, other: Self) {
        self.hits.extend(other.hits);
        self.walks += other.walks;
        self.evaluations += other.evaluations;
        self.furthest = self.furthest.max(other.furthest);
    }

    /// A hash of the graphs found and of the count of evaluations.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint(self.hits.iter().map(|hit| hit.found.as_str()), self.evaluations)
    }
}

impl FoundGraph {
    /// The graph that walk `walk` found, `reduced` being what is left of it and `analysis` all about that.
    pub(super) fn new(walk: u64, hit: &Hit, reduced: &Hit, analysis: &Analysis) -> Self {
        Self {
            graph6: graph6::write(&reduced.graph),
            start: reduced.start,
            value: reduced.value,
            edges: reduced.graph.size(),
            class: reduced.class(),
            found: graph6::write(&hit.graph),
            walk,
            dot: draw::dot(&reduced.graph, analysis),
        }
    }

    /// Why this is not what was aimed at, as far as that is seen without a search.
    pub(super) fn fault(&self, aim: &Aim) -> Option<String> {
        let graph = match graph6::parse(self.graph6.as_bytes()) {
            Ok(graph) => graph,
            Err(fault) => return Some(format!("{} is no graph: {fault}", self.graph6)),
        };
        let fits = graph.order() == aim.order()
            && self.start < graph.order()
            && self.value == aim.value()
            && (0..graph.order()).all(|v| graph.degree(v) <= aim.max_degree());
        if !fits {
            return Some(format!("{} is not a graph that was looked for", self.graph6));
        }
        (outcome(&graph, self.start) == Outcome::P)
            .then(|| format!("start {} of {} is lost, so it is worth *0", self.start, self.graph6))
    }
}
