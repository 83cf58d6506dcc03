//! Which sets of values occur on an order, and what follows for the next order.
//!
//! A set of values is a `u32` here as in the reports of sweeps: bit k stands for value k.

use std::collections::BTreeSet;

/// A component of a graph, as far as the lemma needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its vertices.
    pub order: usize,
    /// The values of its starts.
    pub values: u32,
}

/// A set of values that occurs as that of all starts of some graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attained {
    /// The values of its starts.
    pub values: u32,
    /// Components of which such a graph can be made.
    pub components: Vec<Component>,
}

/// Whether some graph on so many vertices has a start of some value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Yes: a new vertex can be added to this graph with one vertex less.
    Exists(Attained),
    /// No graph with one vertex less has starts of all smaller values.
    None,
}

/// For each order up to that of the last sweep, every set of values that occurs on graphs of that
/// order, connected or not.
///
/// `connected[n]` are the sets of values of the connected graphs on n vertices; `connected[0]` is empty.
#[must_use]
pub fn attainable(connected: &[BTreeSet<u32>]) -> Vec<Vec<Attained>> {
    let mut attained = vec![vec![Attained { values: 0, components: Vec::new() }]];
    for order in 1..connected.len() {
        let mut known = BTreeSet::new();
        let mut here = Vec::new();
        // The first component is a connected graph, the rest any graph on what is left.
        for first in (1..=order).rev() {
            for &values in &connected[first] {
                for rest in &attained[order - first] {
                    if known.insert(values | rest.values) {
                        let mut components = vec![Component { order: first, values }];
                        components.extend_from_slice(&rest.components);
                        here.push(Attained { values: values | rest.values, components });
                    }
                }
            }
        }
        attained.push(here);
    }
    attained
}

/// Decides whether some graph on `order` vertices has a start of value `k`, from the value sets of all
/// connected graphs on fewer vertices; none if the sweeps do not reach to `order - 1`.
///
/// `connected` is as for [`attainable`].
#[must_use]
pub fn decide(k: u32, order: usize, connected: &[BTreeSet<u32>]) -> Option<Decision> {
    let smaller = order.checked_sub(1)?;
    if smaller >= connected.len() {
        return None;
    }
    let wanted = 1_u32.checked_shl(k)? - 1;
    let attained = attainable(&connected[..=smaller]).swap_remove(smaller);
    let found = attained.into_iter().find(|attained| attained.values & wanted == wanted);
    Some(found.map_or(Decision::None, Decision::Exists))
}
