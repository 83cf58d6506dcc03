//! `sprague cram position ROWS`

use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_cram::{Limits, Position, analyse};

use crate::args::CramPositionArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::PositionDocument;

pub(crate) fn run(context: &Context, args: &CramPositionArgs) -> Result<Exit, ExpectedError> {
    let rows = &args.rows;
    let position: Position =
        rows.parse().map_err(|source| ExpectedError::Position { rows: rows.clone(), source })?;
    let limits = Limits {
        memory: args.memory.tables(),
        cancel: &AtomicBool::new(false),
        progress: &AtomicU64::new(0),
    };
    let analysis = analyse(&position, &limits)
        .map_err(|source| ExpectedError::Solve { memory: args.memory, source })?;
    context.printer.show(&PositionDocument { position, analysis })?;
    Ok(Exit::Done)
}
