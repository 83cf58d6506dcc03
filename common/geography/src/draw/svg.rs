//! SVG, with a layout of our own.

use std::fmt::Write;

use super::layout::layout;
use crate::{Analysis, Graph};

/// Radius of a vertex in the units of the picture.
const RADIUS: f64 = 14.0;

/// The colour of the start.
const START: &str = "#ffd54f";

/// The colour of the matching.
const MATCHING: &str = "#c62828";

/// A position as a picture.
///
/// # Panics
///
/// If the analysis is not one of this graph.
#[must_use]
pub fn svg(graph: &Graph, analysis: &Analysis) -> String {
    // Room for each vertex to have some around it.
    let side = (graph.order() as f64).sqrt().mul_add(90.0, 60.0);
    let scale = |(x, y): (f64, f64)| {
        let inner = side - 6.0 * RADIUS;
        (3.0 * RADIUS + x * inner, 3.0 * RADIUS + y * inner)
    };
    let places: Vec<(f64, f64)> = layout(graph).into_iter().map(scale).collect();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side:.0} {side:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
    );
    for (v, w) in graph.edges() {
        let ((x1, y1), (x2, y2)) = (places[v], places[w]);
        let matched = analysis.pairs.contains(&(v, w));
        let (colour, width) = if matched { (MATCHING, 4) } else { ("#90a4ae", 1) };
        let _ = writeln!(
            text,
            "  <line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }
    for (v, (x, y)) in places.into_iter().enumerate() {
        let is_start = v == analysis.start;
        let covered = analysis.pairs.iter().any(|&(one, other)| one == v || other == v);
        let fill = if is_start { START } else { "white" };
        let (stroke, dashes) =
            if covered { (MATCHING, "") } else { ("#37474f", " stroke-dasharray=\"4 3\"") };
        let _ = writeln!(
            text,
            "  <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{fill}\" \
             stroke=\"{stroke}\"{dashes}/>\n  <text x=\"{x:.1}\" y=\"{:.1}\">{v}</text>",
            y + 4.0
        );
        let option = analysis.options.iter().find(|option| option.vertex == v);
        let value = if is_start { analysis.value.ok() } else { option.and_then(|o| o.value) };
        if let Some(value) = value {
            let _ = writeln!(
                text,
                "  <text x=\"{x:.1}\" y=\"{:.1}\" font-weight=\"bold\" \
                 stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">*{value}</text>",
                y - RADIUS - 4.0
            );
        }
    }
    text.push_str("</svg>\n");
    text
}
