//! `sprague cram position ROWS`

use std::sync::atomic::AtomicU64;

use sprague_cram::{Limits, Position, SolveError, analyse};

use super::clock;
use crate::args::CramPositionArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::PositionDocument;

pub(crate) fn run(context: &Context, args: &CramPositionArgs) -> Result<Exit, ExpectedError> {
    let rows = &args.rows;
    let position: Position =
        rows.parse().map_err(|source| ExpectedError::Position { rows: rows.clone(), source })?;
    let analysed = clock::within(args.budget, |over| {
        let progress = &AtomicU64::new(0);
        analyse(
            &position,
            &Limits { memory: args.memory.tables(), cancel: over, progress, threads: 1 },
        )
    });
    let analysis = analysed.map_err(|source| match source {
        SolveError::Cancelled => ExpectedError::OutOfTime,
        source => ExpectedError::Solve { memory: args.memory, source },
    })?;
    context.printer.show(&PositionDocument { position, analysis })?;
    Ok(Exit::Done)
}
