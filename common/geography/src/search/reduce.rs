//! Leaves out the edges that a value does not need.

use super::Hit;
use super::hit::worth;
use crate::{Limits, Stop};

/// The hit without edges that can go one after the other: the graph stays connected and the start keeps its value.
/// What is left depends on the order, which is that of [`Graph::edges`](crate::Graph::edges), so it is small but need not be the smallest.
///
/// Takes an evaluation for every edge.
///
/// # Errors
///
/// If the table would outgrow the limit or the caller stops it.
pub fn reduce(hit: &Hit, limits: &Limits<'_>) -> Result<Hit, Stop> {
    let mut reduced = hit.clone();
    for (v, w) in hit.graph.edges().collect::<Vec<_>>() {
        let mut without = reduced.graph.clone();
        without.cut(v, w);
        if without.is_connected() && worth(&without, hit.start, limits)? == hit.value {
            reduced.graph = without;
        }
    }
    Ok(reduced)
}
