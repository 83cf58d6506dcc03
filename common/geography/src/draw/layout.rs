//! Where to draw the vertices.
//!
//! T. M. J. Fruchterman, E. M. Reingold, *Graph drawing by force-directed placement*, Software: Practice
//! and Experience 21 (1991): vertices repel each other, edges attract, and the steps shrink. It begins
//! on a circle and has nothing random in it.

use crate::Graph;

/// Rounds of moving every vertex.
const ROUNDS: u32 = 300;

/// A place for each vertex, in the square from 0 to 1.
pub(super) fn layout(graph: &Graph) -> Vec<(f64, f64)> {
    let order = graph.order();
    let mut places: Vec<(f64, f64)> = (0..order)
        .map(|v| {
            let angle = std::f64::consts::TAU * v as f64 / order as f64;
            (angle.sin(), -angle.cos())
        })
        .collect();
    let ideal = 2.0 / (order as f64).sqrt();
    for round in 0..ROUNDS {
        let longest = 0.2 * f64::from(ROUNDS - round) / f64::from(ROUNDS);
        let mut forces = vec![(0.0, 0.0); order];
        for v in 0..order {
            for w in 0..v {
                let (dx, dy) = (places[v].0 - places[w].0, places[v].1 - places[w].1);
                let distance = dx.hypot(dy).max(1e-6);
                let attraction = if graph.has_edge(v, w) { distance / ideal } else { 0.0 };
                let force = (ideal * ideal / (distance * distance)) - attraction;
                forces[v] = (forces[v].0 + dx * force, forces[v].1 + dy * force);
                forces[w] = (forces[w].0 - dx * force, forces[w].1 - dy * force);
            }
        }
        for ((x, y), (dx, dy)) in places.iter_mut().zip(forces) {
            // Parts that are not connected would drift away: everything is drawn to the middle.
            let (dx, dy) = (dx - *x * 0.3, dy - *y * 0.3);
            let length = dx.hypot(dy).max(1e-9);
            let step = length.min(longest) / length;
            *x += dx * step;
            *y += dy * step;
        }
    }
    fit(&mut places);
    places
}

/// Scales the places to the square.
fn fit(places: &mut [(f64, f64)]) {
    let bounds = |coordinate: fn(&(f64, f64)) -> f64| {
        let all = || places.iter().map(coordinate);
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (top, bottom)) = (bounds(|place| place.0), bounds(|place| place.1));
    let size = (right - left).max(bottom - top).max(1e-9);
    let (middle_x, middle_y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    for (x, y) in places {
        *x = 0.5 + (*x - middle_x) / size;
        *y = 0.5 + (*y - middle_y) / size;
    }
}
