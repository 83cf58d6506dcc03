//! `sprague geography construct NAME`

use sprague_geography::construct::{Digraph, Gadgets, Section5, arc_gadgets, half_graph, nim_tree};
use sprague_geography::{AnalyseError, Graph, graph6};

use super::draw;
use crate::args::{
    ConstructForm, ConstructVerb, DigraphArgs, DrawingFormat, GeographyConstructArgs, GraphFormat,
};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{Place, WrittenGraph};

pub(crate) fn run(context: &Context, args: GeographyConstructArgs) -> Result<Exit, ExpectedError> {
    let (Construction { name, graph, start }, form) = built(args.which)?;
    let text = || match form.format {
        GraphFormat::Graph6 => Ok(graph6::write(&graph)),
        GraphFormat::Svg => {
            draw::drawing(context, &graph, start, DrawingFormat::Svg, &form.drawing)
        }
        GraphFormat::Dot => {
            draw::drawing(context, &graph, start, DrawingFormat::Dot, &form.drawing)
        }
    };
    let place = draw::placed(form.drawing.clone(), text)?;
    let document = WrittenGraph {
        construction: Some(name),
        graph6: graph6::write(&graph),
        vertices: graph.order(),
        edges: graph.size(),
        start,
        format: form.format,
        place,
    };
    if matches!(document.place, Place::Here(_)) {
        context.notes.say(&document.summary());
    }
    context.printer.show(&document)?;
    Ok(Exit::Done)
}

/// A graph of the literature.
struct Construction {
    /// What it is, in the words of the command line.
    name: String,
    graph: Graph,
    start: usize,
}

fn built(which: ConstructVerb) -> Result<(Construction, ConstructForm), ExpectedError> {
    Ok(match which {
        ConstructVerb::Section5 { n, variant, form } => {
            let Section5 { graph, start, .. } = Section5::new(usize::from(n), variant);
            let name = format!("section5 --n {n} --variant {}", variant.name());
            (Construction { name, graph, start }, form)
        }
        ConstructVerb::Gadget { digraph: args, form } => {
            let digraph = digraph(&args)?;
            let graph = arc_gadgets(&digraph).graph;
            (Construction { name: named("gadget", &digraph), graph, start: args.start }, form)
        }
        ConstructVerb::Prelude { digraph: args, form } => {
            let digraph = digraph(&args)?;
            let (graph, start) = Gadgets::with_prelude(&digraph, args.start);
            let name = format!("{} --start {}", named("prelude", &digraph), args.start);
            (Construction { name, graph, start }, form)
        }
        ConstructVerb::Tree { k, form } => {
            let graph = nim_tree(usize::from(k));
            (Construction { name: format!("tree --k {k}"), graph, start: 0 }, form)
        }
        ConstructVerb::HalfGraph { k, form } => {
            let graph = half_graph(usize::from(k));
            (Construction { name: format!("half-graph --k {k}"), graph, start: 0 }, form)
        }
    })
}

fn digraph(args: &DigraphArgs) -> Result<Digraph, ExpectedError> {
    if args.arcs.is_empty() && args.vertices.is_none() {
        return Err(ExpectedError::Usage {
            message: "no digraph was given: name its arcs, or how many vertices it has".to_owned(),
            hint: Some("the cycle of three is --arcs 0-1,1-2,2-0".to_owned()),
        });
    }
    let named = args.arcs.iter().map(|&(tail, head)| tail.max(head) + 1).max().unwrap_or(0);
    let order = args.vertices.unwrap_or(named);
    let digraph = Digraph::from_arcs(order, args.arcs.iter().copied())?;
    match args.start {
        _ if order == 0 => Err(ExpectedError::Geography(AnalyseError::EmptyGraph)),
        start if start >= order => {
            Err(ExpectedError::Geography(AnalyseError::StartOutside { start, order }))
        }
        _ => Ok(digraph),
    }
}

fn named(what: &str, digraph: &Digraph) -> String {
    let arcs: Vec<String> = digraph.arcs().map(|(tail, head)| format!("{tail}-{head}")).collect();
    match arcs.len() {
        0 => format!("{what} --vertices {}", digraph.order()),
        _ => format!("{what} --vertices {} --arcs {}", digraph.order(), arcs.join(",")),
    }
}
