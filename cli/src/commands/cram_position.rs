//! `sprague cram position ROWS`

use sprague_cram::{Limits, Position, SolveError, analyse};

use super::local::{Terms, watch};
use crate::args::CramPositionArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::PositionDocument;

pub(crate) async fn run(context: &Context, args: CramPositionArgs) -> Result<Exit, ExpectedError> {
    let rows = args.rows;
    let position: Position =
        rows.parse().map_err(|source| ExpectedError::Position { rows, source })?;
    let terms =
        Terms { memory: args.memory, threads: 1, budget: args.budget, counted: "expansions" };
    let work = move |limits: &Limits<'_>| match analyse(&position, limits) {
        Err(SolveError::Cancelled) => None,
        ended => Some(ended),
    };
    let analysis = watch(context, terms, work)
        .await?
        .map_err(|source| ExpectedError::Solve { memory: args.memory, source })?;
    context.printer.show(&PositionDocument { position, analysis })?;
    Ok(Exit::Done)
}
