//! DOT, the language of Graphviz.

use std::fmt::Write;

use crate::{Analysis, Graph};

/// A position as a DOT graph.
///
/// # Panics
///
/// If the analysis is not one of this graph.
#[must_use]
pub fn dot(graph: &Graph, analysis: &Analysis) -> String {
    let mut text = String::from("graph position {\n  node [shape=circle];\n");
    for v in 0..graph.order() {
        let option = analysis.options.iter().find(|option| option.vertex == v);
        let value =
            if v == analysis.start { analysis.value.ok() } else { option.and_then(|o| o.value) };
        let label = value.map_or_else(|| v.to_string(), |value| format!("{v}\\n*{value}"));
        let covered = analysis.pairs.iter().any(|&(one, other)| one == v || other == v);
        let mark = match (v == analysis.start, covered) {
            (true, true) => ", style=filled, fillcolor=gold",
            (true, false) => ", style=\"filled,dashed\", fillcolor=gold",
            (false, true) => "",
            (false, false) => ", style=dashed",
        };
        let _ = writeln!(text, "  {v} [label=\"{label}\"{mark}];");
    }
    for (v, w) in graph.edges() {
        let matched = analysis.pairs.contains(&(v, w));
        let style = if matched { " [color=crimson, penwidth=3]" } else { "" };
        let _ = writeln!(text, "  {v} -- {w}{style};");
    }
    text.push_str("}\n");
    text
}
