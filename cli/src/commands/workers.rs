//! `sprague workers`, and `sprague worker drain ID`

use sprague_work::WorkerId;

use crate::args::AccessArg;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{WorkerDocument, WorkersDocument};
use crate::remote::Client;

/// Lists the workers.
pub(crate) async fn run(context: &Context, args: &AccessArg) -> Result<Exit, ExpectedError> {
    let workers = Client::open(&args.access).await?.workers().await?;
    context.printer.show(&WorkersDocument(workers))?;
    Ok(Exit::Done)
}

/// Gives a worker no more units.
pub(crate) async fn drain(
    context: &Context,
    id: WorkerId,
    args: &AccessArg,
) -> Result<Exit, ExpectedError> {
    let worker = Client::open(&args.access).await?.drain(id).await?;
    context.printer.show(&WorkerDocument(worker))?;
    Ok(Exit::Done)
}
