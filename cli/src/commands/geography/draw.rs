//! `sprague geography draw GRAPH6`

use sprague_geography::{Graph, draw, graph6};

use super::read;
use crate::args::{DrawingArgs, DrawingFormat, GeographyDrawArgs};
use crate::commands::draft::Outlet;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{Place, WrittenGraph};

/// The most vertices that are given a place in a picture: the time for that grows with their square.
const MOST_IN_SVG: usize = 1000;

pub(crate) fn run(context: &Context, args: GeographyDrawArgs) -> Result<Exit, ExpectedError> {
    let graph = read::graph(args.graph6.as_bytes())?;
    let write = || drawing(context, &graph, args.start, args.format, &args.drawing);
    let place = placed(args.drawing.clone(), write)?;
    context.printer.show(&WrittenGraph {
        construction: None,
        graph6: graph6::write(&graph),
        vertices: graph.order(),
        edges: graph.size(),
        start: args.start,
        format: args.format.into(),
        place,
    })?;
    Ok(Exit::Done)
}

/// Draws a position. Says so where its values are left out.
pub(super) fn drawing(
    context: &Context,
    graph: &Graph,
    start: usize,
    format: DrawingFormat,
    args: &DrawingArgs,
) -> Result<String, ExpectedError> {
    if format == DrawingFormat::Svg && graph.order() > MOST_IN_SVG {
        return Err(ExpectedError::TooLargeToDraw { order: graph.order(), most: MOST_IN_SVG });
    }
    let analysis = read::analysed(graph, start, args.memory, Some(args.budget))?;
    if analysis.value.is_err() {
        context
            .notes
            .say("the values are not decided within --memory and --budget: none are drawn");
    }
    Ok(match format {
        DrawingFormat::Svg => draw::svg(graph, &analysis),
        DrawingFormat::Dot => draw::dot(graph, &analysis),
    })
}

/// Writes a text where it belongs; that it cannot be written there is told before it is made.
pub(super) fn placed(
    args: DrawingArgs,
    text: impl FnOnce() -> Result<String, ExpectedError>,
) -> Result<Place, ExpectedError> {
    match args.out.map_or(Ok(Outlet::Stdout), |file| Outlet::new(file, args.force))? {
        Outlet::Stdout => Ok(Place::Here(text()?)),
        Outlet::File(draft) => {
            let mut text = text()?;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            Ok(Place::File(draft.publish(text.as_bytes())?))
        }
    }
}
