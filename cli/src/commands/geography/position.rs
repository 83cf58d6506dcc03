//! `sprague geography position [GRAPH6]`

use std::io::{self, IsTerminal};

use sprague_geography::graph6;

use super::{read, stream};
use crate::args::GeographyPositionArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::GraphDocument;

pub(crate) fn run(context: &Context, args: &GeographyPositionArgs) -> Result<Exit, ExpectedError> {
    match &args.graph6 {
        Some(text) => {
            let graph = read::graph(text.as_bytes())?;
            let analysis = read::analysed(&graph, args.start, args.memory, args.budget)?;
            context.printer.show(&GraphDocument { graph6: graph6::write(&graph), analysis })?;
            Ok(Exit::Done)
        }
        None if io::stdin().is_terminal() => Err(ExpectedError::NoGraph),
        None => stream::run(context, args),
    }
}
