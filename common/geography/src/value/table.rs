//! The values of all starts of a small graph at once, bottom-up over the sets of its vertices.
//!
//! Write h(R, u) for the value of the token on u when the set R is left. The table holds, for every
//! set R and every k, the set of all u in R with h(R, u) = k. Then h(R, u) is the least k such that
//! no neighbour of u is in that set for R - u and k. Components play no part: vertices out of reach
//! change no value.

use crate::small_graph::{MAX_SMALL_ORDER, SmallGraph, members};

/// The values of the starts of one graph, indexed by vertex; what lies beyond the order is 0.
pub type Values = [u8; MAX_SMALL_ORDER];

/// The table, kept from graph to graph, so that a sweep allocates it once.
///
/// It takes 2^(order + 1) bytes for each value that occurs anywhere in it.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// `layers[k][R]` is the set of the u in R with h(R, u) = k.
    layers: Vec<Vec<u16>>,
}

impl Table {
    /// The values of all starts. Takes 2^order times the order times the mean value steps.
    #[must_use]
    pub fn solve(&mut self, graph: &SmallGraph) -> Values {
        let sets = 1_usize << graph.order();
        for layer in &mut self.layers {
            layer.clear();
            layer.resize(sets, 0);
        }
        // Every set that `set` extends is smaller as a number, so its entries are complete.
        for set in 0..sets {
            for u in members(graph.vertices() & !(set as u16)) {
                let row = graph.row(u);
                let k = self.layers.iter().take_while(|layer| layer[set] & row != 0).count();
                if k == self.layers.len() {
                    self.layers.push(vec![0; sets]);
                }
                self.layers[k][set | 1 << u] |= 1 << u;
            }
        }
        let mut values = [0; MAX_SMALL_ORDER];
        for (k, layer) in self.layers.iter().enumerate() {
            for u in members(layer[sets - 1]) {
                values[u] = k as u8;
            }
        }
        values
    }
}

/// The values of all starts of a graph, indexed by vertex.
#[must_use]
pub fn values(graph: &SmallGraph) -> Vec<u8> {
    Table::default().solve(graph)[..graph.order()].to_vec()
}
